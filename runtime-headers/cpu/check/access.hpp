// What device code calls at each access of memory when it is compiled with -fsanitize=thread, whose names these are. Only
// cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../block.hpp"
#include "mirror.hpp"
#include "race.hpp"
#include "state.hpp"

namespace cuf::check {

inline unsigned thread_now() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

inline std::string triple(unsigned x, unsigned y, unsigned z)
{
    return "(" + std::to_string(x + 1) + "," + std::to_string(y + 1) + "," + std::to_string(z + 1) + ")";
}
inline std::string thread_name(unsigned thread)
{
    return "thread " + triple(thread % blockDim.x, thread / blockDim.x % blockDim.y, thread / blockDim.x / blockDim.y);
}
inline std::string block_name(std::uint32_t block)
{
    return "block " + triple(block % gridDim.x, block / gridDim.x % gridDim.y, block / gridDim.x / gridDim.y);
}
/// `, line 12 of a.cuf, kernel m::k, block (1,1,1), thread (3,1,1)`.
inline std::string here(const void* pc)
{
    const std::string place = place_here(pc);
    std::string text = place.empty() ? "" : ", " + place;
    if (!cpu::self.block) return text;
    return text + ", kernel " + cpu::kernel_name(cpu::runner::mine().kernel()) + ", block " + triple(blockIdx.x, blockIdx.y, blockIdx.z) + ", thread " +
           triple(threadIdx.x, threadIdx.y, threadIdx.z);
}

/// Addresses of code in 32 bits: the distance from the runtime's own.
inline const char* code_base() { return reinterpret_cast<const char*>(&begin_grid) - (std::ptrdiff_t{1} << 31); }
inline std::uint32_t short_pc(const void* pc)
{
    const auto distance = static_cast<const char*>(pc) - code_base();
    return distance > 0 && distance < (std::ptrdiff_t{1} << 32) ? std::uint32_t(distance) : 0;
}
inline const void* long_pc(std::uint32_t pc) { return pc ? code_base() + pc : nullptr; }

struct race_access {
    std::uintptr_t at;
    bool write, atomic;
    const void* pc;
};

[[noreturn]] __attribute__((noinline, cold)) inline void report_race(const race_access& a, std::uint64_t record, std::uint32_t pc, bool wrote)
{
    const block_state& b = block_state::mine();
    const auto then = std::uint32_t(record >> 32);
    const std::uint32_t block = then == b.now ? b.at.block : grid().segments[then % most_segments].block;
    const std::string before = place_of(long_pc(pc));
    std::string text = std::string(a.write ? "write of " : "read of ") + what_holds(a.at) + here(a.pc);
    text += std::string(", and ") + (wrote ? "write" : "read") + (before.empty() ? "" : ", " + before) + ", ";
    if (block != b.at.block) text += block_name(block) + ", ";
    text += thread_name(recorded_thread(record)) + ": no synchronisation orders them";
    report("race", text);
}

/// A write beside another one that is a race unless it leaves the value as it was: many threads set a flag. Told when more is known.
struct doubtful_write {
    race_access a;
    std::uint64_t record;
    std::uint32_t pc, value;
    uint3 thread, block;
};
inline thread_local doubtful_write doubts[4];
inline thread_local unsigned in_doubt = 0;

inline std::uint32_t word_at(std::uintptr_t at) { return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(at & ~std::uintptr_t{3}), __ATOMIC_RELAXED); }

/// The writes that were in doubt have taken place.
__attribute__((noinline, cold)) inline void settle_doubts()
{
    while (in_doubt > 0) {
        const doubtful_write& d = doubts[--in_doubt];
        if (word_at(d.a.at) == d.value) continue;
        threadIdx = d.thread;
        blockIdx = d.block;
        report_race(d.a, d.record, d.pc, true);
    }
}

/// Four bytes: `mask` says which of them.
inline void race_cell(const race_access& a, unsigned mask, unsigned thread, bool shared)
{
    const block_state& b = block_state::mine();
    cell& c = *cell_of(a.at);
    // What a thread writes after a fence may tell others of what it wrote before.
    const bool tells = a.atomic || (a.write && b.has_released(thread));
    const std::uint64_t mine = b.record(thread, tells, mask);
    const auto conflicts = [&](std::uint64_t record, bool wrote) {
        if (record == 0 || !(recorded_mask(record) & mask)) return false;
        // Plain reads of what atomic operations change are how loops with compare and swap begin.
        const bool plain_write = (a.write && !tells) || (wrote && !recorded_atomic(record));
        return (plain_write || !(tells || recorded_atomic(record))) &&
               !(shared ? b.ordered_shared(record, thread) : b.ordered(record, thread));
    };
    const auto load = [](std::uint64_t& r) { return __atomic_load_n(&r, __ATOMIC_RELAXED); };
    const auto store = [](std::uint64_t& r, std::uint64_t v) { __atomic_store_n(&r, v, __ATOMIC_RELAXED); };
    const std::uint64_t write = load(c.write);
    if (conflicts(write, true)) {
        if (!a.write || in_doubt == std::size(doubts)) report_race(a, write, c.write_pc, true);
        doubts[in_doubt++] = {a, write, c.write_pc, word_at(a.at), threadIdx, blockIdx};
    } else if (!a.write && recorded_atomic(write)) {
        block_state::mine().acquire(thread);
    }
    const std::uint32_t pc = short_pc(a.pc);
    // The same thread in the same segment, and as atomic: only the bytes add up.
    const std::uint64_t same = ~(std::uint64_t{15} << 17 | 0xffff);
    if (a.write) {
        for (int k = 0; k < 2; ++k) {
            const std::uint64_t read = load(c.read[k]);
            if (conflicts(read, false)) report_race(a, read, c.read_pc[k], false);
            if (read) store(c.read[k], 0);
        }
        store(c.write, (write & same) == (mine & same) ? mine | (write & (std::uint64_t{15} << 17)) : mine);
        c.write_pc = pc;
    } else {
        const std::uint64_t first = load(c.read[0]);
        if ((first & same) == (mine & same)) {
            store(c.read[0], mine | (first & (std::uint64_t{15} << 17)));
            c.read_pc[0] = pc;
            return;
        }
        store(c.read[1], first);
        c.read_pc[1] = c.read_pc[0];
        store(c.read[0], mine);
        c.read_pc[0] = pc;
    }
}

inline void race_range(const race_access& a, std::size_t bytes, bool shared)
{
    const unsigned thread = thread_now();
    std::uintptr_t at = a.at;
    const std::uintptr_t end = at + bytes;
    while (at < end) {
        const unsigned from = at & 3, n = unsigned(std::min<std::uintptr_t>(4 - from, end - at));
        race_cell({at, a.write, a.atomic, a.pc}, ((1u << n) - 1) << from, thread, shared);
        at += n;
    }
}

[[noreturn]] __attribute__((noinline, cold)) inline void report_state(std::uintptr_t at, const unsigned char* states, std::size_t bytes, bool write,
                                                                      const void* pc)
{
    std::size_t k = 0;
    while (k + 1 < bytes && !(states[k] & (freed | beyond)) && !(states[k] & unwritten)) ++k;
    const std::uintptr_t where = at + k;
    const char* access = write ? "write of " : "read of ";
    if (states[k] & freed) report("free", access + what_holds(where) + " that has been freed" + here(pc) + where_freed(where));
    if (states[k] & beyond) {
        known_program& p = program();
        std::string text = "no variable";
        const auto dynamic = reinterpret_cast<std::uintptr_t>(cpu::self.dynamic_shared);
        if (const auto own = p.variables.find(dynamic); own != p.variables.end() && at - dynamic < whole_dynamic(own->second.bytes))
            text = std::to_string(at - dynamic - own->second.bytes + 1) + " bytes behind the end of the dynamic shared memory, of which the launch has " +
                   std::to_string(own->second.bytes) + " bytes";
        else if (const auto* before = holder(p.blocks, at - std::min<std::uintptr_t>(at & 255, 255)); before || (before = holder(p.blocks, at - 256)))
            text = std::to_string(at - before->first - before->second.bytes + 1) + " bytes behind the end of device memory of " +
                   std::to_string(before->second.bytes) + " bytes" +
                   (before->second.allocated ? ", allocated at " + before->second.allocated->place() : "");
        report("bounds", access + text + here(pc));
    }
    report("init", "read of " + what_holds(where) + ", which nothing has written" + here(pc));
}

/// An aggregate that is read with bytes that nothing wrote, to be copied: padding, components without a value.
struct pending_copy {
    std::size_t bytes = 0;
    std::vector<unsigned char> states;
};
inline thread_local pending_copy pending;

/// Something is to be checked about these bytes.
__attribute__((noinline)) inline void slow(std::uintptr_t at, unsigned char* states, std::size_t bytes, bool write, bool atomic, const void* pc)
{
    unsigned all = 0, common = 0xff;
    for (std::size_t i = 0; i < bytes; ++i) {
        all |= states[i];
        common &= states[i];
    }
    if (on(present) && (all & mirrored)) {
        std::string what;
        if ((!write || atomic) && (all & stale) && is_older(at, states, bytes, what)) {
            const bool on_host = !cpu::self.block;
            report("present", (on_host ? "host read of " : "device read of ") + what + here(pc) +
                                  (on_host ? ": the device has a newer value, which no `update self` or `copyout` has copied"
                                           : ": the host has a newer value, which no `update device` has copied"));
        }
        if (write) wrote_mirror(at, bytes);
    }
    if (!cpu::self.block) {  // the runtime's host code
        if (write) mark_written(reinterpret_cast<const void*>(at), bytes);
        return;
    }
    if (all & (freed | beyond)) report_state(at, states, bytes, write, pc);
    if (write && pending.bytes) {
        const bool fits = pending.bytes == bytes;
        pending.bytes = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            states[i] = static_cast<unsigned char>((states[i] & ~unwritten) | (fits ? pending.states[i] & unwritten : 0));
    } else if (all & unwritten) {
        if (write) {
            for (std::size_t i = 0; i < bytes; ++i) states[i] &= static_cast<unsigned char>(~unwritten);
        } else if (on(init) && !atomic) {  // volatile structures are copied by words, with what lies between components
            if (bytes > 16 || (bytes >= 8 && !(common & unwritten))) {
                pending.bytes = bytes;
                pending.states.assign(states, states + bytes);
            } else {
                report_state(at, states, bytes, false, pc);
            }
        }
    }
    if ((all & tracked) && on(race)) {
        if (in_doubt) settle_doubts();
        race_range({at, write, atomic, pc}, bytes, all & in_shared);
    }
}

template <class Word, bool write, bool atomic = false>
__attribute__((always_inline)) inline void access(const volatile void* place, const void* pc)
{
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    unsigned char* states = states_of(at);
    if (!states) return;
    Word found;
    std::memcpy(&found, states, sizeof found);
    if (found == 0) return;
    if constexpr (write) {
        // The first write of what only this thread reaches.
        constexpr Word ones = Word(~Word{0}) / 255;
        if (!pending.bytes && (found & ~ones) == 0) {
            const Word nothing = 0;
            std::memcpy(states, &nothing, sizeof nothing);
            return;
        }
    }
    slow(at, states, sizeof(Word), write, atomic, pc);
}

inline void range(const volatile void* place, std::size_t bytes, bool write, const void* pc)
{
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    unsigned char* states = states_of(at);
    if (!states) return;
    bool any = write && pending.bytes;
    for (std::size_t i = 0; i < bytes && !any; ++i) any = states[i] != 0;
    if (any) slow(at, states, bytes, write, false, pc);
}

/// An atomic operation is about to take place.
template <class T>
inline void atomic(const volatile void* place, bool read, bool write, const void* pc)
{
    if (cpu::self.block && on(race)) block_state::mine().acquire(thread_now());
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    unsigned char* states = states_of(at);
    if (!states || !cpu::self.block) return;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        if (states[i]) {
            if (read && (states[i] & unwritten) && on(init)) report_state(at, states, sizeof(T), false, pc);
            slow(at, states, sizeof(T), write, true, pc);
            return;
        }
}

inline void fence()
{
    if (!cpu::self.block || !on(race)) return;
    block_state& b = block_state::mine();
    b.release(thread_now());
    b.acquire(thread_now());
}

}  // namespace cuf::check

#define CUF_PC __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void* at, unsigned long bytes) { cuf::check::range(at, bytes, false, CUF_PC); }
void __tsan_write_range(void* at, unsigned long bytes) { cuf::check::range(at, bytes, true, CUF_PC); }

#define CUF_ACCESSES(bytes, word)                                                                                       \
    void __tsan_read##bytes(void* at) { cuf::check::access<word, false>(at, CUF_PC); }                                  \
    void __tsan_write##bytes(void* at) { cuf::check::access<word, true>(at, CUF_PC); }                                  \
    void __tsan_unaligned_read##bytes(void* at) { cuf::check::access<word, false>(at, CUF_PC); }                        \
    void __tsan_unaligned_write##bytes(void* at) { cuf::check::access<word, true>(at, CUF_PC); }                        \
    void __tsan_volatile_read##bytes(void* at) { cuf::check::access<word, false, true>(at, CUF_PC); }                   \
    void __tsan_volatile_write##bytes(void* at) { cuf::check::access<word, true, true>(at, CUF_PC); }                   \
    void __tsan_unaligned_volatile_read##bytes(void* at) { cuf::check::access<word, false, true>(at, CUF_PC); }         \
    void __tsan_unaligned_volatile_write##bytes(void* at) { cuf::check::access<word, true, true>(at, CUF_PC); }
CUF_ACCESSES(1, std::uint8_t)
CUF_ACCESSES(2, std::uint16_t)
CUF_ACCESSES(4, std::uint32_t)
CUF_ACCESSES(8, std::uint64_t)
CUF_ACCESSES(16, unsigned __int128)
#undef CUF_ACCESSES

void __tsan_atomic_thread_fence(int)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    cuf::check::fence();
}
void __tsan_atomic_signal_fence(int) {}

#define CUF_FETCH(bits, word, name)                                       \
    word __tsan_atomic##bits##_fetch_##name(volatile void* at, word value, int) \
    {                                                                     \
        cuf::check::atomic<word>(at, true, true, CUF_PC);                 \
        return __atomic_fetch_##name(static_cast<volatile word*>(at), value, __ATOMIC_SEQ_CST); \
    }
#define CUF_ATOMICS(bits, word)                                                                                                       \
    word __tsan_atomic##bits##_load(const volatile void* at, int)                                                                     \
    {                                                                                                                                 \
        cuf::check::atomic<word>(at, true, false, CUF_PC);                                                                            \
        return __atomic_load_n(static_cast<const volatile word*>(at), __ATOMIC_SEQ_CST);                                              \
    }                                                                                                                                 \
    void __tsan_atomic##bits##_store(volatile void* at, word value, int)                                                              \
    {                                                                                                                                 \
        cuf::check::atomic<word>(at, false, true, CUF_PC);                                                                            \
        __atomic_store_n(static_cast<volatile word*>(at), value, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                                                 \
    word __tsan_atomic##bits##_exchange(volatile void* at, word value, int)                                                           \
    {                                                                                                                                 \
        cuf::check::atomic<word>(at, false, true, CUF_PC);                                                                            \
        return __atomic_exchange_n(static_cast<volatile word*>(at), value, __ATOMIC_SEQ_CST);                                         \
    }                                                                                                                                 \
    bool __tsan_atomic##bits##_compare_exchange_strong(volatile void* at, word* expected, word wanted, int, int)                      \
    {                                                                                                                                 \
        cuf::check::atomic<word>(at, true, true, CUF_PC);                                                                             \
        return __atomic_compare_exchange_n(static_cast<volatile word*>(at), expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                                                                 \
    bool __tsan_atomic##bits##_compare_exchange_weak(volatile void* at, word* expected, word wanted, int, int)                        \
    {                                                                                                                                 \
        return __tsan_atomic##bits##_compare_exchange_strong(at, expected, wanted, 0, 0);                                             \
    }                                                                                                                                 \
    word __tsan_atomic##bits##_compare_exchange_val(volatile void* at, word expected, word wanted, int, int)                          \
    {                                                                                                                                 \
        cuf::check::atomic<word>(at, true, true, CUF_PC);                                                                             \
        __atomic_compare_exchange_n(static_cast<volatile word*>(at), &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
        return expected;                                                                                                              \
    }                                                                                                                                 \
    CUF_FETCH(bits, word, add)                                                                                                        \
    CUF_FETCH(bits, word, sub)                                                                                                        \
    CUF_FETCH(bits, word, and)                                                                                                        \
    CUF_FETCH(bits, word, or)                                                                                                         \
    CUF_FETCH(bits, word, xor)                                                                                                        \
    CUF_FETCH(bits, word, nand)
CUF_ATOMICS(8, std::uint8_t)
CUF_ATOMICS(16, std::uint16_t)
CUF_ATOMICS(32, std::uint32_t)
CUF_ATOMICS(64, std::uint64_t)
#undef CUF_ATOMICS
#undef CUF_FETCH

// Functions of the C library that write results: their code is not watched.
#define CUF_TWO_RESULTS(name, real)                                                                          \
    void name(real x, real* first, real* second) noexcept                                                    \
    {                                                                                                        \
        static const auto own = reinterpret_cast<void (*)(real, real*, real*)>(dlsym(RTLD_NEXT, #name));     \
        own(x, first, second);                                                                               \
        cuf::check::mark_written(first, sizeof *first);                                                      \
        cuf::check::mark_written(second, sizeof *second);                                                    \
    }
#define CUF_ONE_RESULT(name, real, result)                                                                   \
    real name(real x, result* y) noexcept                                                                    \
    {                                                                                                        \
        static const auto own = reinterpret_cast<real (*)(real, result*)>(dlsym(RTLD_NEXT, #name));          \
        const real value = own(x, y);                                                                        \
        cuf::check::mark_written(y, sizeof *y);                                                              \
        return value;                                                                                        \
    }
CUF_TWO_RESULTS(sincos, double)
CUF_TWO_RESULTS(sincosf, float)
CUF_ONE_RESULT(frexp, double, int)
CUF_ONE_RESULT(frexpf, float, int)
CUF_ONE_RESULT(modf, double, double)
CUF_ONE_RESULT(modff, float, float)
#undef CUF_TWO_RESULTS
#undef CUF_ONE_RESULT

}  // extern "C"

#if CUF_CHECKS & 32
// Output statements read in procedures of libgfortran, which are not watched.
namespace cuf::check {

/// gfortran's descriptor of an array.
struct written_array {
    char* first;
    std::size_t offset;
    struct {
        std::size_t bytes;
        int version;
        signed char rank, type;
        short attribute;
    } element;
    std::ptrdiff_t span;
    struct {
        std::ptrdiff_t stride, low, high;
    } dim[15];
};

inline void read_elements(const written_array& a, int rank, const char* at, const void* pc)
{
    if (rank == 0) return range(at, a.element.bytes, false, pc);
    const auto& d = a.dim[rank - 1];
    for (std::ptrdiff_t i = d.low; i <= d.high; ++i, at += d.stride * a.span) read_elements(a, rank - 1, at, pc);
}

}  // namespace cuf::check

extern "C" {

#define CUF_WRITTEN(name, bytes)                                                                    \
    void _gfortran_transfer_##name##_write(void* io, void* value, int kind)                         \
    {                                                                                               \
        static const auto own = reinterpret_cast<void (*)(void*, void*, int)>(                      \
            dlsym(RTLD_NEXT, "_gfortran_transfer_" #name "_write"));                                \
        cuf::check::range(value, std::size_t(bytes), false, CUF_PC);                                \
        own(io, value, kind);                                                                       \
    }
CUF_WRITTEN(integer, kind)
CUF_WRITTEN(logical, kind)
CUF_WRITTEN(real, kind == 10 ? 16 : kind)
CUF_WRITTEN(complex, kind == 10 ? 32 : 2 * kind)
#undef CUF_WRITTEN

void _gfortran_transfer_array_write(void* io, cuf::check::written_array* a, int kind, std::size_t length)
{
    static const auto own = reinterpret_cast<void (*)(void*, void*, int, std::size_t)>(dlsym(RTLD_NEXT, "_gfortran_transfer_array_write"));
    if (a->first) cuf::check::read_elements(*a, a->element.rank, a->first, CUF_PC);
    own(io, a, kind, length);
}

}  // extern "C"
#endif
#undef CUF_PC
