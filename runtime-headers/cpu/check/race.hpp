// Which accesses are ordered: by barriers of the block and the grid, warp operations, fences with atomics, and the end of kernels. Only
// cpu_runtime.cpp includes this.
//
// The time between two barriers of a block is a segment with a number of its own. A record of an access is
//   segment (32 bits), thread of the block (10), atomic (1), bytes of the four (4), unused (1), turn of the lane (16).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "shadow.hpp"
#include "../target.hpp"
#include <algorithm>
#include <memory>

namespace cuf::check {

struct segment {
    std::uint32_t block;    // number in the grid
    std::uint32_t grid;     // grid barriers before it
    std::uint32_t cluster;  // number of its cluster; the block's own where there is none
    std::uint32_t begin;    // of the fences of the grid
};

inline constexpr std::uint32_t most_segments = std::uint32_t{1} << 26;

/// What all blocks of a grid share.
struct grid_state {
    std::atomic<std::uint32_t> next{1};     // segment
    std::uint32_t first = 1;                // segment of the grid; those before it are of kernels that have ended
    std::atomic<std::uint32_t> fences{0};
    segment* const segments = static_cast<segment*>(reserve(std::size_t{most_segments} * sizeof(segment)));
    // Per block its last fence; room for blocks that have one.
    std::atomic<std::uint32_t>* const released = static_cast<std::atomic<std::uint32_t>*>(reserve((std::size_t{1} << 31) * 4));
    std::uint32_t blocks = 0;
    bool used = false;  // by a grid with fences
};
inline grid_state& grid()
{
    static auto* state = new grid_state;
    return *state;
}

/// What a running block knows; one for each operating-system thread.
struct block_state {
    std::uint32_t now = 0;  // segment
    segment at{};
    std::uint32_t acquired = 0;  // fences that came before the segment
    bool fenced = false;
    std::uint32_t thread_acquired[1024], thread_released[1024];
    /// Per warp: what each lane knows of the turns of the others.
    struct lanes {
        bool used;
        std::uint16_t turn[32], known[32][32];
    };
    lanes warps[32];

    static block_state& mine()
    {
        static thread_local block_state* state = new block_state();
        return *state;
    }

    void begin_segment()
    {
        grid_state& g = grid();
        at.begin = g.fences.load(std::memory_order_relaxed);
        now = g.next.fetch_add(1, std::memory_order_relaxed);
        g.segments[now % most_segments] = at;
        for (auto& w : warps)
            if (w.used) w.used = false;
        if (fenced) {
            for (const std::uint32_t a : thread_acquired) acquired = std::max(acquired, a);
            std::fill(std::begin(thread_acquired), std::end(thread_acquired), 0);
            std::fill(std::begin(thread_released), std::end(thread_released), 0);
            fenced = false;
        }
    }
    void begin_block(std::uint32_t block, std::uint32_t cluster)
    {
        acquired = 0;
        at = {block, 0, cluster, 0};
        begin_segment();
        acquired = 0;
    }

    void warp_sync(unsigned warp, unsigned lanes_there)
    {
        lanes& w = warps[warp];
        if (!w.used) {
            w = {};
            w.used = true;
        }
        std::uint16_t joined[32] = {};
        for (int l = 0; l < 32; ++l) {
            if (!(lanes_there >> l & 1)) continue;
            for (int k = 0; k < 32; ++k) joined[k] = std::max(joined[k], w.known[l][k]);
            joined[l] = std::max<std::uint16_t>(joined[l], std::uint16_t(w.turn[l] + 1));
        }
        for (int l = 0; l < 32; ++l) {
            if (!(lanes_there >> l & 1)) continue;
            std::copy(std::begin(joined), std::end(joined), w.known[l]);
            ++w.turn[l];
        }
    }

    void release(unsigned thread)
    {
        grid_state& g = grid();
        const std::uint32_t stamp = g.fences.fetch_add(1, std::memory_order_relaxed) + 1;
        if (thread < 1024) thread_released[thread] = stamp;
        g.released[at.block & 0x7fffffff].store(stamp, std::memory_order_relaxed);
        g.used = true;
        fenced = true;
    }
    /// The thread had a fence since the last barrier.
    bool has_released(unsigned thread) const { return fenced && thread < 1024 && thread_released[thread] > at.begin; }
    void acquire(unsigned thread)
    {
        const std::uint32_t stamp = grid().fences.load(std::memory_order_relaxed);
        if (stamp == 0 || thread >= 1024) return;
        thread_acquired[thread] = stamp;
        fenced = true;
    }

    /// Whether the recorded access comes before one of this thread now.
    bool ordered(std::uint64_t record, unsigned thread) const
    {
        const auto then = std::uint32_t(record >> 32);
        const grid_state& g = grid();
        if (then < g.first || g.next.load(std::memory_order_relaxed) - then >= most_segments) return true;
        const unsigned other = unsigned(record >> 22) & 1023;
        if (then == now) {
            if (other == thread) return true;
            if (other >> 5 == thread >> 5) {
                const lanes& w = warps[thread >> 5];
                if (w.used && w.known[thread & 31][other & 31] > std::uint16_t(record)) return true;
            }
            // A thread that waits for a word with fences reads it before the other's fence, too.
            return fenced && (thread_released[other] > at.begin || thread_released[thread] > at.begin);
        }
        const segment& s = g.segments[then % most_segments];
        if (s.block == at.block || s.grid < at.grid) return true;
        const std::uint32_t release = g.released[s.block & 0x7fffffff].load(std::memory_order_relaxed);
        return (release > s.begin && std::max(acquired, thread_acquired[thread]) > s.begin) || (fenced && thread_released[thread] > at.begin);
    }
    /// The same for shared memory, which other blocks have only in the same cluster.
    bool ordered_shared(std::uint64_t record, unsigned thread) const
    {
        const auto then = std::uint32_t(record >> 32);
        if (then >= grid().first && then != now && grid().segments[then % most_segments].cluster != at.cluster) return true;
        return ordered(record, thread);
    }

    std::uint64_t record(unsigned thread, bool atomic, unsigned mask) const
    {
        const lanes& w = warps[thread >> 5];
        const std::uint16_t turn = w.used ? w.turn[thread & 31] : 0;
        return std::uint64_t(now) << 32 | std::uint64_t(thread & 1023) << 22 | std::uint64_t(atomic) << 21 | mask << 17 | turn;
    }
};

/// A grid begins: everything before it is over.
inline void begin_grid(std::uint32_t blocks)
{
    grid_state& g = grid();
    if (g.next.load() > 0xf0000000u) {
        std::lock_guard lock(chunks_lock);
        for (unsigned char* chunk : all_chunks()) madvise(chunk + chunk_bytes + chunk_slack, (chunk_size - chunk_bytes - chunk_slack) & ~std::size_t{4095}, MADV_DONTNEED);
        g.next = 1;
    }
    if (g.used) {
        std::memset(static_cast<void*>(g.released), 0, std::size_t{std::min(g.blocks, 0x7fffffffu)} * 4);
        g.used = false;
    }
    g.fences = 0;
    g.first = g.next.load();
    g.blocks = blocks;
}

inline bool recorded_atomic(std::uint64_t record) { return record >> 21 & 1; }
inline unsigned recorded_mask(std::uint64_t record) { return unsigned(record >> 17) & 15; }
inline unsigned recorded_thread(std::uint64_t record) { return unsigned(record >> 22) & 1023; }

}  // namespace cuf::check
