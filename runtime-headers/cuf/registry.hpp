// Names of kernels and device variables, for the runtime procedures that take them as arguments
// (cudaFuncGetAttributes, occupancy, cudaGetSymbolAddress, ...).
#pragma once
#include <cstddef>

namespace cuf {

/// Makes `kernel` known as `name` ("<module>_<kernel>", lower case). Returns true, so that it can initialise a variable.
bool register_kernel(const char* name, const void* kernel);

/// The kernel known as `name`, or whose name ends in "_name"; null if there is none or more than one.
const void* find_kernel(const char* name);

/// Makes a device variable known to cudaGetSymbolAddress and its like. `handle` is the variable's host address.
bool register_symbol(const char* name, const void* handle, std::size_t bytes);

}  // namespace cuf

#define CUF_REGISTER_JOIN2(a, b) a##b
#define CUF_REGISTER_JOIN(a, b) CUF_REGISTER_JOIN2(a, b)
#define CUF_REGISTER_KERNEL(name, kernel)                                              \
    [[maybe_unused]] static const bool CUF_REGISTER_JOIN(cuf_registered_, __COUNTER__) = \
        ::cuf::register_kernel(name, reinterpret_cast<const void*>(&kernel))
