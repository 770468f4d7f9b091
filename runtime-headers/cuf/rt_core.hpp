// Shared parts of the runtime library: errors, argument access, default streams, the table of allocations.
// Only cuf_runtime.cpp includes this and the other rt_*.hpp files.
#pragma once
#if defined(CUF_TARGET_CPU)
#include "cuf/cpu_api.hpp"
#else
#include <cuda_runtime.h>
#endif
#include "cuf/cfi.hpp"
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

namespace cuf::rt {

using cfi::category;
using cfi::category_of;
using desc = cfi::descriptor;

/// Reports an error of the program and ends it with exit status 1, as `error stop` does.
[[noreturn]] __attribute__((format(printf, 1, 2))) inline void fail(const char* format, ...)
{
    std::va_list args;
    va_start(args, format);
    std::fflush(stdout);
    std::fputs("cuf2cu runtime: ", stderr);
    std::vfprintf(stderr, format, args);
    std::fputc('\n', stderr);
    va_end(args);
    std::exit(1);
}

inline void check(cudaError_t code, const char* what)
{
    if (code != cudaSuccess) fail("%s: %s (%s)", what, cudaGetErrorString(code), cudaGetErrorName(code));
}

/// Leaves the program's last CUDA error as it was when runtime-internal calls fail.
class quiet {
public:
    quiet() : before_(cudaPeekAtLastError()) {}
    ~quiet()
    {
        if (before_ == cudaSuccess && cudaPeekAtLastError() != cudaSuccess) (void)cudaGetLastError();
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
    if (d.rank == 0) {
        // For a function reference such as c_devloc(x), gfortran 12 passes the resulting address where the address of
        // the result belongs. Variables of type c_ptr do not live in memory that CUDA knows, so that tells them apart.
        quiet keep_last_error;
        cudaPointerAttributes a{};
        if (cudaPointerGetAttributes(&a, base) == cudaSuccess && a.type != cudaMemoryTypeUnregistered) return base;
    }
    return *reinterpret_cast<char**>(base);
}

/// Bytes per counted unit.
inline std::size_t unit(const desc& d) { return is_raw(d) ? 1 : d.elem_len; }

inline std::int64_t integer_at(const void* p, category type, std::size_t length)
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

inline cudaStream_t stream_handle(std::int64_t s)
{
    return reinterpret_cast<cudaStream_t>(static_cast<std::intptr_t>(s));
}
inline cudaStream_t stream_arg(const desc* d) { return stream_handle(integer(d)); }

/// Number of elements; the unknown last extent of an assumed-size array counts as one.
inline std::int64_t element_count(const desc& d)
{
    std::int64_t n = 1;
    for (int i = 0; i < d.rank; ++i) n *= d.dim[i].extent == -1 ? 1 : d.dim[i].extent;
    return n;
}

// ---- default streams ----

/// The stream that cudaforSetDefaultStream(stream) tied to this host thread.
inline thread_local std::int64_t thread_stream = 0;

struct stream_table {
    std::mutex lock;
    struct range {
        const char* end;
        std::int64_t stream;
    };
    std::map<const char*, range> by_address;  // variables tied to a stream
};
inline stream_table& streams()
{
    static stream_table* t = new stream_table;  // outlives static destructors
    return *t;
}

inline void tie_stream(const desc& d, std::int64_t stream)
{
    const char* p = address(d);
    std::size_t bytes = std::max<std::size_t>(unit(d) * static_cast<std::size_t>(element_count(d)), 1);
    stream_table& t = streams();
    std::lock_guard hold(t.lock);
    if (stream == 0)
        t.by_address.erase(p);
    else
        t.by_address[p] = {p + bytes, stream};
}

inline std::int64_t tied_stream(const void* at)
{
    const char* p = static_cast<const char*>(at);
    stream_table& t = streams();
    std::lock_guard hold(t.lock);
    auto it = t.by_address.upper_bound(p);
    if (it == t.by_address.begin()) return 0;
    --it;
    return p < it->second.end ? it->second.stream : 0;
}

/// The stream in which an assignment to or from this device variable runs.
inline std::int64_t stream_for(const void* device)
{
    std::int64_t s = tied_stream(device);
    return s != 0 ? s : thread_stream;
}

// ---- allocations ----

enum class space : int { device = 0, managed = 1, pinned = 2, host = 3 };

struct allocation {
    space where;
    bool stream_ordered;
    int device;
};

struct allocation_table {
    std::mutex lock;
    std::map<void*, allocation> live;
};
inline allocation_table& allocations()
{
    static allocation_table* t = new allocation_table;
    return *t;
}

/// Memory that is never null, also for zero bytes: an allocated array of size zero is associated.
inline cudaError_t allocate(void** p, std::size_t bytes, space where, cudaStream_t stream, bool stream_ordered,
                            bool* pinned)
{
    bytes = std::max<std::size_t>(bytes, 1);
    cudaError_t code = cudaSuccess;
    switch (where) {
    case space::device: code = stream_ordered ? cudaMallocAsync(p, bytes, stream) : cudaMalloc(p, bytes); break;
    case space::managed: code = cudaMallocManaged(p, bytes, cudaMemAttachGlobal); break;
    case space::pinned:
        code = cudaHostAlloc(p, bytes, cudaHostAllocPortable);
        if (code == cudaSuccess) {
            if (pinned) *pinned = true;
            break;
        }
        [[fallthrough]];  // memory that cannot be pinned is ordinary memory
    case space::host:
        if (pinned) *pinned = false;
        *p = std::malloc(bytes);
        where = space::host;
        code = *p ? cudaSuccess : cudaErrorMemoryAllocation;
        break;
    }
    if (code != cudaSuccess) return code;
    int device = 0;
    (void)cudaGetDevice(&device);
    allocation_table& t = allocations();
    std::lock_guard hold(t.lock);
    t.live[*p] = {where, stream_ordered, device};
    return cudaSuccess;
}

/// Takes an address out of the tables; `a` is what was known about it.
inline bool forget(void* p, allocation* a = nullptr)
{
    {
        stream_table& t = streams();
        std::lock_guard hold(t.lock);
        t.by_address.erase(static_cast<const char*>(p));
    }
    allocation_table& t = allocations();
    std::lock_guard hold(t.lock);
    auto it = t.live.find(p);
    if (it == t.live.end()) return false;
    if (a) *a = it->second;
    t.live.erase(it);
    return true;
}

/// Frees any memory the program can have got: from here, or from the CUDA API.
inline cudaError_t release(void* p, bool only_ours)
{
    if (p == nullptr) return cudaSuccess;
    allocation a{space::device, false, 0};
    bool ours = forget(p, &a);
    if (!ours) {
        if (only_ours) return cudaSuccess;
        cudaPointerAttributes attributes{};
        cudaError_t code = cudaPointerGetAttributes(&attributes, p);
        if (code != cudaSuccess) return code;
        if (attributes.type == cudaMemoryTypeHost) return cudaFreeHost(p);
        return cudaFree(p);
    }
    switch (a.where) {
    case space::pinned: return cudaFreeHost(p);
    case space::host: std::free(p); return cudaSuccess;
    default:
        // cudaFree does not wait for work on stream-ordered memory
        if (a.stream_ordered) (void)cudaDeviceSynchronize();
        return cudaFree(p);
    }
}

/// Forgets the memory of a device that has been reset.
inline void forget_device(int device)
{
    {
        allocation_table& t = allocations();
        std::lock_guard hold(t.lock);
        std::erase_if(t.live, [device](const auto& a) {
            return a.second.where != space::host && a.second.device == device;
        });
    }
    stream_table& t = streams();
    std::lock_guard hold(t.lock);
    t.by_address.clear();
    thread_stream = 0;
}

}  // namespace cuf::rt
