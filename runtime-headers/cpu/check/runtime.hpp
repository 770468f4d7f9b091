// Where the runtime tells the checks what happens; nothing in programs without them. Only cpu_runtime.cpp includes this.
#pragma once
#include <cstddef>
#include <cstdint>
#if defined(CUF_CHECK)
#include "hooks.hpp"
#include "memory.hpp"
#endif

namespace cuf::check {

#if defined(CUF_CHECK)

void begin_block(void* dynamic, std::size_t bytes);
void end_block();
void pass_barrier();
void pass_warp(unsigned warp, unsigned lanes);
void pass_group();
void begin_kernel(std::uint64_t blocks);
/// Tell what the fault is and end the program, where it is known.
void host_fault(void* address, void* context);
void kernel_fault(void* address, void* context);
/// A launch did not run; nobody may ask for the error.
void failed_launch(const void* kernel, const char* why);

inline void open_modules(int access) { modules().protect(access); }
inline void cover_stack(const void* stack, std::size_t bytes) { cover(stack, bytes); }
inline void begin_heap(const void* data, std::size_t bytes)
{
    if (!watches()) return;
    cover(data, bytes);
    set_states(data, bytes, static_cast<unsigned char>((on(init) ? unwritten : 0) | (on(race) ? tracked : 0)));
    if (on(race)) forget_accesses(data, bytes);
}
inline void end_heap(const void* data, std::size_t bytes)
{
    if (watches()) set_states(data, bytes, 0);
}

#else

inline constexpr unsigned enabled_checks = 0;
inline void* obtain(std::size_t, bool) { return nullptr; }
inline void give_back(void*, std::size_t) {}
inline void open_block(void*, std::size_t, int) {}
inline void open_modules(int) {}
inline void note_allocation(void*, std::size_t) {}
inline void wrote(const void*, std::size_t) {}
inline void copied(const void*, const void*, std::size_t) {}
inline void wrote_anything() {}
inline void begin_block(void*, std::size_t) {}
inline void end_block() {}
inline void pass_barrier() {}
inline void pass_warp(unsigned, unsigned) {}
inline void pass_group() {}
inline void begin_kernel(std::uint64_t) {}
inline void host_fault(void*, void*) {}
inline void kernel_fault(void*, void*) {}
inline void failed_launch(const void*, const char*) {}
inline void cover_stack(const void*, std::size_t) {}
inline void begin_heap(const void*, std::size_t) {}
inline void end_heap(const void*, std::size_t) {}

#endif

}  // namespace cuf::check
