// logical(k) as it lies in memory.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

namespace cuf {

/// logical(K) in K bytes: any non-zero value is true, stores 0 or 1 (.true. of gfortran is 1).
template <int K>
struct logical {
    static_assert(K == 1 || K == 2 || K == 4 || K == 8);
    using storage = std::conditional_t<K == 1, int8_t,
                                       std::conditional_t<K == 2, int16_t, std::conditional_t<K == 4, int32_t, int64_t>>>;

    logical() = default;
    CUF_INLINE constexpr logical(bool b) : value(b ? 1 : 0) {}
    template <int J>
        requires(J != K)
    CUF_INLINE constexpr logical(logical<J> b) : value(b.value != 0 ? 1 : 0)
    {
    }
    CUF_INLINE constexpr operator bool() const { return value != 0; }

    storage value;
};

}  // namespace cuf
