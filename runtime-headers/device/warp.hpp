// Warp operations with the rules of the hardware: shuffles, votes, matches.
// Lanes of shfl are numbered from 1 as in Fortran; masks are bit patterns, the default is the whole warp.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdint>
#include <cstring>
#include <type_traits>
#if defined(CUF_TARGET_CPU)
#include "../cpu/target.hpp"
#define CUF_WARP inline __attribute__((always_inline))
#else
#include "target.hpp"
#define CUF_WARP __device__ __forceinline__
#endif

namespace cuf {

/// The lanes of a warp, from any integer (-1 and z'ffffffff' are all of them).
struct lane_mask {
    unsigned bits;
    template <class I>
        requires(std::is_integral_v<I>)
    CUF_WARP constexpr lane_mask(I mask) : bits(static_cast<unsigned>(mask))
    {
    }
};

enum class shuffle { index, up, down, exclusive_or };

namespace detail {

#if defined(CUF_TARGET_CPU)
/// The lane whose value the calling lane gets: inside its segment of `width` lanes, else itself.
CUF_WARP int shuffle_source(shuffle kind, int operand, int width, int lane)
{
    const int first = lane & ~(width - 1);
    switch (kind) {
    case shuffle::index: return first | (operand & (width - 1));
    case shuffle::up: {
        const int from = lane - (operand & 31);
        return from < first ? lane : from;
    }
    case shuffle::down: {
        const int from = lane + (operand & 31);
        return from >= first + width ? lane : from;
    }
    default: {
        // A partner in an earlier segment is read, one in a later segment is not.
        const int from = lane ^ (operand & 31);
        return from >= first + width ? lane : from;
    }
    }
}
CUF_WARP std::uint64_t shuffle_word(shuffle kind, std::uint64_t word, int operand, int width, unsigned mask CUF_AT)
{
    return cpu::warp_operate(
        cpu::warp_shuffle, mask, word, [=](int lane) { return shuffle_source(kind, operand, width, lane) & 31; } CUF_PASS_AT);
}
using shuffle_unit = std::uint64_t;
#else
using shuffle_unit = std::uint32_t;
__device__ __forceinline__ std::uint32_t shuffle_word(shuffle kind, std::uint32_t word, int operand, int width, unsigned mask)
{
    switch (kind) {
    case shuffle::index: return __shfl_sync(mask, word, operand, width);
    case shuffle::up: return __shfl_up_sync(mask, word, unsigned(operand), width);
    case shuffle::down: return __shfl_down_sync(mask, word, unsigned(operand), width);
    default: return __shfl_xor_sync(mask, word, operand, width);
    }
}
#endif

/// Values of any size travel in words.
template <class T>
CUF_WARP T shuffle_value(shuffle kind, const T& value, int operand, int width, unsigned mask CUF_AT)
{
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr int words = int((sizeof(T) + sizeof(shuffle_unit) - 1) / sizeof(shuffle_unit));
    shuffle_unit buffer[words] = {};
    memcpy(buffer, &value, sizeof(T));
    for (int i = 0; i < words; ++i) buffer[i] = shuffle_word(kind, buffer[i], operand, width, mask CUF_PASS_AT);
    T result;
    memcpy(&result, buffer, sizeof(T));
#if defined(CUF_CHECK)
    if constexpr ((CUF_CHECKS & check::barriers) != 0) check::mark_undefined(result, cpu::self.undefined, at);
#endif
    return result;
}

/// The bits of a value that is matched.
template <class T>
CUF_WARP std::uint64_t match_bits(const T& value)
{
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
}

}  // namespace detail

/// The value of lane `lane` (from 1; outside 1:width it wraps modulo width).
template <class T>
CUF_WARP T shfl(const T& value, int lane, int width = 32, lane_mask mask = ~0u CUF_AT)
{
    return detail::shuffle_value(shuffle::index, value, lane - 1, width, mask.bits CUF_PASS_AT);
}
template <class T>
CUF_WARP T shfl_up(const T& value, int delta, int width = 32, lane_mask mask = ~0u CUF_AT)
{
    return detail::shuffle_value(shuffle::up, value, delta, width, mask.bits CUF_PASS_AT);
}
template <class T>
CUF_WARP T shfl_down(const T& value, int delta, int width = 32, lane_mask mask = ~0u CUF_AT)
{
    return detail::shuffle_value(shuffle::down, value, delta, width, mask.bits CUF_PASS_AT);
}
template <class T>
CUF_WARP T shfl_xor(const T& value, int flip, int width = 32, lane_mask mask = ~0u CUF_AT)
{
    return detail::shuffle_value(shuffle::exclusive_or, value, flip, width, mask.bits CUF_PASS_AT);
}

// Votes: over the lanes of the mask that have not ended. Masks and results are integer(4).

CUF_WARP int ballot_sync(lane_mask mask, bool predicate CUF_AT)
{
#if defined(CUF_TARGET_CPU)
    return int(unsigned(cpu::warp_operate(cpu::warp_ballot, mask.bits, predicate, [](int lane) { return lane; } CUF_PASS_AT)));
#else
    return int(__ballot_sync(mask.bits, predicate));
#endif
}
CUF_WARP int all_sync(lane_mask mask, bool predicate CUF_AT)
{
#if defined(CUF_TARGET_CPU)
    const std::uint64_t lanes = cpu::warp_operate(cpu::warp_ballot, mask.bits, predicate, [](int lane) { return lane; } CUF_PASS_AT);
    return unsigned(lanes) == unsigned(lanes >> 32);
#else
    return __all_sync(mask.bits, predicate);
#endif
}
CUF_WARP int any_sync(lane_mask mask, bool predicate CUF_AT)
{
    return ballot_sync(mask, predicate CUF_PASS_AT) != 0;
}

/// The lanes whose value has the same bits.
template <class T>
CUF_WARP int match_any_sync(lane_mask mask, const T& value CUF_AT)
{
#if defined(CUF_TARGET_CPU)
    return int(unsigned(cpu::warp_rendezvous(cpu::warp_match_any, mask.bits, detail::match_bits(value), 0 CUF_PASS_AT)));
#else
    return int(__match_any_sync(mask.bits, static_cast<unsigned long long>(detail::match_bits(value))));
#endif
}
/// The mask if all lanes have the same bits, else 0; `same` tells which.
template <class T, class P>
CUF_WARP int match_all_sync(lane_mask mask, const T& value, P& same CUF_AT)
{
#if defined(CUF_TARGET_CPU)
    const auto lanes = unsigned(cpu::warp_rendezvous(cpu::warp_match_all, mask.bits, detail::match_bits(value), 0 CUF_PASS_AT));
#else
    int all = 0;
    const unsigned lanes = __match_all_sync(mask.bits, static_cast<unsigned long long>(detail::match_bits(value)), &all);
#endif
    same = P(lanes != 0);
    return int(lanes);
}

#if defined(CUF_TARGET_CPU)
/// The lanes that are at this place together. Not inlined: the return address is the place.
inline __attribute__((noinline)) int activemask()
{
    return int(cpu::active_lanes(__builtin_return_address(0)));
}
#else
CUF_WARP int activemask() { return int(__activemask()); }
#endif

CUF_WARP void syncwarp(lane_mask mask = ~0u CUF_AT) { __syncwarp(mask.bits CUF_PASS_AT); }

// The forms without a mask: the whole warp takes part.
CUF_WARP bool allthreads(bool predicate CUF_AT) { return all_sync(~0u, predicate CUF_PASS_AT) != 0; }
CUF_WARP bool anythread(bool predicate CUF_AT) { return any_sync(~0u, predicate CUF_PASS_AT) != 0; }
CUF_WARP int ballot(bool predicate CUF_AT) { return ballot_sync(~0u, predicate CUF_PASS_AT); }

}  // namespace cuf
