// PACK, PACKLOC, UNPACK and running sums of whole arrays of the device: sums of tiles, a scan of these, and the tiles again, so that
// the order of additions is always the same.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "array_operation.hpp"

namespace cuf {

namespace arrays {

/// Neighbouring elements of one thread.
inline constexpr int64_t tile_items = 8;
inline constexpr int64_t tile_size = block_threads * tile_items;

/// What an element adds: the value, or nothing where the mask is false; with a mask alone (PACK) its elements count.
struct counted {
    template <class S, class O, int R>
    CUF_INLINE static S of(const O& o, const position<R>& at)
    {
        return S(mask_at(o, at) ? 1 : 0);
    }
};
struct summed {
    template <class S, class O, int R>
    CUF_INLINE static S of(const O& o, const position<R>& at)
    {
        return mask_at(o, at) ? S(value_at(o, at)) : S(0);
    }
};

template <class What, class S, class O, int R>
__global__ void sum_tiles(O o, extents<R> e, int64_t count, S* tiles)
{
    for (int64_t tile = blockIdx.x; tile * tile_size < count; tile += gridDim.x) {
        const int64_t first = tile * tile_size + threadIdx.x * tile_items;
        S own(0);
        for (int64_t k = first; k < first + tile_items && k < count; ++k) own = S(own + What::template of<S>(o, position_of<false>(e, k)));
        S total;
        (void)sum_before(own, total);
        if (threadIdx.x == 0) tiles[tile] = total;
    }
}

/// One block: each sum becomes that of the tiles before; the whole goes behind the last, and to the host.
template <class S>
__global__ void scan_tiles(S* tiles, int64_t n, S* whole)
{
    S before(0);
    for (int64_t base = 0; base < n; base += block_threads) {
        const int64_t t = base + threadIdx.x;
        S total;
        const S own = t < n ? tiles[t] : S(0);
        const S mine = sum_before(own, total);
        if (t < n) tiles[t] = S(before + mine);
        before = S(before + total);
    }
    if (threadIdx.x == 0) *whole = before;
}

/// Blocks for the tiles of so many elements.
inline int64_t tile_blocks(int64_t count)
{
    const int64_t tiles = (count + tile_size - 1) / tile_size;
    return tiles < most_blocks() * 4 ? tiles : most_blocks() * 4;
}

/// Sums and scan of the tiles. The whole sum is at `whole` once the stream has been waited for.
template <class What, class S, class O, int R>
S* scanned(const char* place, const launch_config& at, const O& o, const extents<R>& e, S*& whole)
{
    const int64_t count = e.count(), tiles = (count + tile_size - 1) / tile_size;
    S* sums = take_array<S>(place, room::partials, tiles + 1);
    whole = take_array<S>(place, room::result, 1);
    run(place, grid_of(at, tile_blocks(count)), sum_tiles<What, S, O, R>, o, e, count, sums);
    run(place, grid_of(at, 1), scan_tiles<S>, sums, tiles, whole);
    return sums;
}

/// The thread's first element and what comes before it.
template <class What, class S, class O, int R>
__device__ S before_thread(const O& o, const extents<R>& e, int64_t count, int64_t first, const S& tile)
{
    S own(0);
    for (int64_t k = first; k < first + tile_items && k < count; ++k) own = S(own + What::template of<S>(o, position_of<false>(e, k)));
    S total;
    const S mine = sum_before(own, total);
    return S(tile + mine);
}

template <class O, int R, class V>
__global__ void pack_tiles(O o, extents<R> e, int64_t count, const int64_t* tiles, V to)
{
    for (int64_t tile = blockIdx.x; tile * tile_size < count; tile += gridDim.x) {
        const int64_t first = tile * tile_size + threadIdx.x * tile_items;
        int64_t next = before_thread<counted>(o, e, count, first, tiles[tile]);
        for (int64_t k = first; k < first + tile_items && k < count; ++k) {
            const auto at = position_of<false>(e, k);
            if (!mask_at(o, at)) continue;
            ++next;
            if (next > to.size(1)) continue;
            if constexpr (!O::valued)
                to(next) = typename V::element(k + 1);
            else
                to(next) = typename V::element(value_at(o, at));
        }
    }
}

template <class O, int R, class V, class W>
__global__ void unpack_tiles(O o, extents<R> e, int64_t count, const int64_t* tiles, V to, W vector)
{
    for (int64_t tile = blockIdx.x; tile * tile_size < count; tile += gridDim.x) {
        const int64_t first = tile * tile_size + threadIdx.x * tile_items;
        int64_t next = before_thread<counted>(o, e, count, first, tiles[tile]);
        for (int64_t k = first; k < first + tile_items && k < count; ++k) {
            const auto at = position_of<false>(e, k);
            if (mask_at(o, at)) {
                if (++next > vector.size(1)) continue;
                at([&](auto... i) { to(i...) = typename V::element(vector(next)); });
            } else if constexpr (O::valued) {
                at([&](auto... i) { to(i...) = typename V::element(o.value(i...)); });
            }
        }
    }
}

template <class S, class O, int R, class V>
__global__ void prefix_tiles(O o, extents<R> e, int64_t count, const S* tiles, V to, bool exclusive)
{
    for (int64_t tile = blockIdx.x; tile * tile_size < count; tile += gridDim.x) {
        const int64_t first = tile * tile_size + threadIdx.x * tile_items;
        S sum = before_thread<summed>(o, e, count, first, tiles[tile]);
        for (int64_t k = first; k < first + tile_items && k < count; ++k) {
            const auto at = position_of<false>(e, k);
            const S before = sum;
            sum = S(sum + summed::of<S>(o, at));
            at([&](auto... i) { to(i...) = typename V::element(exclusive ? before : sum); });
        }
    }
}

/// A thread for each line along a dimension.
template <class S, class O, int R, class V>
__global__ void prefix_lines(O o, extents<R> e, int dim, int64_t lines, V to, bool exclusive)
{
    for (int64_t p = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; p < lines; p += int64_t(gridDim.x) * blockDim.x) {
        position<R> at;
        int64_t rest = p;
        for (int d = 0; d < R; ++d) at.i[d] = d == dim ? 1 : take_rest(rest, e.n[d]) + 1;
        S sum(0);
        for (int64_t k = 0; k < e.n[dim]; ++k) {
            for (int d = 0; d < R; ++d)
                if (d == dim) at.i[d] = k + 1;
            const S before = sum;
            sum = S(sum + summed::of<S>(o, at));
            at([&](auto... i) { to(i...) = typename V::element(exclusive ? before : sum); });
        }
    }
}

/// The number for COUNT= of PACK, in host or device memory.
template <class N>
void give_count(const char* place, const launch_config& at, int64_t n, N* count)
{
    if (count != nullptr) {
        const N value = N(n);
        require_loop(place, cudaMemcpyAsync(count, &value, sizeof value, cudaMemcpyDefault, stream_of(at)));
        wait(place, at);
    }
}
inline void give_count(const char*, const launch_config&, int64_t, std::nullptr_t) {}

}  // namespace arrays

/// PACK: the values where the mask is true, or, of an operation without values, the numbers of these elements. The target may be longer; what is beyond stays.
template <memory M, class O, class T, class N>
void pack_array(const launch_config& at, const char* place, const O& o, const view<T, 1>& to, bool, N count)
{
    using namespace arrays;
    const begun now(place, at, o);
    const auto e = operand_shape(place, o);
    const int64_t n = e.count();
    if (n == 0) return give_count(place, at, 0, count);
    const bool disturbed = disturbs(to, o, false);
    // What is not written keeps its value, so that a copy has to begin with it.
    const target<M, T, 1> t(place, at, to, disturbed);
    if (disturbed) set_all(place, at, copied<T, 1>{to}, t.elements());
    int64_t* whole;
    const int64_t* tiles = scanned<counted, int64_t>(place, at, o, e, whole);
    run(place, grid_of(at, tile_blocks(n)), pack_tiles<O, O::rank, view<T, 1>>, o, e, n, tiles, t.elements());
    wait(place, at);
    const int64_t found = *whole;
    if (found > to.size(1)) stop(place, "the target of PACK is too small");
    t.finish();
    give_count(place, at, found, count);
}

/// UNPACK: elements of the vector where the mask is true, else those of the field, or what the target has.
template <memory M, class O, class T, int R, class W>
void unpack_array(const launch_config& at, const char* place, const O& o, const view<T, R>& to, bool, const view<W, 1>& vector)
{
    using namespace arrays;
    const begun now(place, at, o);
    const auto e = operand_shape(place, o);
    conform(place, e, to);
    const int64_t n = e.count();
    if (n == 0) return;
    const bool disturbed = disturbs(to, o, true) || disturbs(to, copied<std::remove_const_t<W>, 1>{vector}, false);
    const target<M, T, R> t(place, at, to, disturbed);
    if (disturbed) set_all(place, at, copied<T, R>{to}, t.elements());
    int64_t* whole;
    const int64_t* tiles = scanned<counted, int64_t>(place, at, o, e, whole);
    run(place, grid_of(at, tile_blocks(n)), unpack_tiles<O, R, view<T, R>, view<W, 1>>, o, e, n, tiles, t.elements(), vector);
    wait(place, at);
    if (*whole > vector.size(1)) stop(place, "the vector of UNPACK has too few elements");
    t.finish();
}

/// Running sums, in array element order or (dim > 0) along a dimension.
template <memory M, class S, class O, class T, int R>
void prefix_array(const launch_config& at, const char* place, const O& o, const view<T, R>& to, bool, int64_t dim, bool exclusive)
{
    using namespace arrays;
    using sum = sum_type<S>;
    const begun now(place, at, o);
    const auto e = operand_shape(place, o);
    conform(place, e, to);
    const int64_t n = e.count();
    if (n == 0) return;
    if (dim < 0 || dim > R) stop(place, "DIM is no dimension of the array");
    const target<M, T, R> t(place, at, to, disturbs(to, o, true));
    if (dim > 0) {
        const int64_t lines = n / e.n[dim - 1];
        run(place, grid_of(at, blocks_for(lines, 1, most_blocks() * 16)), prefix_lines<sum, O, R, view<T, R>>, o, e, int(dim - 1), lines,
            t.elements(), exclusive);
    } else {
        sum* whole;
        const sum* tiles = scanned<summed, sum>(place, at, o, e, whole);
        run(place, grid_of(at, tile_blocks(n)), prefix_tiles<sum, O, R, view<T, R>>, o, e, n, tiles, t.elements(), exclusive);
        wait(place, at);
    }
    t.finish();
}

}  // namespace cuf
