// Entry points of module cudafor: allocation, hints for managed memory.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "api_structures.hpp"

extern "C" {

using cuf::rt::desc;

#if defined(CUF_TARGET_CPU)
void cuf_cpu_by_call(bool call);
#endif

/// While it lives, memory is allocated because the program calls a function of the runtime API, and is its own to free.
struct allocated_by_call {
#if defined(CUF_TARGET_CPU)
    allocated_by_call() { cuf_cpu_by_call(true); }
    ~allocated_by_call() { cuf_cpu_by_call(false); }
#else
    ~allocated_by_call() {}
#endif
};

enum class malloc_form { plain, managed, stream_ordered };

static cudaError_t malloc_bytes(void** p, std::size_t bytes, malloc_form form, const desc* option)
{
    const allocated_by_call mark;
    switch (form) {
    case malloc_form::plain: return cudaMalloc(p, bytes);
    case malloc_form::managed:
        return cudaMallocManaged(p, bytes, static_cast<unsigned>(cuf::rt::integer(option, cudaMemAttachGlobal)));
    default: return cudaMallocAsync(p, bytes, cuf::rt::stream_arg(option));
    }
}

static int malloc_elements(desc* p, const desc* count, malloc_form form, const desc* option)
{
    if (p->rank != 1) return cudaErrorInvalidValue;
    std::int64_t n = cuf::rt::integer(count);
    auto bytes = cuf::rt::bytes_of(n, p->elem_len);
    std::size_t size = std::max<std::size_t>(bytes.value_or(SIZE_MAX), 1);
    void* data = nullptr;
    cudaError_t code = malloc_bytes(&data, size, form, option);
    if (code == cudaSuccess) cuf::rt::associate(*p, data, {n});
    return code;
}

static int malloc_raw(void** p, const desc* count, malloc_form form, const desc* option)
{
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(count), 1);
    return malloc_bytes(p, bytes.value_or(SIZE_MAX), form, option);
}

int cufapi_malloc(desc* p, const desc* n) { return malloc_elements(p, n, malloc_form::plain, nullptr); }
int cufapi_malloc_raw(void** p, const desc* n) { return malloc_raw(p, n, malloc_form::plain, nullptr); }
int cufapi_malloc_managed(desc* p, const desc* n, const desc* flags)
{
    return malloc_elements(p, n, malloc_form::managed, flags);
}
int cufapi_malloc_managed_raw(void** p, const desc* n, const desc* flags)
{
    return malloc_raw(p, n, malloc_form::managed, flags);
}
int cufapi_malloc_async(desc* p, const desc* n, const desc* stream)
{
    return malloc_elements(p, n, malloc_form::stream_ordered, stream);
}
int cufapi_malloc_async_raw(void** p, const desc* n, const desc* stream)
{
    return malloc_raw(p, n, malloc_form::stream_ordered, stream);
}

int cufapi_malloc_pitch(desc* p, const desc* pitch, const desc* width, const desc* height)
{
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(width), p->elem_len);
    std::int64_t rows = cuf::rt::integer(height);
    if (p->rank != 2 || !bytes || rows < 0) return cudaErrorInvalidValue;
    void* data = nullptr;
    std::size_t row = 0;
    const allocated_by_call mark;
    cudaError_t code = cudaMallocPitch(&data, &row, *bytes, cuf::rt::size_of(rows));
    if (code != cudaSuccess) return code;
    std::int64_t units = static_cast<std::int64_t>(row / p->elem_len);  // rows are a multiple of every element size
    cuf::rt::store(pitch, units);
    cuf::rt::associate(*p, data, {units, rows});
    return cudaSuccess;
}

int cufapi_malloc_pitch_raw(void** p, const desc* pitch, const desc* width, const desc* height)
{
    const allocated_by_call mark;
    std::size_t row = 0;
    cudaError_t code = cudaMallocPitch(p, &row, cuf::rt::size_of(cuf::rt::integer(width)),
                                       cuf::rt::size_of(cuf::rt::integer(height)));
    if (code == cudaSuccess) cuf::rt::store(pitch, static_cast<std::int64_t>(row));
    return code;
}

int cufapi_malloc_3d(cuf::rt::pitched_pointer* p, const cuf::rt::extent_type* extent)
{
    cudaPitchedPtr c{};
    cudaError_t code = cudaMalloc3D(&c, cuf::rt::to_cuda(*extent));
    if (code == cudaSuccess)
        *p = {c.ptr, static_cast<std::int64_t>(c.pitch), static_cast<std::int64_t>(c.xsize),
              static_cast<std::int64_t>(c.ysize)};
    return code;
}

int cufapi_malloc_3d_array(desc* p, const cuf::rt::extent_type* extent)
{
    if (p->rank != 3) return cudaErrorInvalidValue;
    cudaPitchedPtr c{};
    cudaError_t code = cudaMalloc3D(&c, cuf::rt::to_cuda(*extent));
    if (code == cudaSuccess)
        cuf::rt::associate(*p, c.ptr, {static_cast<std::int64_t>(c.pitch / p->elem_len), extent->height, extent->depth});
    return code;
}

int cufapi_free_raw(void* const* p) { return cuf::rt::release(*p, false); }

int cufapi_free(desc* p)
{
    cudaError_t code = cuf::rt::release(p->base_addr, false);
    if (code == cudaSuccess) p->base_addr = nullptr;
    return code;
}

int cufapi_free_async_raw(void* const* p, const desc* stream)
{
    cuf::rt::forget(*p);
    return cudaFreeAsync(*p, cuf::rt::stream_arg(stream));
}

int cufapi_free_async(desc* p, const desc* stream)
{
    int code = cufapi_free_async_raw(&p->base_addr, stream);
    if (code == cudaSuccess) p->base_addr = nullptr;
    return code;
}

int cufapi_host_alloc(void** p, const desc* bytes, const desc* flags)
{
    return cudaHostAlloc(p, cuf::rt::size_of(cuf::rt::integer(bytes)),
                         static_cast<unsigned>(cuf::rt::integer(flags, cudaHostAllocDefault)));
}
int cufapi_malloc_host(void** p, const desc* bytes) { return cufapi_host_alloc(p, bytes, nullptr); }
int cufapi_free_host(void* const* p) { return cudaFreeHost(*p); }

int cufapi_host_device_pointer(void** device, void* const* host, const desc* flags)
{
    return cudaHostGetDevicePointer(device, *host, static_cast<unsigned>(cuf::rt::integer(flags)));
}

int cufapi_host_flags(const desc* flags, void* const* host)
{
    unsigned f = 0;
    cudaError_t code = cudaHostGetFlags(&f, *host);
    if (code == cudaSuccess) cuf::rt::store(flags, f);
    return code;
}

int cufapi_host_register(void* const* host, const desc* bytes, const desc* flags)
{
    return cudaHostRegister(*host, cuf::rt::size_of(cuf::rt::integer(bytes)),
                            static_cast<unsigned>(cuf::rt::integer(flags)));
}
int cufapi_host_unregister(void* const* host) { return cudaHostUnregister(*host); }

int cufapi_mem_info(const desc* free, const desc* total)
{
    std::size_t f = 0, t = 0;
    cudaError_t code = cudaMemGetInfo(&f, &t);
    if (code != cudaSuccess) return code;
    cuf::rt::store(free, static_cast<std::int64_t>(f));
    cuf::rt::store(total, static_cast<std::int64_t>(t));
    return cudaSuccess;
}

int cufapi_pointer_attributes(cuf::rt::pointer_attributes* to, const desc* p)
{
    cudaPointerAttributes a{};
    cudaError_t code = cudaPointerGetAttributes(&a, cuf::rt::address(*p));
    if (code == cudaSuccess)
        *to = {a.type, a.device, a.devicePointer, a.hostPointer, a.type == cudaMemoryTypeManaged, a.type};
    return code;
}

// ---- hints for managed memory ----

static cudaMemLocation location_of(std::int64_t device)
{
    cudaMemLocation l{};
    l.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    l.id = device == cudaCpuDeviceId ? 0 : static_cast<int>(device);
    return l;
}

int cufapi_mem_advise(const desc* p, const desc* count, int advice, const desc* device)
{
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(count), cuf::rt::unit(*p));
    if (!bytes) return cudaErrorInvalidValue;
    return cudaMemAdvise(cuf::rt::address(*p), *bytes, static_cast<cudaMemoryAdvise>(advice),
                         location_of(cuf::rt::integer(device)));
}

int cufapi_mem_prefetch(const desc* p, const desc* count, const desc* device, const desc* stream)
{
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(count), cuf::rt::unit(*p));
    if (!bytes) return cudaErrorInvalidValue;
    return cudaMemPrefetchAsync(cuf::rt::address(*p), *bytes, location_of(cuf::rt::integer(device)), 0,
                                cuf::rt::stream_arg(stream));
}

}  // extern "C"
