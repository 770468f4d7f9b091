// Fibers of the cpu target: guarded stacks, a pool of them.
// Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../host/flush.hpp"
#include "context.hpp"
#include "runtime_checks.hpp"
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace cuf::cpu {

#if defined(__aarch64__) && !defined(CUF_CPU_UCONTEXT)
asm(R"(
.text
.p2align 4
.globl cuf_cpu_switch
.type cuf_cpu_switch,%function
cuf_cpu_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size cuf_cpu_switch,.-cuf_cpu_switch
)");
#endif

struct loop_turns;

struct fiber {
    context saved;
    unsigned linear;            // number of the thread that runs in it, in its block
    unsigned x, y, z;           // its threadIdx
    std::source_location site;  // where it waits
    unsigned char* stack;       // above the guard page
    std::size_t stack_bytes;
    loop_turns* turns;   // of the loops with volatile accesses that it is in, innermost first
    unsigned idle;              // volatile accesses that brought nothing new (cpu/step.hpp)
    unsigned next_seen;
    struct {
        const void* place;
        std::uint64_t hash;
    } seen[8];
};

/// Usable bytes of a fiber's stack: CUF_CPU_STACK (bytes, at least 16 KB), 256 KB by default (address space;
/// memory is used as far as the stack grows).
inline std::size_t stack_size()
{
    static const std::size_t size = [] {
        const char* text = std::getenv("CUF_CPU_STACK");
        const long long wanted = text ? std::atoll(text) : 0;
        const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
        std::size_t bytes = wanted > 0 ? std::size_t(wanted) : 262144;
        if (bytes < 16384) bytes = 16384;
        return (bytes + page - 1) / page * page;
    }();
    return size;
}

/// Stacks of one operating-system thread. They are made as they are needed and never given back.
class fiber_pool {
public:
    fiber* take(void (*entry)())
    {
        if (!idle_.empty()) {
            fiber* f = idle_.back();
            idle_.pop_back();
            return f;
        }
        return make(entry);
    }
    void give_back(fiber* f) { idle_.push_back(f); }
    /// True if the address is in the guard page of one of the stacks.
    bool guards(const void* address) const
    {
        const auto* p = static_cast<const unsigned char*>(address);
        for (const fiber* f : all_)
            if (p < f->stack && p >= f->stack - page()) return true;
        return false;
    }

private:
    static std::size_t page() { return std::size_t(sysconf(_SC_PAGESIZE)); }

    fiber* make(void (*entry)())
    {
        const std::size_t usable = stack_size();
        void* memory = mmap(nullptr, usable + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            std::fprintf(stderr, "cuf2cu: error: no memory for the stack of a thread (%zu bytes, see CUF_CPU_STACK)\n", usable);
            rt::flush_output();
            std::_Exit(1);
        }
        // Without a guard where the system has no more mappings to give.
        (void)mprotect(memory, page(), PROT_NONE);
        auto* f = new fiber{};
        f->stack = static_cast<unsigned char*>(memory) + page();
        f->stack_bytes = usable;
        check::cover_stack(f->stack, usable);
        // Tops at equal offsets would share a few cache sets.
        const std::size_t colour = (all_.size() * 5 % 29) * 128;
        all_.push_back(f);
        prepare_context(f->saved, f->stack, usable - colour, entry);
        return f;
    }

    std::vector<fiber*> idle_, all_;
};

}  // namespace cuf::cpu
