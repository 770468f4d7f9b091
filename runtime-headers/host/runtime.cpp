// The runtime library behind the Fortran modules cuf_runtime and cudafor. Compiled by nvcc (as CUDA) or by g++
// (CUF_TARGET_CPU). The entry points are bind(C) procedures of those modules; arrays arrive as C descriptors, so
// device memory is never read on the host.
#include "../device/registry.hpp"
#if !defined(CUF_TARGET_CPU)
#include "device.hpp"
#endif
#include "assign.hpp"
#include "api.hpp"
#include "api_memory.hpp"

namespace {

using namespace cuf::rt;

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

std::int32_t launch_extent(std::int64_t n)
{
    // out of range becomes 0, which a launch reports as an invalid configuration
    return n < 0 || n > INT32_MAX ? 0 : static_cast<std::int32_t>(n);
}

void set_extents(std::int32_t (&to)[3], const desc& d)
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

void set_loop_extents(std::int32_t (&to)[3], const desc& d)
{
    std::int64_t n = d.rank == 0 ? 1 : d.dim[0].extent;
    for (int i = 0; i < 3; ++i) to[i] = i < n ? launch_extent(integer(&d, 0, i)) : 1;
    if (n <= 1 && to[0] == 0) to[1] = to[2] = 0;
}

void set_queue(launch_abi& at, const desc* bytes, const desc* stream)
{
    at.bytes = integer(bytes);
    at.stream = integer(stream, thread_stream);
}

/// Ends an ALLOCATE or DEALLOCATE statement: status variables if there are any, else an error stops the program.
void finish(const desc* stat, const desc* errmsg, int code, const std::string& message)
{
    if (code != 0 && stat == nullptr) fail("%s", message.c_str());
    store(stat, code);
    if (code != 0) store_text(errmsg, message);
}

std::string api_text(cudaError_t code)
{
    return std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ")";
}

struct bounds {
    std::int64_t low[7], extent[7];
};

bounds bounds_of(int rank, const desc* upper, const desc* lower)
{
    bounds b{};
    for (int i = 0; i < rank && i < 7; ++i) {
        b.low[i] = integer(lower, 1, i);
        b.extent[i] = std::max<std::int64_t>(integer(upper, 0, i) - b.low[i] + 1, 0);
    }
    return b;
}

// gfortran's own value of STAT for an object that is allocated or not allocated at the wrong time
constexpr int wrong_allocation_status = 5014;

/// The memory of an ALLOCATE statement; null if it failed and `stat` says so.
void* allocate_statement(const void* current, std::size_t length, int rank, const bounds& b, const desc* where,
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

/// Assignment to a whole allocatable. `fresh` gets memory for a descriptor whose bounds are set, `drop` frees old memory.
template <typename Fresh, typename Drop>
void assign_allocatable(desc* to, const desc* from, const desc* lower, Fresh fresh, Drop drop)
{
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
    desc made = *to;
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
    *to = made;
}

/// Ends the life of a packed copy, after its elements went back if the callee may have changed them.
void finish_copy(const desc* a, const desc* packed, bool back)
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

}  // namespace

extern "C" {

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

bool cuf_rt_conforms(const desc* to, const desc* from) { return to->base_addr && same_shape(*to, *from); }

bool cuf_rt_fits(const desc* to, const desc* from)
{
    if (to->base_addr == nullptr) return false;
    if (same_shape(*to, *from)) return true;
    quiet keep_last_error;
    (void)release(to->base_addr, true);
    return false;
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

std::uint16_t cuf_rt_to_half(double x) { return double_to_half(x); }
float cuf_rt_from_half(std::uint16_t h) { return half_to_float(h); }

void* cuf_rt_address(const desc* a) { return a == nullptr ? nullptr : a->base_addr; }

void cuf_rt_h2d(const desc* to, const desc* from) { assign(*to, *from, direction::to_device); }
void cuf_rt_d2h(const desc* to, const desc* from) { assign(*to, *from, direction::to_host); }
void cuf_rt_d2d(const desc* to, const desc* from) { assign(*to, *from, direction::on_device); }

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

void* cuf_rt_malloc(const desc* bytes, const desc* where, const desc* stat, const desc* errmsg, const desc* stream,
                    const desc* pinned)
{
    bounds b{{1}, {std::max<std::int64_t>(integer(bytes), 0)}};
    return allocate_statement(nullptr, 1, 1, b, where, stat, errmsg, stream, pinned);
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

/// An allocatable of the host: its memory is malloc's.
void cuf_rt_assign_host(desc* h, const desc* from, const desc* lower)
{
    assign_allocatable(
        h, from, lower,
        [](std::size_t bytes) {
            void* data = std::malloc(std::max<std::size_t>(bytes, 1));
            if (data == nullptr) check(cudaErrorMemoryAllocation, "assignment to an allocatable variable");
            return data;
        },
        [](void* old) { std::free(old); });
}

void cuf_rt_release(desc* p)
{
    cuf_rt_free(p->base_addr);
    p->base_addr = nullptr;
}

}  // extern "C"
