// Reductions of whole arrays of the device, in a fixed order: SUM, MAXVAL, ANY, MAXLOC and others, of all elements or along a dimension.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "array_operation.hpp"
#include <limits>

namespace cuf {

// How elements are combined: `state` is what a thread has so far. Elements of a thread come in array element order.

template <class T>
struct fold_sum {
    using value = T;
    using state = arrays::sum_type<T>;
    CUF_INLINE state start() const { return state(0); }
    CUF_INLINE void add(state& s, const T& v, int64_t) const { s = state(s + state(v)); }
    CUF_INLINE void merge(state& a, const state& b) const { a = state(a + b); }
    CUF_INLINE T finish(const state& s) const { return T(s); }
};

template <class T>
struct fold_product {
    using value = T;
    using state = arrays::sum_type<T>;
    CUF_INLINE state start() const { return state(1); }
    CUF_INLINE void add(state& s, const T& v, int64_t) const { s = state(s * state(v)); }
    CUF_INLINE void merge(state& a, const state& b) const { a = state(a * b); }
    CUF_INLINE T finish(const state& s) const { return T(s); }
};

struct fold_any {
    using value = bool;
    using state = bool;
    CUF_INLINE state start() const { return false; }
    CUF_INLINE void add(state& s, bool v, int64_t) const { s = s || v; }
    CUF_INLINE void merge(state& a, state b) const { a = a || b; }
    CUF_INLINE bool finish(state s) const { return s; }
};

struct fold_all {
    using value = bool;
    using state = bool;
    CUF_INLINE state start() const { return true; }
    CUF_INLINE void add(state& s, bool v, int64_t) const { s = s && v; }
    CUF_INLINE void merge(state& a, state b) const { a = a && b; }
    CUF_INLINE bool finish(state s) const { return s; }
};

/// The number of true elements as an integer of type T.
template <class T>
struct fold_count {
    using value = bool;
    using state = int64_t;
    CUF_INLINE state start() const { return 0; }
    CUF_INLINE void add(state& s, bool v, int64_t) const { s += v; }
    CUF_INLINE void merge(state& a, state b) const { a += b; }
    CUF_INLINE T finish(state s) const { return T(s); }
};

/// MAXVAL or MINVAL as gfortran has them: NaN only if there is nothing else, and -HUGE or HUGE if there is nothing.
template <class T, bool largest>
struct fold_extreme {
    using value = T;
    enum : int32_t { nothing, no_number, number };
    struct state {
        T best;
        int32_t seen;
    };
    CUF_INLINE static bool better(const T& a, const T& b) { return largest ? a > b : a < b; }
    CUF_INLINE state start() const { return {T(0), nothing}; }
    CUF_INLINE void add(state& s, const T& v, int64_t) const
    {
        if (v != v) {
            if (s.seen == nothing) s.seen = no_number;
        } else if (s.seen != number || better(v, s.best)) {
            s = {v, number};
        }
    }
    CUF_INLINE void merge(state& a, const state& b) const
    {
        if (b.seen > a.seen || (b.seen == number && better(b.best, a.best))) a = b;
    }
    CUF_INLINE T finish(const state& s) const
    {
        if (s.seen == number) return s.best;
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T huge = sizeof(T) == 4 ? T(3.40282346638528859812e38f) : T(1.7976931348623157e308);
            return s.seen == no_number ? T(__builtin_nanf("")) : largest ? -huge : huge;
        } else {
            constexpr sum_limit huge = sum_limit(~uint64_t(0) >> (65 - sizeof(T) * 8));
            return largest ? T(-huge - 1) : T(huge);
        }
    }

private:
    using sum_limit = int64_t;
};

template <class T>
using fold_maxval = fold_extreme<T, true>;
template <class T>
using fold_minval = fold_extreme<T, false>;

/// MAXLOC or MINLOC as gfortran has them: the first of the largest elements, with `back` the last; NaN is not compared, and the first
/// one counts if there is nothing else.
template <class T, bool largest>
struct fold_place {
    using value = T;
    struct state {
        T best;
        int64_t at;
    };
    bool back = false;

    CUF_INLINE static bool better(const T& a, const T& b) { return largest ? a > b : a < b; }
    CUF_INLINE state start() const { return {T(0), -1}; }
    CUF_INLINE void add(state& s, const T& v, int64_t k) const
    {
        const bool first = s.at < 0 || (s.best != s.best && v == v);
        if (first || better(v, s.best) || (back && v == s.best)) s = {v, k};
    }
    CUF_INLINE void merge(state& a, const state& b) const
    {
        if (b.at < 0) return;
        const bool nan = a.best != a.best, other = b.best != b.best;
        bool take = a.at < 0;
        if (!take && nan)
            take = !other || b.at < a.at;
        else if (!take && !other)
            take = better(b.best, a.best) || (b.best == a.best && (back ? b.at > a.at : b.at < a.at));
        if (take) a = b;
    }
    /// From 1; 0: there is none.
    CUF_INLINE int64_t finish(const state& s) const { return s.at + 1; }
};

template <class T>
using fold_maxloc = fold_place<T, true>;
template <class T>
using fold_minloc = fold_place<T, false>;

namespace arrays {

template <class F>
using state_of = typename F::state;
template <class F>
using result_of = decltype(std::declval<F>().finish(std::declval<state_of<F>>()));

/// A GPU computes anything of elements that are there without a trap (an integer divided by 0 has some value), so that loads need not wait
/// for the mask.
#if defined(CUF_TARGET_CPU)
inline constexpr bool masked_values_are_harmless = false;
#else
inline constexpr bool masked_values_are_harmless = true;
#endif

/// Adds element k, and `n - 1` more at distance `step`: the loads come before the sums, so that they are under way together.
template <int n, class F, class O, class P>
CUF_INLINE void add_elements(const F& fold, state_of<F>& s, const O& o, int64_t k, int64_t step, const P& position)
{
    if constexpr (O::masked) {
        unsigned counted = 0;
        for (int u = 0; u < n; ++u) counted |= unsigned(mask_at(o, position(k + u * step))) << u;
        if (counted == 0) return;
        typename F::value values[n] = {};
        for (int u = 0; u < n; ++u)
            if (masked_values_are_harmless || counted >> u & 1) values[u] = typename F::value(value_at(o, position(k + u * step)));
        for (int u = 0; u < n; ++u)
            if (counted >> u & 1) fold.add(s, values[u], k + u * step);
    } else {
        typename F::value values[n];
        for (int u = 0; u < n; ++u) values[u] = typename F::value(value_at(o, position(k + u * step)));
        for (int u = 0; u < n; ++u) fold.add(s, values[u], k + u * step);
    }
}

/// All of first, first + step, ... before `end`.
template <int n, class F, class O, class P>
CUF_INLINE state_of<F> add_strided(const F& fold, const O& o, int64_t first, int64_t end, int64_t step, const P& position)
{
    state_of<F> s = fold.start();
    int64_t k = first;
    for (; k + (n - 1) * step < end; k += n * step) add_elements<n>(fold, s, o, k, step, position);
    for (; k < end; k += step) add_elements<1>(fold, s, o, k, step, position);
    return s;
}

template <bool flat, class F, class O, int R>
__global__ void __launch_bounds__(block_threads, 4) reduce_blocks(O o, extents<R> e, int64_t count, F fold, state_of<F>* partials, result_of<F>* result)
{
    const int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, step = int64_t(gridDim.x) * blockDim.x;
    const auto position = [&](int64_t k) { return position_of<flat>(e, k); };
    const state_of<F> own = add_strided<flat ? 8 : 4>(fold, o, first, count, step, position);
    const state_of<F> all = combined(own, [&](state_of<F>& a, const state_of<F>& b) { fold.merge(a, b); });
    if (threadIdx.x != 0) return;
    if (gridDim.x == 1)
        *result = fold.finish(all);
    else
        partials[blockIdx.x] = all;
}

template <class F>
__global__ void reduce_partials(F fold, const state_of<F>* partials, int64_t count, result_of<F>* result)
{
    state_of<F> own = fold.start();
    for (int64_t k = threadIdx.x; k < count; k += blockDim.x) fold.merge(own, partials[k]);
    const state_of<F> all = combined(own, [&](state_of<F>& a, const state_of<F>& b) { fold.merge(a, b); });
    if (threadIdx.x == 0) *result = fold.finish(all);
}

template <class F, class O>
result_of<F> reduced(const launch_config& at, const char* place, const O& o, const F& fold)
{
    const begun now(place, at, o);
    const auto shape = operand_shape(place, o);
    const int64_t count = shape.count();
    if (count == 0) return fold.finish(fold.start());
    const auto e = joined(shape, o);
    const int64_t blocks = blocks_for(count, 8, most_blocks());
    auto* partials = take_array<state_of<F>>(place, room::partials, blocks);
    auto* result = take_array<result_of<F>>(place, room::result, 1);
    const launch_config config = grid_of(at, blocks);
    if (is_flat(e))
        run(place, config, reduce_blocks<true, F, O, O::rank>, o, e, count, fold, partials, result);
    else if constexpr (O::rank > 1)
        run(place, config, reduce_blocks<false, F, O, O::rank>, o, e, count, fold, partials, result);
    if (blocks > 1) run(place, grid_of(at, 1), reduce_partials<F>, fold, partials, blocks, result);
    wait(place, at);
    watch_result(place, *result);
    return *result;
}

// ---- along a dimension ----

/// A line along dimension `dim` (from 0): its place among the others, and the positions on it.
template <int R>
struct line {
    position<R> at;
    int dim;

    CUF_INLINE line(const extents<R>& e, int dim_, int64_t p) : dim(dim_)
    {
        for (int d = 0; d < R; ++d) at.i[d] = d == dim ? 1 : take_rest(p, e.n[d]) + 1;
    }
    CUF_INLINE position<R> operator()(int64_t k) const
    {
        position<R> other;
        for (int d = 0; d < R; ++d) other.i[d] = d == dim ? k + 1 : at.i[d];
        return other;
    }
    /// The position of the line's result.
    CUF_INLINE position<R - 1> result() const
    {
        position<R - 1> other;
        for (int d = 0; d < R - 1; ++d) other.i[d] = d < dim ? at.i[d] : at.i[d + 1];
        return other;
    }
};

/// The statement's value with the result of a line.
template <class O, int R, class V, class T>
CUF_INLINE void set_result(const O& o, const V& to, const line<R>& l, const T& value)
{
    l.result()([&](auto... i) {
        if constexpr (O::nested)
            to(i...) = typename V::element(o.outer(value, i...));
        else
            to(i...) = typename V::element(value);
    });
}

/// A thread for each line, or for each part of it: the grid's y counts the parts.
template <class F, class O, int R, class V>
__global__ void reduce_lines(O o, extents<R> e, int dim, int64_t lines, int64_t part, F fold, state_of<F>* partials, V to)
{
    const int64_t from = int64_t(blockIdx.y) * part, end = from + part < e.n[dim] ? from + part : e.n[dim];
    for (int64_t p = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; p < lines; p += int64_t(gridDim.x) * blockDim.x) {
        const line<R> l(e, dim, p);
        const state_of<F> s = add_strided<8>(fold, o, from, end, 1, l);
        if (gridDim.y == 1)
            set_result(o, to, l, fold.finish(s));
        else
            partials[int64_t(blockIdx.y) * lines + p] = s;
    }
}

/// 32 threads for each line along the first dimension: neighbours on the line are neighbours in memory.
template <class F, class O, int R, class V>
__global__ void reduce_rows(O o, extents<R> e, int64_t lines, int64_t part, F fold, state_of<F>* partials, V to)
{
    __shared__ __align__(16) unsigned char storage[block_threads * sizeof(state_of<F>)];
    auto* all = reinterpret_cast<state_of<F>*>(storage);
    const unsigned t = threadIdx.x, lane = t % 32, rows = block_threads / 32;
    const int64_t from = int64_t(blockIdx.y) * part, end = from + part < e.n[0] ? from + part : e.n[0];
    for (int64_t base = int64_t(blockIdx.x) * rows; base < lines; base += int64_t(gridDim.x) * rows) {
        const int64_t p = base + t / 32;
        const line<R> l(e, 0, p < lines ? p : lines - 1);
        all[t] = add_strided<8>(fold, o, from + lane, end, 32, l);
        __syncthreads();
        for (unsigned d = 16; d > 0; d /= 2) {
            if (lane < d) fold.merge(all[t], all[t + d]);
            __syncthreads();
        }
        if (lane == 0 && p < lines) {
            if (gridDim.y == 1)
                set_result(o, to, l, fold.finish(all[t]));
            else
                partials[int64_t(blockIdx.y) * lines + p] = all[t];
        }
        __syncthreads();
    }
}

template <class F, class O, int R, class V>
__global__ void finish_lines(O o, extents<R> e, int dim, int64_t lines, int64_t parts, F fold, const state_of<F>* partials, V to)
{
    for (int64_t p = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; p < lines; p += int64_t(gridDim.x) * blockDim.x) {
        state_of<F> s = fold.start();
        for (int64_t k = 0; k < parts; ++k) fold.merge(s, partials[k * lines + p]);
        set_result(o, to, line<R>(e, dim, p), fold.finish(s));
    }
}

template <memory M, class F, class O, class T, int S>
bool along(const launch_config& at, const char* place, const O& o, const view<T, S>& to, bool fixed, int64_t dimension, const F& fold)
{
    constexpr int R = O::rank;
    static_assert(S == R - 1);
    if (dimension < 1 || dimension > R) stop(place, "DIM is no dimension of the array");
    const int dim = int(dimension) - 1;
    const begun now(place, at, o);
    const auto e = operand_shape(place, o);
    int64_t lines = 1;
    for (int d = 0; d < R; ++d) {
        if (d == dim) continue;
        if (to.data() == nullptr || to.size(d < dim ? d + 1 : d) != e.n[d]) {
            if (!fixed) return false;
            stop(place, "the result and the target of this statement differ in shape");
        }
        lines *= e.n[d];
    }
    bool disturbed = disturbs(to, o, false);
    if constexpr (O::nested) {
        const auto one = [&](const auto& v) {
            conform(place, shape_of(to), v);
            disturbed = disturbed || ((bytes_of(to) & bytes_of(v)) && !same_elements(to, v));
        };
        o.outer_arrays([&](const auto&... v) { (one(v), ...); });
    }
    const target<M, T, S> t(place, at, to, disturbed);
    if (lines > 0) {
        const int64_t n = e.n[dim];
        // Neighbours along the first dimension are usually neighbours in memory; of short lines a thread reads all of a cache line.
        const bool rows = dim == 0 && n >= 32;
        const int64_t each = rows ? 32 : 1, wanted = most_blocks() * block_threads, least = rows ? 512 : 32;
        int64_t parts = wanted / (lines * each);
        if (parts > n / least) parts = n / least;
        if (parts > 1024) parts = 1024;
        if (parts < 1) parts = 1;
        const int64_t part = (n + parts - 1) / parts;
        if (n > 0) parts = (n + part - 1) / part;
        auto* partials = parts > 1 ? take_array<state_of<F>>(place, room::partials, parts * lines) : nullptr;
        const launch_config config = grid_of(at, blocks_for(lines * each, 1, most_blocks() * 16), parts);
        if (rows)
            run(place, config, reduce_rows<F, O, R, view<T, S>>, o, e, lines, part, fold, partials, t.elements());
        else
            run(place, config, reduce_lines<F, O, R, view<T, S>>, o, e, dim, lines, part, fold, partials, t.elements());
        if (parts > 1) {
            const launch_config last = grid_of(at, blocks_for(lines, 1, most_blocks()));
            run(place, last, finish_lines<F, O, R, view<T, S>>, o, e, dim, lines, parts, fold, partials, t.elements());
            // Until then the partial results are in use.
            wait(place, at);
        }
    }
    t.finish();
    return true;
}

}  // namespace arrays

/// SUM, MAXVAL, ALL and others of all elements.
template <class F, class O>
auto reduce_array(const launch_config& at, const char* place, const O& o)
{
    return arrays::reduced(at, place, o, F{});
}

/// The same of each line along a dimension (from 1).
template <memory M, class F, class O, class T, int S>
bool reduce_along(const launch_config& at, const char* place, const O& o, const view<T, S>& to, bool fixed, int64_t dim)
{
    return arrays::along<M>(at, place, o, to, fixed, dim, F{});
}

/// MAXLOC and MINLOC: place in array element order, from 1; 0: none.
template <class F, class O>
int64_t locate(const launch_config& at, const char* place, const O& o, bool back)
{
    return arrays::reduced(at, place, o, F{back});
}

template <memory M, class F, class O, class T, int S>
bool locate_along(const launch_config& at, const char* place, const O& o, const view<T, S>& to, bool fixed, int64_t dim, bool back)
{
    return arrays::along<M>(at, place, o, to, fixed, dim, F{back});
}

}  // namespace cuf
