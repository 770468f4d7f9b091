// The checks at run time, for the runtime: nothing in programs that are built without them. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "checks.hpp"
#if defined(CUF_CHECK)
#include "check/runtime.hpp"
#else
#include <cstdint>

namespace cuf::check {

inline constexpr unsigned enabled_checks = 0;
inline void* obtain(std::size_t, bool) { return nullptr; }
inline void give_back(void*, std::size_t) {}
inline void open_block(void*, std::size_t, int) {}
inline void open_modules(int) {}
inline void note_allocation(void*, std::size_t) {}
inline void wrote(const void*, std::size_t) {}
inline void copied(const void*, const void*, std::size_t) {}
inline void wrote_anything() {}
inline std::size_t whole_dynamic(std::size_t bytes) { return (bytes + 1023) / 1024 * 1024; }
inline void begin_block(void*, std::size_t) {}
inline void end_block() {}
inline void pass_barrier() {}
inline void pass_warp(unsigned, unsigned) {}
inline void pass_group() {}
inline void begin_kernel(std::uint64_t) {}
template <class F, class G>
void end_kernel(const void*, F, G)
{
}
inline void host_fault(void*, void*) {}
inline void kernel_fault(void*, void*) {}
inline void failed_launch(const void*, const char*) {}
inline void cover_stack(const void*, std::size_t) {}
inline void begin_managed(const void*, std::size_t) {}
inline void end_managed(const void*, std::size_t) {}

}  // namespace cuf::check
#endif
