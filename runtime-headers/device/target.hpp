// Launches of the cuda target. Compiled by nvcc.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#if !defined(__CUDACC__)
#error "compile with nvcc, or with -DCUF_TARGET_CPU for the cpu target"
#endif
#include "device_state.hpp"
#include "launch_config.hpp"
#include "launch_error.hpp"
#include <cuda_runtime.h>

// Only the cpu target tells where threads wait for ever.
#define CUF_AT_ONLY
#define CUF_AT
#define CUF_PASS_AT
#define CUF_SOURCE_LINES(...) static_assert(true)
#define CUF_SOURCE_HASH(...) static_assert(true)
#define CUF_PLAIN_KERNEL(...) static_assert(true)
#define CUF_GUARDED_KERNEL(...) static_assert(true)
#define CUF_LOOP_KERNEL(...) static_assert(true)

// Of the checks at run time those of launches and bounds are for the cuda target, too.
#define CUF_SHARED(variable) static_assert(true)
#define CUF_LOCAL(variable) static_assert(true)
#if defined(CUF_CHECK)
#include "checked.hpp"
#endif
#if defined(CUF_CHECK_BOUNDS)
#define CUF_NAMED(variable) ::cuf::check::named(variable, #variable)
#else
#define CUF_NAMED(variable) static_assert(true)
#endif

namespace cuf {

namespace cuda {

enum launch_shape { shape_plain, shape_cooperative, shape_cluster };

inline cudaError_t& last_launch()
{
    static thread_local cudaError_t code = cudaSuccess;
    return code;
}

/// The configuration is one that no kernel can have on this device.
inline bool impossible(dim3 grid, dim3 block)
{
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return false;
    const auto beyond = [device](std::uint64_t n, cudaDeviceAttr limit) {
        int most = 0;
        return n == 0 || (cudaDeviceGetAttribute(&most, limit, device) == cudaSuccess && n > std::uint64_t(most));
    };
    return beyond(block.x, cudaDevAttrMaxBlockDimX) || beyond(block.y, cudaDevAttrMaxBlockDimY) ||
           beyond(block.z, cudaDevAttrMaxBlockDimZ) || beyond(grid.x, cudaDevAttrMaxGridDimX) ||
           beyond(grid.y, cudaDevAttrMaxGridDimY) || beyond(grid.z, cudaDevAttrMaxGridDimZ) ||
           beyond(std::uint64_t(block.x) * block.y * block.z, cudaDevAttrMaxThreadsPerBlock);
}

/// Some drivers call a configuration beyond the device's limits an invalid value (1) where CUDA Fortran programs know it as an
/// invalid configuration (9).
inline cudaError_t renamed(cudaError_t code, cudaError_t before, dim3 grid, dim3 block)
{
    if (code != cudaErrorInvalidValue || !impossible(grid, block)) return code;
    if (before == cudaSuccess) (void)cudaGetLastError();
    return renamed_error() = cudaErrorInvalidConfiguration;
}

/// The grid with its `*` component filled: as many blocks as can be resident.
inline dim3 grid_of(const launch_config& at, const void* kernel)
{
    std::int32_t grid[3] = {at.grid[0], at.grid[1], at.grid[2]};
    int star = at.flags & launch_star_grid ? 0 : -1;
    for (int i = 0; i < 3; ++i)
        if (grid[i] == -1) star = i;
    if (star >= 0) {
        int device = 0, multiprocessors = 0, blocks = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        const std::int64_t threads = std::int64_t(at.block[0]) * at.block[1] * at.block[2];
        // A configuration that cannot run is the launch's error to report.
        if (threads > 0 && threads <= 1024 && at.bytes >= 0)
            (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(threads), std::size_t(at.bytes));
        std::int64_t others = 1;
        for (int i = 0; i < 3; ++i)
            if (i != star) others *= grid[i] > 0 ? grid[i] : 1;
        const std::int64_t fill = std::int64_t(blocks) * multiprocessors / others;
        grid[star] = std::int32_t(fill > 1 ? fill : 1);
    }
    return dim3(unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2]));
}

/// Dynamic shared memory beyond 48 KB has to be asked for, once for a kernel and device.
inline void opt_in(const void* kernel, std::int64_t bytes)
{
    static thread_local struct {
        const void* kernel;
        device_key device;
        std::int64_t bytes;
    } granted{nullptr, {}, 0};
    if (bytes <= 0 || bytes > 0x7fffffff) return;
    const device_key device = this_device();
    if (granted.kernel == kernel && granted.device == device && granted.bytes >= bytes) return;
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return;
    if (bytes > attributes.maxDynamicSharedSizeBytes &&
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)) != cudaSuccess)
        return;
    granted = {kernel, device, bytes};
}

inline cudaError_t start(launch_shape shape, cluster_shape cluster, const launch_config& at, const void* kernel, void** values)
{
    prepare_device(at.stream);
    opt_in(kernel, at.bytes);
    const watched seen{{work::launch, kernel, 0, at.stream, &at}};
    const dim3 grid = grid_of(at, kernel);
    const dim3 block(unsigned(at.block[0]), unsigned(at.block[1]), unsigned(at.block[2]));
    const auto stream = reinterpret_cast<cudaStream_t>(at.stream);
    const auto bytes = std::size_t(at.bytes);
    const cudaError_t before = cudaPeekAtLastError();
    if (shape == shape_cooperative)
        return renamed(cudaLaunchCooperativeKernel(kernel, grid, block, values, bytes, stream), before, grid, block);
    if (shape == shape_plain) return renamed(cudaLaunchKernel(kernel, grid, block, values, bytes, stream), before, grid, block);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = unsigned(cluster.x);
    attribute.val.clusterDim.y = unsigned(cluster.y);
    attribute.val.clusterDim.z = unsigned(cluster.z);
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return renamed(cudaLaunchKernelExC(&config, kernel, values), before, grid, block);
}

template <class... P>
void launch_values(launch_shape shape, cluster_shape cluster, const launch_config& at, void (*kernel)(P...), P... values)
{
    void* addresses[] = {const_cast<void*>(static_cast<const void*>(&values))..., nullptr};
    const auto* function = reinterpret_cast<const void*>(kernel);
#if defined(CUF_CHECK)
    check::before_launch(at.stream);
    last_launch() = check::after_launch(function, at.stream, start(shape, cluster, at, function, addresses));
#else
    last_launch() = start(shape, cluster, at, function, addresses);
#endif
}

}  // namespace cuda

/// kernel<<<...>>>(args...). Errors are left for cudaGetLastError.
template <class... P, class... A>
void launch(const launch_config& at, void (*kernel)(P...), A&&... args)
{
    cuda::launch_values<P...>(cuda::shape_plain, {}, at, kernel, static_cast<P>(args)...);
}

/// For kernels that synchronise the whole grid.
template <class... P, class... A>
void launch_cooperative(const launch_config& at, void (*kernel)(P...), A&&... args)
{
    cuda::launch_values<P...>(cuda::shape_cooperative, {}, at, kernel, static_cast<P>(args)...);
}

/// For kernels with cluster_dims; the kernel itself must not carry __cluster_dims__.
template <class... P, class... A>
void launch_cluster(const launch_config& at, cluster_shape cluster, void (*kernel)(P...), A&&... args)
{
    cuda::launch_values<P...>(cuda::shape_cluster, cluster, at, kernel, static_cast<P>(args)...);
}

/// Configuration of a launch by device code.
struct child_config {
    dim3 grid, block;
    std::int64_t bytes = 0, stream = 0;
};

#if defined(__CUDACC_RDC__)
/// A launch by a thread of a kernel (needs -rdc=true and cudadevrt). The child runs before the launching grid is complete.
template <class... P, class... A>
__device__ void launch_child(const child_config& at, void (*kernel)(P...), A&&... args)
{
    kernel<<<at.grid, at.block, std::size_t(at.bytes), reinterpret_cast<cudaStream_t>(at.stream)>>>(static_cast<P>(args)...);
}
#endif

/// Result of the last launch of this host thread (the last error may be older).
inline cudaError_t last_launch_result() { return cuda::last_launch(); }

extern __shared__ __align__(1024) unsigned char cuf_dynamic_shared[];

/// The dynamic shared block of the launch.
template <class T>
__device__ __forceinline__ T* dynamic_shared(std::int64_t byte_offset = 0)
{
    return reinterpret_cast<T*>(cuf_dynamic_shared + byte_offset);
}

/// Nanoseconds of a clock that all threads of the device share.
__device__ __forceinline__ std::int64_t globaltimer()
{
    std::int64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/// Device address of a __device__ or __constant__ variable.
template <class T>
void* address_of(const T& symbol)
{
    void* address = nullptr;
    if (addresses_gone()) return nullptr;
    return cudaGetSymbolAddress(&address, symbol) == cudaSuccess ? address : nullptr;
}
#define CUF_ADDRESS_OF(...) ::cuf::address_of(__VA_ARGS__)
#define CUF_MANAGED_ADDRESS_OF(...) CUF_WATCHED_ADDRESS(::cuf::address_of(__VA_ARGS__), __VA_ARGS__)

}  // namespace cuf
