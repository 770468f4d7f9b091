// Threads that meet in their order, at a barrier or the lanes of a warp in an operation, go on in a ring: each switches to the next one, in the
// kernel's own code. Whatever else a thread does goes through the runtime, which makes lists of the ring first (cpu/block.hpp). target.hpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "context.hpp"
#include <cstring>

namespace cuf::cpu {

/// What the lanes of a warp exchange in an operation.
struct ring_exchange {
    std::uint64_t values[32];
    std::uint64_t lanes;              // those with a value that is not 0; in the upper half those that exist
    const std::uint64_t* result[32];  // where a lane finds its result
};
/// Two operations overlap: some lanes are at the next one while others have not yet their result.
struct ring_values {
    ring_exchange of[2];
    unsigned parity;
};

/// The ring that the running thread is in, if any: of all threads of the block between barriers, or of a warp between operations.
struct ring_state {
    unsigned members, at;  // number of the running one
    unsigned turns;        // of a warp's ring, since others could run
    warp_operation operation;
    ring_exchange *now, *then;  // of a warp's ring
    uint3 first;                // threadIdx
    std::source_location site;
    std::uint64_t switches;
    context contexts[ring_possible ? 1024 : 1];

    /// Turns of a warp until others run, which it may be waiting for.
    static constexpr unsigned most_turns = 4096;

    /// The next one has its turn, whose number is the result, and threadIdx.
    __attribute__((always_inline)) unsigned advance()
    {
        const unsigned next = at + 1;
        if (next == members) [[unlikely]] {
            begin();
            return 0;
        }
        at = next;
        if (++threadIdx.x == blockDim.x) [[unlikely]] {
            threadIdx.x = 0;
            if (++threadIdx.y == blockDim.y) {
                threadIdx.y = 0;
                ++threadIdx.z;
            }
        }
        return next;
    }
    void begin()
    {
        at = 0;
        switches += members;
        std::swap(now, then);
        threadIdx.x = first.x;
        threadIdx.y = first.y;
        threadIdx.z = first.z;
    }
};

/// A barrier in the ring of the block. False if there is none, or the threads do not meet at one place: the runtime has to look at it.
inline __attribute__((always_inline)) bool barrier_in_ring(std::source_location at)
{
    if constexpr (ring_possible) {
        ring_state* const ring = self.block_ring;
        if (!ring) return false;
        const unsigned here = ring->at;
        if (here == 0)
            ring->site = at;
        else if (std::memcmp(&at, &ring->site, sizeof at) != 0) [[unlikely]]
            return false;
        switch_context(ring->contexts[here], ring->contexts[ring->advance()]);
        return true;
    }
    return false;
}

/// The lanes that exist, above 32 lanes of which nothing is said.
inline std::uint64_t ring_lanes(unsigned members) { return ((std::uint64_t{1} << members) - 1) << 32; }

/// `source(lane)`: the lane whose value the calling one gets; 0 to 31.
template <class F>
inline __attribute__((always_inline)) std::uint64_t warp_operate(warp_operation operation, unsigned mask, std::uint64_t value, F source, std::source_location at)
{
    if constexpr (ring_possible) {
        ring_state* const ring = self.warp_ring;
        const bool known = operation == warp_shuffle || operation == warp_ballot || operation == warp_sync;
        if (ring && mask == ~0u && known && (ring->at ? operation == ring->operation : ring->turns < ring_state::most_turns)) [[likely]] {
            ring_exchange& with = *ring->now;
            const unsigned here = ring->at;
            if (here == 0) [[unlikely]] {
                ring->site = at;
                ring->operation = operation;
                ++ring->turns;
                with.lanes = ring_lanes(ring->members);
            }
            with.values[here] = value;
            if (operation == warp_ballot) with.lanes |= std::uint64_t(value != 0) << here;
            const std::uint64_t** const result = &with.result[here];
            if (operation == warp_shuffle) {
                const unsigned from = unsigned(source(int(here)));
                // A lane that is not there has no value: the own one stays.
                *result = &with.values[from < ring->members ? from : here];
            } else {
                *result = &with.lanes;
            }
            switch_context(ring->contexts[here], ring->contexts[ring->advance()]);
            return **result;
        }
    }
    return warp_rendezvous(operation, mask, value, source(lane()), at);
}

}  // namespace cuf::cpu
