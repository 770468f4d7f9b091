// Entry points of module cuf_runtime: arguments whose elements have to lie side by side.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "transfer.hpp"

#include <algorithm>
#include <unordered_map>

namespace cuf::rt {

/// The sections that have a packed copy, by the address of the copy: the call may change what their designators mean.
struct packed_table {
    std::mutex lock;
    std::unordered_map<void*, desc> sources;
};

inline packed_table& packed_copies()
{
    static packed_table* t = new packed_table;
    return *t;
}

inline void keep_source(void* copy, const desc& source)
{
    packed_table& t = packed_copies();
    std::lock_guard hold(t.lock);
    t.sources[copy] = copy_of(source);
}

/// False if the address is none of a copy.
inline bool take_source(void* copy, desc& source)
{
    packed_table& t = packed_copies();
    std::lock_guard hold(t.lock);
    const auto at = t.sources.find(copy);
    if (at == t.sources.end()) return false;
    source = at->second;
    t.sources.erase(at);
    return true;
}

/// Ends the life of a packed copy, after its elements went back if the callee may have changed them.
inline void finish_copy(void* copy, bool back)
{
    desc source{};
    if (!take_source(copy, source)) return;
    quiet keep_last_error;
    on_device_of owner(copy);
    const queue q = queue_of(0);
    const char* statement = "copy of an argument";
    // Whichever stream the callee used.
    if (!q.captured) check(cudaDeviceSynchronize(), statement);
    if (back) check(copy_device(against_packed(source, static_cast<char*>(copy), false), q.stream), statement);
    if (!q.captured && back) check(cudaDeviceSynchronize(), statement);
    if (!q.captured)
        (void)cudaFree(copy);
    else if (!is_managed(copy))  // else the graph goes on using it
        (void)cudaFreeAsync(copy, q.stream);
}

}  // namespace cuf::rt

extern "C" {

using namespace cuf::rt;

void* cuf_rt_copy_in(const desc* array, const desc* at)
{
    const desc based_array = based(*array, at);
    const desc* a = &based_array;
    if (a->base_addr == nullptr || element_count(*a) == 0 || contiguous(*a)) return a->base_addr;
    quiet keep_last_error;
    on_device_of owner(a->base_addr);
    const queue q = queue_of(0);
    const char* statement = "copy of an argument";
    if (!q.captured) settle();
    void* p = nullptr;
    auto bytes = static_cast<std::size_t>(element_count(*a)) * a->elem_len;
    // The callee's host code may use managed data.
    if (is_managed(a->base_addr))
        check(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal), statement);
    else
        check(q.captured ? cudaMallocAsync(&p, bytes, q.stream) : cudaMalloc(&p, bytes), statement);
    check(copy_device(against_packed(*a, static_cast<char*>(p), true), q.stream), statement);
    check(wait_for(q), statement);
    keep_source(p, *a);
    return p;
}

void* cuf_rt_in_place(const desc* array, const desc* argument, const desc* at)
{
    const desc based_array = based(*array, at);
    const desc* a = &based_array;
    if (a->base_addr != nullptr && element_count(*a) != 0 && !contiguous(*a))
        fail("the elements of an array for '%.*s' do not lie side by side, and the library that gets its address keeps it: a copy would be gone",
             static_cast<int>(argument->elem_len), static_cast<const char*>(argument->base_addr));
    return a->base_addr;
}

void cuf_rt_described(const desc* a, const desc* at)
{
    if (element_count(*a) != 0 && based(*a, at).base_addr != a->base_addr)
        fail("a section of a pointer is passed to the CUDA API, and gfortran gives it a wrong address: assign it to an array, and pass that");
}

char cuf_rt_letter(const desc* text)
{
    return text->elem_len == 0 ? ' ' : *static_cast<const char*>(text->base_addr);
}

void cuf_rt_copy_done(const desc* packed)
{
    finish_copy(packed->base_addr, false);
}

void cuf_rt_copy_out(const desc* packed)
{
    finish_copy(packed->base_addr, true);
}

}  // extern "C"
