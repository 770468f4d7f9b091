// RANDOM_NUMBER of whole arrays of the device: Philox 4x32-10 (Salmon et al., 2011), a counter for each element.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "array_operation.hpp"
#include <atomic>

namespace cuf {

namespace arrays {

/// 128 random bits of a counter.
struct philox {
    uint32_t word[4];

    CUF_INLINE explicit philox(uint64_t counter)
        : word{uint32_t(counter), uint32_t(counter >> 32), 0, 0}
    {
        uint32_t key[2] = {0x2f6e2b1u, 0x8d5b3c77u};
        for (int round = 0; round < 10; ++round) {
            const uint64_t a = uint64_t(0xD2511F53u) * word[0], b = uint64_t(0xCD9E8D57u) * word[2];
            const uint32_t next[4] = {uint32_t(b >> 32) ^ word[1] ^ key[0], uint32_t(b), uint32_t(a >> 32) ^ word[3] ^ key[1], uint32_t(a)};
            for (int i = 0; i < 4; ++i) word[i] = next[i];
            key[0] += 0x9E3779B9u;
            key[1] += 0xBB67AE85u;
        }
    }
};

/// A number of [0, 1) of two words.
CUF_INLINE void uniform(uint32_t a, uint32_t, float& x) { x = float(a >> 8) * 0x1p-24f; }
CUF_INLINE void uniform(uint32_t a, uint32_t b, double& x) { x = double((uint64_t(a) << 32 | b) >> 11) * 0x1p-53; }
template <class H>
    requires(sizeof(H) == 2)
CUF_INLINE void uniform(uint32_t a, uint32_t, H& x)
{
    x = H(float(a >> 21) * 0x1p-11f);
}

template <class T>
CUF_INLINE T random_element(uint64_t counter)
{
    const philox bits(counter);
    T x;
    if constexpr (requires { x.re; }) {
        uniform(bits.word[0], bits.word[1], x.re);
        uniform(bits.word[2], bits.word[3], x.im);
    } else {
        uniform(bits.word[0], bits.word[1], x);
    }
    return x;
}

/// Numbers that the program has had so far.
inline std::atomic<uint64_t> random_counter{0};

template <int R, class V>
__global__ void set_random(extents<R> e, int64_t count, uint64_t first, V to)
{
    for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += int64_t(gridDim.x) * blockDim.x)
        position_of<false>(e, k)([&](auto... i) { to(i...) = random_element<typename V::element>(first + uint64_t(k)); });
}

}  // namespace arrays

/// Numbers of [0, 1): each call goes on where the one before ended.
template <memory M, class T, int R>
void random_numbers(const launch_config& at, const char* place, const view<T, R>& to)
{
    using namespace arrays;
    const auto e = shape_of(to);
    const int64_t count = e.count();
    if (count == 0) return;
    const begun now(place, at, to.data());
    const uint64_t first = random_counter.fetch_add(uint64_t(count));
    run(place, grid_of(at, blocks_for(count, 1, most_blocks() * 16)), set_random<R, view<T, R>>, e, count, first, to);
    if (M == memory::managed)
        wait(place, at);
    else
        leave_running(place, at);
}

}  // namespace cuf
