// Asynchronous copies of numbers from global to shared memory (module wmma: pipelineMemcpyAsync, pipelineCommit, pipelineWaitPrior).
// A copy is done at once where the hardware has no asynchronous one: from or to other memory, of other sizes, before compute
// capability 8.0, and on the cpu. A program that waits for its copies sees no difference.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

namespace cuf {

#if defined(CUF_TARGET_CPU)

template <class T>
CUF_INLINE void pipeline_copy(T& to, const T& from)
{
    to = from;
}

CUF_INLINE void pipeline_commit() {}

CUF_INLINE void pipeline_wait(int) {}

#else

namespace detail {

/// Size bytes, aligned so, from global to shared memory.
template <int Size>
__device__ __forceinline__ void copy_async(void* to, const void* from)
{
#if __CUDA_ARCH__ >= 800
    const unsigned shared = unsigned(__cvta_generic_to_shared(to));
    const size_t global = __cvta_generic_to_global(from);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(global), "n"(Size) : "memory");
#else
    memcpy(to, from, Size);
#endif
}

/// Waits until at most N of the thread's groups of copies are under way.
template <int N>
__device__ __forceinline__ void wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

}  // namespace detail

/// Begins to copy `from` to `to`: neither may be used before the wait for its group.
template <class T>
__device__ __forceinline__ void pipeline_copy(T& to, const T& from)
{
    constexpr int size = int(sizeof(T));
    if constexpr (size == 4 || size == 8 || size == 16) {
        if (__isShared(&to) && __isGlobal(&from)) {
            // Complex numbers of 16 bytes are aligned to 8.
            constexpr int piece = size == 16 ? 8 : size;
            char* const target = reinterpret_cast<char*>(&to);
            const char* const source = reinterpret_cast<const char*>(&from);
            for (int at = 0; at < size; at += piece) detail::copy_async<piece>(target + at, source + at);
            return;
        }
    }
    to = from;
}

/// The copies since the last commit are a group.
__device__ __forceinline__ void pipeline_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most `newest` of the thread's groups are under way, those committed last.
__device__ __forceinline__ void pipeline_wait(int newest)
{
    switch (newest) {
    case 1: return detail::wait_for_copies<1>();
    case 2: return detail::wait_for_copies<2>();
    case 3: return detail::wait_for_copies<3>();
    case 4: return detail::wait_for_copies<4>();
    case 5: return detail::wait_for_copies<5>();
    case 6: return detail::wait_for_copies<6>();
    case 7: return detail::wait_for_copies<7>();
    default: return detail::wait_for_copies<0>();
    }
}

#endif

}  // namespace cuf
