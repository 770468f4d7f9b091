// The groups of the cooperative_groups module. Only sources that use that module include this. Ranks count from 1.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "warp.hpp"
#if !defined(CUF_TARGET_CPU)
#include "target.hpp"
#include <cooperative_groups.h>
#endif

namespace cuf {

/// All threads of the grid; the kernel must be grid_global.
struct grid_group {
    int size, rank;
    CUF_WARP void sync(CUF_AT_ONLY) const;
};
/// The threads of the block, x fastest.
struct thread_group {
    int size, rank;
    CUF_WARP void sync(CUF_AT_ONLY) const;
};
/// The threads of the warp.
struct coalesced_group {
    int size, rank;
    CUF_WARP void sync(CUF_AT_ONLY) const;
};
/// The blocks of the cluster.
struct cluster_group {
    int size, rank;
    CUF_WARP void sync(CUF_AT_ONLY) const;
};

namespace detail {
CUF_WARP int thread_in_block()
{
    return int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}
CUF_WARP int threads_of_block()
{
    return int(blockDim.x * blockDim.y * blockDim.z);
}
}  // namespace detail

CUF_WARP grid_group this_grid()
{
    const int block = int((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x);
    const int threads = detail::threads_of_block();
    return {int(gridDim.x * gridDim.y * gridDim.z) * threads, block * threads + detail::thread_in_block() + 1};
}
CUF_WARP thread_group this_thread_block()
{
    return {detail::threads_of_block(), detail::thread_in_block() + 1};
}
CUF_WARP coalesced_group this_warp()
{
    const int t = detail::thread_in_block(), left = detail::threads_of_block() - (t & ~31);
    return {left < 32 ? left : 32, (t & 31) + 1};
}

#if defined(CUF_TARGET_CPU)
inline void thread_group::sync(std::source_location at) const { __syncthreads(at); }
inline void coalesced_group::sync(std::source_location at) const { __syncwarp(~0u, at); }
#else
__device__ __forceinline__ void thread_group::sync() const { __syncthreads(); }
__device__ __forceinline__ void coalesced_group::sync() const { __syncwarp(); }
#endif

#if defined(CUF_TARGET_CPU)
inline void grid_group::sync(std::source_location at) const { cpu::grid_barrier(at); }
inline void cluster_group::sync(std::source_location at) const { cpu::cluster_barrier(at); }
inline cluster_group this_cluster()
{
    if (cpu::self.shape != cpu::shape_cluster) return {1, 1};
    const uint3 d = cpu::self.cluster_dim, i = cpu::self.cluster_index;
    return {int(d.x * d.y * d.z), int((i.z * d.y + i.y) * d.x + i.x) + 1};
}
/// The place of the block in its cluster, from 1 as blockIdx, and the blocks of the cluster.
inline dim3 cluster_block_index()
{
    const uint3 i = cpu::self.cluster_index;
    return cpu::self.shape == cpu::shape_cluster ? dim3{i.x + 1, i.y + 1, i.z + 1} : dim3{};
}
inline dim3 cluster_dim_blocks()
{
    const uint3 d = cpu::self.cluster_dim;
    return cpu::self.shape == cpu::shape_cluster ? dim3{d.x, d.y, d.z} : dim3{};
}
/// The same shared variable in the block of that rank (from 1) of the cluster.
template <class T>
T* cluster_map_shared_rank(T* shared, int rank)
{
    return static_cast<T*>(cpu::map_shared_rank(shared, rank - 1));
}
#else
__device__ __forceinline__ void grid_group::sync() const { cooperative_groups::this_grid().sync(); }
#if defined(_CG_HAS_CLUSTER_GROUP)
__device__ __forceinline__ void cluster_group::sync() const { cooperative_groups::this_cluster().sync(); }
__device__ __forceinline__ cluster_group this_cluster()
{
    const auto cluster = cooperative_groups::this_cluster();
    return {int(cluster.num_blocks()), int(cluster.block_rank()) + 1};
}
__device__ __forceinline__ dim3 cluster_block_index()
{
    const dim3 i = cooperative_groups::this_cluster().block_index();
    return {i.x + 1, i.y + 1, i.z + 1};
}
__device__ __forceinline__ dim3 cluster_dim_blocks() { return cooperative_groups::this_cluster().dim_blocks(); }
template <class T>
__device__ __forceinline__ T* cluster_map_shared_rank(T* shared, int rank)
{
    return cooperative_groups::this_cluster().map_shared_rank(shared, rank - 1);
}
#else
// CUDA's header has no clusters when it is compiled for an older GPU. Programs without clusters do not miss them.
#define CUF_NEEDS_CLUSTERS static_assert(Clusters, "clusters require a GPU of compute capability 9.0 (--arch=sm_90)")
__device__ __forceinline__ void cluster_group::sync() const {}
template <bool Clusters = false>
__device__ cluster_group this_cluster()
{
    CUF_NEEDS_CLUSTERS;
    return {1, 1};
}
template <bool Clusters = false>
__device__ dim3 cluster_block_index()
{
    CUF_NEEDS_CLUSTERS;
    return {};
}
template <bool Clusters = false>
__device__ dim3 cluster_dim_blocks()
{
    CUF_NEEDS_CLUSTERS;
    return {};
}
template <bool Clusters = false, class T>
__device__ T* cluster_map_shared_rank(T* shared, int)
{
    CUF_NEEDS_CLUSTERS;
    return shared;
}
#undef CUF_NEEDS_CLUSTERS
#endif
#endif

}  // namespace cuf
