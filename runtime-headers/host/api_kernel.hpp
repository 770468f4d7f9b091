// Entry points of module cudafor: kernels.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "api_device.hpp"
#include "symbols.hpp"

namespace cuf::rt {

/// type(cudaFuncAttributes)
struct function_attributes {
    std::int64_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
        preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight,
        requiredClusterDepth, clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
};

inline function_attributes function_attributes_of(const cudaFuncAttributes& a)
{
    function_attributes f{};
    f.sharedSizeBytes = static_cast<std::int64_t>(a.sharedSizeBytes);
    f.constSizeBytes = static_cast<std::int64_t>(a.constSizeBytes);
    f.localSizeBytes = static_cast<std::int64_t>(a.localSizeBytes);
    f.maxThreadsPerBlock = a.maxThreadsPerBlock;
    f.numRegs = a.numRegs;
    f.ptxVersion = a.ptxVersion;
    f.binaryVersion = a.binaryVersion;
    f.cacheModeCA = a.cacheModeCA;
    f.maxDynamicSharedSizeBytes = a.maxDynamicSharedSizeBytes;
    f.preferredShmemCarveout = a.preferredShmemCarveout;
#if !defined(CUF_TARGET_CPU)
    f.clusterDimMustBeSet = a.clusterDimMustBeSet;
    f.requiredClusterWidth = a.requiredClusterWidth;
    f.requiredClusterHeight = a.requiredClusterHeight;
    f.requiredClusterDepth = a.requiredClusterDepth;
    f.clusterSchedulingPolicyPreference = a.clusterSchedulingPolicyPreference;
    f.nonPortableClusterSizeAllowed = a.nonPortableClusterSizeAllowed;
#endif
    return f;
}

/// type(cudaLaunchConfig)
struct launch_config_type {
    int gridDim[3], blockDim[3];
    std::int64_t dynamicSmemBytes, stream;
    int clusterDim[3];
};

}  // namespace cuf::rt

extern "C" {

using cuf::rt::desc;

int cufapi_func_attributes(cuf::rt::function_attributes* to, const desc* func)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    cudaFuncAttributes a{};
    cudaError_t code = cudaFuncGetAttributes(&a, kernel);
    if (code != cudaSuccess) return code;
    *to = cuf::rt::function_attributes_of(a);
    return cudaSuccess;
}

int cufapi_func_set_attribute(const desc* func, int attribute, int value)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const auto which = static_cast<cudaFuncAttribute>(attribute);
    const cudaError_t code = cudaFuncSetAttribute(kernel, which, value);
    const void* wide = cuf::wide_version(kernel);
    return code != cudaSuccess || wide == nullptr ? code : cudaFuncSetAttribute(wide, which, value);
}

int cufapi_func_set_cache(const desc* func, int config)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const cudaError_t code = cudaFuncSetCacheConfig(kernel, static_cast<cudaFuncCache>(config));
    const void* wide = cuf::wide_version(kernel);
    return code != cudaSuccess || wide == nullptr ? code : cudaFuncSetCacheConfig(wide, static_cast<cudaFuncCache>(config));
}

int cufapi_func_set_banks(const desc* func, int config)
{
    if (cuf::rt::kernel_of(func) == nullptr) return cudaErrorInvalidDeviceFunction;
    return config < 0 || config > 2 ? cudaErrorInvalidValue : cudaSuccess;
}

int cufapi_occupancy_flags(const desc* blocks, const desc* func, const desc* threads, const desc* bytes,
                     const desc* flags)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    int n = 0;
    auto block = static_cast<int>(cuf::rt::integer(threads));
    auto shared = static_cast<std::size_t>(cuf::rt::integer(bytes));
    cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &n, kernel, block, shared, static_cast<unsigned>(cuf::rt::integer(flags)));
    if (code != cudaSuccess) return code;
    cuf::rt::store(blocks, n);
    return cudaSuccess;
}

int cufapi_occupancy(const desc* blocks, const desc* func, const desc* threads, const desc* bytes)
{
    return cufapi_occupancy_flags(blocks, func, threads, bytes, nullptr);
}

static int occupancy_cluster([[maybe_unused]] int* result, const desc* func,
                             [[maybe_unused]] const cuf::rt::launch_config_type* config, [[maybe_unused]] int active)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
#if defined(CUF_TARGET_CPU)
    return cudaErrorNotSupported;
#else
    auto dims = [](const int (&d)[3]) {
        return dim3(static_cast<unsigned>(d[0]), static_cast<unsigned>(d[1]), static_cast<unsigned>(d[2]));
    };
    cudaLaunchConfig_t c{};
    c.gridDim = dims(config->gridDim);
    c.blockDim = dims(config->blockDim);
    c.dynamicSmemBytes = static_cast<std::size_t>(config->dynamicSmemBytes);
    c.stream = cuf::rt::stream_handle(config->stream);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(config->clusterDim[0]),
                              static_cast<unsigned>(config->clusterDim[1]),
                              static_cast<unsigned>(config->clusterDim[2])};
    if (config->clusterDim[0] > 0) {
        c.attrs = &cluster;
        c.numAttrs = 1;
    }
    return active ? cudaOccupancyMaxActiveClusters(result, kernel, &c)
                  : cudaOccupancyMaxPotentialClusterSize(result, kernel, &c);
#endif
}

int cufapi_cluster_size(int* size, const desc* func, const cuf::rt::launch_config_type* config)
{
    return occupancy_cluster(size, func, config, 0);
}
int cufapi_active_clusters(int* count, const desc* func, const cuf::rt::launch_config_type* config)
{
    return occupancy_cluster(count, func, config, 1);
}

}  // extern "C"
