// CUF_SHUFFLE=SEED: blocks, warps and threads begin in an order that only the seed decides; 0: in their own. One operating-system thread
// runs them then, unless CUF_CPU_THREADS says more. And what a profile tells of a grid.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace cuf::cpu {

/// Of the last grid that this thread has launched; cpu/pool.hpp.
struct grid_report {
    std::uint64_t switches = 0;  // between threads of the device
    unsigned threads = 0;        // of the operating system
};
grid_report last_grid();

/// Negative: nothing was asked for.
inline long long shuffle_seed()
{
    static const long long seed = [] {
        const char* text = std::getenv("CUF_SHUFFLE");
        return text && *text ? std::atoll(text) & INT64_MAX : -1;
    }();
    return seed;
}

inline std::uint64_t mixed(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// The i-th of n in an order that the key decides: rounds of a bijection of the next power of two, until a number below n comes.
inline std::uint64_t shuffled(std::uint64_t i, std::uint64_t n, std::uint64_t key)
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

}  // namespace cuf::cpu
