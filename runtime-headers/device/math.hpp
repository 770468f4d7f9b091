// Mathematical intrinsics of real(4) and real(8): the function of the C library of that precision, as gfortran calls it.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

#if defined(CUF_TARGET_CPU)
#define CUF_LIBM(name) __builtin_##name
#else
#include <cmath>
#define CUF_LIBM(name) ::name
#endif

namespace cuf {

#define CUF_REAL_FUNCTION(fortran, c)                                         \
    CUF_INLINE float fortran(float x) { return CUF_LIBM(c##f)(x); }           \
    CUF_INLINE double fortran(double x) { return CUF_LIBM(c)(x); }
#define CUF_REAL_FUNCTION2(fortran, c)                                              \
    CUF_INLINE float fortran(float x, float y) { return CUF_LIBM(c##f)(x, y); }     \
    CUF_INLINE double fortran(double x, double y) { return CUF_LIBM(c)(x, y); }

CUF_REAL_FUNCTION(abs, fabs)
CUF_REAL_FUNCTION(sqrt, sqrt)
CUF_REAL_FUNCTION(exp, exp)
CUF_REAL_FUNCTION(log, log)
CUF_REAL_FUNCTION(log10, log10)
CUF_REAL_FUNCTION(sin, sin)
CUF_REAL_FUNCTION(cos, cos)
CUF_REAL_FUNCTION(tan, tan)
CUF_REAL_FUNCTION(asin, asin)
CUF_REAL_FUNCTION(acos, acos)
CUF_REAL_FUNCTION(atan, atan)
CUF_REAL_FUNCTION(sinh, sinh)
CUF_REAL_FUNCTION(cosh, cosh)
CUF_REAL_FUNCTION(tanh, tanh)
CUF_REAL_FUNCTION(asinh, asinh)
CUF_REAL_FUNCTION(acosh, acosh)
CUF_REAL_FUNCTION(atanh, atanh)
CUF_REAL_FUNCTION(erf, erf)
CUF_REAL_FUNCTION(erfc, erfc)
CUF_REAL_FUNCTION(gamma, tgamma)
CUF_REAL_FUNCTION(bessel_j0, j0)
CUF_REAL_FUNCTION(bessel_j1, j1)
CUF_REAL_FUNCTION(bessel_y0, y0)
CUF_REAL_FUNCTION(bessel_y1, y1)
CUF_REAL_FUNCTION(aint, trunc)
CUF_REAL_FUNCTION(anint, round)
CUF_REAL_FUNCTION2(atan2, atan2)
CUF_REAL_FUNCTION2(hypot, hypot)
CUF_REAL_FUNCTION2(mod, fmod)

#undef CUF_REAL_FUNCTION
#undef CUF_REAL_FUNCTION2

/// atan(y, x) is atan2(y, x).
template <real_kind T>
CUF_INLINE T atan(T y, T x)
{
    return atan2(y, x);
}

CUF_INLINE float bessel_jn(int n, float x) { return CUF_LIBM(jnf)(n, x); }
CUF_INLINE double bessel_jn(int n, double x) { return CUF_LIBM(jn)(n, x); }
CUF_INLINE float bessel_yn(int n, float x) { return CUF_LIBM(ynf)(n, x); }
CUF_INLINE double bessel_yn(int n, double x) { return CUF_LIBM(yn)(n, x); }

/// Logarithm of |gamma(x)|; on the cpu without the shared sign variable of lgamma.
CUF_INLINE float log_gamma(float x)
{
#if defined(CUF_TARGET_CPU)
    int sign;
    return __builtin_lgammaf_r(x, &sign);
#else
    return ::lgammaf(x);
#endif
}
CUF_INLINE double log_gamma(double x)
{
#if defined(CUF_TARGET_CPU)
    int sign;
    return __builtin_lgamma_r(x, &sign);
#else
    return ::lgamma(x);
#endif
}

/// exp(x**2) * erfc(x) without overflow or underflow of the factors.
CUF_FN inline double erfc_scaled(double x)
{
#if defined(CUF_TARGET_CPU)
    if (x > 25.0) {
        // Asymptotic series: at x = 25 the eighth term is below 1e-17.
        const double t = 0.5 / (x * x);
        double term = 1.0, sum = 1.0;
        for (int k = 1; k < 9; ++k) {
            term *= -(2 * k - 1) * t;
            sum += term;
        }
        return sum * 0.56418958354775628695 / x;
    }
    // x*x in two parts, or the error of the square would be magnified by the exponential.
    const double high = x * x;
    const double low = __builtin_fma(x, x, -high);
    const double scale = __builtin_exp(high);
    const double value = scale * __builtin_erfc(x);
    return __builtin_isinf(value) ? value : value + value * low;
#else
    return ::erfcx(x);
#endif
}
CUF_FN inline float erfc_scaled(float x)
{
#if defined(CUF_TARGET_CPU)
    return float(erfc_scaled(double(x)));
#else
    return ::erfcxf(x);
#endif
}

CUF_INLINE float sign(float a, float b) { return CUF_LIBM(copysignf)(a, b); }
CUF_INLINE double sign(double a, double b) { return CUF_LIBM(copysign)(a, b); }

/// modulo(a, p): the sign of p, also of a zero result.
template <real_kind T>
CUF_INLINE T modulo(T a, T p)
{
    T r = mod(a, p);
    if (r != T(0)) {
        if ((r < T(0)) != (p < T(0))) r += p;
    } else {
        r = sign(T(0), p);
    }
    return r;
}

template <real_kind T>
CUF_INLINE T dim(T a, T b)
{
    const T d = a - b;
    return d <= T(0) ? T(0) : d;
}

/// Nearest integer, ties away from zero.
template <integer_kind I = int>
CUF_INLINE I nint(float x)
{
    if constexpr (sizeof(I) > 4) return I(CUF_LIBM(llroundf)(x));
    else return I(int(CUF_LIBM(lroundf)(x)));
}
template <integer_kind I = int>
CUF_INLINE I nint(double x)
{
    if constexpr (sizeof(I) > 4) return I(CUF_LIBM(llround)(x));
    else return I(int(CUF_LIBM(lround)(x)));
}

/// Conversion of a real to an integer: truncation; one- and two-byte kinds wrap.
template <integer_kind I = int, real_kind T>
CUF_INLINE constexpr I to_integer(T x)
{
    if constexpr (sizeof(I) < 4) return I(int(x));
    else return I(x);
}

template <integer_kind I = int>
CUF_INLINE I ceiling(float x)
{
    return to_integer<I>(CUF_LIBM(ceilf)(x));
}
template <integer_kind I = int>
CUF_INLINE I ceiling(double x)
{
    return to_integer<I>(CUF_LIBM(ceil)(x));
}
template <integer_kind I = int>
CUF_INLINE I floor(float x)
{
    return to_integer<I>(CUF_LIBM(floorf)(x));
}
template <integer_kind I = int>
CUF_INLINE I floor(double x)
{
    return to_integer<I>(CUF_LIBM(floor)(x));
}

/// OUT_OF_RANGE (Fortran 2018 16.9.146): x, truncated or rounded to the nearest, has no value of the type M. Infinities and NaN have
/// one as reals.
template <typename M, typename X>
CUF_INLINE bool out_of_range(X x, bool round = false)
{
    if constexpr (integer_kind<M>) {
        if constexpr (integer_kind<X>) {
            return int64_t(M(x)) != int64_t(x);
        } else {
            const double y = double(x);
            const double whole = round ? CUF_LIBM(round)(y) : CUF_LIBM(trunc)(y);
            const double limit = double(uint64_t(1) << (8 * sizeof(M) - 1));
            return !(whole >= -limit && whole < limit);
        }
    } else if constexpr (sizeof(M) == 8) {
        return false;
    } else {
        // From half a unit in the last place beyond the largest value on, rounding gives infinity.
        const double limit = sizeof(M) == 2 ? 65520.0 : 0x1.ffffffp127;
        const double y = CUF_LIBM(fabs)(double(x));
        return y >= limit && y <= 0x1.fffffffffffffp1023;
    }
}

}  // namespace cuf

// Who has the functions of reals has those of integers under the same names.
#include "numeric.hpp"
