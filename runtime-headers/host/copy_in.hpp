// Entry points of module cuf_runtime: arguments whose elements have to lie side by side.
#pragma once
#include "transfer.hpp"

namespace cuf::rt {

/// Ends the life of a packed copy, after its elements went back if the callee may have changed them.
inline void finish_copy(const desc* a, const desc* packed, bool back)
{
    if (packed->base_addr == a->base_addr) return;
    quiet keep_last_error;
    on_device_of owner(packed->base_addr);
    const queue q = queue_of(0);
    const char* statement = "copy of an argument";
    // Whichever stream the callee used.
    if (!q.captured) check(cudaDeviceSynchronize(), statement);
    if (back) check(copy_device(against_packed(*a, static_cast<char*>(packed->base_addr), false), q.stream), statement);
    if (!q.captured && back) check(cudaDeviceSynchronize(), statement);
    (void)(q.captured ? cudaFreeAsync(packed->base_addr, q.stream) : cudaFree(packed->base_addr));
}

}  // namespace cuf::rt

extern "C" {

using namespace cuf::rt;

void* cuf_rt_copy_in(const desc* a)
{
    if (a->base_addr == nullptr || element_count(*a) == 0 || contiguous(*a)) return a->base_addr;
    quiet keep_last_error;
    on_device_of owner(a->base_addr);
    const queue q = queue_of(0);
    const char* statement = "copy of an argument";
    if (!q.captured) settle();
    void* p = nullptr;
    auto bytes = static_cast<std::size_t>(element_count(*a)) * a->elem_len;
    check(q.captured ? cudaMallocAsync(&p, bytes, q.stream) : cudaMalloc(&p, bytes), statement);
    check(copy_device(against_packed(*a, static_cast<char*>(p), true), q.stream), statement);
    check(wait_for(q), statement);
    return p;
}

void cuf_rt_copy_done(const desc* a, const desc* packed)
{
    finish_copy(a, packed, false);
}

void cuf_rt_copy_out(const desc* a, const desc* packed)
{
    finish_copy(a, packed, true);
}

}  // extern "C"
