// DO loops of one thread.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "base.hpp"
#include <cstdint>
#include <type_traits>

namespace cuf {

/// The values of a DO variable: `for (int i : do_range(lo, hi, step))` runs as often as Fortran says, also where hi + step overflows.
/// The trips are counted: ptxas 13.0 unrolls loops that compare a distance wrongly where the distance and the step overflow.
template <class T>
struct do_values {
    using unsigned_type = std::make_unsigned_t<T>;
    T lo, hi, step;

    struct end_mark {};
    struct iterator {
        T value;
        unsigned_type step, left;  // left: trips after this one
        bool more;

        CUF_INLINE constexpr T operator*() const { return value; }
        CUF_INLINE constexpr bool operator!=(end_mark) const { return more; }
        CUF_INLINE constexpr void operator++()
        {
            more = left != 0;
            --left;
            value = T(unsigned_type(value) + step);
        }
    };
    CUF_INLINE constexpr iterator begin() const
    {
        const auto from = unsigned_type(lo), to = unsigned_type(hi), by = unsigned_type(step);
        if (step > 0) return {lo, by, unsigned_type(unsigned_type(to - from) / by), lo <= hi};
        if (step == 0) return {lo, by, 0, false};
        return {lo, by, unsigned_type(unsigned_type(from - to) / unsigned_type(0 - by)), lo >= hi};
    }
    CUF_INLINE constexpr end_mark end() const { return {}; }
};

/// Bounds and step of a DO loop that are not constant.
template <class L, class H, class S>
CUF_INLINE constexpr auto do_range(L lo, H hi, S step)
{
    using T = std::common_type_t<int, std::make_signed_t<L>, std::make_signed_t<H>, std::make_signed_t<S>>;
    return do_values<T>{T(lo), T(hi), T(step)};
}

}  // namespace cuf
