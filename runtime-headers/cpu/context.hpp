// The switch between threads of a block, which are fibers. It stands in the code of kernels, too (cpu/ring.hpp).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstddef>
#include <cstdint>
#if !defined(__x86_64__) && !defined(__aarch64__)
#define CUF_CPU_UCONTEXT 1  // may also be defined by the build
#endif
#if defined(CUF_CPU_UCONTEXT)
#include <ucontext.h>
#endif

namespace cuf::cpu {

#if defined(CUF_CPU_UCONTEXT)
struct context {
    ucontext_t saved;
};
inline constexpr bool ring_possible = false;  // such a context may not be copied
inline void switch_context(context& from, context& to) { swapcontext(&from.saved, &to.saved); }
inline void prepare_context(context& fresh, unsigned char* stack, std::size_t size, void (*entry)())
{
    getcontext(&fresh.saved);
    fresh.saved.uc_stack.ss_sp = stack;
    fresh.saved.uc_stack.ss_size = size;
    fresh.saved.uc_link = nullptr;
    makecontext(&fresh.saved, entry, 0);
}
#else
struct context {
    void* stack_pointer;
};
inline constexpr bool ring_possible = true;

#if defined(__x86_64__)
#if defined(__AVX512F__)
#define CUF_CPU_VECTORS                                                                                                                        \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", \
        "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define CUF_CPU_VECTORS
#endif
/// Where a thread goes on lies on top of its stack. All registers are said to be changed: only those that hold something are kept, by whoever
/// switches. Threads of a ring go on at the place of the one that switches, so that the processor foresees the jump.
inline __attribute__((always_inline)) void switch_context(context& from, context& to)
{
    void* into = &from;
    void* stack = to.stack_pointer;
    // Below the stack pointer a function may have data that it did not make room for.
    __asm__ volatile(
        "leaq -128(%%rsp), %%rsp\n\t"
        "pushq %%rbp\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "movq %%rsp, (%%rdi)\n\t"
        "movq %%rsi, %%rsp\n\t"
        "popq %%rax\n\t"
        "jmpq *%%rax\n"
        "1:\tpopq %%rbp\n\t"
        "leaq 128(%%rsp), %%rsp"
        : "+D"(into), "+S"(stack)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "st", "st(1)", "st(2)", "st(3)",
          "st(4)", "st(5)", "st(6)", "st(7)", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
          "xmm12", "xmm13", "xmm14", "xmm15" CUF_CPU_VECTORS);
}
#undef CUF_CPU_VECTORS
#else
extern "C" void cuf_cpu_switch(void** from, void* to);  // cpu/fiber.hpp
inline void switch_context(context& from, context& to) { cuf_cpu_switch(&from.stack_pointer, to.stack_pointer); }
inline constexpr int context_words = 20;
#endif

/// Makes the first switch to `fresh` call entry() on the stack; entry never returns.
inline void prepare_context(context& fresh, unsigned char* stack, std::size_t size, void (*entry)())
{
    auto top = (reinterpret_cast<std::uintptr_t>(stack) + size) & ~std::uintptr_t{15};
#if defined(__x86_64__)
    // After the jump the stack pointer must be 8 mod 16, as after a call; the word there is a null return address.
    auto* frame = reinterpret_cast<std::uintptr_t*>(top) - 2;
    frame[0] = reinterpret_cast<std::uintptr_t>(entry);
    frame[1] = 0;
#else
    auto* frame = reinterpret_cast<std::uintptr_t*>(top) - context_words;
    for (int i = 0; i < context_words; ++i) frame[i] = 0;
    frame[11] = reinterpret_cast<std::uintptr_t>(entry);  // x30
#endif
    fresh.stack_pointer = frame;
}
#endif

}  // namespace cuf::cpu
