// CUF loops: iteration spaces mapped on a grid, launch shapes. reduction.hpp has their reductions.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
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
#include "execution.hpp"

namespace cuf {

#if defined(CUF_TARGET_CPU)
namespace cpu {

/// The one iteration that a thread has where a CUF loop runs by rows (cpu/loop_rows.hpp).
struct loop_element {
    bool on;        // it does
    bool first;     // it is the thread's first one: a reduction begins
    unsigned slot;  // of the thread's values for reductions
    int64_t x;      // value of the innermost variable
    int64_t y, z;   // positions along the others
};
CUF_CPU_OWN(loop_element, element);

}  // namespace cpu
#endif

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

/// N nested loops, outermost first. The innermost loop runs along x, the next along y; all others share z. The kernel counts with
/// the index type I.
template <int N, class I = int64_t>
struct loop_space {
    static_assert(N >= 1);
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
#if defined(CUF_TARGET_CPU)
            if (single_) return more_;
#endif
            if constexpr (N == 1) return x_ < space_.extent(0);
            if constexpr (N == 2) return y_ < space_.extent(1);
            return z_ < space_.extent(2);
        }
        CUF_INLINE void next()
        {
#if defined(CUF_TARGET_CPU)
            more_ = false;
            if (single_) return;
#endif
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
#if defined(CUF_TARGET_CPU)
            if (single_ && k == N - 1) return x_;
#endif
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
#if defined(CUF_TARGET_CPU)
            if (!single_) return;
            x_ = I(cpu::element.x);
            y_ = I(cpu::element.y);
            z_ = I(cpu::element.z);
#endif
        }

        const loop_space& space_;
#if defined(CUF_TARGET_CPU)
        const bool single_ = cpu::element.on;
        bool more_ = true;
#endif
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

}  // namespace cuf

template <int N, class I, class... T>
struct std::tuple_size<cuf::loop_indices<N, I, T...>> : std::integral_constant<std::size_t, N> {};

template <std::size_t K, int N, class I, class... T>
struct std::tuple_element<K, cuf::loop_indices<N, I, T...>> {
    using type = decltype(std::declval<const cuf::loop_indices<N, I, T...>&>().template get<K>());
};

#if defined(CUF_TARGET_CPU)
#include "../cpu/loop_rows.hpp"
#endif
