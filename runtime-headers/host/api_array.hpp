// Entry points of module cudafor: CUDA arrays.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "api_structures.hpp"

namespace cuf::rt {

/// What is known about a CUDA array: bytes of an element and of a row.
struct array_layout {
    cudaError_t code;
    std::size_t element, row;
};

inline array_layout layout_of(cudaArray_t array)
{
    cudaChannelFormatDesc format{};
    cudaExtent extent{};
    unsigned flags = 0;
    const cudaError_t code = cudaArrayGetInfo(&format, &extent, &flags, array);
    const auto element = static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
    return {code, element, element * extent.width};
}

/// Where in an array a copy goes on, in bytes and rows.
struct array_place {
    std::size_t row, x, y;

    void advance(std::size_t width, std::size_t rows)
    {
        x += width;
        y += rows - 1;
        if (x == row) {
            x = 0;
            ++y;
        }
    }
};

/// A copy that goes on over the ends of rows, as rectangles: `copy(done, width, rows)` makes one of them at the places. Memory that is not
/// in an array has the row of the array that is.
template <typename Copy>
int copy_over_rows(array_place& to, array_place& from, std::size_t bytes, Copy copy)
{
    for (std::size_t done = 0; done < bytes;) {
        const bool whole = to.x == 0 && from.x == 0 && to.row == from.row && bytes - done >= to.row;
        const std::size_t width = whole ? to.row : std::min({to.row - to.x, from.row - from.x, bytes - done});
        const std::size_t rows = whole ? (bytes - done) / to.row : 1;
        if (width == 0) return cudaErrorInvalidValue;
        if (const cudaError_t code = copy(done, width, rows); code != cudaSuccess) return code;
        to.advance(width, rows);
        from.advance(width, rows);
        done += width * rows;
    }
    return cudaSuccess;
}

/// All numbers of a copy between arrays count elements of the source.
struct array_pair {
    cudaArray_t to, from;
    array_layout to_layout, from_layout;

    array_pair(void* const* dst, void* const* src)
        : to(static_cast<cudaArray_t>(*dst)), from(static_cast<cudaArray_t>(*src)), to_layout(layout_of(to)), from_layout(layout_of(from))
    {
    }
    cudaError_t code() const { return to_layout.code != cudaSuccess ? to_layout.code : from_layout.code; }
    std::size_t bytes(std::int64_t n) const { return size_of(n) * from_layout.element; }
};

/// Between an array and other memory: all numbers count elements of the latter.
struct array_and_data {
    cudaArray_t array;
    char* data;
    std::size_t element;

    array_and_data(void* const* a, const desc* d)
        : array(static_cast<cudaArray_t>(*a)), data(address(*d)), element(unit(*d))
    {
    }

    template <typename Copy>
    int linear(int x, int y, const desc* count, Copy copy) const
    {
        const array_layout layout = layout_of(array);
        const auto bytes = bytes_of(integer(count), element);
        if (layout.code != cudaSuccess) return layout.code;
        array_place at{layout.row, size_of(x) * element, size_of(y)};
        if (!bytes || at.x >= at.row) return cudaErrorInvalidValue;
        array_place beside = at;
        return copy_over_rows(at, beside, *bytes, [&](std::size_t done, std::size_t width, std::size_t rows) {
            return copy(at.x, at.y, data + done, width, width, rows);
        });
    }

    template <typename Copy>
    int rectangle(int x, int y, const desc* pitch, const desc* width, const desc* height, Copy copy) const
    {
        const auto row = bytes_of(integer(width), element);
        const auto distance = bytes_of(integer(pitch), element);
        if (!row || !distance) return cudaErrorInvalidValue;
        return copy(size_of(x) * element, size_of(y), data, *distance, *row, size_of(integer(height)));
    }
};

/// Rows that a copy between an array and other memory fills, in elements of the latter; without an address where the array gets them.
/// Counts that are wrong are refused elsewhere.
inline desc filled_rows(const array_and_data& a, const desc& data, bool to_array, const desc* width, const desc* pitch, const desc* height)
{
    const auto row = bytes_of(integer(width), a.element), distance = bytes_of(integer(pitch), a.element);
    const std::int64_t rows = height == nullptr ? 1 : integer(height);
    desc filled = row && distance && rows >= 0 ? rows_of(data, *row, *distance, rows) : desc{};
    if (to_array) filled.base_addr = nullptr;
    return filled;
}
/// The work of such a copy, for those who watch; `from` is null if it comes from the array.
inline work copy_of_rows(const desc& rows, const void* from)
{
    return {work::copy, &rows, element_count(rows) * static_cast<std::int64_t>(rows.elem_len), 0, from};
}

inline auto copy_to_array(const array_and_data& a, cudaMemcpyKind kind)
{
    return [&a, kind](std::size_t x, std::size_t y, const char* from, std::size_t pitch, std::size_t width, std::size_t rows) {
        return cudaMemcpy2DToArray(a.array, x, y, from, pitch, width, rows, kind);
    };
}
inline auto copy_from_array(const array_and_data& a, cudaMemcpyKind kind)
{
    return [&a, kind](std::size_t x, std::size_t y, char* to, std::size_t pitch, std::size_t width, std::size_t rows) {
        return cudaMemcpy2DFromArray(to, pitch, a.array, x, y, width, rows, kind);
    };
}

}  // namespace cuf::rt

extern "C" {

using namespace cuf::rt;

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

int cufapi_array_to_array(void* const* dst, int dx, int dy, void* const* src, int sx, int sy, const desc* count,
                          const desc* kdir)
{
    cuf::rt::copy_options o(kdir, nullptr);
    const array_pair arrays(dst, src);
    const std::int64_t n = cuf::rt::integer(count);
    if (arrays.code() != cudaSuccess || n < 0) return n < 0 ? cudaErrorInvalidValue : arrays.code();
    array_place to{arrays.to_layout.row, arrays.bytes(dx), cuf::rt::size_of(dy)};
    array_place from{arrays.from_layout.row, arrays.bytes(sx), cuf::rt::size_of(sy)};
    if (to.x >= to.row || from.x >= from.row) return cudaErrorInvalidValue;
    return copy_over_rows(to, from, arrays.bytes(n), [&](std::size_t, std::size_t width, std::size_t rows) {
        return cudaMemcpy2DArrayToArray(arrays.to, to.x, to.y, arrays.from, from.x, from.y, width, rows, o.kind);
    });
}
int cufapi_array_to_array_2d(void* const* dst, int dx, int dy, void* const* src, int sx, int sy, const desc* width,
                             const desc* height, const desc* kdir)
{
    cuf::rt::copy_options o(kdir, nullptr);
    const array_pair arrays(dst, src);
    if (arrays.code() != cudaSuccess) return arrays.code();
    return cudaMemcpy2DArrayToArray(arrays.to, arrays.bytes(dx), cuf::rt::size_of(dy), arrays.from, arrays.bytes(sx),
                                    cuf::rt::size_of(sy), arrays.bytes(cuf::rt::integer(width)),
                                    cuf::rt::size_of(cuf::rt::integer(height)), o.kind);
}

int cufapi_to_array(void* const* dst, int x, int y, const desc* src, const desc* count, const desc* kdir)
{
    const array_and_data a(dst, src);
    const desc rows = filled_rows(a, *src, true, count, count, nullptr);
    const cuf::watched seen{copy_of_rows(rows, a.data)};
    return a.linear(x, y, count, copy_to_array(a, cuf::rt::copy_options(kdir, nullptr).kind));
}
int cufapi_to_array_2d(void* const* dst, int x, int y, const desc* src, const desc* pitch, const desc* width,
                       const desc* height, const desc* kdir)
{
    const array_and_data a(dst, src);
    const desc rows = filled_rows(a, *src, true, width, pitch, height);
    const cuf::watched seen{copy_of_rows(rows, a.data)};
    return a.rectangle(x, y, pitch, width, height, copy_to_array(a, cuf::rt::copy_options(kdir, nullptr).kind));
}
int cufapi_from_array(const desc* dst, void* const* src, int x, int y, const desc* count, const desc* kdir)
{
    const array_and_data a(src, dst);
    const desc rows = filled_rows(a, *dst, false, count, count, nullptr);
    const cuf::watched seen{copy_of_rows(rows, nullptr)};
    return a.linear(x, y, count, copy_from_array(a, cuf::rt::copy_options(kdir, nullptr).kind));
}
int cufapi_from_array_2d(const desc* dst, const desc* pitch, void* const* src, int x, int y, const desc* width,
                         const desc* height, const desc* kdir)
{
    const array_and_data a(src, dst);
    const desc rows = filled_rows(a, *dst, false, width, pitch, height);
    const cuf::watched seen{copy_of_rows(rows, nullptr)};
    return a.rectangle(x, y, pitch, width, height, copy_from_array(a, cuf::rt::copy_options(kdir, nullptr).kind));
}

}  // extern "C"
