// MATMUL of whole arrays of the device: products of matrices and vectors, whose elements may be those of expressions, and an
// expression with each element of the product.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "array_operation.hpp"

namespace cuf {

namespace arrays {

/// The shape that a group of operands has.
template <class A, class... B>
extents<A::rank> first_shape([[maybe_unused]] const char* place, const A& a, const B&... more)
{
    const auto e = shape_of(a);
    (conform(place, e, more), ...);
    return e;
}

/// Rows and columns of both factors; a vector on the left is a row, on the right a column.
struct factors {
    int64_t m = 1, depth = 1, n = 1;
};

template <class O>
factors factors_of(const char* place, const O& o)
{
    factors f;
    int64_t other = 1;
    o.left_arrays([&](const auto&... v) {
        const auto e = first_shape(place, v...);
        f.depth = e.n[O::left_rank - 1];
        if (O::left_rank == 2) f.m = e.n[0];
    });
    o.right_arrays([&](const auto&... v) {
        const auto e = first_shape(place, v...);
        other = e.n[0];
        if (O::right_rank == 2) f.n = e.n[O::right_rank - 1];
    });
    if (f.depth != other) stop(place, "the factors of MATMUL do not fit");
    return f;
}

template <class S, class T>
CUF_INLINE void add_product(S& sum, const T& a, const T& b)
{
    if constexpr (std::is_same_v<T, bool>)
        sum = sum || (a && b);
    else
        sum = S(sum + S(a) * S(b));
}

template <class P, int L, int Rt, class O>
struct factor_elements {
    const O& o;
    CUF_INLINE P left(int64_t i, int64_t k) const
    {
        if constexpr (L == 2)
            return P(o.left(i, k));
        else
            return P(o.left(k));
    }
    CUF_INLINE P right(int64_t k, int64_t j) const
    {
        if constexpr (Rt == 2)
            return P(o.right(k, j));
        else
            return P(o.right(k));
    }
};

/// The statement's value with an element of the product.
template <class P, int L, int Rt, class O, class V>
CUF_INLINE void set_product(const O& o, const V& to, int64_t i, int64_t j, const P& element)
{
    using E = typename V::element;
    if constexpr (V::rank == 2)
        to(i, j) = E(o.value(element, i, j));
    else if constexpr (L == 2)
        to(i) = E(o.value(element, i));
    else
        to(j) = E(o.value(element, j));
}

/// A thread for each element: matrices times vectors, small products.
template <class P, int L, int Rt, class O, class V>
__global__ void multiply_plain(O o, int64_t m, int64_t n, int64_t depth, V to)
{
    const factor_elements<P, L, Rt, O> f{o};
    for (int64_t p = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; p < m * n; p += int64_t(gridDim.x) * blockDim.x) {
        const int64_t j = p / m, i = p - j * m;
        sum_type<P> sum(0);
        for (int64_t k = 1; k <= depth; ++k) add_product(sum, f.left(i + 1, k), f.right(k, j + 1));
        set_product<P, L, Rt>(o, to, i + 1, j + 1, P(sum));
    }
}

inline constexpr int product_tile = 64, product_depth = 16, product_each = 4;

/// A block of 256 threads for 64 x 64 elements, 4 x 4 of them a thread's.
template <class P, int L, int Rt, class O, class V>
__global__ void multiply_tiles(O o, int64_t m, int64_t n, int64_t depth, V to)
{
    __shared__ __align__(16) unsigned char left_storage[product_depth * product_tile * sizeof(P)];
    __shared__ __align__(16) unsigned char right_storage[product_depth * product_tile * sizeof(P)];
    P* left = reinterpret_cast<P*>(left_storage);
    P* right = reinterpret_cast<P*>(right_storage);
    const factor_elements<P, L, Rt, O> f{o};
    const int t = int(threadIdx.x), row = t % 16, column = t / 16;
    const int64_t across = (m + product_tile - 1) / product_tile, tiles = across * ((n + product_tile - 1) / product_tile);
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t i0 = tile % across * product_tile, j0 = tile / across * product_tile;
        sum_type<P> sums[product_each][product_each];
        for (auto& line : sums)
            for (auto& s : line) s = sum_type<P>(0);
        for (int64_t k0 = 0; k0 < depth; k0 += product_depth) {
            for (int s = t; s < product_depth * product_tile; s += int(blockDim.x)) {
                const int64_t i = i0 + s % product_tile, k = k0 + s / product_tile;
                left[s] = i < m && k < depth ? f.left(i + 1, k + 1) : P(0);
            }
            for (int s = t; s < product_depth * product_tile; s += int(blockDim.x)) {
                const int64_t k = k0 + s % product_depth, j = j0 + s / product_depth;
                right[s % product_depth * product_tile + s / product_depth] = k < depth && j < n ? f.right(k + 1, j + 1) : P(0);
            }
            __syncthreads();
            for (int k = 0; k < product_depth; ++k) {
                P a[product_each], b[product_each];
                for (int u = 0; u < product_each; ++u) {
                    a[u] = left[k * product_tile + row + 16 * u];
                    b[u] = right[k * product_tile + column + 16 * u];
                }
                for (int u = 0; u < product_each; ++u)
                    for (int v = 0; v < product_each; ++v) add_product(sums[u][v], a[u], b[v]);
            }
            __syncthreads();
        }
        for (int u = 0; u < product_each; ++u)
            for (int v = 0; v < product_each; ++v) {
                const int64_t i = i0 + row + 16 * u, j = j0 + column + 16 * v;
                if (i < m && j < n) set_product<P, L, Rt>(o, to, i + 1, j + 1, P(sums[u][v]));
            }
    }
}

/// The elements of an operand may be overwritten while others are still to be read.
template <class O, class V>
bool disturbs_factors(const O& o, const V& to)
{
    bool found = false;
    const auto one = [&](const auto& v) { found = found || bytes_of(to) & bytes_of(v); };
    o.left_arrays([&](const auto&... v) { (one(v), ...); });
    o.right_arrays([&](const auto&... v) { (one(v), ...); });
    const auto again = [&](const auto& v) {
        if (bytes_of(to) & bytes_of(v)) found = found || !same_elements(to, v);
    };
    o.arrays([&](const auto&... v) { (again(v), ...); });
    return found || overwrites_scalars(to, o);
}

}  // namespace arrays

/// to(i, j) = o.value(product of the factors at (i, j), i, j).
template <memory M, class P, class O, class T, int R>
bool multiply_arrays(const launch_config& at, const char* place, const O& o, const view<T, R>& to, bool fixed)
{
    using namespace arrays;
    const begun now(place, at, o);
    const factors f = factors_of(place, o);
    constexpr int L = O::left_rank, Rt = O::right_rank;
    extents<R> e;
    if constexpr (R == 2)
        e = {{f.m, f.n}};
    else
        e = {{L == 2 ? f.m : f.n}};
    if (!fixed && (to.data() == nullptr || !conforms(e, to))) return false;
    conform(place, e, to);
    o.arrays([&](const auto&... v) { (conform(place, e, v), ...); });
    const int64_t count = e.count();
    if (count == 0) return true;
    const target<M, T, R> t(place, at, to, disturbs_factors(o, to));
    const view<T, R>& target_elements = t.elements();
#if !defined(CUF_TARGET_CPU)
    if (R == 2 && f.m >= 16 && f.n >= 16) {
        const int64_t tiles = ((f.m + product_tile - 1) / product_tile) * ((f.n + product_tile - 1) / product_tile);
        run(place, grid_of(at, tiles), multiply_tiles<P, L, Rt, O, view<T, R>>, o, f.m, f.n, f.depth, target_elements);
    } else
#endif
        run(place, grid_of(at, blocks_for(count, 1, int64_t(1) << 24)), multiply_plain<P, L, Rt, O, view<T, R>>, o, f.m, f.n, f.depth,
            target_elements);
    t.finish();
    return true;
}

}  // namespace cuf
