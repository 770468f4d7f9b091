// Where the runtime tells the checks what happens. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstddef>
#include <cstdint>
#include <functional>
#include "hooks.hpp"
#include "memory.hpp"

namespace cuf::check {

void begin_block(void* dynamic, std::size_t bytes);
void end_block();
void pass_barrier();
void pass_warp(unsigned warp, unsigned lanes);
void pass_group();
void begin_kernel(std::uint64_t blocks);
/// Keeps what is in memory before a kernel, for report_undefined.
void remember_memory();
/// Tells of an undefined value that a kernel used. `location`: `, line 31 of heat.cuf` for a place; `again` runs the kernel once more on this
/// thread, if it can.
void report_undefined(const void* kernel, std::string (*location)(const std::source_location&), const std::function<void()>& again);
template <class F, class G>
void end_kernel(const void* kernel, F location, G again)
{
    if (on(barriers)) report_undefined(kernel, location, again);
}
/// Tell what the fault is and end the program, where it is known.
void host_fault(void* address, void* context);
void kernel_fault(void* address, void* context);
/// A launch did not run; nobody may ask for the error.
void failed_launch(const void* kernel, const char* why);

inline void open_modules(int access) { modules().protect(access); }
inline void cover_stack(const void* stack, std::size_t bytes) { cover(stack, bytes); }
/// Host code writes managed memory, too, and is not watched: it counts as written.
inline void begin_managed(const void* data, std::size_t bytes)
{
    if (!watches()) return;
    const std::size_t all = padded(bytes);
    cover(data, all);
    set_states(data, bytes, on(race) ? tracked : 0);
    set_states(static_cast<const char*>(data) + bytes, all - bytes, beyond);
    if (on(race)) forget_accesses(data, bytes);
}
inline void end_managed(const void* data, std::size_t bytes)
{
    if (watches()) set_states(data, padded(bytes), 0);
}

}  // namespace cuf::check
