// The checks at run time, for device code: nothing in programs that are built without them.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#if defined(CUF_CHECK)
#include "check/hooks.hpp"
#else
#include <cstddef>

#define CUF_SHARED(variable) static_assert(true)
#define CUF_LOCAL(variable) static_assert(true)
#define CUF_NAMED(variable) static_assert(true)

namespace cuf::check {
inline void begin_heap(const void*, std::size_t) {}
inline void end_heap(const void*, std::size_t) {}
inline constexpr unsigned lane_has_ended = 0x100, lane_is_missing = 0x200, lane_is_elsewhere = 0x400;
}  // namespace cuf::check
#endif
