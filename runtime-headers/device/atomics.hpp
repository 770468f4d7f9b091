// Atomic updates of the types that the guide allows; each returns the old value. atomic_inc and atomic_dec follow CUDA's rule
// for unsigned numbers; atomic_cas on reals compares bits.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdint>
#include <cstring>
#include <type_traits>
#if defined(CUF_TARGET_CPU)
#include "../cpu/target.hpp"
#define CUF_ATOMIC inline
#else
#define CUF_ATOMIC __device__ __forceinline__
#endif

namespace cuf {

namespace detail {

template <std::size_t Bytes>
struct atomic_word;
template <>
struct atomic_word<1> {
    using type = std::uint8_t;
};
template <>
struct atomic_word<2> {
    using type = unsigned short;
};
template <>
struct atomic_word<4> {
    using type = unsigned int;
};
template <>
struct atomic_word<8> {
    using type = unsigned long long;
};
template <class T>
using atomic_bits = typename atomic_word<sizeof(T)>::type;

template <class To, class From>
CUF_ATOMIC To same_bits(const From& from)
{
    static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

template <class T>
CUF_ATOMIC atomic_bits<T> cas_bits(T& place, atomic_bits<T> expected, atomic_bits<T> wanted)
{
    auto* word = reinterpret_cast<atomic_bits<T>*>(&place);
#if defined(CUF_TARGET_CPU)
    cpu::spin_point();
    const bool stored = __atomic_compare_exchange_n(word, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    cpu::note_change(stored && wanted != expected);
    return expected;
#else
    return atomicCAS(word, expected, wanted);
#endif
}

/// The old value; the new one is change(old). Stops without a store where keep(old) holds.
template <class T, class Keep, class Change>
CUF_ATOMIC T update(T& place, Keep keep, Change change)
{
    using bits = atomic_bits<T>;
#if defined(CUF_TARGET_CPU)
    bits old = __atomic_load_n(reinterpret_cast<bits*>(&place), __ATOMIC_RELAXED);
#else
    bits old = *reinterpret_cast<volatile bits*>(&place);
#endif
    for (;;) {
        const T value = same_bits<T>(old);
        if (keep(value)) return value;
        const bits seen = cas_bits(place, old, same_bits<bits>(T(change(value))));
        if (seen == old) return value;
        old = seen;
    }
}

template <class T>
CUF_ATOMIC auto ordered(const T& value)
{
    if constexpr (std::is_arithmetic_v<T>)
        return value;
    else
        return static_cast<float>(value);
}

template <class T>
inline constexpr bool is_integer = std::is_integral_v<T>;

template <class T>
concept plain = !std::is_volatile_v<T>;

}  // namespace detail

template <detail::plain T>
CUF_ATOMIC T atomic_add(T& place, std::type_identity_t<T> value)
{
#if defined(CUF_TARGET_CPU)
    if constexpr (detail::is_integer<T>) {
        cpu::spin_point();
        cpu::note_change(value != 0);
        return __atomic_fetch_add(&place, value, __ATOMIC_SEQ_CST);
    } else {
        return detail::update(place, [](const T&) { return false; }, [&](const T& old) { return old + value; });
    }
#else
    if constexpr (detail::is_integer<T>) {
        using bits = detail::atomic_bits<T>;
        return T(atomicAdd(reinterpret_cast<bits*>(&place), bits(value)));
    } else if constexpr (requires { atomicAdd(&place, value); }) {
        return atomicAdd(&place, value);
    } else {
        return detail::update(place, [](const T&) { return false; }, [&](const T& old) { return old + value; });
    }
#endif
}

template <detail::plain T>
CUF_ATOMIC T atomic_sub(T& place, std::type_identity_t<T> value)
{
    if constexpr (detail::is_integer<T>) {
        using bits = detail::atomic_bits<T>;
        return atomic_add(place, T(bits(0) - bits(value)));
    } else {
        return atomic_add(place, -value);
    }
}

/// Operations that the device has not: the variable is compared and swapped until no other thread has been faster.
#define CUF_ATOMIC_BY_SWAP(name, result)                                                                        \
    template <detail::plain T>                                                                                  \
    CUF_ATOMIC T name(T& place, std::type_identity_t<T> value)                                                  \
    {                                                                                                           \
        return detail::update(place, [](const T&) { return false; }, [&](const T& old) { return T(result); }); \
    }
CUF_ATOMIC_BY_SWAP(atomic_mul, old * value)
CUF_ATOMIC_BY_SWAP(atomic_div, old / value)
CUF_ATOMIC_BY_SWAP(atomic_sub_from, value - old)
CUF_ATOMIC_BY_SWAP(atomic_div_into, value / old)
CUF_ATOMIC_BY_SWAP(atomic_logical_and, static_cast<bool>(old) && static_cast<bool>(value))
CUF_ATOMIC_BY_SWAP(atomic_logical_or, static_cast<bool>(old) || static_cast<bool>(value))
CUF_ATOMIC_BY_SWAP(atomic_eqv, static_cast<bool>(old) == static_cast<bool>(value))
CUF_ATOMIC_BY_SWAP(atomic_neqv, static_cast<bool>(old) != static_cast<bool>(value))
#undef CUF_ATOMIC_BY_SWAP

/// The value of the place at one time.
template <class T>
CUF_ATOMIC std::remove_cv_t<T> atomic_load(T& place)
{
    using value = std::remove_cv_t<T>;
    using bits = detail::atomic_bits<value>;
#if defined(CUF_TARGET_CPU)
    cpu::spin_point();
    return detail::same_bits<value>(__atomic_load_n(reinterpret_cast<const volatile bits*>(&place), __ATOMIC_SEQ_CST));
#else
    const bits word = *reinterpret_cast<const volatile bits*>(&place);
    return detail::same_bits<value>(word);
#endif
}

template <detail::plain T>
CUF_ATOMIC T atomic_max(T& place, std::type_identity_t<T> value)
{
#if !defined(CUF_TARGET_CPU)
    if constexpr (detail::is_integer<T>) {
        using native = std::conditional_t<sizeof(T) == 8, long long, int>;
        return T(atomicMax(reinterpret_cast<native*>(&place), native(value)));
    } else
#endif
        return detail::update(
            place, [&](const T& old) { return !(detail::ordered(value) > detail::ordered(old)); }, [&](const T&) { return value; });
}

template <detail::plain T>
CUF_ATOMIC T atomic_min(T& place, std::type_identity_t<T> value)
{
#if !defined(CUF_TARGET_CPU)
    if constexpr (detail::is_integer<T>) {
        using native = std::conditional_t<sizeof(T) == 8, long long, int>;
        return T(atomicMin(reinterpret_cast<native*>(&place), native(value)));
    } else
#endif
        return detail::update(
            place, [&](const T& old) { return !(detail::ordered(value) < detail::ordered(old)); }, [&](const T&) { return value; });
}

template <detail::plain T>
CUF_ATOMIC T atomic_and_(T& place, std::type_identity_t<T> value)
{
    using bits = detail::atomic_bits<T>;
#if defined(CUF_TARGET_CPU)
    cpu::spin_point();
    const bits old = __atomic_fetch_and(reinterpret_cast<bits*>(&place), bits(value), __ATOMIC_SEQ_CST);
    cpu::note_change((old & ~bits(value)) != 0);
    return T(old);
#else
    return T(atomicAnd(reinterpret_cast<bits*>(&place), bits(value)));
#endif
}

template <detail::plain T>
CUF_ATOMIC T atomic_or_(T& place, std::type_identity_t<T> value)
{
    using bits = detail::atomic_bits<T>;
#if defined(CUF_TARGET_CPU)
    cpu::spin_point();
    const bits old = __atomic_fetch_or(reinterpret_cast<bits*>(&place), bits(value), __ATOMIC_SEQ_CST);
    cpu::note_change((bits(value) & ~old) != 0);
    return T(old);
#else
    return T(atomicOr(reinterpret_cast<bits*>(&place), bits(value)));
#endif
}

template <detail::plain T>
CUF_ATOMIC T atomic_xor_(T& place, std::type_identity_t<T> value)
{
    using bits = detail::atomic_bits<T>;
#if defined(CUF_TARGET_CPU)
    cpu::spin_point();
    cpu::note_change(bits(value) != 0);
    return T(__atomic_fetch_xor(reinterpret_cast<bits*>(&place), bits(value), __ATOMIC_SEQ_CST));
#else
    return T(atomicXor(reinterpret_cast<bits*>(&place), bits(value)));
#endif
}

template <detail::plain T>
CUF_ATOMIC T atomic_exch(T& place, std::type_identity_t<T> value)
{
    using bits = detail::atomic_bits<T>;
    auto* word = reinterpret_cast<bits*>(&place);
#if defined(CUF_TARGET_CPU)
    cpu::spin_point();
    const bits wanted = detail::same_bits<bits>(value), old = __atomic_exchange_n(word, wanted, __ATOMIC_SEQ_CST);
    cpu::note_change(old != wanted);
    return detail::same_bits<T>(old);
#else
    return detail::same_bits<T>(atomicExch(word, detail::same_bits<bits>(value)));
#endif
}

/// Stores value if the place holds the bits of compare.
template <detail::plain T>
CUF_ATOMIC T atomic_cas(T& place, std::type_identity_t<T> compare, std::type_identity_t<T> value)
{
    using bits = detail::atomic_bits<T>;
    return detail::same_bits<T>(detail::cas_bits(place, detail::same_bits<bits>(compare), detail::same_bits<bits>(value)));
}

/// old >= bound ? 0 : old + 1, unsigned.
template <detail::plain T>
CUF_ATOMIC T atomic_inc(T& place, std::type_identity_t<T> bound)
{
    static_assert(sizeof(T) == 4);
#if defined(CUF_TARGET_CPU)
    return T(detail::update(
        reinterpret_cast<unsigned&>(place), [](unsigned) { return false; },
        [&](unsigned old) { return old >= unsigned(bound) ? 0u : old + 1; }));
#else
    return T(atomicInc(reinterpret_cast<unsigned*>(&place), unsigned(bound)));
#endif
}

/// old == 0 or old > bound ? bound : old - 1, unsigned.
template <detail::plain T>
CUF_ATOMIC T atomic_dec(T& place, std::type_identity_t<T> bound)
{
    static_assert(sizeof(T) == 4);
#if defined(CUF_TARGET_CPU)
    return T(detail::update(
        reinterpret_cast<unsigned&>(place), [](unsigned) { return false; },
        [&](unsigned old) { return old == 0 || old > unsigned(bound) ? unsigned(bound) : old - 1; }));
#else
    return T(atomicDec(reinterpret_cast<unsigned*>(&place), unsigned(bound)));
#endif
}

// An atomic update reads and writes memory as it is: volatile data are no different.
#define CUF_ATOMIC_OF_VOLATILE(name)                                                       \
    template <class T, class... V>                                                         \
    CUF_ATOMIC T name(volatile T& place, V... values)                                      \
    {                                                                                      \
        return name(const_cast<T&>(place), std::type_identity_t<T>(values)...);            \
    }
CUF_ATOMIC_OF_VOLATILE(atomic_add)
CUF_ATOMIC_OF_VOLATILE(atomic_sub)
CUF_ATOMIC_OF_VOLATILE(atomic_max)
CUF_ATOMIC_OF_VOLATILE(atomic_min)
CUF_ATOMIC_OF_VOLATILE(atomic_and_)
CUF_ATOMIC_OF_VOLATILE(atomic_or_)
CUF_ATOMIC_OF_VOLATILE(atomic_xor_)
CUF_ATOMIC_OF_VOLATILE(atomic_exch)
CUF_ATOMIC_OF_VOLATILE(atomic_cas)
CUF_ATOMIC_OF_VOLATILE(atomic_inc)
CUF_ATOMIC_OF_VOLATILE(atomic_dec)
#undef CUF_ATOMIC_OF_VOLATILE

}  // namespace cuf

#if defined(CUF_TARGET_CPU)
template <class T>
T atomicAdd(T* place, std::type_identity_t<T> value) { return cuf::atomic_add(*place, value); }
template <class T>
T atomicSub(T* place, std::type_identity_t<T> value) { return cuf::atomic_sub(*place, value); }
template <class T>
T atomicMax(T* place, std::type_identity_t<T> value) { return cuf::atomic_max(*place, value); }
template <class T>
T atomicMin(T* place, std::type_identity_t<T> value) { return cuf::atomic_min(*place, value); }
template <class T>
T atomicAnd(T* place, std::type_identity_t<T> value) { return cuf::atomic_and_(*place, value); }
template <class T>
T atomicOr(T* place, std::type_identity_t<T> value) { return cuf::atomic_or_(*place, value); }
template <class T>
T atomicXor(T* place, std::type_identity_t<T> value) { return cuf::atomic_xor_(*place, value); }
template <class T>
T atomicExch(T* place, std::type_identity_t<T> value) { return cuf::atomic_exch(*place, value); }
template <class T>
T atomicCAS(T* place, std::type_identity_t<T> compare, std::type_identity_t<T> value) { return cuf::atomic_cas(*place, compare, value); }
inline unsigned atomicInc(unsigned* place, unsigned bound) { return cuf::atomic_inc(*place, bound); }
inline unsigned atomicDec(unsigned* place, unsigned bound) { return cuf::atomic_dec(*place, bound); }
#endif
