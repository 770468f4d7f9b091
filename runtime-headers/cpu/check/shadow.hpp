// Shadow memory of the checks: for each byte of device, shared and local memory what is known about it, and for each four bytes the
// last accesses. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace cuf::check {

/// What is known about a byte; 0: nothing is to be checked.
inline constexpr unsigned char unwritten = 1;  // nothing has written it
inline constexpr unsigned char tracked = 2;    // several threads reach it
inline constexpr unsigned char freed = 4;
inline constexpr unsigned char beyond = 8;     // beside an allocation
inline constexpr unsigned char in_shared = 16; // shared memory, which each block has anew
inline constexpr unsigned char stale = 32;     // the copy on the other side has a newer value
inline constexpr unsigned char mirrored = 64;  // host data with a copy on the device, or such a copy

/// The last accesses of four bytes: see race.hpp for the records.
struct cell {
    std::uint64_t write, read[2];
    std::uint32_t write_pc, read_pc[2], unused;
};

inline constexpr unsigned chunk_bits = 20;
inline constexpr std::size_t chunk_bytes = std::size_t{1} << chunk_bits, chunk_slack = 4096;
inline constexpr std::size_t chunk_size = chunk_bytes + chunk_slack + (chunk_bytes / 4 + 4) * sizeof(cell);

inline void* reserve(std::size_t bytes)
{
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return memory;
    std::fprintf(stderr, "cuf2cu: error: no memory for the checks (%zu bytes)\n", bytes);
    std::fflush(nullptr);
    std::_Exit(1);
}

/// The shadow of each megabyte of the address space, or null. Made before all other objects: device code's are watched, too.
inline constinit std::atomic<unsigned char*>* chunks = nullptr;
__attribute__((constructor(101))) static void make_chunks()
{
    chunks = static_cast<std::atomic<unsigned char*>*>(reserve((std::size_t{1} << (47 - chunk_bits)) * sizeof(void*)));
}
inline std::mutex chunks_lock;
inline std::vector<unsigned char*>& all_chunks()
{
    static auto* all = new std::vector<unsigned char*>;
    return *all;
}

inline unsigned char* chunk_of(std::uintptr_t at) { return at >> 47 ? nullptr : chunks[at >> chunk_bits].load(std::memory_order_relaxed); }

/// The states of the bytes at an address, null where there is no shadow.
inline unsigned char* states_of(std::uintptr_t at)
{
    unsigned char* chunk = chunk_of(at);
    return chunk ? chunk + (at & (chunk_bytes - 1)) : nullptr;
}
inline cell* cell_of(std::uintptr_t at)
{
    unsigned char* chunk = chunk_of(at);
    return reinterpret_cast<cell*>(chunk + chunk_bytes + chunk_slack) + ((at & (chunk_bytes - 1)) >> 2);
}

/// Makes shadow for a range.
inline void cover(const void* data, std::size_t bytes)
{
    const auto first = reinterpret_cast<std::uintptr_t>(data);
    std::lock_guard lock(chunks_lock);
    for (std::uintptr_t at = first >> chunk_bits; at <= (first + bytes) >> chunk_bits; ++at) {
        if (chunks[at].load(std::memory_order_relaxed)) continue;
        auto* fresh = static_cast<unsigned char*>(reserve(chunk_size));
        all_chunks().push_back(fresh);
        chunks[at].store(fresh, std::memory_order_release);
    }
}

/// Another address of the same memory, which has the same shadow; both are equal modulo the size of a chunk.
inline void cover_alias(const void* alias, const void* data, std::size_t bytes)
{
    cover(data, bytes);
    const auto first = reinterpret_cast<std::uintptr_t>(alias), from = reinterpret_cast<std::uintptr_t>(data);
    std::lock_guard lock(chunks_lock);
    for (std::uintptr_t k = 0; k <= ((first + bytes) >> chunk_bits) - (first >> chunk_bits); ++k)
        chunks[(first >> chunk_bits) + k].store(chunks[(from >> chunk_bits) + k].load());
}

/// Calls `each(states, bytes)` for the parts of a range that have shadow.
template <class F>
void for_states(const void* data, std::size_t bytes, F each)
{
    auto at = reinterpret_cast<std::uintptr_t>(data);
    while (bytes > 0) {
        const std::size_t here = std::min(bytes, chunk_bytes - (at & (chunk_bytes - 1)));
        if (unsigned char* states = states_of(at)) each(states, here);
        at += here;
        bytes -= here;
    }
}

inline void set_states(const void* data, std::size_t bytes, unsigned char state)
{
    for_states(data, bytes, [state](unsigned char* states, std::size_t n) { std::memset(states, state, n); });
}

/// The range has been written.
inline void mark_written(const void* data, std::size_t bytes)
{
    for_states(data, bytes, [](unsigned char* states, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) states[i] &= static_cast<unsigned char>(~unwritten);
    });
}

/// The accesses are forgotten.
inline void forget_accesses(const void* data, std::size_t bytes)
{
    auto at = reinterpret_cast<std::uintptr_t>(data) & ~std::uintptr_t{3};
    const auto end = reinterpret_cast<std::uintptr_t>(data) + bytes;
    for (; at < end; at += 4)
        if (chunk_of(at)) *cell_of(at) = {};
}

}  // namespace cuf::check
