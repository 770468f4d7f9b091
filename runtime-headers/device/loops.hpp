// CUF loops: iteration spaces mapped on a grid, launch shapes, reductions with a fixed order of combination.
#pragma once
#include "base.hpp"
#include "device_state.hpp"
#include "launch_config.hpp"
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <type_traits>
#include <utility>
#if defined(CUF_TARGET_CPU)
#include "../cpu/reduce.hpp"
#include "../cpu/target.hpp"
#else
#include "target.hpp"
#include "warp.hpp"
#endif

namespace cuf {

/// The value of an optional argument of the host procedure, if it is present.
template <class T>
struct optional_value {
    T value{};
    bool present = false;

    optional_value() = default;
    explicit optional_value(const T* argument) : present(argument != nullptr)
    {
        if (present) value = *argument;
    }

    CUF_INLINE T* pointer() { return present ? &value : nullptr; }
};

/// do i = lo, hi, step
struct loop_bounds {
    int64_t lo, hi, step = 1;

    /// Number of iterations, also where hi - lo overflows.
    CUF_INLINE constexpr int64_t count() const
    {
        if (step > 0) return hi < lo ? 0 : int64_t((uint64_t(hi) - uint64_t(lo)) / uint64_t(step)) + 1;
        if (step < 0) return hi > lo ? 0 : int64_t((uint64_t(lo) - uint64_t(hi)) / (uint64_t(0) - uint64_t(step))) + 1;
        return 0;
    }
};

/// The values of a DO variable: `for (int i : do_range(lo, hi, step))` runs as often as Fortran says, also where hi + step overflows.
/// The trips are counted: ptxas 13.0 unrolls loops that compare a distance wrongly where the distance and the step overflow.
template <class T>
struct do_values {
    using unsigned_type = std::make_unsigned_t<T>;
    T lo, hi, step;

    struct end_mark {};
    struct iterator {
        T value;
        unsigned_type step, left;  // left: trips after this one
        bool more;

        CUF_INLINE constexpr T operator*() const { return value; }
        CUF_INLINE constexpr bool operator!=(end_mark) const { return more; }
        CUF_INLINE constexpr void operator++()
        {
            more = left != 0;
            --left;
            value = T(unsigned_type(value) + step);
        }
    };
    CUF_INLINE constexpr iterator begin() const
    {
        const auto from = unsigned_type(lo), to = unsigned_type(hi), by = unsigned_type(step);
        if (step > 0) return {lo, by, unsigned_type(unsigned_type(to - from) / by), lo <= hi};
        if (step == 0) return {lo, by, 0, false};
        return {lo, by, unsigned_type(unsigned_type(from - to) / unsigned_type(0 - by)), lo >= hi};
    }
    CUF_INLINE constexpr end_mark end() const { return {}; }
};

/// Bounds and step of a DO loop that are not constant.
template <class L, class H, class S>
CUF_INLINE constexpr auto do_range(L lo, H hi, S step)
{
    using T = std::common_type_t<int, std::make_signed_t<L>, std::make_signed_t<H>, std::make_signed_t<S>>;
    return do_values<T>{T(lo), T(hi), T(step)};
}

/// N nested loops, outermost first. The innermost loop runs along x, the next along y; all others share z. The kernel counts with
/// the index type I.
template <int N, class I = int64_t>
struct loop_space {
    static_assert(N >= 1 && N <= 8);
    struct loop {
        I lo, step, count;
    };
    loop loops[N]{};
    I extents[3] = {1, 1, 1};  // of x, y and z: divided out once, on the host

    template <class J>
    constexpr explicit loop_space(const loop_space<N, J>& wide)
    {
        for (int k = 0; k < N; ++k) loops[k] = {I(wide.loops[k].lo), I(wide.loops[k].step), I(wide.loops[k].count)};
        for (int axis = 0; axis < 3; ++axis) extents[axis] = I(wide.extents[axis]);
    }
    constexpr explicit loop_space(const loop_bounds (&bounds)[N])
    {
        for (int k = 0; k < N; ++k) {
            loops[k] = {bounds[k].lo, bounds[k].step, bounds[k].count()};
            extents[k == N - 1 ? 0 : k == N - 2 ? 1 : 2] *= loops[k].count;
        }
    }
    CUF_INLINE constexpr bool empty() const { return extents[0] == 0 || extents[1] == 0 || extents[2] == 0; }
    /// Iterations along x (0), y (1) or z (2).
    CUF_INLINE constexpr I extent(int axis) const { return extents[axis]; }

    class iterator {
    public:
        CUF_INLINE bool valid() const
        {
            if constexpr (N == 1) return x_ < space_.extent(0);
            if constexpr (N == 2) return y_ < space_.extent(1);
            return z_ < space_.extent(2);
        }
        CUF_INLINE void next()
        {
            x_ += step_x_;
            if constexpr (N >= 2) {
                if (x_ < space_.extent(0)) return;
                x_ = first_x_;
                y_ += step_y_;
            }
            if constexpr (N >= 3) {
                if (y_ < space_.extent(1)) return;
                y_ = first_y_;
                z_ += step_z_;
            }
        }
        /// Value of the variable of loop `k` (0 is the outermost), a constant.
        CUF_INLINE I index(int k) const
        {
            const loop& l = space_.loops[k];
            if (k == N - 1) return value(l, x_);
            if (k == N - 2) return value(l, y_);
            if (N == 3) return value(l, z_);
            I position = z_;
            for (int inner = N - 3; inner > k; --inner) position /= space_.loops[inner].count;
            return value(l, position % l.count);
        }

    private:
        friend struct loop_space;
        /// Wraps where the loop runs over the whole range of I.
        CUF_INLINE static I value(const loop& l, I position)
        {
            using U = std::make_unsigned_t<I>;
            return I(U(l.lo) + U(position) * U(l.step));
        }
#if defined(CUF_TARGET_CPU)
        iterator(const loop_space& space)
#else
        __device__ __forceinline__ iterator(const loop_space& space)
#endif
            : space_(space),
              first_x_(I(blockIdx.x) * I(blockDim.x) + I(threadIdx.x)),
              first_y_(I(blockIdx.y) * I(blockDim.y) + I(threadIdx.y)),
              step_x_(I(gridDim.x) * I(blockDim.x)),
              step_y_(I(gridDim.y) * I(blockDim.y)),
              step_z_(I(gridDim.z) * I(blockDim.z)),
              x_(first_x_),
              y_(first_y_),
              z_(I(blockIdx.z) * I(blockDim.z) + I(threadIdx.z))
        {
            // Threads of the grid beyond the space, along axes that it has not, too, have no iteration.
            const bool outside = x_ >= space_.extent(0) || y_ >= space_.extent(1) || z_ >= space_.extent(2);
            if (outside) (N == 1 ? x_ : N == 2 ? y_ : z_) = I(std::make_unsigned_t<I>(-1) / 2);
        }

        const loop_space& space_;
        I first_x_, first_y_, step_x_, step_y_, step_z_, x_, y_, z_;
    };

    /// The iterations of the calling thread.
#if defined(CUF_TARGET_CPU)
    iterator begin_thread() const { return iterator(*this); }
#else
    __device__ __forceinline__ iterator begin_thread() const
    {
        return iterator(*this);
    }
#endif
};

/// The values of the variables of one iteration, as `auto [j, i]` takes them; without types all are int.
template <int N, class I, class... T>
struct loop_indices {
    const typename loop_space<N, I>::iterator& at;

    template <std::size_t K>
    CUF_INLINE auto get() const
    {
        if constexpr (sizeof...(T) == 0)
            return int(at.index(int(K)));
        else
            return std::tuple_element_t<K, std::tuple<T...>>(at.index(int(K)));
    }
};

/// What `for (auto [j, i] : grid_stride(space))` runs over: the iterations of the calling thread.
template <int N, class I, class... T>
struct grid_strided {
    const loop_space<N, I>& space;

    struct end_mark {};
    struct iterator {
        typename loop_space<N, I>::iterator at;

        CUF_INLINE auto operator*() const
        {
            if constexpr (N == 1)
                return at.index(0);
            else
                return loop_indices<N, I, T...>{at};
        }
        CUF_INLINE bool operator!=(end_mark) const { return at.valid(); }
        CUF_INLINE void operator++() { at.next(); }
    };
#if defined(CUF_TARGET_CPU)
    iterator begin() const { return {space.begin_thread()}; }
#else
    __device__ __forceinline__ iterator begin() const
    {
        return {space.begin_thread()};
    }
#endif
    CUF_INLINE constexpr end_mark end() const { return {}; }
};

template <class... T, int N, class I>
CUF_INLINE constexpr grid_strided<N, I, T...> grid_stride(const loop_space<N, I>& space)
{
    static_assert(sizeof...(T) == 0 || sizeof...(T) == N);
    return {space};
}

/// 32-bit counting suffices, with room for the stride of the grid beyond the end.
template <int N>
bool fits_narrow(const launch_config& at, const loop_space<N>& space)
{
    constexpr int64_t limit = int64_t{1} << 30;
    const auto small = [](int64_t v) { return v > -limit && v < limit; };
    for (const auto& l : space.loops)
        if (!small(l.lo) || !small(l.step) || !small(l.count) || !small(l.lo + (l.count - 1) * l.step)) return false;
    for (int axis = 0; axis < 3; ++axis)
        if (!small(space.extent(axis)) || !small(int64_t(at.grid[axis]) * at.block[axis])) return false;
    return true;
}

/// Blocks of a grid chosen for `*`. A reduction combines the results of its threads: fewer of them, each with many iterations. The
/// numbers do not depend on the device, so that the order of combination does not either.
inline constexpr int64_t loop_blocks = 65536, reduction_blocks = 4096;

namespace detail {

/// Threads of a loop's block where it is `*`. Every kernel can have as many, whatever registers it needs.
inline constexpr int64_t default_threads = 256;

/// Threads of a block as the program asks for it.
inline int64_t asked_threads(const launch_config& at)
{
    int64_t threads = 1;
    for (int n : at.block)
        if (n > 0) threads *= n;
    return threads;
}

/// The launch of a loop nest: `*` (0) is replaced. Blocks are 256 threads, 32 of them along x where there are more loops; the grid
/// covers the space up to `max_blocks`, which the loops then continue.
template <int N>
launch_config loop_shape(const launch_config& at, const loop_space<N>& space, int64_t max_blocks = loop_blocks)
{
    constexpr int axes = N < 3 ? N : 3;
    launch_config to = at;
    to.flags = 0;
    int64_t threads = asked_threads(at);
    for (int i = 0; i < 3; ++i) {
        if (at.block[i] != 0) continue;
        int64_t wanted = 1;
        if (i < axes && threads < default_threads) {
            wanted = default_threads / threads;
            if (axes > 1 && i == 0 && wanted > 32) wanted = 32;
            if (i == 2) wanted = 1;
        }
        to.block[i] = std::int32_t(wanted);
        threads *= wanted;
    }
    int64_t blocks = 1;
    for (int i = 0; i < 3; ++i)
        if (at.grid[i] > 0) blocks *= at.grid[i];
    for (int i = 0; i < 3; ++i) {
        const int64_t largest = i == 0 ? INT_MAX : 65535;
        int64_t n = at.grid[i];
        if (n == 0 || n == -1) {
            const int64_t block = to.block[i] > 0 ? to.block[i] : 1;
            n = i < axes ? (space.extent(i) - 1) / block + 1 : 1;
            const int64_t room = blocks < max_blocks ? max_blocks / blocks : 1;
            if (n > room) n = room;
            if (n < 1) n = 1;
            if (n > largest) n = largest;
            blocks *= n;
        } else if (n > largest) {
            n = largest;
        }
        to.grid[i] = std::int32_t(n);
    }
    return to;
}

template <class... P>
int most_threads(void (*kernel)(P...))
{
    return largest_block(reinterpret_cast<const void*>(kernel));
}
template <class Narrow, class Wide>
int most_threads(const by_index<Narrow, Wide>& kernel)
{
    const int narrow = most_threads(kernel.narrow), wide = most_threads(kernel.wide);
    return narrow < wide ? narrow : wide;
}

/// Halves the longest side of the block until the kernel can have it.
inline void shrink_block(launch_config& at, int most)
{
    constexpr int deepest = 64;  // of a block, along z
    if (at.block[2] > deepest) at.block[2] = deepest;
    while (asked_threads(at) > most) {
        int longest = 0;
        for (int i = 1; i < 3; ++i)
            if (at.block[i] > at.block[longest]) longest = i;
        at.block[longest] /= 2;
    }
}

}  // namespace detail

/// The configuration of a loop nest's launch. A block that the kernel cannot have, for it needs too many registers, becomes smaller:
/// the iterations do not depend on the shape.
template <int N, class Kernel>
launch_config loop_launch(launch_config at, const loop_space<N>& space, const Kernel& kernel, int64_t max_blocks = loop_blocks)
{
    if (detail::asked_threads(at) > detail::default_threads) detail::shrink_block(at, detail::most_threads(kernel));
    return detail::loop_shape(at, space, max_blocks);
}

/// Launches the kernel of a CUF loop, which stands at `loop`; stops the program if that cannot be done.
template <class Kernel, class... A>
void launch_loop(const char* loop, const launch_config& at, const Kernel& kernel, const A&... args)
{
    launch(at, kernel, args...);
    require_loop(loop, last_launch_result());
}

// ---- reductions ----

namespace detail {

template <class T>
CUF_INLINE auto comparable(const T& value)
{
    if constexpr (std::is_arithmetic_v<T>)
        return value;
    else
        return static_cast<float>(value);
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

#define CUF_REDUCTION(name, start, result)                                      \
    struct name {                                                               \
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
    };
CUF_REDUCTION(op_add, T(0), T(a + b))
CUF_REDUCTION(op_mul, T(1), T(a * b))
// A NaN never wins.
CUF_REDUCTION(op_max, detail::lowest<T>(), detail::comparable(b) > detail::comparable(a) || detail::comparable(a) != detail::comparable(a) ? b : a)
CUF_REDUCTION(op_min, detail::highest<T>(), detail::comparable(b) < detail::comparable(a) || detail::comparable(a) != detail::comparable(a) ? b : a)
CUF_REDUCTION(op_and, T(true), T(static_cast<bool>(a) && static_cast<bool>(b)))
CUF_REDUCTION(op_or, T(false), T(static_cast<bool>(a) || static_cast<bool>(b)))
CUF_REDUCTION(op_eqv, T(true), T(static_cast<bool>(a) == static_cast<bool>(b)))
CUF_REDUCTION(op_neqv, T(false), T(static_cast<bool>(a) != static_cast<bool>(b)))
CUF_REDUCTION(op_iand, T(~T(0)), T(a & b))
CUF_REDUCTION(op_ior, T(0), T(a | b))
CUF_REDUCTION(op_ieor, T(0), T(a ^ b))
#undef CUF_REDUCTION

/// The device side of a reduction: one partial result a block.
template <class T, class Op>
struct reduction_device {
    T* partials;
};

namespace detail {

inline constexpr unsigned reduction_threads = 256;  // of the final step

#if defined(CUF_TARGET_CPU)

/// The order of combination of a block: lanes l and l+16, +8, ... of each warp, then the warps likewise.
template <class Op, class T>
T combine_tree(T* values, unsigned count)
{
    unsigned warps = 0;
    for (unsigned first = 0; first < count; first += 32) {
        T* lanes = values + first;
        const unsigned n = count - first < 32 ? count - first : 32;
        for (unsigned d = 16; d > 0; d /= 2)
            for (unsigned l = 0; l < d && l + d < n; ++l) lanes[l] = Op::apply(lanes[l], lanes[l + d]);
        values[warps++] = lanes[0];
    }
    return warps > 1 ? combine_tree<Op>(values, warps) : values[0];
}

template <class T, class Op>
T final_value(const T* partials, int64_t count)
{
    T values[reduction_threads];
    for (unsigned t = 0; t < reduction_threads; ++t) {
        values[t] = Op::template identity<T>();
        for (int64_t i = t; i < count; i += reduction_threads) values[t] = Op::apply(values[t], partials[i]);
    }
    return combine_tree<Op>(values, reduction_threads);
}

#else

template <class Op, class T>
__device__ T combine_warp(T value, unsigned lane, unsigned count)
{
    const unsigned mask = count >= 32 ? ~0u : (1u << count) - 1;
    for (unsigned d = 16; d > 0; d /= 2) {
        const T other = shfl_down(value, int(d), 32, mask);
        if (lane + d < count) value = Op::apply(value, other);
    }
    return value;
}

/// The block's result, in its thread 0.
template <class Op, class T>
__device__ T combine_block(T value)
{
    __shared__ __align__(16) unsigned char storage[32 * sizeof(T)];
    T* warps = reinterpret_cast<T*>(storage);
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned first = t & ~31u, lane = t & 31;
    value = combine_warp<Op>(value, lane, count - first < 32 ? count - first : 32);
    const unsigned warp_count = (count + 31) / 32;
    if (warp_count == 1) return value;
    __syncthreads();
    if (lane == 0) warps[t / 32] = value;
    __syncthreads();
    if (t < 32) {
        value = t < warp_count ? warps[t] : Op::template identity<T>();
        value = combine_warp<Op>(value, lane, warp_count);
    }
    return value;
}

/// Combines the partial results; the total goes behind them, or to a target on the device together with its value.
template <class T, class Op>
__global__ void finish_reduction(T* partials, int64_t count, T* target)
{
    T value = Op::template identity<T>();
    for (int64_t i = threadIdx.x; i < count; i += reduction_threads) value = Op::apply(value, partials[i]);
    value = combine_block<Op>(value);
    if (threadIdx.x != 0) return;
    if (target)
        *target = Op::apply(*target, value);
    else
        partials[count] = value;
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
    void finish(const char* = "")
    {
        if (!partials_ || last_launch_result() != cudaSuccess) return;
        T total;  // the target may be device data
        cudaMemcpy(&total, target_, sizeof(T), cudaMemcpyDefault);
        total = Op::apply(total, detail::final_value<T, Op>(partials_, blocks_));
        cudaMemcpy(target_, &total, sizeof(T), cudaMemcpyDefault);
    }

private:
    T* target_;
    int64_t stream_, blocks_;
    T* partials_ = nullptr;
#else
    ~reduction()
    {
        if (partials_) give_back_partials(partials_);
    }

    reduction_device<T, Op> device()
    {
        if (!partials_) partials_ = static_cast<T*>(take_partials((blocks_ + 1) * int64_t(sizeof(T))));
        return {partials_};
    }
    /// After the launch of the loop at `loop`: stores the result and waits for it. Does nothing if nothing was launched.
    void finish(const char* loop = "")
    {
        if (!partials_ || last_launch_result() != cudaSuccess) return;
        const auto stream = reinterpret_cast<cudaStream_t>(stream_);
        cudaPointerAttributes where{};
        const bool on_device = cudaPointerGetAttributes(&where, target_) == cudaSuccess &&
                               (where.type == cudaMemoryTypeDevice || where.type == cudaMemoryTypeManaged);
        T* target = on_device ? target_ : nullptr;
        void* values[] = {&partials_, &blocks_, &target};
        const auto kernel = reinterpret_cast<const void*>(&detail::finish_reduction<T, Op>);
        require_loop(loop, cudaLaunchKernel(kernel, dim3(1), dim3(detail::reduction_threads), values, 0, stream));
        T total;
        if (!on_device) require_loop(loop, cudaMemcpyAsync(&total, partials_ + blocks_, sizeof(T), cudaMemcpyDeviceToHost, stream));
        require_loop(loop, cudaStreamSynchronize(stream));
        if (!on_device) *target_ = Op::apply(*target_, total);
    }

private:
    T* target_;
    int64_t stream_, blocks_;
    T* partials_ = nullptr;
#endif
};

/// Adds the calling thread's value to its block's partial result. All threads of the block call it, once for each reduction.
template <class T, class Op>
#if defined(CUF_TARGET_CPU)
inline void combine(reduction_device<T, Op> to, T value)
{
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
    value = detail::combine_block<Op>(value);
    const uint64_t block = (uint64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) to.partials[block] = value;
}
#endif

}  // namespace cuf

template <int N, class I, class... T>
struct std::tuple_size<cuf::loop_indices<N, I, T...>> : std::integral_constant<std::size_t, N> {};

template <std::size_t K, int N, class I, class... T>
struct std::tuple_element<K, cuf::loop_indices<N, I, T...>> {
    using type = decltype(std::declval<const cuf::loop_indices<N, I, T...>&>().template get<K>());
};
