// Structures of module cudafor for memory, and their form in CUDA.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
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

/// Direction and stream of a copy. An integer(8) in the place of the direction is a stream, and so is the number of one.
struct copy_options {
    cudaMemcpyKind kind = cudaMemcpyDefault;
    cudaStream_t stream = nullptr;

    copy_options(const desc* direction, const desc* queue)
    {
        bool present = direction != nullptr && direction->base_addr != nullptr;
        if (present && queue == nullptr && (direction->elem_len == 8 || integer(direction) <= first_stream_number)) {
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

/// The destination of a copy of rows, in elements of `d`, or bytes where it is a raw address.
inline desc rows_of(const desc& d, std::size_t row, std::size_t pitch, std::int64_t rows)
{
    desc plane{};
    plane.base_addr = address(d);
    set_elements(plane, is_raw(d) ? category::integer : category_of(d), unit(d));
    plane.rank = rows == 1 ? 1 : 2;
    plane.dim[0] = {0, static_cast<std::ptrdiff_t>(row / std::max<std::size_t>(plane.elem_len, 1)), static_cast<std::ptrdiff_t>(plane.elem_len)};
    plane.dim[1] = {0, rows, static_cast<std::ptrdiff_t>(pitch)};
    return plane;
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

/// Where a copy of boxes puts values, without an address where that is a CUDA array. They are those of the array that takes part, else bytes.
inline desc box_of(const cudaMemcpy3DParms& c)
{
    cudaChannelFormatDesc format{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    if (const cudaArray_t array = c.srcArray != nullptr ? c.srcArray : c.dstArray; array != nullptr) {
        cudaExtent extent{};
        unsigned flags = 0;
        (void)cudaArrayGetInfo(&format, &extent, &flags, array);
    }
    const int bits = format.x + format.y + format.z + format.w;
    const bool alike = bits % std::max(format.x, 8) == 0;
    const int part = alike ? std::max(format.x, 8) : bits;
    desc d{};
    const bool real = format.f == cudaChannelFormatKindFloat;
    set_elements(d, !alike ? category::structure : real ? category::real : category::integer, static_cast<std::size_t>(part) / 8);
    d.rank = 3;
    const cudaPitchedPtr& to = c.dstPtr;
    const std::size_t slice = to.pitch * to.ysize;
    if (c.dstArray == nullptr && to.ptr != nullptr)
        d.base_addr = static_cast<char*>(to.ptr) + c.dstPos.z * slice + c.dstPos.y * to.pitch + c.dstPos.x;
    d.dim[0] = {0, static_cast<std::ptrdiff_t>(c.extent.width) * (bits / part), static_cast<std::ptrdiff_t>(d.elem_len)};
    d.dim[1] = {0, static_cast<std::ptrdiff_t>(c.extent.height), static_cast<std::ptrdiff_t>(to.pitch)};
    d.dim[2] = {0, static_cast<std::ptrdiff_t>(c.extent.depth), static_cast<std::ptrdiff_t>(slice)};
    return d;
}
/// The work of such a copy, for those who watch.
inline work copy_of_box(const cudaMemcpy3DParms& c, const desc& box, cudaStream_t stream)
{
    const void* from = c.srcArray != nullptr ? nullptr : c.srcPtr.ptr;
    return {work::copy, &box, element_count(box) * static_cast<std::int64_t>(box.elem_len), number_of(stream), from};
}

/// memset of `height` rows of `width` units, `pitch` units apart; height 1 for a plain one.
inline cudaError_t set_memory(const desc& p, const desc& value, std::int64_t pitch, std::int64_t width,
                              std::int64_t height, cudaStream_t stream)
{
    if (width < 0 || height < 0 || (height > 1 && pitch < width)) return cudaErrorInvalidValue;
    char* to = address(p);
    const watched seen{{work::fill, &p, width * height * static_cast<std::int64_t>(unit(p)), number_of(stream)}};
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
    set_elements(d, category_of(p), p.elem_len);
    d.rank = 2;
    auto length = static_cast<std::ptrdiff_t>(p.elem_len);
    d.dim[0] = {1, width, length};
    d.dim[1] = {1, height, height == 1 ? width * length : pitch * length};
    if (to == nullptr && element_count(d) > 0) return cudaErrorInvalidValue;
    return fill(d, element.data(), {stream, is_captured(stream)});
}

}  // namespace cuf::rt
