// Reductions of CUF loops, with a fixed order of combination.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "loops.hpp"
#if defined(CUF_TARGET_CPU)
#include "../cpu/reduce.hpp"
#else
#include "warp.hpp"
#endif

namespace cuf {

namespace detail {

template <class T>
CUF_INLINE decltype(auto) comparable(const T& value)
{
    if constexpr (requires { static_cast<float>(value); } && !std::is_arithmetic_v<T>)
        return static_cast<float>(value);
    else
        return (value);
}

template <class T>
CUF_INLINE T lowest()
{
    if constexpr (!std::is_integral_v<T>)
        return T(-__builtin_inff());
    else
        return T(int64_t(1) << (sizeof(T) * 8 - 1));
}

template <class T>
CUF_INLINE T highest()
{
    if constexpr (!std::is_integral_v<T>)
        return T(__builtin_inff());
    else
        return T(~uint64_t(0) >> (65 - sizeof(T) * 8));
}

}  // namespace detail

#define CUF_REDUCTION(name, several, start, result)                             \
    struct name {                                                               \
        static constexpr bool of_several = several;                             \
        template <class T>                                                      \
        CUF_INLINE static T identity()                                          \
        {                                                                       \
            return start;                                                       \
        }                                                                       \
        template <class T>                                                      \
        CUF_INLINE static T apply(const T& a, const T& b)                       \
        {                                                                       \
            return result;                                                      \
        }                                                                       \
        template <class T>                                                      \
        CUF_INLINE static void apply_to(T& a, const T& b)                       \
        {                                                                       \
            a = result;                                                         \
        }                                                                       \
    };
CUF_REDUCTION(op_add, true, T(0), T(a + b))
CUF_REDUCTION(op_mul, true, T(1), T(a * b))
// `true`: also of vectors, each value by itself, on the cpu target. A NaN never wins.
CUF_REDUCTION(op_max, true, detail::lowest<T>(), detail::comparable(b) > detail::comparable(a) || detail::comparable(a) != detail::comparable(a) ? b : a)
CUF_REDUCTION(op_min, true, detail::highest<T>(), detail::comparable(b) < detail::comparable(a) || detail::comparable(a) != detail::comparable(a) ? b : a)
CUF_REDUCTION(op_and, false, T(true), T(static_cast<bool>(a) && static_cast<bool>(b)))
CUF_REDUCTION(op_or, false, T(false), T(static_cast<bool>(a) || static_cast<bool>(b)))
CUF_REDUCTION(op_eqv, false, T(true), T(static_cast<bool>(a) == static_cast<bool>(b)))
CUF_REDUCTION(op_neqv, false, T(false), T(static_cast<bool>(a) != static_cast<bool>(b)))
CUF_REDUCTION(op_iand, false, T(~T(0)), T(a & b))
CUF_REDUCTION(op_ior, false, T(0), T(a | b))
CUF_REDUCTION(op_ieor, false, T(0), T(a ^ b))
#undef CUF_REDUCTION

/// The device side of a reduction: one partial result a block.
template <class T, class Op>
struct reduction_device {
    T* partials;
#if defined(CUF_TARGET_CPU)
    T* slots = nullptr;          // where a loop runs by rows: the threads' values so far
    mutable bool begun = false;  // the iteration has begun with its thread's
#endif
};

/// What the calling thread's value begins with.
template <class T, class Op>
CUF_INLINE T start([[maybe_unused]] const reduction_device<T, Op>& of)
{
#if defined(CUF_TARGET_CPU)
    of.begun = true;
    if (cpu::element.on && !cpu::element.first) return of.slots[cpu::element.slot];
#endif
    return Op::template identity<T>();
}

namespace detail {

inline constexpr unsigned reduction_threads = 256;  // of the final step

/// The result of a whole reduction. Zeros differ by nothing but their order: the largest or smallest of reals has one kind.
template <class Op, class T>
CUF_INLINE T settled(T value)
{
    if constexpr (std::is_floating_point_v<T> && (std::is_same_v<Op, op_max> || std::is_same_v<Op, op_min>))
        return value == 0 ? T(0) : value;
    else
        return value;
}

#if defined(CUF_TARGET_CPU)

/// Several values as one, which operations that say so combine one by one.
template <class T, unsigned n>
struct several {
    typedef T type __attribute__((vector_size(n * sizeof(T))));
    typedef type stored __attribute__((aligned(alignof(T)), may_alias));
    static const stored* at(const T* first) { return reinterpret_cast<const stored*>(first); }
};
template <class Op, class T>
inline constexpr bool combines_several = Op::of_several && (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
                                                            std::is_same_v<T, std::int64_t>);

/// The combination of n values, a power of 2: each with that which stands n/2 behind it, and so on.
template <class Op, unsigned n, class T>
CUF_INLINE T combine_halves(const typename several<T, n>::type& all)
{
    const T* first = reinterpret_cast<const T*>(&all);
    if constexpr (n == 2) {
        // Without a branch, which would be one to guess.
        typename several<T, 2>::type both = all;
        const typename several<T, 2>::type turned = {all[1], all[0]};
        Op::apply_to(both, turned);
        return both[0];
    } else {
        typename several<T, n / 2>::type low = *several<T, n / 2>::at(first);
        const typename several<T, n / 2>::type high = *several<T, n / 2>::at(first + n / 2);
        Op::apply_to(low, high);
        return combine_halves<Op, n / 2, T>(low);
    }
}
template <class Op, unsigned n, class T>
CUF_INLINE T combine_power(const T* lanes)
{
    if constexpr (n == 1) {
        return lanes[0];
    } else if constexpr (combines_several<Op, T>) {
        return combine_halves<Op, n, T>(*several<T, n>::at(lanes));
    } else {
        T next[n / 2];
        for (unsigned l = 0; l < n / 2; ++l) next[l] = Op::apply(lanes[l], lanes[l + n / 2]);
        return combine_power<Op, n / 2>(next);
    }
}

/// The order of combination of a block: lanes l and l+16, +8, ... of each warp, then the warps likewise.
template <class Op, class T>
T combine_tree(T* values, unsigned count)
{
    if (count == 8) return combine_power<Op, 8>(values);
    unsigned warps = 0;
    for (unsigned first = 0; first < count; first += 32) {
        T* lanes = values + first;
        const unsigned n = count - first < 32 ? count - first : 32;
        if (n == 32) {
            values[warps++] = combine_power<Op, 32>(lanes);
            continue;
        }
        for (unsigned d = 16; d > 0; d /= 2)
            for (unsigned l = 0; l < d && l + d < n; ++l) lanes[l] = Op::apply(lanes[l], lanes[l + d]);
        values[warps++] = lanes[0];
    }
    return warps > 1 ? combine_tree<Op>(values, warps) : values[0];
}

/// Any order of combination gives the same result, bit for bit: of integers, and of the largest or the smallest real, for NaN never wins and zeros
/// are `settled`.
template <class Op, class T>
inline constexpr bool may_reorder =
    combines_several<Op, T> && (std::is_integral_v<T> || std::is_same_v<Op, op_max> || std::is_same_v<Op, op_min>);

/// The combination of values in the order that is fastest.
template <class Op, class T>
CUF_INLINE T combine_freely(const T* values, unsigned count)
{
    T all = values[0];
    unsigned x = 1;
    if (count >= 32) {
        using part = typename several<T, 16>::type;
        part low = *several<T, 16>::at(values), high = *several<T, 16>::at(values + 16);
        for (x = 32; x + 32 <= count; x += 32) {
            Op::apply_to(low, *several<T, 16>::at(values + x));
            Op::apply_to(high, *several<T, 16>::at(values + x + 16));
        }
        Op::apply_to(low, high);
        all = combine_halves<Op, 16, T>(low);
    }
    for (; x < count; ++x) all = Op::apply(all, values[x]);
    return all;
}

template <class T, class Op>
T final_value(const T* partials, int64_t count)
{
    T values[reduction_threads];
    for (unsigned t = 0; t < reduction_threads; ++t) values[t] = Op::template identity<T>();
    for (int64_t i = 0; i < count; i += reduction_threads)
        for (unsigned t = 0; t < reduction_threads && i + t < count; ++t) values[t] = Op::apply(values[t], partials[i + t]);
    return settled<Op>(combine_tree<Op>(values, reduction_threads));
}

#else

/// Of the first `count` lanes. `mask` has every lane that calls this: a shuffle by a lane that its mask does not name is undefined.
template <class Op, class T>
__device__ T combine_warp(T value, unsigned lane, unsigned count, unsigned mask)
{
    for (unsigned d = 16; d > 0; d /= 2) {
        const T other = shfl_down(value, int(d), 32, mask);
        if (lane + d < count) value = Op::apply(value, other);
    }
    return value;
}

/// The block's result, in its thread 0.
template <class Op, class T>
__device__ T fold_block(T value)
{
    __shared__ __align__(16) unsigned char storage[32 * sizeof(T)];
    T* warps = reinterpret_cast<T*>(storage);
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned first = t & ~31u, lane = t & 31;
    const unsigned lanes = count - first < 32 ? count - first : 32;
    value = combine_warp<Op>(value, lane, lanes, lanes == 32 ? ~0u : (1u << lanes) - 1);
    const unsigned warp_count = (count + 31) / 32;
    if (warp_count == 1) return value;
    __syncthreads();
    if (lane == 0) warps[t / 32] = value;
    __syncthreads();
    if (t < 32) {
        value = t < warp_count ? warps[t] : Op::template identity<T>();
        value = combine_warp<Op>(value, lane, warp_count, ~0u);
    }
    return value;
}

/// Combines the partial results; the total goes to a target on the device together with its value, or to memory of the host.
template <class T, class Op>
__global__ void finish_reduction(T* partials, int64_t count, T* target, T* result)
{
    T value = Op::template identity<T>();
    for (int64_t i = threadIdx.x; i < count; i += reduction_threads) value = Op::apply(value, partials[i]);
    value = settled<Op>(fold_block<Op>(value));
    if (threadIdx.x != 0) return;
    if (target)
        *target = Op::apply(*target, value);
    else
        *result = value;
}

#endif

}  // namespace detail

/// A reduction variable of a CUF loop, in the launcher. The target's value before the loop counts.
template <class T, class Op>
class reduction {
    static_assert(sizeof(T) <= 16);

public:
    /// target: host, device or managed memory. at: the resolved configuration of the loop.
    reduction(const launch_config& at, T* target)
        : target_(target), stream_(at.stream), blocks_(int64_t(at.grid[0]) * at.grid[1] * at.grid[2])
    {
        // A configuration that cannot be launched.
        if (at.grid[0] < 1 || at.grid[1] < 1 || at.grid[2] < 1) blocks_ = 1;
    }
    reduction(const reduction&) = delete;
    reduction& operator=(const reduction&) = delete;

#if defined(CUF_TARGET_CPU)
    ~reduction() { std::free(partials_); }

    reduction_device<T, Op> device()
    {
        if (!partials_) partials_ = static_cast<T*>(std::malloc(size_t(blocks_) * sizeof(T)));
        if (!partials_) {
            std::fprintf(stderr, "cuf2cu: error: no memory for the partial results of a reduction\n");
            std::exit(1);
        }
        return {partials_};
    }
    /// After the launch: stores the result. Does nothing if nothing was launched.
    void finish(const char* loop = "")
    {
        if (!partials_ || last_launch_result() != cudaSuccess) return;
        T total;  // the target may be device data
        cudaMemcpy(&total, target_, sizeof(T), cudaMemcpyDefault);
        total = Op::apply(total, detail::final_value<T, Op>(partials_, blocks_));
        cudaMemcpy(target_, &total, sizeof(T), cudaMemcpyDefault);
        watch_result(loop, total);
    }

private:
    T* target_;
    int64_t stream_, blocks_;
    T* partials_ = nullptr;
#else
    ~reduction()
    {
        if (partials_.memory) give_back_partials(partials_);
    }

    reduction_device<T, Op> device()
    {
        if (!partials_.memory) partials_ = take_partials(blocks_ * int64_t(sizeof(T)));
        return {static_cast<T*>(partials_.memory)};
    }
    /// After the launch of the loop at `loop`: stores the result and waits for it. Does nothing if nothing was launched.
    void finish(const char* loop = "")
    {
        if (!partials_.memory || last_launch_result() != cudaSuccess) return;
        const auto stream = reinterpret_cast<cudaStream_t>(stream_);
        cudaPointerAttributes where{};
        const bool on_device = cudaPointerGetAttributes(&where, target_) == cudaSuccess &&
                               (where.type == cudaMemoryTypeDevice || where.type == cudaMemoryTypeManaged);
        T* target = on_device ? target_ : nullptr;
        void* values[] = {&partials_.memory, &blocks_, &target, &partials_.result};
        const auto kernel = reinterpret_cast<const void*>(&detail::finish_reduction<T, Op>);
        require_loop(loop, cudaLaunchKernel(kernel, dim3(1), dim3(detail::reduction_threads), values, 0, stream));
        require_loop(loop, cudaStreamSynchronize(stream));
        if (!on_device) watch_result(loop, *target_ = Op::apply(*target_, *static_cast<T*>(partials_.result)));
    }

private:
    T* target_;
    int64_t stream_, blocks_;
    partials_buffer partials_;
#endif
};

/// Adds the calling thread's value to its block's partial result. All threads of the block call it, once for each reduction.
template <class T, class Op>
#if defined(CUF_TARGET_CPU)
inline void combine(reduction_device<T, Op> to, T value)
{
    if (cpu::element.on) {
        T& slot = to.slots[cpu::element.slot];
        slot = to.begun || cpu::element.first ? value : Op::apply(slot, value);
        return;
    }
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    cpu::block_values& values = cpu::values_of(to.partials);
    T* slots = reinterpret_cast<T*>(values.bytes);
    slots[t] = value;
    if (++values.count < count) return;
    values.count = 0;
    const uint64_t block = (uint64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    to.partials[block] = detail::combine_tree<Op>(slots, count);
}
#else
__device__ void combine(reduction_device<T, Op> to, T value)
{
    value = detail::fold_block<Op>(value);
    const uint64_t block = (uint64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) to.partials[block] = value;
}
#endif

#if defined(CUF_TARGET_CPU)
namespace cpu {

template <class T, class Op>
struct plain_argument<reduction_device<T, Op>> {
    static bool fits(const reduction_device<T, Op>&) { return true; }
    static void settle(reduction_device<T, Op>& r) { r.begun = false; }
};

template <class T, class Op>
struct reduction_slots<reduction_device<T, Op>> {
    static constexpr std::size_t bytes = (sizeof(T) + 7) / 8 * 8;

    static void begin(reduction_device<T, Op>&, unsigned char* memory, std::uint64_t first, std::uint64_t count)
    {
        std::fill_n(reinterpret_cast<T*>(memory) + first, count, Op::template identity<T>());
    }
    static void at(reduction_device<T, Op>& r, unsigned char* memory, std::uint64_t first) { r.slots = reinterpret_cast<T*>(memory) + first; }
    static constexpr bool in_any_order = detail::may_reorder<Op, T>;
    /// The results of `blocks` blocks of `shape`, whose threads' values stand in rows along x; `shared`: the first block's is that of all.
    static void end(const reduction_device<T, Op>& r, unsigned char* at, std::uint64_t first_block, unsigned blocks, uint3 shape, bool shared)
    {
        const T* slots = reinterpret_cast<const T*>(at);
        if constexpr (in_any_order) {
            if (shared) {
                std::fill_n(r.partials + first_block, blocks, Op::template identity<T>());
                r.partials[first_block] = detail::combine_freely<Op>(slots, blocks * shape.x);
                return;
            }
        }
        const unsigned rows = shape.y * shape.z;
        T values[1024];
        for (unsigned b = 0; b < blocks; ++b) {
            unsigned count = 0;
            for (unsigned row = 0; row < rows; ++row) {
                const T* from = slots + (std::uint64_t(row) * blocks + b) * shape.x;
                if (shape.x % 32 == 0) {
                    // Whole warps.
                    for (unsigned x = 0; x < shape.x; x += 32) values[count++] = detail::combine_power<Op, 32>(from + x);
                } else {
                    for (unsigned x = 0; x < shape.x; ++x) values[count++] = from[x];
                }
            }
            r.partials[first_block + b] = count == 1 ? values[0] : detail::combine_tree<Op>(values, count);
        }
    }
};

}  // namespace cpu
#endif

}  // namespace cuf
