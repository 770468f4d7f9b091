// Entry points of module cudafor: symbols.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "api_structures.hpp"
#include "symbols.hpp"

extern "C" {

using cuf::rt::desc;

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
    desc there = cuf::rt::rows_of(*other, *bytes, *bytes, 1);
    there.base_addr = to;
    const cuf::watched seen{{cuf::work::copy, &there, static_cast<std::int64_t>(*bytes), cuf::rt::number_of(o.stream), from}};
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

}  // extern "C"
