// FSORT of the module `sort`: ascending order, stable for the indices. Device arrays by CUB's radix sort, others by the C++ library
// with the same order: -0 equals 0, and a NaN comes after all numbers of its sign.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "array_operation.hpp"
#include <algorithm>
#include <cstring>
#include <numeric>
#if !defined(CUF_TARGET_CPU)
#include <cub/device/device_radix_sort.cuh>
#endif

namespace cuf {

namespace arrays {

/// An integer with the order of the keys.
template <class T>
auto order_of(const T& key)
{
    if constexpr (std::is_integral_v<T>) {
        return key;
    } else {
        using bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
        constexpr bits sign = bits(1) << (sizeof(T) * 8 - 1);
        bits b;
        std::memcpy(&b, &key, sizeof b);
        if (b == sign) b = 0;
        return bits(b & sign ? ~b : b | sign);
    }
}

template <class T>
void sort_here(T* keys, int32_t* indices, int64_t n, bool number)
{
    const auto less = [](const T& a, const T& b) { return order_of(a) < order_of(b); };
    if (!indices) return std::stable_sort(keys, keys + n, less);
    std::vector<std::pair<T, int32_t>> pairs(static_cast<std::size_t>(n));
    for (int64_t k = 0; k < n; ++k) pairs[std::size_t(k)] = {keys[k], number ? int32_t(k + 1) : indices[k]};
    std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) { return less(a.first, b.first); });
    for (int64_t k = 0; k < n; ++k) {
        keys[k] = pairs[std::size_t(k)].first;
        indices[k] = pairs[std::size_t(k)].second;
    }
}

#if defined(CUF_TARGET_CPU)

template <class T>
__global__ void sort_in_place(T* keys, int32_t* indices, int64_t n, bool number)
{
    sort_here(keys, indices, n, number);
}

template <class T>
void sort_device(const char* place, const launch_config& at, T* keys, int32_t* indices, int64_t n, bool number)
{
    launch_config one = grid_of(at, 1);
    one.block[0] = 1;
    run(place, one, sort_in_place<T>, keys, indices, n, number);
    wait(place, at);
}

#else

static __global__ void number_elements(int32_t* indices, int64_t n)
{
    for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < n; k += int64_t(gridDim.x) * blockDim.x)
        indices[k] = int32_t(k + 1);
}

template <class T>
__global__ void copy_elements(T* to, const T* from, int64_t n)
{
    for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < n; k += int64_t(gridDim.x) * blockDim.x) to[k] = from[k];
}

template <class T>
void sort_device(const char* place, const launch_config& at, T* keys, int32_t* indices, int64_t n, bool number)
{
    const launch_config wide = grid_of(at, blocks_for(n, 1, most_blocks() * 4));
    if (indices && number) run(place, wide, number_elements, indices, n);
    const std::size_t align = 256, all = std::size_t(n);
    const std::size_t key_bytes = (all * sizeof(T) + align - 1) / align * align;
    const std::size_t index_bytes = indices ? (all * sizeof(int32_t) + align - 1) / align * align : 0;
    const auto sorted = [&](void* room, std::size_t& bytes, cub::DoubleBuffer<T>& k, cub::DoubleBuffer<int32_t>& i) {
        return indices ? cub::DeviceRadixSort::SortPairs(room, bytes, k, i, n, 0, int(sizeof(T)) * 8, stream_of(at))
                       : cub::DeviceRadixSort::SortKeys(room, bytes, k, n, 0, int(sizeof(T)) * 8, stream_of(at));
    };
    std::size_t bytes = 0;
    cub::DoubleBuffer<T> k(keys, keys);
    cub::DoubleBuffer<int32_t> i(indices, indices);
    require_loop(place, sorted(nullptr, bytes, k, i));
    auto* room = static_cast<unsigned char*>(take(place, room::copy, key_bytes + index_bytes + bytes));
    k = cub::DoubleBuffer<T>(keys, reinterpret_cast<T*>(room));
    i = cub::DoubleBuffer<int32_t>(indices, reinterpret_cast<int32_t*>(room + key_bytes));
    require_loop(place, sorted(room + key_bytes + index_bytes, bytes, k, i));
    if (k.Current() != keys) run(place, wide, copy_elements<T>, keys, k.Current(), n);
    if (indices && i.Current() != indices) run(place, wide, copy_elements<int32_t>, indices, i.Current(), n);
    wait(place, at);
}

#endif

/// Elements to sort, side by side: the array itself, or a copy of one with gaps, which `finish` brings back.
template <memory M, class A>
struct side_by_side;

template <memory M, class T>
struct side_by_side<M, T*> {
    T* first;
    side_by_side(const char*, const launch_config&, T* p, int64_t, room) : first(p) {}
    void finish() const {}
};

template <memory M>
struct side_by_side<M, std::nullptr_t> {
    int32_t* first = nullptr;
    side_by_side(const char*, const launch_config&, std::nullptr_t, int64_t, room) {}
    void finish() const {}
};

template <memory M, class T, int R>
struct side_by_side<M, view<T, R>> {
    T* first;

    side_by_side(const char* place, const launch_config& at, const view<T, R>& v, int64_t n, room what)
        : first(v.data()), place_(place), at_(at), array_(v)
    {
        if (v.size() < n) stop(place, "FSORT of more elements than the array has");
        if (v.contiguous()) return;
        const auto e = shape_of(v);
        if constexpr (M == memory::host) {
            here_.resize(std::size_t(v.size()));
            for (int64_t k = 0; k < v.size(); ++k) here_[std::size_t(k)] = v.data()[offset(e, k)];
            first = here_.data();
        } else {
            first = take_array<T>(place, what, v.size());
            set_all(place, at, copied<T, R>{v}, dense(first, e));
        }
    }
    void finish() const
    {
        if (first == array_.data()) return;
        const auto e = shape_of(array_);
        if constexpr (M == memory::host) {
            for (int64_t k = 0; k < array_.size(); ++k) array_.data()[offset(e, k)] = here_[std::size_t(k)];
        } else {
            set_all(place_, at_, copied<T, R>{dense(first, e)}, array_);
            wait(place_, at_);
        }
    }

private:
    /// Of element k, from 0, in array element order.
    int64_t offset(const extents<R>& e, int64_t k) const
    {
        const position<R> at = position_of<false>(e, k);
        int64_t sum = 0;
        for (int d = 0; d < R; ++d) sum += (at.i[d] - 1) * array_.stride(d + 1);
        return sum;
    }

    const char* place_;
    const launch_config& at_;
    view<T, R> array_;
    std::vector<T> here_;
};

}  // namespace arrays

/// Sorts the first n elements, and the indices with them, which `number` sets to 1, 2, ... before.
template <memory M, class A, class I>
void sort_array(const launch_config& at, const char* place, const A& array, int64_t n, const I& indices, bool number)
{
    using namespace arrays;
    if (n < 1) return;
    const void* data = nullptr;
    if constexpr (requires { array.data(); })
        data = array.data();
    else
        data = array;
    if constexpr (M == memory::host) {
        const side_by_side<M, A> keys(place, at, array, n, room::elements);
        const side_by_side<M, I> numbers(place, at, indices, n, room::partials);
        sort_here(keys.first, numbers.first, n, number);
        keys.finish();
        numbers.finish();
    } else {
        const begun now(place, at, data);
        const side_by_side<M, A> keys(place, at, array, n, room::elements);
        const side_by_side<M, I> numbers(place, at, indices, n, room::partials);
        sort_device(place, at, keys.first, numbers.first, n, number);
        keys.finish();
        numbers.finish();
    }
}

}  // namespace cuf
