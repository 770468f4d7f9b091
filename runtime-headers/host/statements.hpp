// Entry points of module cuf_runtime: ALLOCATE and DEALLOCATE statements, the end of a scope.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocation.hpp"
#include "bind.hpp"

namespace cuf::rt {

/// Ends an ALLOCATE or DEALLOCATE statement: status variables if there are any, else an error stops the program.
inline void finish(const desc* stat, const desc* errmsg, int code, const std::string& message)
{
    if (code != 0 && stat == nullptr) fail("%s", message.c_str());
    store(stat, code);
    if (code != 0) store_text(errmsg, message);
}

inline std::string api_text(cudaError_t code)
{
    return std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ")";
}

struct bounds {
    std::int64_t low[7], extent[7];
};

inline bounds bounds_of(int rank, const desc* upper, const desc* lower)
{
    bounds b{};
    const bool by_flang = upper != nullptr && upper->version >= cuf::cfi::flang_version;
    for (int i = 0; i < rank && i < 7; ++i) {
        b.low[i] = integer(lower, 1, i);
        b.extent[i] = std::max<std::int64_t>(integer(upper, 0, i) - b.low[i] + 1, 0);
        // The declared bounds count in sections (`q(-3:)`), but LBOUND is 1 (F2018 16.9.109), for which flang takes what is here.
        if (by_flang && b.extent[i] == 0) b.low[i] = 1;
    }
    return b;
}

// gfortran's own value of STAT for an object that is allocated or not allocated at the wrong time
inline constexpr int wrong_allocation_status = 5014;

/// The memory of an ALLOCATE statement; null if it failed and `stat` says so.
inline void* allocate_statement(const void* current, std::size_t length, int rank, const bounds& b, const desc* where,
                         const desc* stat, const desc* errmsg, const desc* stream, const desc* pinned)
{
    if (unbound) bind_again();
    quiet keep_last_error;
    if (current != nullptr) {
        finish(stat, errmsg, wrong_allocation_status, "allocate: the variable is allocated already");
        return nullptr;
    }
    std::size_t bytes = length;
    bool fits = true;
    for (int i = 0; i < rank; ++i)
        fits = fits && !__builtin_mul_overflow(bytes, static_cast<std::size_t>(b.extent[i]), &bytes);
    bool ordered = stream != nullptr && stream->base_addr != nullptr;
    bool got_pinned = false;
    void* data = nullptr;
    cudaError_t code = cudaErrorMemoryAllocation;
    if (fits)
        code = allocate(&data, bytes, static_cast<space>(integer(where)), stream_arg(stream), ordered, &got_pinned);
    store(pinned, got_pinned);
    finish(stat, errmsg, code,
           code == cudaSuccess ? std::string() : "allocate: " + std::to_string(bytes) + " bytes: " + api_text(code));
    return code == cudaSuccess ? data : nullptr;
}

}  // namespace cuf::rt

extern "C" {

using namespace cuf::rt;

void* cuf_rt_malloc(const desc* bytes, const desc* where, const desc* stat, const desc* errmsg, const desc* stream,
                    const desc* pinned)
{
    bounds b{{1}, {std::max<std::int64_t>(integer(bytes), 0)}};
    return allocate_statement(nullptr, 1, 1, b, where, stat, errmsg, stream, pinned);
}

/// A Fortran procedure that gets the compiler's own descriptors, of which the address is the first part. Data of the managed mode
/// stays where it is.
void cuf_rt_realign(void** object, std::int64_t bytes, std::int64_t alignment) __asm__("cuf_rt_realign_");
void cuf_rt_realign(void** object, std::int64_t bytes, std::int64_t alignment)
{
    void* moved = nullptr;
    const auto boundary = static_cast<std::uintptr_t>(alignment);
    if (*object == nullptr || alignment <= 0 || reinterpret_cast<std::uintptr_t>(*object) % boundary == 0) return;
    if (memory_of_host().take != std::malloc) return;
    if (posix_memalign(&moved, boundary, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))) != 0) return;
    std::memcpy(moved, *object, static_cast<std::size_t>(bytes));
    std::free(*object);
    *object = moved;
}

bool cuf_rt_may_allocate(int allocated, const desc* stat, const desc* errmsg)
{
    if (allocated != 0) finish(stat, errmsg, wrong_allocation_status, "allocate: the variable is allocated already");
    return allocated == 0;
}

void cuf_rt_free(void* p)
{
    quiet keep_last_error;
    (void)release(p, true);
}

void cuf_rt_allocate(desc* p, const desc* upper, const desc* lower, const desc* where, const desc* stat,
                     const desc* errmsg, const desc* stream, const desc* pinned)
{
    bounds b = bounds_of(p->rank, upper, lower);
    void* data = allocate_statement(p->base_addr, p->elem_len, p->rank, b, where, stat, errmsg, stream, pinned);
    if (data == nullptr) return;
    auto distance = static_cast<std::ptrdiff_t>(p->elem_len);
    for (int i = 0; i < p->rank; ++i) {
        p->dim[i] = {b.low[i], b.extent[i], distance};
        distance *= b.extent[i];
    }
    p->base_addr = data;
    if (cuf::watching && static_cast<space>(integer(where)) == space::managed) cuf::watching({cuf::work::allocated, p}, nullptr);
}

/// `address` is null on return if nothing was allocated.
void cuf_rt_allocate_character(void** address, int length, int rank, std::int64_t* extent, std::int64_t* low,
                               const desc* upper, const desc* lower, const desc* where, const desc* stat,
                               const desc* errmsg, const desc* stream, const desc* pinned)
{
    bounds b = bounds_of(rank, upper, lower);
    std::copy_n(b.extent, 7, extent);
    std::copy_n(b.low, 7, low);
    *address = allocate_statement(*address, static_cast<std::size_t>(length), rank, b, where, stat, errmsg, stream,
                                  pinned);
}

/// `address` is null on return if the memory is gone.
void cuf_rt_deallocate_at(void** address, const desc* stat, const desc* errmsg)
{
    quiet keep_last_error;
    if (*address == nullptr) {
        finish(stat, errmsg, wrong_allocation_status, "deallocate: the variable is not allocated");
        return;
    }
    cudaError_t code = release(*address, false);
    if (code == cudaSuccess) *address = nullptr;
    finish(stat, errmsg, code, "deallocate: " + api_text(code));
}

void cuf_rt_dealloc(void* p, const desc* stat, const desc* errmsg) { cuf_rt_deallocate_at(&p, stat, errmsg); }

void cuf_rt_deallocate(desc* p, const desc* stat, const desc* errmsg)
{
    cuf_rt_deallocate_at(&p->base_addr, stat, errmsg);
}

void cuf_rt_release(desc* p)
{
    cuf_rt_free(p->base_addr);
    p->base_addr = nullptr;
}

}  // extern "C"
