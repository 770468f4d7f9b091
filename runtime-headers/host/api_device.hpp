// Entry points of module cudafor: devices.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocation.hpp"
#include "bind.hpp"
#include "symbols.hpp"
#include "assign.hpp"

#if !defined(CUF_TARGET_CPU)
extern "C" cudaError_t cudaProfilerStart(void);
extern "C" cudaError_t cudaProfilerStop(void);
#endif

namespace cuf::rt {

// Bank sizes cannot be configured since CUDA 13: the program reads back what it set.
inline int shared_memory_config = 0;

}  // namespace cuf::rt

extern "C" {

using cuf::rt::desc;

int cufapi_device_attribute(int* value, int attribute, int device)
{
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
}

int cufapi_get_cache_config(int* config)
{
    cudaFuncCache c{};
    cudaError_t code = cudaDeviceGetCacheConfig(&c);
    *config = c;
    return code;
}

int cufapi_set_cache_config(int config)
{
    return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config));
}

int cufapi_get_limit(const desc* value, int limit)
{
    std::size_t v = 0;
    cudaError_t code = cudaDeviceGetLimit(&v, static_cast<cudaLimit>(limit));
    if (code == cudaSuccess) cuf::rt::store(value, static_cast<std::int64_t>(v));
    return code;
}

int cufapi_set_limit(int limit, const desc* value)
{
    cudaError_t code =
        cudaDeviceSetLimit(static_cast<cudaLimit>(limit), static_cast<std::size_t>(cuf::rt::integer(value)));
    if (code == cudaSuccess) cuf::limit_chosen(limit);
    return code;
}

int cufapi_get_shared_config(int* config)
{
    *config = cuf::rt::shared_memory_config;
    return cudaSuccess;
}

int cufapi_set_shared_config(int config)
{
    if (config < 0 || config > 2) return cudaErrorInvalidValue;
    cuf::rt::shared_memory_config = config;
    return cudaSuccess;
}

int cufapi_priority_range(int* least, int* greatest) { return cudaDeviceGetStreamPriorityRange(least, greatest); }

int cufapi_device_reset(void)
{
    int device = 0;
    cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess) code = cudaDeviceReset();
    if (code != cudaSuccess) return code;
    cuf::count_reset(device);
    cuf::rt::forget_device(device);
    cuf::rt::unbind();
    return code;
}

int cufapi_device_synchronize(void)
{
    const cudaError_t code = cudaDeviceSynchronize();
    if (cuf::watching) cuf::watching({cuf::work::synchronised, nullptr}, nullptr);
    return code;
}
int cufapi_get_device(int* device) { return cudaGetDevice(device); }
int cufapi_device_count(int* count)
{
    int n = 0;
    cudaError_t code = cudaGetDeviceCount(&n);
    if (code == cudaSuccess) *count = n;  // unchanged on failure
    return code;
}
int cufapi_set_device(int device)
{
    if (device != cuf::this_device().device) cuf::wait_for_unwaited();
    cudaError_t code = cudaSetDevice(device);
    if (code != cudaSuccess) return code;
    cuf::rt::note_device(device);
    cuf::rt::bind_again();
    return code;
}
int cufapi_set_device_flags(int flags) { return cudaSetDeviceFlags(static_cast<unsigned>(flags)); }

int cufapi_set_valid_devices(int* devices, int count)
{
    return cudaSetValidDevices(devices, count);
}

int cufapi_can_access_peer(const desc* can, int device, int peer)
{
    int v = 0;
    cudaError_t code = cudaDeviceCanAccessPeer(&v, device, peer);
    if (code == cudaSuccess) cuf::rt::store(can, v);
    return code;
}
int cufapi_enable_peer(int peer, int flags) { return cudaDeviceEnablePeerAccess(peer, static_cast<unsigned>(flags)); }
int cufapi_disable_peer(int peer) { return cudaDeviceDisablePeerAccess(peer); }
int cufapi_driver_version(int* version) { return cudaDriverGetVersion(version); }
int cufapi_runtime_version(int* version) { return cudaRuntimeGetVersion(version); }

int cufapi_profiler_start(void) { return cudaProfilerStart(); }
int cufapi_profiler_stop(void) { return cudaProfilerStop(); }

}  // extern "C"
