// CUF_SHUFFLE=SEED: blocks, warps and threads of the cpu target begin in an order that only the seed decides; 0: by their numbers. One
// operating-system thread runs them then, unless CUF_CPU_THREADS says more.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../cpu/shuffle.hpp"
#include <atomic>
#include <cstdlib>

namespace cuf::cpu {

inline std::uint64_t mixed(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Rounds of a bijection of the next power of two, until a number below n comes.
inline std::uint64_t in_order(std::uint64_t i, std::uint64_t n, std::uint64_t key)
{
    unsigned bits = 1;
    while (n > std::uint64_t{1} << bits) ++bits;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    do {
        for (unsigned round = 0; round < 3; ++round) {
            i = (i * (mixed(key + round) | 1) + mixed(~key - round)) & mask;
            i ^= i >> (bits / 2 + 1);
        }
    } while (i >= n);
    return i;
}

inline std::uint64_t seed_of_order = 0;

/// Sets what the environment asks for.
inline void wish_order()
{
    const char* text = std::getenv("CUF_SHUFFLE");
    if (text == nullptr || *text == '\0') return;
    seed_of_order = static_cast<std::uint64_t>(std::atoll(text));
    shuffled = &in_order;
    next_order = [] {
        static std::atomic<std::uint64_t> launches{0};
        return seed_of_order == 0 ? 0 : mixed((seed_of_order << 32) ^ ++launches) | 1;
    };
}

}  // namespace cuf::cpu
