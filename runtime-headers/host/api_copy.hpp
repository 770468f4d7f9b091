// Entry points of module cudafor: copies and fills.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "api_structures.hpp"

extern "C" {

using cuf::rt::desc;

static int copy_linear(const desc* dst, const desc* src, const desc* count, const desc* kdir, const desc* stream,
                       bool async)
{
    auto bytes = cuf::rt::bytes_of(cuf::rt::integer(count), cuf::rt::copy_unit(*dst, *src));
    if (!bytes) return cudaErrorInvalidValue;
    cuf::rt::copy_options o(kdir, stream);
    char* to = cuf::rt::address(*dst);
    const char* from = cuf::rt::address(*src);
    const cuf::watched seen{{cuf::work::copy, dst, static_cast<std::int64_t>(*bytes), cuf::rt::number_of(o.stream), from}};
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
    const desc plane = cuf::rt::rows_of(*dst, *row, *to_pitch, rows);
    const cuf::watched seen{{cuf::work::copy, &plane, static_cast<std::int64_t>(*row) * rows, cuf::rt::number_of(o.stream), from}};
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
    const desc box = cuf::watching ? cuf::rt::box_of(c) : desc{};
    const cuf::watched seen{cuf::rt::copy_of_box(c, box, nullptr)};
    return cudaMemcpy3D(&c);
}
int cufapi_memcpy_3d_async(const cuf::rt::copy_parameters* p, const desc* stream)
{
    cudaMemcpy3DParms c = cuf::rt::to_cuda(*p);
    const auto queue = cuf::rt::stream_arg(stream);
    const desc box = cuf::watching ? cuf::rt::box_of(c) : desc{};
    const cuf::watched seen{cuf::rt::copy_of_box(c, box, queue)};
    return cudaMemcpy3DAsync(&c, queue);
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

}  // extern "C"
