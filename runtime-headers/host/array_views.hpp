// Entry points of module cuf_runtime: arrays seen through functions that only move elements. Nothing is copied: the bounds and
// strides change.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "launch.hpp"

extern "C" {

using namespace cuf::rt;

array_abi cuf_rt_transposed(const array_abi* a)
{
    array_abi v = *a;
    std::swap(v.extent[0], v.extent[1]);
    std::swap(v.stride[0], v.stride[1]);
    return v;
}

array_abi cuf_rt_spread(const array_abi* a, const desc* dim, const desc* copies)
{
    const std::int64_t d = integer(dim), n = integer(copies);
    if (d < 1 || d > a->rank + 1 || a->rank > 6) fail("SPREAD of an array of rank %d along dimension %ld", a->rank, static_cast<long>(d));
    array_abi v = *a;
    v.rank = a->rank + 1;
    for (int i = a->rank; i >= d; --i) {
        v.extent[i] = a->extent[i - 1];
        v.stride[i] = a->stride[i - 1];
    }
    v.extent[d - 1] = n > 0 ? n : 0;
    v.stride[d - 1] = 0;
    for (int i = 0; i < v.rank; ++i) v.lower[i] = 1;
    return v;
}

array_abi cuf_rt_reshaped(const array_abi* a, const desc* shape, const desc* order)
{
    std::int64_t all = 1;
    for (int i = 0; i < a->rank; ++i) {
        if (a->extent[i] > 1 && a->stride[i] != all) fail("RESHAPE of an array on the device whose elements do not lie side by side");
        all *= a->extent[i];
    }
    array_abi v{};
    v.base = a->base;
    v.rank = static_cast<std::int32_t>(shape->dim[0].extent);
    if (v.rank < 1 || v.rank > 7) fail("RESHAPE to rank %d", static_cast<int>(v.rank));
    std::int64_t step = 1;
    for (int i = 0; i < v.rank; ++i) {
        v.lower[i] = 1;
        const std::int64_t n = integer(shape, 0, i);
        v.extent[i] = n > 0 ? n : 0;
    }
    for (int i = 0; i < v.rank; ++i) {
        const std::int64_t d = integer(order, i + 1, i);
        if (d < 1 || d > v.rank) fail("ORDER of RESHAPE is no permutation");
        v.stride[d - 1] = step;
        step *= v.extent[d - 1];
    }
    if (step > all) fail("RESHAPE of %ld elements to %ld", static_cast<long>(all), static_cast<long>(step));
    return v;
}

}  // extern "C"
