// Shared parts of the runtime library: errors, argument access.
// Only host/runtime.cpp includes this and the other rt_*.hpp files.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#if defined(CUF_TARGET_CPU)
#include "../cpu/api.hpp"
#else
#include <cuda_runtime.h>
#endif
#include "cfi.hpp"
#include "flush.hpp"
#include "place.hpp"
#include "../device/launch_error.hpp"
#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

/// For functions that kernels of the runtime call, too; the cpu target has no kernels of its own.
#if defined(CUF_TARGET_CPU)
#define CUF_RT_BOTH
#else
#define CUF_RT_BOTH __host__ __device__
#endif

namespace cuf::rt {

using cfi::category;
using cfi::category_of;
using cfi::copy_of;
using cfi::set_elements;
using desc = cfi::descriptor;

/// Reports an error of the program and ends it with exit status 1, as `error stop` does.
[[noreturn]] __attribute__((format(printf, 1, 2))) inline void fail(const char* format, ...)
{
    std::va_list args;
    va_start(args, format);
    flush_output();
    std::fputs("cuf2cu runtime: ", stderr);
    std::vfprintf(stderr, format, args);
    std::fputc('\n', stderr);
    va_end(args);
    const std::string place = fortran_place();
    if (!place.empty()) std::fprintf(stderr, "  at %s\n", place.c_str());
    std::exit(1);
}

inline void check(cudaError_t code, const char* what)
{
    if (code != cudaSuccess) fail("%s: %s (%s)", what, cudaGetErrorString(code), cudaGetErrorName(code));
}

/// Leaves the program's last CUDA error as it was when runtime-internal calls fail. CUDA's own cannot be set: an error that was pending
/// and was written over is kept beside it.
class quiet {
public:
    quiet() : before_(cudaPeekAtLastError()) {}
    ~quiet()
    {
        if (cudaPeekAtLastError() == before_) return;
        (void)cudaGetLastError();
        if (before_ != cudaSuccess) renamed_error() = before_;
    }
    quiet(const quiet&) = delete;
    quiet& operator=(const quiet&) = delete;

private:
    cudaError_t before_;
};

// ---- arguments ----

/// An argument of raw address type (type(c_ptr), type(c_devptr)): its counts are bytes. One in an array constructor
/// counts as one, too: generated code passes c_loc(x) so.
inline bool is_raw(const desc& d)
{
    return category_of(d) == category::c_ptr && (d.rank == 0 || (d.rank == 1 && d.dim[0].extent == 1));
}

/// The address an argument stands for: the value of a c_ptr, else where the data is.
inline char* address(const desc& d)
{
    char* base = static_cast<char*>(d.base_addr);
    if (!is_raw(d) || base == nullptr) return base;
    return *reinterpret_cast<char**>(base);
}

/// Bytes per counted unit.
inline std::size_t unit(const desc& d) { return is_raw(d) ? 1 : d.elem_len; }

CUF_RT_BOTH inline std::int64_t integer_at(const void* p, category type, std::size_t length)
{
    switch (type) {
    case category::real:
        return length == 4 ? static_cast<std::int64_t>(*static_cast<const float*>(p))
                           : static_cast<std::int64_t>(*static_cast<const double*>(p));
    default:
        switch (length) {
        case 1: return *static_cast<const std::int8_t*>(p);
        case 2: return *static_cast<const std::int16_t*>(p);
        case 4: return *static_cast<const std::int32_t*>(p);
        default: return *static_cast<const std::int64_t*>(p);
        }
    }
}

/// An integer (or real) argument of any kind; element `i` of it when it is an array; `otherwise` when it is absent.
inline std::int64_t integer(const desc* d, std::int64_t otherwise = 0, int i = 0)
{
    if (d == nullptr || d->base_addr == nullptr) return otherwise;
    const char* p = static_cast<const char*>(d->base_addr);
    if (d->rank > 0) p += i * d->dim[0].sm;
    return integer_at(p, category_of(*d), d->elem_len);
}

/// Stores into an integer or logical argument of any kind, if it is present.
inline void store(const desc* d, std::int64_t value)
{
    if (d == nullptr || d->base_addr == nullptr) return;
    switch (d->elem_len) {
    case 1: *static_cast<std::int8_t*>(d->base_addr) = static_cast<std::int8_t>(value); break;
    case 2: *static_cast<std::int16_t*>(d->base_addr) = static_cast<std::int16_t>(value); break;
    case 4: *static_cast<std::int32_t*>(d->base_addr) = static_cast<std::int32_t>(value); break;
    default: *static_cast<std::int64_t*>(d->base_addr) = value; break;
    }
}

inline void store_text(const desc* d, const std::string& text)
{
    if (d == nullptr || d->base_addr == nullptr) return;
    char* to = static_cast<char*>(d->base_addr);
    std::size_t n = std::min(d->elem_len, text.size());
    std::memcpy(to, text.data(), n);
    std::memset(to + n, ' ', d->elem_len - n);
}

/// A character argument without trailing blanks, in lower case.
inline std::string name_of(const desc* d)
{
    if (d == nullptr || d->base_addr == nullptr || category_of(*d) != category::character) return {};
    std::string s(static_cast<const char*>(d->base_addr), d->elem_len);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\0')) s.pop_back();
    for (char& c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return s;
}

/// Streams in variables that are too small for a handle: these have numbers from `first_stream_number` downwards. No handle is negative.
struct numbered_streams {
    std::mutex lock;
    std::vector<std::int64_t> handles;
    std::vector<bool> live;
};
constexpr std::int64_t first_stream_number = -1001;

inline numbered_streams& numbered()
{
    static numbered_streams* const n = new numbered_streams;  // outlives static destructors
    return *n;
}

/// The handle that a stream argument stands for.
inline std::int64_t stream_number(std::int64_t s)
{
    if (s > first_stream_number) return s;
    numbered_streams& n = numbered();
    const std::lock_guard<std::mutex> hold(n.lock);
    const auto at = static_cast<std::size_t>(first_stream_number - s);
    return at < n.handles.size() ? n.handles[at] : s;
}

inline std::int64_t stream_number(const desc* d, std::int64_t otherwise = 0) { return stream_number(integer(d, otherwise)); }

inline std::int64_t number_of(cudaStream_t stream)
{
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(stream));
}

inline cudaStream_t stream_handle(std::int64_t s)
{
    return reinterpret_cast<cudaStream_t>(static_cast<std::intptr_t>(stream_number(s)));
}
inline cudaStream_t stream_arg(const desc* d) { return stream_handle(integer(d)); }

/// Stores the handle of a new stream, or a number for it if the variable is too small.
inline void store_stream(const desc* variable, std::int64_t handle)
{
    if (variable->elem_len >= sizeof(std::int64_t)) return store(variable, handle);
    numbered_streams& n = numbered();
    const std::lock_guard<std::mutex> hold(n.lock);
    const auto free = std::find(n.live.begin(), n.live.end(), false);
    const auto at = static_cast<std::size_t>(free - n.live.begin());
    if (free == n.live.end()) {
        n.handles.push_back(handle);
        n.live.push_back(true);
    }
    n.handles[at] = handle;
    n.live[at] = true;
    store(variable, first_stream_number - static_cast<std::int64_t>(at));
}

/// The number of a destroyed stream is given to another one.
inline void forget_stream(std::int64_t handle)
{
    numbered_streams& n = numbered();
    const std::lock_guard<std::mutex> hold(n.lock);
    for (std::size_t i = 0; i < n.handles.size(); ++i)
        if (n.handles[i] == handle) n.live[i] = false;
}

/// The operand of an assignment with extents of 0 where gfortran's descriptor has the distance of bounds that are further apart.
/// (No whole assumed-size array is one.)
inline desc counted(const desc& d)
{
    desc c = copy_of(d);
    // gfortran leaves it out where it allocates structures for the result of an intrinsic function.
    if (d.rank > 0 && d.base_addr != nullptr && d.elem_len > 0 && d.dim[0].extent > 1 && d.dim[0].sm == 0)
        fail("the Fortran compiler describes an array without the distance of its elements: assign to it in parentheses, `a = (pack(...))`");
    for (int i = 0; i < d.rank; ++i) c.dim[i].extent = std::max<std::ptrdiff_t>(c.dim[i].extent, 0);
    return c;
}

/// The operand with the address that the program tells: gfortran 12 puts a wrong one into the descriptor of a section of a pointer whose
/// elements lie apart. An array of one address, for gfortran passes a single one wrongly.
inline desc based(const desc& d, const desc* at)
{
    desc c = counted(d);
    if (at != nullptr && at->base_addr != nullptr) c.base_addr = *static_cast<void**>(at->base_addr);
    return c;
}

/// Number of elements; the unknown last extent of an assumed-size array counts as one.
inline std::int64_t element_count(const desc& d)
{
    std::int64_t n = 1;
    for (int i = 0; i < d.rank; ++i) n *= d.dim[i].extent == -1 ? 1 : d.dim[i].extent;
    return n;
}

}  // namespace cuf::rt
