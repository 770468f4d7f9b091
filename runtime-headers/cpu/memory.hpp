// Allocation and copy functions of the cpu target's runtime API. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocations.hpp"
#include "streams.hpp"

namespace cuf::cpu {

inline cudaError_t copy(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    if (const auto code = check_copy(dst, src, bytes, bytes, kind); code != cudaSuccess) return done(code);
    return submit(stream, [=] {
        if (bytes) std::memmove(dst, src, bytes);
        check::copied(dst, src, bytes);
    });
}

inline cudaError_t copy_2d(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width, std::size_t height,
                           cudaMemcpyKind kind, cudaStream_t stream)
{
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > dpitch || width > spitch) return done(cudaErrorInvalidPitchValue);
    const auto code = check_copy(dst, src, dpitch * (height - 1) + width, spitch * (height - 1) + width, kind);
    if (code != cudaSuccess) return done(code);
    return submit(stream, [=] { copy_rows(dst, dpitch, src, spitch, width, height); });
}

/// One end of a 3-D copy: first byte, row and slice pitch.
struct box {
    unsigned char* first;
    std::size_t pitch, slice;
};

inline bool box_of(cudaArray_t array, cudaPos pos, cudaPitchedPtr pitched, box& b)
{
    if (array) {
        const std::size_t height = array->extent.height ? array->extent.height : 1;
        b.pitch = array->row();
        b.slice = b.pitch * height;
        b.first = array->data.data() + pos.z * b.slice + pos.y * b.pitch + pos.x * array->element;
        return true;
    }
    b.pitch = pitched.pitch;
    b.slice = pitched.pitch * pitched.ysize;
    b.first = static_cast<unsigned char*>(pitched.ptr);
    if (b.first) b.first += pos.z * b.slice + pos.y * b.pitch + pos.x;
    return b.first != nullptr;
}

inline cudaError_t copy_3d(const cudaMemcpy3DParms* p, cudaStream_t stream)
{
    if (!p) return done(cudaErrorInvalidValue);
    // The extent is in elements if an array takes part, else in bytes.
    const cudaArray_t array = p->srcArray ? p->srcArray : p->dstArray;
    const std::size_t width = p->extent.width * (array ? array->element : 1), height = p->extent.height, depth = p->extent.depth;
    if (width == 0 || height == 0 || depth == 0) return cudaSuccess;
    box to{}, from{};
    if (!box_of(p->dstArray, p->dstPos, p->dstPtr, to) || !box_of(p->srcArray, p->srcPos, p->srcPtr, from)) return done(cudaErrorInvalidValue);
    if ((height > 1 && (width > to.pitch || width > from.pitch)) || (depth > 1 && (to.slice == 0 || from.slice == 0)))
        return done(cudaErrorInvalidPitchValue);
    const auto last = [&](const box& b) { return b.slice * (depth - 1) + b.pitch * (height - 1) + width; };
    if (const auto code = check_copy(to.first, from.first, last(to), last(from), p->kind); code != cudaSuccess) return done(code);
    return submit(stream, [=] {
        for (std::size_t z = 0; z < depth; ++z) copy_rows(to.first + z * to.slice, to.pitch, from.first + z * from.slice, from.pitch, width, height);
    });
}

inline cudaError_t fill(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t stream)
{
    if (e.width == 0 || e.height == 0 || e.depth == 0) return cudaSuccess;
    if (e.height > 1 && e.width > p.pitch) return done(cudaErrorInvalidPitchValue);
    const std::size_t slice = p.pitch * (p.ysize ? p.ysize : e.height);
    if (!range_ok(p.ptr, slice * (e.depth - 1) + p.pitch * (e.height - 1) + e.width)) return done(cudaErrorInvalidValue);
    return submit(stream, [=] {
        auto* first = static_cast<unsigned char*>(p.ptr);
        for (std::size_t z = 0; z < e.depth; ++z)
            for (std::size_t y = 0; y < e.height; ++y) {
                std::memset(first + z * slice + y * p.pitch, value, e.width);
                check::wrote(first + z * slice + y * p.pitch, e.width);
            }
    });
}

/// Copies between an array, from (x bytes, y rows) on, and linear memory that continues over its rows.
template <class Move>
cudaError_t walk_array(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t bytes, Move move)
{
    if (!array || x + y * array->row() + bytes > array->data.size()) return done(cudaErrorInvalidValue);
    const device_access access;
    move(const_cast<unsigned char*>(array->data.data()) + x + y * array->row());
    check::wrote_anything();
    return cudaSuccess;
}
inline bool rows_fit(cudaArray_const_t a, std::size_t x, std::size_t y, std::size_t width, std::size_t height)
{
    return a && x + width <= a->row() && y + height <= a->rows();
}

}  // namespace cuf::cpu

using cuf::cpu::allocations;
using cuf::cpu::done;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) { return done(allocations().allocate(pointer, bytes, cudaMemoryTypeDevice, 0)); }
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags)
{
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return done(cudaErrorInvalidValue);
    return done(allocations().allocate(pointer, bytes, cudaMemoryTypeManaged, flags));
}
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height)
{
    if (!pitch) return done(cudaErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent)
{
    if (!pitched) return done(cudaErrorInvalidValue);
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream)
{
    return cuf::cpu::on_stream(stream) == cudaSuccess ? cudaMalloc(pointer, bytes) : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags)
{
    if (flags > 7) return done(cudaErrorInvalidValue);
    return done(allocations().allocate(pointer, bytes, cudaMemoryTypeHost, flags));
}
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags) { return cudaHostAlloc(pointer, bytes, flags); }
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags) { return done(allocations().add_registered(pointer, bytes, flags)); }
cudaError_t cudaHostUnregister(void* pointer)
{
    return allocations().remove_registered(pointer) ? cudaSuccess : done(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int)
{
    const auto a = allocations().find(host);
    if (!device || !a.size || a.type != cudaMemoryTypeHost) return done(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host)
{
    const auto a = allocations().find(host);
    if (!flags || !a.size || a.type != cudaMemoryTypeHost) return done(cudaErrorInvalidValue);
    *flags = a.flags | cudaHostAllocMapped;  // with unified addressing all of it is mapped
    return cudaSuccess;
}
cudaError_t cudaFree(void* pointer) { return !pointer || allocations().release(pointer, false) ? cudaSuccess : done(cudaErrorInvalidValue); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream)
{
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    if (!cuf::cpu::captured(stream) || !pointer) return cudaFree(pointer);
    // Memory of a graph goes with the graph and what was made of it.
    std::shared_ptr<void> kept(pointer, [](void* memory) { (void)allocations().release(memory, false); });
    cuf::cpu::capture_node(stream, [kept] {});
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void* pointer) { return !pointer || allocations().release(pointer, true) ? cudaSuccess : done(cudaErrorInvalidValue); }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    if (!free || !total) return done(cudaErrorInvalidValue);
    // Free memory falls by what the program allocates, as on a device that nobody else uses.
    *total = cuf::cpu::total_memory();
    const std::size_t used = allocations().device_bytes();
    *free = *total > used ? *total - used : 0;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer)
{
    if (!attributes) return done(cudaErrorInvalidValue);
    const auto a = allocations().find(pointer);
    auto* p = const_cast<void*>(pointer);
    *attributes = {a.type, a.size ? 0 : cudaInvalidDeviceId, a.size ? p : nullptr, a.type == cudaMemoryTypeDevice ? nullptr : p};
    if (!a.size) attributes->hostPointer = p;
    return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise, cudaMemLocation)
{
    const auto a = allocations().find(pointer);
    return a.type == cudaMemoryTypeManaged && cuf::cpu::range_ok(pointer, bytes) ? cudaSuccess : done(cudaErrorInvalidValue);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation, unsigned int, cudaStream_t stream)
{
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    const auto a = allocations().find(pointer);
    return a.type == cudaMemoryTypeManaged && cuf::cpu::range_ok(pointer, bytes) ? cudaSuccess : done(cudaErrorInvalidValue);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent, unsigned int flags)
{
    if (!array || !desc || extent.width == 0) return done(cudaErrorInvalidValue);
    const int bits = desc->x + desc->y + desc->z + desc->w;
    if (bits <= 0 || bits % 8 != 0) return done(cudaErrorInvalidValue);
    auto* a = new (std::nothrow) cudaArray{*desc, extent, flags, std::size_t(bits / 8), {}};
    if (!a) return done(cudaErrorMemoryAllocation);
    a->data.resize(a->row() * a->rows());
    *array = a;
    return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, std::size_t width, std::size_t height, unsigned int flags)
{
    return cudaMalloc3DArray(array, desc, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t array)
{
    delete array;
    return cudaSuccess;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags, cudaArray_t array)
{
    if (!array) return done(cudaErrorInvalidResourceHandle);
    if (desc) *desc = array->desc;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind) { return cuf::cpu::copy(dst, src, bytes, kind, nullptr); }
cudaError_t cudaMemcpyAsync(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    return cuf::cpu::copy(dst, src, bytes, kind, stream);
}
cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, std::size_t bytes, cudaStream_t stream)
{
    if (dstDevice != 0 || srcDevice != 0) return done(cudaErrorInvalidDevice);
    return cuf::cpu::copy(dst, src, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, std::size_t bytes)
{
    return cudaMemcpyPeerAsync(dst, dstDevice, src, srcDevice, bytes, nullptr);
}
cudaError_t cudaMemcpy2DAsync(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream)
{
    return cuf::cpu::copy_2d(dst, dpitch, src, spitch, width, height, kind, stream);
}
cudaError_t cudaMemcpy2D(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width, std::size_t height, cudaMemcpyKind kind)
{
    return cuf::cpu::copy_2d(dst, dpitch, src, spitch, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) { return cuf::cpu::copy_3d(p, stream); }
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return cuf::cpu::copy_3d(p, nullptr); }
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream)
{
    if (!p) return done(cudaErrorInvalidValue);
    if (p->srcDevice != 0 || p->dstDevice != 0) return done(cudaErrorInvalidDevice);
    const cudaMemcpy3DParms plain{p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos, p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
    return cuf::cpu::copy_3d(&plain, stream);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) { return cudaMemcpy3DPeerAsync(p, nullptr); }
cudaError_t cudaMemcpyToArray(cudaArray_t dst, std::size_t w, std::size_t h, const void* src, std::size_t bytes, cudaMemcpyKind)
{
    return cuf::cpu::walk_array(dst, w, h, bytes, [&](unsigned char* at) { std::memmove(at, src, bytes); });
}
cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, std::size_t w, std::size_t h, std::size_t bytes, cudaMemcpyKind)
{
    return cuf::cpu::walk_array(src, w, h, bytes, [&](unsigned char* at) { std::memmove(dst, at, bytes); });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, std::size_t dw, std::size_t dh, cudaArray_const_t src, std::size_t sw, std::size_t sh,
                                   std::size_t bytes, cudaMemcpyKind)
{
    return cuf::cpu::walk_array(src, sw, sh, bytes, [&](unsigned char* from) {
        (void)cuf::cpu::walk_array(dst, dw, dh, bytes, [&](unsigned char* to) { std::memmove(to, from, bytes); });
    });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, std::size_t w, std::size_t h, const void* src, std::size_t spitch, std::size_t width,
                                std::size_t height, cudaMemcpyKind kind)
{
    if (!cuf::cpu::rows_fit(dst, w, h, width, height)) return done(cudaErrorInvalidValue);
    return cuf::cpu::copy_2d(dst->data.data() + h * dst->row() + w, dst->row(), src, spitch, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy2DFromArray(void* dst, std::size_t dpitch, cudaArray_const_t src, std::size_t w, std::size_t h, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind)
{
    if (!cuf::cpu::rows_fit(src, w, h, width, height)) return done(cudaErrorInvalidValue);
    return cuf::cpu::copy_2d(dst, dpitch, src->data.data() + h * src->row() + w, src->row(), width, height, kind, nullptr);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, std::size_t dw, std::size_t dh, cudaArray_const_t src, std::size_t sw, std::size_t sh,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind)
{
    if (!cuf::cpu::rows_fit(dst, dw, dh, width, height)) return done(cudaErrorInvalidValue);
    return cudaMemcpy2DFromArray(dst->data.data() + dh * dst->row() + dw, dst->row(), src, sw, sh, width, height, kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!symbol) return done(cudaErrorInvalidSymbol);
    return cuf::cpu::copy(static_cast<unsigned char*>(const_cast<void*>(symbol)) + offset, src, bytes, kind, stream);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!symbol) return done(cudaErrorInvalidSymbol);
    return cuf::cpu::copy(dst, static_cast<const unsigned char*>(symbol) + offset, bytes, kind, stream);
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind)
{
    return cudaMemcpyToSymbolAsync(symbol, src, bytes, offset, kind, nullptr);
}
cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind)
{
    return cudaMemcpyFromSymbolAsync(dst, symbol, bytes, offset, kind, nullptr);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol)
{
    if (!pointer || !symbol) return done(cudaErrorInvalidSymbol);
    *pointer = const_cast<void*>(symbol);
    return cudaSuccess;
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent, cudaStream_t stream)
{
    return cuf::cpu::fill(pitched, value, extent, stream);
}
cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) { return cuf::cpu::fill(pitched, value, extent, nullptr); }
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream)
{
    return cuf::cpu::fill({pointer, pitch, width, height}, value, {width, height, 1}, stream);
}
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height)
{
    return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream)
{
    return cudaMemset2DAsync(pointer, bytes, value, bytes, 1, stream);
}
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) { return cudaMemsetAsync(pointer, value, bytes, nullptr); }
