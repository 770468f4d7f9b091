// Entry points of module cuf_runtime: assignment to whole allocatables.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "assign.hpp"

namespace cuf::rt {

/// Assignment to a whole allocatable. `fresh` gets memory for a descriptor whose bounds are set, `drop` frees old memory.
template <typename Fresh, typename Drop>
void assign_allocatable(desc* to, const desc* source, const desc* lower, Fresh fresh, Drop drop)
{
    const desc operand = counted(*source);
    const desc* from = &operand;
    quiet keep_last_error;
    const char* statement = "assignment to an allocatable variable";
    auto set = [from](const desc& target) {
        bool device_source = on_device(from->base_addr), device_target = on_device(target.base_addr);
        assign(target, *from,
               device_source   ? device_target ? direction::on_device : direction::to_host
               : device_target ? direction::to_device
                               : direction::on_host);
    };
    if (to->base_addr != nullptr && (from->rank == 0 || same_shape(*to, *from))) return set(*to);
    if (to->rank != from->rank)
        fail("%s: it is not allocated, and a scalar gives it no shape", statement);
    if (from->base_addr == nullptr && element_count(*from) != 0)
        fail("%s: the right-hand side is not allocated", statement);
    desc made = copy_of(*to);
    auto distance = static_cast<std::ptrdiff_t>(made.elem_len);
    for (int i = 0; i < made.rank; ++i) {
        std::ptrdiff_t extent = from->dim[i].extent;
        made.dim[i] = {static_cast<std::ptrdiff_t>(extent == 0 ? 1 : integer(lower, 1, i)), extent, distance};
        distance *= extent;
    }
    made.base_addr = fresh(static_cast<std::size_t>(element_count(made)) * made.elem_len);
    set(made);
    // What is assigned may be part of the old value.
    if (to->base_addr != nullptr) drop(to->base_addr);
    to->base_addr = made.base_addr;
    std::copy_n(made.dim, made.rank, to->dim);
}

}  // namespace cuf::rt

extern "C" {

using namespace cuf::rt;

void cuf_rt_repeat(char* to, const char* one, std::int64_t bytes, std::int64_t count)
{
    for (; count > 0; --count, to += bytes) std::memcpy(to, one, static_cast<std::size_t>(bytes));
}

/// Device code, which gives module data its initial value, knows neither that components are allocatable nor flang's descriptions of types.
/// Those that are not allocated get what stands in `one`, also the type and its parameter behind the dimensions; with gfortran null is enough.
void cuf_rt_describe(char* to, const char* one, std::int64_t bytes, std::int64_t count)
{
    constexpr std::int64_t head = offsetof(desc, dim), step = alignof(desc);
    for (std::int64_t at = 0; at + head <= bytes; at += step) {
        desc known, found;
        std::memcpy(static_cast<void*>(&known), one + at, head);
        if (known.base_addr != nullptr || known.version < cuf::cfi::flang_version || known.rank < 0 || known.rank > 15) continue;
        const std::int64_t last = head + known.rank * std::int64_t{sizeof(known.dim[0])}, more = (known.form[2] & 1u) != 0 ? 16 : 0;
        for (std::int64_t k = 0; k < count && at + last + more <= bytes; ++k) {
            char* component = to + k * bytes + at;
            std::memcpy(static_cast<void*>(&found), component, head);
            if (found.base_addr != nullptr || found.version != known.version || found.rank != known.rank) continue;
            std::memcpy(component, one + at, head);
            std::memcpy(component + last, one + at + last, static_cast<std::size_t>(more));
        }
    }
}

bool cuf_rt_conforms(const desc* to, const desc* from) { return to->base_addr && same_shape(*to, counted(*from)); }

bool cuf_rt_fits(const desc* to, const desc* from)
{
    if (to->base_addr == nullptr) return false;
    if (same_shape(*to, counted(*from))) return true;
    quiet keep_last_error;
    (void)release(to->base_addr, true);
    return false;
}

void cuf_rt_assign(desc* p, const desc* from, const desc* lower, const desc* where)
{
    auto place = static_cast<space>(integer(where));
    assign_allocatable(
        p, from, lower,
        [place](std::size_t bytes) {
            void* data = nullptr;
            check(allocate(&data, bytes, place, nullptr, false, nullptr), "assignment to an allocatable variable");
            return data;
        },
        [](void* old) { (void)release(old, false); });
}

/// An allocatable of the host.
void cuf_rt_assign_host(desc* h, const desc* from, const desc* lower)
{
    assign_allocatable(
        h, from, lower,
        [](std::size_t bytes) {
            void* data = memory_of_host().take(std::max<std::size_t>(bytes, 1));
            if (data == nullptr) check(cudaErrorMemoryAllocation, "assignment to an allocatable variable");
            return data;
        },
        [](void* old) { memory_of_host().give(old); });
}

}  // extern "C"
