// Entry points of module cudafor: memory. Counts are elements for typed arrays, bytes for type(c_ptr) and
// type(c_devptr) arguments.
#pragma once
#include "symbols.hpp"
#include "assign.hpp"
#include <optional>

namespace cuf::rt {

/// Bytes of `count` units of an argument; none if negative or too large.
inline std::optional<std::size_t> bytes_of(std::int64_t count, std::size_t unit)
{
    std::size_t n = 0;
    if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), unit, &n)) return std::nullopt;
    return n;
}

/// Bytes per unit of a copy: raw addresses count bytes, else the source says how large an element is.
inline std::size_t copy_unit(const desc& dst, const desc& src)
{
    return is_raw(dst) || is_raw(src) ? 1 : src.elem_len;
}

/// Direction and stream of a copy. An integer(8) in the place of the direction is a stream.
struct copy_options {
    cudaMemcpyKind kind = cudaMemcpyDefault;
    cudaStream_t stream = nullptr;

    copy_options(const desc* direction, const desc* queue)
    {
        bool present = direction != nullptr && direction->base_addr != nullptr;
        if (present && queue == nullptr && direction->elem_len == 8) {
            stream = stream_arg(direction);
            return;
        }
        if (present) kind = static_cast<cudaMemcpyKind>(integer(direction));
        stream = stream_arg(queue);
    }
};

/// Gives a pointer its target: rank 1 with `extent0`, rank 2 or 3 with the others too.
inline void associate(desc& p, void* data, std::initializer_list<std::int64_t> extents)
{
    auto distance = static_cast<std::ptrdiff_t>(p.elem_len);
    int i = 0;
    for (std::int64_t n : extents) {
        p.dim[i++] = {1, n, distance};
        distance *= n;
    }
    p.base_addr = data;
}

struct pitched_pointer {  // type(cudaPitchedPtr)
    void* ptr;
    std::int64_t pitch, xsize, ysize;
};
struct position {  // type(cudaPos)
    std::int64_t x, y, z;
};
struct extent_type {  // type(cudaExtent)
    std::int64_t width, height, depth;
};
struct copy_parameters {  // type(cudaMemcpy3DParms)
    void* srcArray;
    position srcPos;
    pitched_pointer srcPtr;
    void* dstArray;
    position dstPos;
    pitched_pointer dstPtr;
    extent_type extent;
    int kind;
};
struct pointer_attributes {  // type(cudaPointerAttributes)
    int memoryType, device;
    void* devicePointer;
    void* hostPointer;
    int isManaged, type;
};

inline std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

inline cudaExtent to_cuda(const extent_type& e)
{
    cudaExtent c{};
    c.width = size_of(e.width);
    c.height = size_of(e.height);
    c.depth = size_of(e.depth);
    return c;
}
inline cudaPos to_cuda(const position& p)
{
    cudaPos c{};
    c.x = size_of(p.x);
    c.y = size_of(p.y);
    c.z = size_of(p.z);
    return c;
}
inline cudaPitchedPtr to_cuda(const pitched_pointer& p)
{
    cudaPitchedPtr c{};
    c.ptr = p.ptr;
    c.pitch = size_of(p.pitch);
    c.xsize = size_of(p.xsize);
    c.ysize = size_of(p.ysize);
    return c;
}

inline cudaMemcpy3DParms to_cuda(const copy_parameters& p)
{
    cudaMemcpy3DParms c{};
    c.srcArray = static_cast<cudaArray_t>(p.srcArray);
    c.srcPos = to_cuda(p.srcPos);
    c.srcPtr = to_cuda(p.srcPtr);
    c.dstArray = static_cast<cudaArray_t>(p.dstArray);
    c.dstPos = to_cuda(p.dstPos);
    c.dstPtr = to_cuda(p.dstPtr);
    c.extent = to_cuda(p.extent);
    c.kind = p.kind == 0 ? cudaMemcpyDefault : static_cast<cudaMemcpyKind>(p.kind);
    return c;
}

/// memset of `height` rows of `width` units, `pitch` units apart; height 1 for a plain one.
inline cudaError_t set_memory(const desc& p, const desc& value, std::int64_t pitch, std::int64_t width,
                              std::int64_t height, cudaStream_t stream)
{
    if (width < 0 || height < 0 || (height > 1 && pitch < width)) return cudaErrorInvalidValue;
    char* to = address(p);
    if (is_raw(p)) {
        int byte = static_cast<unsigned char>(*static_cast<const char*>(value.base_addr));
        if (height == 1) return cudaMemsetAsync(to, byte, size_of(width), stream);
        return cudaMemset2DAsync(to, size_of(pitch), byte, size_of(width), size_of(height), stream);
    }
    std::string element(p.elem_len, '\0');
    if (same_representation(type_of(p), type_of(value)))
        std::memcpy(element.data(), value.base_addr, p.elem_len);
    else if (convertible(type_of(value), type_of(p)))
        convert(element.data(), type_of(p), static_cast<const char*>(value.base_addr), type_of(value), 1);
    else
        return cudaErrorInvalidValue;
    desc d{};
    d.base_addr = to;
    d.elem_len = p.elem_len;
    d.type = p.type;
    d.rank = 2;
    auto length = static_cast<std::ptrdiff_t>(p.elem_len);
    d.dim[0] = {1, width, length};
    d.dim[1] = {1, height, height == 1 ? width * length : pitch * length};
    if (to == nullptr && element_count(d) > 0) return cudaErrorInvalidValue;
    return fill(d, element.data(), {stream, is_captured(stream)});
}

}  // namespace cuf::rt

extern "C" {

using cuf::rt::desc;

// ---- allocation ----

enum class malloc_form { plain, managed, stream_ordered };

static cudaError_t malloc_bytes(void** p, std::size_t bytes, malloc_form form, const desc* option)
{
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
    cudaError_t code = cudaMallocPitch(&data, &row, *bytes, cuf::rt::size_of(rows));
    if (code != cudaSuccess) return code;
    std::int64_t units = static_cast<std::int64_t>(row / p->elem_len);  // rows are a multiple of every element size
    cuf::rt::store(pitch, units);
    cuf::rt::associate(*p, data, {units, rows});
    return cudaSuccess;
}

int cufapi_malloc_pitch_raw(void** p, const desc* pitch, const desc* width, const desc* height)
{
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

// ---- copies ----

static int copy_linear(const desc* dst, const desc* src, const desc* count, const desc* kdir, const desc* stream,
                       bool async)
{
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(count), cuf::rt::copy_unit(*dst, *src));
    if (!bytes) return cudaErrorInvalidValue;
    cuf::rt::copy_options o(kdir, stream);
    char* to = cuf::rt::address(*dst);
    const char* from = cuf::rt::address(*src);
    return async ? cudaMemcpyAsync(to, from, *bytes, o.kind, o.stream) : cudaMemcpy(to, from, *bytes, o.kind);
}

int cufapi_memcpy(const desc* dst, const desc* src, const desc* count, const desc* kdir)
{
    return copy_linear(dst, src, count, kdir, nullptr, false);
}
int cufapi_memcpy_async(const desc* dst, const desc* src, const desc* count, const desc* kdir, const desc* stream)
{
    return copy_linear(dst, src, count, kdir, stream, true);
}

static int copy_2d(const desc* dst, const desc* dpitch, const desc* src, const desc* spitch, const desc* width,
                   const desc* height, const desc* kdir, const desc* stream, bool async)
{
    std::size_t unit = cuf::rt::copy_unit(*dst, *src);
    auto row = cuf::rt::bytes_of(cuf::rt::integer(width), unit);
    auto to_pitch = cuf::rt::bytes_of(cuf::rt::integer(dpitch), unit);
    auto from_pitch = cuf::rt::bytes_of(cuf::rt::integer(spitch), unit);
    std::int64_t rows = cuf::rt::integer(height);
    if (!row || !to_pitch || !from_pitch || rows < 0) return cudaErrorInvalidValue;
    cuf::rt::copy_options o(kdir, stream);
    char* to = cuf::rt::address(*dst);
    const char* from = cuf::rt::address(*src);
    if (async)
        return cudaMemcpy2DAsync(to, *to_pitch, from, *from_pitch, *row, cuf::rt::size_of(rows), o.kind, o.stream);
    return cudaMemcpy2D(to, *to_pitch, from, *from_pitch, *row, cuf::rt::size_of(rows), o.kind);
}

int cufapi_memcpy_2d(const desc* dst, const desc* dpitch, const desc* src, const desc* spitch, const desc* width,
                     const desc* height, const desc* kdir)
{
    return copy_2d(dst, dpitch, src, spitch, width, height, kdir, nullptr, false);
}
int cufapi_memcpy_2d_async(const desc* dst, const desc* dpitch, const desc* src, const desc* spitch,
                           const desc* width, const desc* height, const desc* kdir, const desc* stream)
{
    return copy_2d(dst, dpitch, src, spitch, width, height, kdir, stream, true);
}

int cufapi_memcpy_3d(const cuf::rt::copy_parameters* p)
{
    cudaMemcpy3DParms c = cuf::rt::to_cuda(*p);
    return cudaMemcpy3D(&c);
}
int cufapi_memcpy_3d_async(const cuf::rt::copy_parameters* p, const desc* stream)
{
    cudaMemcpy3DParms c = cuf::rt::to_cuda(*p);
    return cudaMemcpy3DAsync(&c, cuf::rt::stream_arg(stream));
}

static int copy_peer(const desc* dst, int to_device, const desc* src, int from_device, const desc* count,
                     const desc* stream, bool async)
{
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(count), cuf::rt::copy_unit(*dst, *src));
    if (!bytes) return cudaErrorInvalidValue;
    char* to = cuf::rt::address(*dst);
    const char* from = cuf::rt::address(*src);
    return async ? cudaMemcpyPeerAsync(to, to_device, from, from_device, *bytes, cuf::rt::stream_arg(stream))
                 : cudaMemcpyPeer(to, to_device, from, from_device, *bytes);
}

int cufapi_memcpy_peer(const desc* dst, int to_device, const desc* src, int from_device, const desc* count)
{
    return copy_peer(dst, to_device, src, from_device, count, nullptr, false);
}
int cufapi_memcpy_peer_async(const desc* dst, int to_device, const desc* src, int from_device, const desc* count,
                             const desc* stream)
{
    return copy_peer(dst, to_device, src, from_device, count, stream, true);
}

int cufapi_memset(const desc* p, const desc* value, const desc* count)
{
    return cuf::rt::set_memory(*p, *value, 0, cuf::rt::integer(count), 1, nullptr);
}
int cufapi_memset_async(const desc* p, const desc* value, const desc* count, const desc* stream)
{
    return cuf::rt::set_memory(*p, *value, 0, cuf::rt::integer(count), 1, cuf::rt::stream_arg(stream));
}

int cufapi_memset_2d(const desc* p, const desc* pitch, const desc* value, const desc* width, const desc* height)
{
    return cuf::rt::set_memory(*p, *value, cuf::rt::integer(pitch), cuf::rt::integer(width), cuf::rt::integer(height),
                               nullptr);
}

int cufapi_memset_3d(const cuf::rt::pitched_pointer* p, const desc* value, const cuf::rt::extent_type* extent)
{
    return cudaMemset3D(cuf::rt::to_cuda(*p), static_cast<int>(cuf::rt::integer(value)), cuf::rt::to_cuda(*extent));
}

// ---- symbols ----

int cufapi_symbol_address(void** p, const desc* symbol)
{
    cuf::rt::symbol_place place{};
    cudaError_t code = cuf::rt::resolve_symbol(symbol, place);
    if (code == cudaSuccess) *p = place.address;
    return code;
}

int cufapi_symbol_size(const desc* size, const desc* symbol)
{
    cuf::rt::symbol_place place{};
    cudaError_t code = cuf::rt::resolve_symbol(symbol, place);
    if (code == cudaSuccess) cuf::rt::store(size, static_cast<std::int64_t>(place.bytes));
    return code;
}

/// `offset` counts bytes, as in CUDA.
static int copy_symbol(const desc* symbol, const desc* other, const desc* count, const desc* offset, const desc* kdir,
                       const desc* stream, bool to_symbol, bool async)
{
    cuf::rt::symbol_place place{};
    cudaError_t code = cuf::rt::resolve_symbol(symbol, place);
    if (code != cudaSuccess) return code;
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(count), cuf::rt::unit(*other));
    std::int64_t skip = cuf::rt::integer(offset);
    if (!bytes || skip < 0 || (place.bytes != 0 && cuf::rt::size_of(skip) + *bytes > place.bytes))
        return cudaErrorInvalidValue;
    cuf::rt::copy_options o(kdir, stream);
    char* at = place.address + skip;
    char* to = to_symbol ? at : cuf::rt::address(*other);
    const char* from = to_symbol ? cuf::rt::address(*other) : at;
    return async ? cudaMemcpyAsync(to, from, *bytes, o.kind, o.stream) : cudaMemcpy(to, from, *bytes, o.kind);
}

int cufapi_to_symbol(const desc* symbol, const desc* src, const desc* count, const desc* offset, const desc* kdir)
{
    return copy_symbol(symbol, src, count, offset, kdir, nullptr, true, false);
}
int cufapi_to_symbol_async(const desc* symbol, const desc* src, const desc* count, const desc* offset,
                           const desc* kdir, const desc* stream)
{
    return copy_symbol(symbol, src, count, offset, kdir, stream, true, true);
}
int cufapi_from_symbol(const desc* dst, const desc* symbol, const desc* count, const desc* offset, const desc* kdir,
                       const desc* stream)
{
    return copy_symbol(symbol, dst, count, offset, kdir, stream, false, stream != nullptr);
}
int cufapi_from_symbol_async(const desc* dst, const desc* symbol, const desc* count, const desc* offset,
                             const desc* kdir, const desc* stream)
{
    return copy_symbol(symbol, dst, count, offset, kdir, stream, false, true);
}

void* cufapi_symbol_name(const desc* text)
{
    return const_cast<char*>(cuf::rt::intern(static_cast<const char*>(text->base_addr), text->elem_len));
}

// ---- CUDA arrays ----

struct channel_format {
    int x, y, z, w, f;
};

static cudaChannelFormatDesc to_cuda(const channel_format& d)
{
    cudaChannelFormatDesc c{};
    c.x = d.x;
    c.y = d.y;
    c.z = d.z;
    c.w = d.w;
    c.f = static_cast<cudaChannelFormatKind>(d.f);
    return c;
}

int cufapi_malloc_array(void** array, const channel_format* format, const desc* width, const desc* height)
{
    cudaChannelFormatDesc c = to_cuda(*format);
    return cudaMallocArray(reinterpret_cast<cudaArray_t*>(array), &c, cuf::rt::size_of(cuf::rt::integer(width)),
                           cuf::rt::size_of(cuf::rt::integer(height)), 0);
}

int cufapi_malloc_array_3d(void** array, const channel_format* format, const cuf::rt::extent_type* extent)
{
    cudaChannelFormatDesc c = to_cuda(*format);
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &c, cuf::rt::to_cuda(*extent), 0);
}

int cufapi_free_array(void* const* array) { return cudaFreeArray(static_cast<cudaArray_t>(*array)); }

static int array_to_array(void* const* dst, int dx, int dy, void* const* src, int sx, int sy, const desc* width,
                          const desc* height, const desc* kdir)
{
    cuf::rt::copy_options o(kdir, nullptr);
    auto to = static_cast<cudaArray_t>(*dst);
    auto from = static_cast<cudaArray_t>(*src);
    auto w = cuf::rt::size_of(cuf::rt::integer(width));
    return cudaMemcpy2DArrayToArray(to, cuf::rt::size_of(dx), cuf::rt::size_of(dy), from, cuf::rt::size_of(sx),
                                    cuf::rt::size_of(sy), w, cuf::rt::size_of(cuf::rt::integer(height, 1)), o.kind);
}

/// Without a height, one row.
static int to_array(void* const* dst, int x, int y, const desc* src, const desc* pitch, const desc* width,
                    const desc* height, const desc* kdir)
{
    cuf::rt::copy_options o(kdir, nullptr);
    auto row = cuf::rt::bytes_of(cuf::rt::integer(width), cuf::rt::unit(*src));
    auto distance = cuf::rt::bytes_of(cuf::rt::integer(pitch, cuf::rt::integer(width)), cuf::rt::unit(*src));
    if (!row || !distance) return cudaErrorInvalidValue;
    return cudaMemcpy2DToArray(static_cast<cudaArray_t>(*dst), cuf::rt::size_of(x) * cuf::rt::unit(*src),
                               cuf::rt::size_of(y), cuf::rt::address(*src), *distance, *row,
                               cuf::rt::size_of(cuf::rt::integer(height, 1)), o.kind);
}

static int from_array(const desc* dst, const desc* pitch, void* const* src, int x, int y, const desc* width,
                      const desc* height, const desc* kdir)
{
    cuf::rt::copy_options o(kdir, nullptr);
    auto row = cuf::rt::bytes_of(cuf::rt::integer(width), cuf::rt::unit(*dst));
    auto distance = cuf::rt::bytes_of(cuf::rt::integer(pitch, cuf::rt::integer(width)), cuf::rt::unit(*dst));
    if (!row || !distance) return cudaErrorInvalidValue;
    return cudaMemcpy2DFromArray(cuf::rt::address(*dst), *distance, static_cast<cudaArray_t>(*src),
                                 cuf::rt::size_of(x) * cuf::rt::unit(*dst), cuf::rt::size_of(y), *row,
                                 cuf::rt::size_of(cuf::rt::integer(height, 1)), o.kind);
}

int cufapi_array_to_array(void* const* dst, int dx, int dy, void* const* src, int sx, int sy, const desc* count,
                          const desc* kdir)
{
    return array_to_array(dst, dx, dy, src, sx, sy, count, nullptr, kdir);
}
int cufapi_array_to_array_2d(void* const* dst, int dx, int dy, void* const* src, int sx, int sy, const desc* width,
                             const desc* height, const desc* kdir)
{
    return array_to_array(dst, dx, dy, src, sx, sy, width, height, kdir);
}
int cufapi_to_array(void* const* dst, int x, int y, const desc* src, const desc* count, const desc* kdir)
{
    return to_array(dst, x, y, src, nullptr, count, nullptr, kdir);
}
int cufapi_to_array_2d(void* const* dst, int x, int y, const desc* src, const desc* pitch, const desc* width,
                       const desc* height, const desc* kdir)
{
    return to_array(dst, x, y, src, pitch, width, height, kdir);
}
int cufapi_from_array(const desc* dst, void* const* src, int x, int y, const desc* count, const desc* kdir)
{
    return from_array(dst, nullptr, src, x, y, count, nullptr, kdir);
}
int cufapi_from_array_2d(const desc* dst, const desc* pitch, void* const* src, int x, int y, const desc* width,
                         const desc* height, const desc* kdir)
{
    return from_array(dst, pitch, src, x, y, width, height, kdir);
}

}  // extern "C"
