// The forms of the runtime API that cuda_runtime.h has for C++: symbols by name, pointers with their types, defaults.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../target.hpp"
#include "../../device/registry.hpp"

#define CUDART_VERSION 13000
#define CUDART_CB

// Codes that only a device reports.
inline constexpr cudaError cudaErrorCudartUnloading = cudaError(4), cudaErrorInvalidDevicePointer = cudaError(17),
                           cudaErrorInsufficientDriver = cudaError(35), cudaErrorInvalidKernelImage = cudaError(200),
                           cudaErrorDeviceUninitialized = cudaError(201), cudaErrorNoKernelImageForDevice = cudaError(209),
                           cudaErrorLaunchTimeout = cudaError(702), cudaErrorAssert = cudaError(710),
                           cudaErrorMisalignedAddress = cudaError(716);

namespace cuf::own {

/// The bytes lie in the variable.
template <class T>
bool is_inside(const T&, std::size_t bytes, std::size_t offset)
{
    return offset <= sizeof(T) && bytes <= sizeof(T) - offset;
}

template <class T>
const void* address(const T& symbol)
{
    return const_cast<const void*>(static_cast<const volatile void*>(&symbol));
}

/// Makes a device variable known to the runtime, by name and with its initial value.
template <class T>
bool register_variable(const char* name, const T& variable, bool managed)
{
    void* const place = const_cast<void*>(address(variable));
    return keep_initial_value(place, sizeof(T), managed) && register_symbol(name, place, sizeof(T));
}

}  // namespace cuf::own

/// Behind the declaration of a device variable; the translation writes it.
#define CUF_OWN_VARIABLE(name, managed)                                               \
    [[maybe_unused]] static const bool CUF_CPU_JOIN(cuf_own_variable_, __COUNTER__) = \
        ::cuf::own::register_variable(#name, name, managed)

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    const bool inside = cuf::own::is_inside(symbol, bytes, offset);
    return inside ? cudaMemcpyToSymbol(cuf::own::address(symbol), src, bytes, offset, kind) : cudaErrorInvalidValue;
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    const bool inside = cuf::own::is_inside(symbol, bytes, offset);
    return inside ? cudaMemcpyFromSymbol(dst, cuf::own::address(symbol), bytes, offset, kind) : cudaErrorInvalidValue;
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr)
{
    const bool inside = cuf::own::is_inside(symbol, bytes, offset);
    return inside ? cudaMemcpyToSymbolAsync(cuf::own::address(symbol), src, bytes, offset, kind, stream) : cudaErrorInvalidValue;
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr)
{
    const bool inside = cuf::own::is_inside(symbol, bytes, offset);
    return inside ? cudaMemcpyFromSymbolAsync(dst, cuf::own::address(symbol), bytes, offset, kind, stream) : cudaErrorInvalidValue;
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol)
{
    return cudaGetSymbolAddress(reinterpret_cast<void**>(pointer), cuf::own::address(symbol));
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&)
{
    if (!bytes) return cudaErrorInvalidValue;
    *bytes = sizeof(T);
    return cudaSuccess;
}

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height)
{
    return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags)
{
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, cudaStream_t stream = nullptr)
{
    const auto type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    return cudaMemPrefetchAsync(pointer, bytes, cudaMemLocation{type, device < 0 ? 0 : device}, 0, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device)
{
    const auto type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    return cudaMemAdvise(pointer, bytes, advice, cudaMemLocation{type, device < 0 ? 0 : device});
}
template <class R, class... P>
cudaError_t cudaFuncSetCacheConfig(R (*function)(P...), cudaFuncCache config)
{
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config);
}
template <class R, class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, R (*function)(P...), std::size_t bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, reinterpret_cast<const void*>(function), bytes, limit);
}
