// Functions of the runtime API that device code may call (guide chapter 4: "available in device code"), as far as their arguments are
// numbers. Only sources that call them include this; under nvcc they are those of CUDA's device runtime (-rdc=true, cudadevrt).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "base.hpp"
#include <cstdint>
#if defined(CUF_TARGET_CPU)
#include "../cpu/api.hpp"
#define CUF_DEVICE_API
#else
#include <cuda_runtime.h>
#define CUF_DEVICE_API __device__
#endif

#if defined(CUF_TARGET_CPU) || defined(__CUDACC_RDC__)
namespace cuf {

CUF_DEVICE_API inline int device_last_error() { return cudaGetLastError(); }
CUF_DEVICE_API inline int device_peek_error() { return cudaPeekAtLastError(); }
/// Gives `to` what `ask` finds out, if it does. Device code itself writes the variable: checks see no other writes.
template <class V, class T, class Ask>
CUF_DEVICE_API int answer(T& to, const Ask& ask)
{
    V value{};
    const cudaError_t code = ask(&value);
    if (code == cudaSuccess) to = static_cast<T>(value);
    return code;
}

CUF_DEVICE_API inline int device_current(std::int32_t& number)
{
    return answer<int>(number, [](int* to) { return cudaGetDevice(to); });
}

CUF_DEVICE_API inline int device_count(std::int32_t& number)
{
    return answer<int>(number, [](int* to) { return cudaGetDeviceCount(to); });
}

CUF_DEVICE_API inline int device_runtime_version(std::int32_t& version)
{
    return answer<int>(version, [](int* to) { return cudaRuntimeGetVersion(to); });
}

CUF_DEVICE_API inline int device_attribute(std::int32_t& value, std::int32_t attribute, std::int32_t number)
{
    return answer<int>(value, [&](int* to) { return cudaDeviceGetAttribute(to, static_cast<cudaDeviceAttr>(attribute), number); });
}

CUF_DEVICE_API inline int device_cache_config(std::int32_t& config)
{
    return answer<cudaFuncCache>(config, [](cudaFuncCache* to) { return cudaDeviceGetCacheConfig(to); });
}

/// The value has any integer kind.
template <class T>
CUF_DEVICE_API int device_limit(T& value, std::int32_t limit)
{
    return answer<std::size_t>(value, [&](std::size_t* to) { return cudaDeviceGetLimit(to, static_cast<cudaLimit>(limit)); });
}

CUF_DEVICE_API inline int device_stream_create(std::int64_t& stream, std::int32_t flags)
{
    cudaStream_t s = nullptr;
    const cudaError_t code = cudaStreamCreateWithFlags(&s, static_cast<unsigned>(flags));
    if (code == cudaSuccess) stream = reinterpret_cast<std::intptr_t>(s);
    return code;
}

CUF_DEVICE_API inline int device_stream_destroy(std::int64_t stream)
{
    return cudaStreamDestroy(reinterpret_cast<cudaStream_t>(static_cast<std::intptr_t>(stream)));
}

}  // namespace cuf
#endif
