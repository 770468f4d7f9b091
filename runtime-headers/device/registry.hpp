// Names of kernels and device variables, for the runtime procedures that take them as arguments
// (cudaFuncGetAttributes, occupancy, cudaGetSymbolAddress, ...).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "device_state.hpp"
#include "launch_config.hpp"
#include <cstddef>

namespace cuf {

/// Makes a kernel known as `name` ("<module>_<kernel>", lower case); `wide` is its second version, if it has one. Returns true, so
/// that it can initialise a variable.
bool register_kernel(const char* name, const void* kernel, const void* wide);

/// Most threads of a block of this kernel, 0 if nothing was said (`launch_bounds`; nvcc knows it from the kernel).
#if defined(CUF_TARGET_CPU)
void limit_block(const void* kernel, int threads);
#else
inline void limit_block(const void*, int) {}
#endif

template <class... P>
bool register_kernel(const char* name, void (*kernel)(P...), int threads = 0)
{
    limit_block(reinterpret_cast<const void*>(kernel), threads);
    return register_kernel(name, reinterpret_cast<const void*>(kernel), nullptr);
}
template <class N, class W>
bool register_kernel(const char* name, by_index<N, W> kernel, int threads = 0)
{
    limit_block(reinterpret_cast<const void*>(kernel.narrow), threads);
    limit_block(reinterpret_cast<const void*>(kernel.wide), threads);
    return register_kernel(name, reinterpret_cast<const void*>(kernel.narrow), reinterpret_cast<const void*>(kernel.wide));
}

/// The kernel known as `name`, or whose name ends in "_name"; null if there is none or more than one.
const void* find_kernel(const char* name);

/// The second version of a kernel that was found; null if it has none.
const void* wide_version(const void* kernel);

/// Makes a device variable known to cudaGetSymbolAddress and its like. `handle` is the variable's host address.
bool register_symbol(const char* name, const void* handle, std::size_t bytes);

}  // namespace cuf

#define CUF_REGISTER_JOIN2(a, b) a##b
#define CUF_REGISTER_JOIN(a, b) CUF_REGISTER_JOIN2(a, b)
/// Name, kernel, and the most threads of a block if launch_bounds says it.
#define CUF_REGISTER_KERNEL(name, ...)                                                 \
    [[maybe_unused]] static const bool CUF_REGISTER_JOIN(cuf_registered_, __COUNTER__) = \
        ::cuf::register_kernel(name, __VA_ARGS__)
/// `CUF_NEEDS(heap)`: device code here takes memory from the heap of the device; `CUF_NEEDS(recursion)`: a procedure calls itself.
#define CUF_NEEDS(what)                                                                \
    [[maybe_unused]] static const bool CUF_REGISTER_JOIN(cuf_registered_, __COUNTER__) = \
        ::cuf::register_need(::cuf::need::what)
