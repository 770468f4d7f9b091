// The memory mode "managed" (guide 2.15): what the program's Fortran objects call where they would call malloc and its relatives.
// Part of programs of that mode only.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "managed_heap.hpp"

extern "C" {

using namespace cuf::rt;

void* cuf_rt_host_malloc(std::size_t bytes) { return heap_of_host().take(bytes); }

void* cuf_rt_host_calloc(std::size_t count, std::size_t bytes)
{
    std::size_t all = 0;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return nullptr;
    }
    void* p = cuf_rt_host_malloc(all);
    if (p) std::memset(p, 0, all);
    return p;
}

void cuf_rt_host_free(void* p)
{
    if (p && !heap_of_host().give(p)) std::free(p);
}

void* cuf_rt_host_realloc(void* p, std::size_t bytes)
{
    if (p == nullptr) return cuf_rt_host_malloc(bytes);
    const std::size_t room = heap_of_host().room(p);
    if (room >= bytes && room / 4 <= bytes) return p;
    void* moved = cuf_rt_host_malloc(bytes);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, p, std::min(bytes, room ? room : malloc_usable_size(p)));
    cuf_rt_host_free(p);
    return moved;
}

}  // extern "C"

/// LLVM flang's library allocates by this table, whose first entry is malloc and free. The program's own objects, which call both, too, are
/// renamed; what one of them allocates the other may free.
namespace Fortran::runtime {
struct allocator {
    void* (*take)(std::size_t bytes, std::int64_t* queue);
    void (*give)(void*);
};
extern allocator allocatorRegistry[7] __attribute__((weak));
}  // namespace Fortran::runtime

namespace {

/// The runtime allocates the host's arrays as the program does.
const bool runtime_follows = [] {
    memory_of_host() = {cuf_rt_host_malloc, cuf_rt_host_free, [] { heap_of_host().lose(); }};
    if (Fortran::runtime::allocatorRegistry != nullptr)
        Fortran::runtime::allocatorRegistry[0] = {[](std::size_t bytes, std::int64_t*) { return cuf_rt_host_malloc(bytes); }, cuf_rt_host_free};
    return true;
}();

}  // namespace
