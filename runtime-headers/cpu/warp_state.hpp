// Lanes of a warp that wait for each other, and rings of threads that meet in their order. Only cpu_runtime.cpp includes this.
#pragma once
#include "fiber.hpp"
#include "target.hpp"

namespace cuf::cpu {

struct warp_state {
    unsigned existing, exited, waiting;  // lanes
    unsigned mask[32];
    warp_operation operation[32];
    int source[32];
    std::uint64_t value[32], result[32];
    fiber* parked[32];
    // Of operations in a ring, two of which overlap: values; false: the result was found in another way.
    std::uint64_t values[2][32];
    unsigned ballot[2];
    bool kept[2];
    unsigned parity;
};

enum ring_kind { no_ring, ring_of_block, ring_of_warp };
struct ring_step {
    context* from = nullptr;
    context* to = nullptr;
};

}  // namespace cuf::cpu
