// What the threads of a block do together: iterations that they share, reductions, values of one thread for all. Only for kernels in
// which all threads of a block come to the same calls.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "loops.hpp"
#include "reduction.hpp"
#if defined(CUF_TARGET_CPU)
#define CUF_BLOCK inline
#else
#define CUF_BLOCK __device__ __forceinline__
#endif

namespace cuf {

/// The number of the calling thread in its block, from 0.
CUF_BLOCK int thread_rank() { return int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x); }

/// Threads of the block.
CUF_BLOCK int block_threads() { return int(blockDim.x * blockDim.y * blockDim.z); }

namespace detail {

/// The values of the variables of one iteration, as `auto [j, i]` takes them; without types all are int.
template <int N, class Iterator, class... T>
struct shared_indices {
    Iterator at;

    template <std::size_t K>
    CUF_BLOCK auto get() const
    {
        if constexpr (sizeof...(T) == 0)
            return int(at.index(int(K)));
        else
            return std::tuple_element_t<K, std::tuple<T...>>(at.index(int(K)));
    }
};

/// The place of an iteration along loop `k` of N, outermost first.
template <int N, class Count>
CUF_BLOCK int64_t place_along(int64_t position, int k, Count count)
{
    for (int inner = N - 1; inner > k; --inner) position /= count(inner);
    return k > 0 ? position % count(k) : position;
}

}  // namespace detail

/// What `for (auto [j, i] : block_stride(space))` runs over: every so many iterations of a nest, as a block executes them.
template <int N, class I, class... T>
struct block_strided {
    const loop_space<N, I>& space;

    struct end_mark {};
    struct iterator {
        const loop_space<N, I>& space;
        int64_t position, step, count;

        CUF_BLOCK I index(int k) const
        {
            using U = std::make_unsigned_t<I>;
            const auto& l = space.loops[k];
            const auto at = detail::place_along<N>(position, k, [&](int loop) { return int64_t(space.loops[loop].count); });
            return I(U(l.lo) + U(at) * U(l.step));
        }
        CUF_BLOCK auto operator*() const
        {
            if constexpr (N == 1)
                return index(0);
            else
                return detail::shared_indices<N, iterator, T...>{*this};
        }
        CUF_BLOCK bool operator!=(end_mark) const { return position < count; }
        CUF_BLOCK void operator++() { position += step; }
    };
    CUF_BLOCK iterator begin() const
    {
        const int64_t block = (int64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        return {space, block, int64_t(gridDim.x) * gridDim.y * gridDim.z, int64_t(space.extent(0)) * space.extent(1) * space.extent(2)};
    }
    CUF_BLOCK end_mark end() const { return {}; }
};

template <class... T, int N, class I>
CUF_BLOCK block_strided<N, I, T...> block_stride(const loop_space<N, I>& space)
{
    return {space};
}

/// What `for (auto [j, i] : thread_stride(bounds, bounds))` runs over: the iterations of the calling thread, of those that the threads of
/// its block share.
template <int N, class... T>
struct thread_strided {
    loop_bounds loops[N];

    struct end_mark {};
    struct iterator {
        const thread_strided& range;
        int64_t counts[N];
        int64_t position, step, count;

        CUF_BLOCK int64_t index(int k) const
        {
            const auto at = detail::place_along<N>(position, k, [&](int loop) { return counts[loop]; });
            return int64_t(uint64_t(range.loops[k].lo) + uint64_t(at) * uint64_t(range.loops[k].step));
        }
        CUF_BLOCK auto operator*() const
        {
            if constexpr (N == 1)
                return index(0);
            else
                return detail::shared_indices<N, iterator, T...>{*this};
        }
        CUF_BLOCK bool operator!=(end_mark) const { return position < count; }
        CUF_BLOCK void operator++() { position += step; }
    };
    CUF_BLOCK iterator begin() const
    {
        iterator first{*this, {}, thread_rank(), block_threads(), 1};
        for (int k = 0; k < N; ++k) first.count *= first.counts[k] = loops[k].count();
        return first;
    }
    CUF_BLOCK end_mark end() const { return {}; }
};

template <class... T, class... Bounds>
CUF_BLOCK thread_strided<int(sizeof...(Bounds)), T...> thread_stride(const Bounds&... bounds)
{
    return {{bounds...}};
}

/// The combination of the values of all threads with the value before; each thread gets it. What the threads have written before,
/// all of them see afterwards.
template <class Op, class T>
#if defined(CUF_TARGET_CPU)
T block_reduce(std::type_identity_t<T> before, T value)
{
    alignas(16) __shared__ unsigned char storage[1025 * sizeof(T)];
    T* values = reinterpret_cast<T*>(storage);
    const int t = thread_rank();
    new (values + t) T(value);
    __syncthreads();
    T* result = values + 1024;
    if (t == 0) new (result) T(Op::apply(before, detail::settled<Op>(detail::combine_tree<Op>(values, unsigned(block_threads())))));
    __syncthreads();
    return *result;
}
#else
__device__ T block_reduce(std::type_identity_t<T> before, T value)
{
    alignas(16) __shared__ unsigned char storage[sizeof(T)];
    T* result = reinterpret_cast<T*>(storage);
    value = detail::settled<Op>(detail::fold_block<Op>(value));
    // A block of one warp has not met yet: the result before this one may still be read.
    if (block_threads() <= 32) __syncthreads();
    if (thread_rank() == 0) *result = Op::apply(before, value);
    __syncthreads();
    return *result;
}
#endif

/// The value of the first thread of the block.
template <class T>
CUF_BLOCK T broadcast(const T& value)
{
    alignas(16) __shared__ unsigned char storage[sizeof(T)];
    T* shared = reinterpret_cast<T*>(storage);
    __syncthreads();
    const T* from = &value;
#if defined(CUF_TARGET_CPU)
    asm("" : "+r"(from));  // else g++ warns that a value is read that only the first thread has
#endif
    if (thread_rank() == 0) *shared = *from;
    __syncthreads();
    return *shared;
}

/// The block's result of a reduction over blocks, which all its threads have.
template <class T, class Op>
CUF_BLOCK void combine_block(reduction_device<T, Op> to, T value)
{
    if (thread_rank() != 0) return;
    const uint64_t block = (uint64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    to.partials[block] = value;
}

/// Threads of a block where the launch of a loop over blocks has `*`.
inline constexpr int block_loop_threads = 128;

/// The configuration of a loop whose iterations are executed by blocks: a block for each, up to `max_blocks`.
template <int N, class Kernel>
launch_config block_loop_launch(launch_config at, const loop_space<N>& space, const Kernel& kernel, int64_t max_blocks = loop_blocks)
{
    at.flags = 0;
    for (int i = 0; i < 3; ++i)
        if (at.block[i] == 0) at.block[i] = i == 0 ? block_loop_threads : 1;
    if (detail::asked_threads(at) > detail::default_threads) detail::shrink_block(at, detail::most_threads(kernel));
    int64_t left = space.extent(0) * space.extent(1) * space.extent(2);
    if (left > max_blocks) left = max_blocks;
    for (int i = 0; i < 3; ++i) {
        const bool chosen = at.grid[i] == 0 || at.grid[i] == -1;
        if (chosen) at.grid[i] = i == 0 ? std::int32_t(left) : 1;
    }
    return at;
}

}  // namespace cuf

template <int N, class Iterator, class... T>
struct std::tuple_size<cuf::detail::shared_indices<N, Iterator, T...>> : std::integral_constant<std::size_t, N> {};

template <std::size_t K, int N, class Iterator, class... T>
struct std::tuple_element<K, cuf::detail::shared_indices<N, Iterator, T...>> {
    using type = decltype(std::declval<const cuf::detail::shared_indices<N, Iterator, T...>&>().template get<K>());
};
