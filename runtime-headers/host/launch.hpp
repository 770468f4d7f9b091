// Entry points of module cuf_runtime: launch configurations, descriptors, addresses.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "bind.hpp"
#include "core.hpp"

namespace cuf::rt {

/// type(cuf_launch), cuf::launch_config
struct launch_abi {
    std::int32_t grid[3];
    std::int32_t block[3];
    std::int64_t bytes;
    std::int64_t stream;
    std::int32_t flags;
};
constexpr std::int32_t grid_by_occupancy = 1;

/// type(cuf_array_t), cuf::descriptor
struct array_abi {
    void* base;
    std::int64_t lower[7], extent[7], stride[7];
    std::int32_t rank;
};

/// type(cuf_range_t), cuf::loop_bounds
struct range_abi {
    std::int64_t low, high, step;
};

inline std::int32_t launch_extent(std::int64_t n)
{
    // out of range becomes 0, which a launch reports as an invalid configuration
    return n < 0 || n > INT32_MAX ? 0 : static_cast<std::int32_t>(n);
}

inline void set_extents(std::int32_t (&to)[3], const desc& d)
{
    to[1] = to[2] = 1;
    if (category_of(d) == category::structure) {
        const auto* dim3 = static_cast<const std::int32_t*>(d.base_addr);
        // -1 takes what the other components leave
        for (int i = 0; i < 3; ++i) to[i] = dim3[i] == -1 ? -1 : launch_extent(dim3[i]);
    } else {
        to[0] = launch_extent(integer(&d));
    }
}

inline void set_loop_extents(std::int32_t (&to)[3], const desc& d)
{
    std::int64_t n = d.rank == 0 ? 1 : d.dim[0].extent;
    for (int i = 0; i < 3; ++i) to[i] = i < n ? launch_extent(integer(&d, 0, i)) : 1;
    if (n <= 1 && to[0] == 0) to[1] = to[2] = 0;
}

inline void set_queue(launch_abi& at, const desc* bytes, const desc* stream)
{
    before_launch()();
    at.bytes = integer(bytes);
    at.stream = stream_number(stream, thread_stream);
}

}  // namespace cuf::rt

extern "C" {

using namespace cuf::rt;

launch_abi cuf_rt_launch(const desc* grid, const desc* block, const desc* bytes, const desc* stream)
{
    launch_abi at{};
    if (category_of(*grid) == category::logical) {  // cuf_star
        at.grid[0] = at.grid[1] = at.grid[2] = 1;
        at.flags = grid_by_occupancy;
    } else {
        set_extents(at.grid, *grid);
    }
    set_extents(at.block, *block);
    set_queue(at, bytes, stream);
    return at;
}

launch_abi cuf_rt_loop(const desc* grid, const desc* block, const desc* bytes, const desc* stream)
{
    launch_abi at{};
    if (grid) set_loop_extents(at.grid, *grid);
    if (block) set_loop_extents(at.block, *block);
    set_queue(at, bytes, stream);
    return at;
}

bool cuf_rt_is_bound(std::int64_t* bound_for, void (*again)()) { return is_bound(bound_for, again); }

range_abi cuf_rt_range(const desc* low, const desc* high, const desc* step)
{
    return {integer(low), integer(high), integer(step, 1)};
}

array_abi cuf_rt_array(const desc* a, const desc* lower)
{
    array_abi v{};
    if (a == nullptr) return v;  // an optional argument that is absent
    v.base = a->base_addr;
    v.rank = a->rank;
    for (int i = 0; i < a->rank && i < 7; ++i) {
        v.lower[i] = integer(lower, 1, i);
        v.extent[i] = a->base_addr ? a->dim[i].extent : 0;
        if (a->base_addr && a->dim[i].extent > 1 && a->dim[i].sm % static_cast<std::ptrdiff_t>(a->elem_len) != 0)
            fail("an array section whose elements are %ld bytes apart cannot be passed as an array of %zu-byte elements",
                 static_cast<long>(a->dim[i].sm), a->elem_len);
        v.stride[i] = a->dim[i].sm / std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(a->elem_len), 1);
    }
    return v;
}

void* cuf_rt_address(const desc* a) { return a == nullptr ? nullptr : a->base_addr; }

}  // extern "C"
