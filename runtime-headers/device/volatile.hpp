// VOLATILE data: each access takes place, in the order of the thread's program. On the cpu target the threads of a warp take
// turns at such accesses, as the lanes of a GPU do that run in step (cpu/step.hpp).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"
#if defined(CUF_TARGET_CPU)
#include "../cpu/target.hpp"
#else
#include "target.hpp"
#endif

#include <cstring>
#include <type_traits>

#if defined(CUF_TARGET_CPU)
// No pointer to const: g++ takes that for a read of what may have no value yet.
#define CUF_VOLATILE_ACCESS(place, store) \
    cpu::volatile_access(const_cast<void*>(static_cast<const volatile void*>(&(place))), sizeof(place), store, at)
#else
#define CUF_VOLATILE_ACCESS(place, store)
#endif

namespace cuf {

namespace detail {

/// What a value is read and written by: itself, or words.
template <class T>
using volatile_word = std::conditional_t<
    alignof(T) % 8 == 0, unsigned long long,
    std::conditional_t<alignof(T) % 4 == 0, unsigned int, std::conditional_t<alignof(T) % 2 == 0, unsigned short, unsigned char>>>;

/// What the memory holds now.
template <class T>
CUF_FN T read_now(const T& place)
{
    if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T>) {
        return *const_cast<const volatile T*>(&place);
    } else {
        using word = volatile_word<T>;
        word words[sizeof(T) / sizeof(word)];
        for (size_t i = 0; i < sizeof(T) / sizeof(word); ++i) words[i] = reinterpret_cast<const volatile word*>(&place)[i];
        T value;
        memcpy(static_cast<void*>(&value), words, sizeof value);
        return value;
    }
}

}  // namespace detail

template <class T>
CUF_FN T volatile_load(const T& place CUF_AT)
{
    CUF_VOLATILE_ACCESS(place, false);
    return detail::read_now(place);
}

template <class T>
CUF_FN void volatile_store(T& place, const std::type_identity_t<T>& value CUF_AT)
{
    CUF_VOLATILE_ACCESS(place, true);
    if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T>) {
        *const_cast<volatile T*>(&place) = value;
    } else {
        using word = detail::volatile_word<T>;
        word words[sizeof(T) / sizeof(word)];
        memcpy(words, static_cast<const void*>(&value), sizeof value);
        for (size_t i = 0; i < sizeof(T) / sizeof(word); ++i) reinterpret_cast<volatile word*>(&place)[i] = words[i];
    }
}

/// Declared around a loop with such accesses: lanes that are in earlier turns go first.
#if defined(CUF_TARGET_CPU)
using cpu::loop_turns;
#else
struct loop_turns {
    CUF_FN void next() {}
};
#endif

}  // namespace cuf

#undef CUF_VOLATILE_ACCESS
