// real(2): __half under nvcc; on the cpu an IEEE binary16 whose operations are done in float and rounded once.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "intrinsics.hpp"

#if !defined(CUF_TARGET_CPU)
#include <cuda_fp16.h>
#endif

namespace cuf {

namespace detail {

/// Bits of the binary16 number nearest to x, ties to even.
constexpr uint16_t half_bits(double x)
{
    const uint64_t b = __builtin_bit_cast(uint64_t, x);
    const uint16_t sign = uint16_t((b >> 48) & 0x8000);
    const int exponent = int((b >> 52) & 0x7ff) - 1023;
    const uint64_t fraction = b & ((uint64_t(1) << 52) - 1);
    if (exponent == 1024) return uint16_t(fraction != 0 ? sign | 0x7e00 | (fraction >> 42) : sign | 0x7c00);
    if (exponent > 15) return sign | 0x7c00;
    if (exponent < -25) return sign;
    // Subnormal results keep the leading bit explicit and lose one more bit for each exponent step.
    const bool normal = exponent >= -14;
    const int drop = normal ? 42 : 42 - 14 - exponent;
    const uint64_t full = normal ? fraction : fraction | (uint64_t(1) << 52);
    uint16_t h = uint16_t((normal ? unsigned(exponent + 15) << 10 : 0u) + unsigned(full >> drop));
    const uint64_t rest = full & ((uint64_t(1) << drop) - 1);
    const uint64_t tie = uint64_t(1) << (drop - 1);
    if (rest > tie || (rest == tie && (h & 1) != 0)) ++h;
    return uint16_t(sign | h);
}

}  // namespace detail

#if defined(CUF_TARGET_CPU)

namespace detail {

constexpr float half_value(uint16_t h)
{
    const uint32_t sign = uint32_t(h & 0x8000) << 16;
    const uint32_t exponent = (h >> 10) & 0x1f;
    const uint32_t fraction = h & 0x3ff;
    if (exponent == 0) {
        const float tiny = float(fraction) * 0x1p-24f;
        return sign != 0 ? -tiny : tiny;
    }
    const uint32_t wide = exponent == 31 ? 0xff : exponent + 112;
    return __builtin_bit_cast(float, sign | (wide << 23) | (fraction << 13));
}

}  // namespace detail

/// real(2) of the cpu target.
struct half {
    half() = default;
    template <class T>
        requires(std::is_arithmetic_v<T>)
    constexpr half(T x) : bits(detail::half_bits(double(x)))
    {
    }
    constexpr operator float() const { return detail::half_value(bits); }

    uint16_t bits;
};

constexpr half operator+(half a) { return a; }
constexpr half operator-(half a)
{
    a.bits ^= 0x8000;
    return a;
}
constexpr half operator+(half a, half b) { return float(a) + float(b); }
constexpr half operator-(half a, half b) { return float(a) - float(b); }
constexpr half operator*(half a, half b) { return float(a) * float(b); }
constexpr half operator/(half a, half b) { return float(a) / float(b); }
constexpr half& operator+=(half& a, half b) { return a = a + b; }
constexpr half& operator-=(half& a, half b) { return a = a - b; }
constexpr half& operator*=(half& a, half b) { return a = a * b; }
constexpr half& operator/=(half& a, half b) { return a = a / b; }
constexpr bool operator==(half a, half b) { return float(a) == float(b); }
constexpr bool operator!=(half a, half b) { return float(a) != float(b); }
constexpr bool operator<(half a, half b) { return float(a) < float(b); }
constexpr bool operator<=(half a, half b) { return float(a) <= float(b); }
constexpr bool operator>(half a, half b) { return float(a) > float(b); }
constexpr bool operator>=(half a, half b) { return float(a) >= float(b); }

#else

using half = ::__half;

#endif

/// A value of real(2) that is known at compile time, which that of half(x) is not under nvcc.
consteval half half_literal(double x)
{
#if defined(CUF_TARGET_CPU)
    return half(x);
#else
    return half(__half_raw{detail::half_bits(x)});
#endif
}

namespace literals {

consteval half operator""_h(long double x) { return half_literal(double(x)); }

}  // namespace literals

#define CUF_HALF_FUNCTION(name) \
    CUF_INLINE half name(half x) { return half(name(float(x))); }
#define CUF_HALF_FUNCTION2(name) \
    CUF_INLINE half name(half x, half y) { return half(name(float(x), float(y))); }

CUF_HALF_FUNCTION(abs)
CUF_HALF_FUNCTION(sqrt)
CUF_HALF_FUNCTION(exp)
CUF_HALF_FUNCTION(log)
CUF_HALF_FUNCTION(log10)
CUF_HALF_FUNCTION(sin)
CUF_HALF_FUNCTION(cos)
CUF_HALF_FUNCTION(tan)
CUF_HALF_FUNCTION(asin)
CUF_HALF_FUNCTION(acos)
CUF_HALF_FUNCTION(atan)
CUF_HALF_FUNCTION(sinh)
CUF_HALF_FUNCTION(cosh)
CUF_HALF_FUNCTION(tanh)
CUF_HALF_FUNCTION(aint)
CUF_HALF_FUNCTION(anint)
CUF_HALF_FUNCTION2(atan2)
CUF_HALF_FUNCTION2(hypot)
CUF_HALF_FUNCTION2(mod)
CUF_HALF_FUNCTION2(modulo)
CUF_HALF_FUNCTION2(sign)
CUF_HALF_FUNCTION2(dim)

#undef CUF_HALF_FUNCTION
#undef CUF_HALF_FUNCTION2

CUF_INLINE half pow(half x, half y) { return half(pow(float(x), float(y))); }
template <integer_kind N>
CUF_INLINE half pow(half x, N n)
{
    return half(pow(float(x), n));
}
template <integer_kind I = int>
CUF_INLINE I nint(half x)
{
    return nint<I>(float(x));
}
template <integer_kind I = int>
CUF_INLINE I ceiling(half x)
{
    return ceiling<I>(float(x));
}
template <integer_kind I = int>
CUF_INLINE I floor(half x)
{
    return floor<I>(float(x));
}
template <integer_kind I = int>
CUF_INLINE I to_integer(half x)
{
    return to_integer<I>(float(x));
}

}  // namespace cuf

using cuf::literals::operator""_h;
