// Lanes of a warp that wait for each other. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "fiber.hpp"
#include "target.hpp"

namespace cuf::cpu {

struct warp_state {
    unsigned existing, exited, waiting;  // lanes
    unsigned undefined[32];              // see thread_state
    unsigned mask[32];
    warp_operation operation[32];
    int source[32];
    std::uint64_t value[32], result[32];
    fiber* parked[32];
    ring_values exchanged;
};

}  // namespace cuf::cpu
