// Functions of small arrays of constant shape, which are values in device code: DOT_PRODUCT, MATMUL, SUM and their like. Elements are taken in
// array element order, beginning with the first.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "array.hpp"
#include "math.hpp"
#include "numeric.hpp"
#include <math.h>

namespace cuf {

template <class T, auto... A, auto... B>
CUF_INLINE constexpr T dot_product(const fixed_array<T, A...>& a, const fixed_array<T, B...>& b)
{
    T sum = 0;
    CUF_UNROLL
    for (int i = 0; i < int(a.size()); ++i) sum = sum + a.elements[i] * b.elements[i];
    return sum;
}

template <class T, auto... B>
CUF_INLINE constexpr T sum(const fixed_array<T, B...>& a)
{
    T sum = 0;
    CUF_UNROLL
    for (int i = 0; i < int(a.size()); ++i) sum = sum + a.elements[i];
    return sum;
}

template <class T, auto... B>
CUF_INLINE constexpr T product(const fixed_array<T, B...>& a)
{
    T product = 1;
    CUF_UNROLL
    for (int i = 0; i < int(a.size()); ++i) product = product * a.elements[i];
    return product;
}

template <class T, auto... B>
CUF_INLINE constexpr T maxval(const fixed_array<T, B...>& a)
{
    T largest = -T(INFINITY);
    CUF_UNROLL
    for (int i = 0; i < int(a.size()); ++i) largest = max(largest, a.elements[i]);
    return largest;
}

template <class T, auto... B>
CUF_INLINE constexpr T minval(const fixed_array<T, B...>& a)
{
    T smallest = T(INFINITY);
    CUF_UNROLL
    for (int i = 0; i < int(a.size()); ++i) smallest = min(smallest, a.elements[i]);
    return smallest;
}

template <class T, auto... B>
CUF_INLINE T norm2(const fixed_array<T, B...>& a)
{
    return sqrt(dot_product(a, a));
}

namespace detail {

/// The extent of a dimension, which a template argument is.
template <class A>
consteval int extent_of(int d)
{
    return int(std::remove_cvref_t<A>::size(d));
}

}  // namespace detail

template <class T, auto... B>
    requires(sizeof...(B) == 2)
CUF_INLINE constexpr auto transpose(const fixed_array<T, B...>& a)
{
    using source = fixed_array<T, B...>;
    constexpr int rows = detail::extent_of<source>(1), columns = detail::extent_of<source>(2);
    fixed_array<T, columns, rows> t{};
    CUF_UNROLL
    for (int j = 0; j < columns; ++j) {
        CUF_UNROLL
        for (int i = 0; i < rows; ++i) t.elements[j + columns * i] = a.elements[i + rows * j];
    }
    return t;
}

/// Matrix times matrix, matrix times vector, vector times matrix.
template <class T, auto... A, auto... B>
CUF_INLINE constexpr auto matmul(const fixed_array<T, A...>& a, const fixed_array<T, B...>& b)
{
    using left = fixed_array<T, A...>;
    using right = fixed_array<T, B...>;
    constexpr int inner = detail::extent_of<right>(1), rows = int(left::size()) / inner, columns = int(right::size()) / inner;
    const auto fill = [&](auto& c) {
        CUF_UNROLL
        for (int j = 0; j < columns; ++j) {
            CUF_UNROLL
            for (int i = 0; i < rows; ++i) {
                T sum = 0;
                CUF_UNROLL
                for (int k = 0; k < inner; ++k) {
                    sum = sum + a.elements[left::rank == 1 ? k : i + rows * k] * b.elements[k + inner * j];
                }
                c.elements[i + rows * j] = sum;
            }
        }
    };
    if constexpr (left::rank == 2 && right::rank == 2) {
        fixed_array<T, rows, columns> c{};
        fill(c);
        return c;
    } else {
        fixed_array<T, rows * columns> c{};
        fill(c);
        return c;
    }
}

}  // namespace cuf
