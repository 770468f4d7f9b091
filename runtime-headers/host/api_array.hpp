// Entry points of module cudafor: CUDA arrays.
#pragma once
#include "api_structures.hpp"

extern "C" {

using cuf::rt::desc;

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
