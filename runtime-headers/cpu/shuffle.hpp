// What host/watch.cpp has to do with grids: in which order blocks and threads begin (CUF_SHUFFLE), and what a profile tells of them.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdint>

namespace cuf::cpu {

/// The i-th of n in an order that the key decides.
inline std::uint64_t (*shuffled)(std::uint64_t i, std::uint64_t n, std::uint64_t key) = nullptr;
/// The key of the next launch, 0: blocks and threads begin by their numbers. Null: nobody asks for an order.
inline std::uint64_t (*next_order)() = nullptr;

/// The last grid that this thread has launched: switches between threads of the device, threads of the operating system.
struct grid_report { std::uint64_t switches; unsigned threads; };
grid_report last_grid();

}  // namespace cuf::cpu
