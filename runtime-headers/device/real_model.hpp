// Intrinsics that take a real number apart: Fortran 2018, 16.4 "Numeric models", with the results of gfortran at the edges.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "math.hpp"

namespace cuf {
namespace detail {

/// Model parameters of a real kind: digits, minimal exponent, and the smallest normal number.
template <class T>
struct model;
template <>
struct model<float> {
    static constexpr int digits = 24;
    static constexpr int min_exponent = -125;
    static constexpr float tiny = 1.17549435e-38f;
};
template <>
struct model<double> {
    static constexpr int digits = 53;
    static constexpr int min_exponent = -1021;
    static constexpr double tiny = 2.2250738585072014e-308;
};

CUF_INLINE float frexp_of(float x, int& e) { return CUF_LIBM(frexpf)(x, &e); }
CUF_INLINE double frexp_of(double x, int& e) { return CUF_LIBM(frexp)(x, &e); }
CUF_INLINE float scalbn_of(float x, int e) { return CUF_LIBM(scalbnf)(x, e); }
CUF_INLINE double scalbn_of(double x, int e) { return CUF_LIBM(scalbn)(x, e); }

template <class T>
CUF_INLINE bool finite(T x)
{
    return x - x == T(0);
}
/// The NaN that inquiries give for an infinity; a NaN stays itself.
template <class T>
CUF_INLINE T nan_of(T x)
{
    return x - x;
}

}  // namespace detail

// IEEE_ARITHMETIC, F2018 17.11.
template <real_kind T>
CUF_INLINE bool is_nan(T x)
{
    return x != x;
}
template <real_kind T>
CUF_INLINE bool is_finite(T x)
{
    return detail::finite(x);
}
template <real_kind T>
CUF_INLINE bool is_normal(T x)
{
    return x == T(0) || (detail::finite(x) && abs(x) >= detail::model<T>::tiny);
}
template <real_kind T>
CUF_INLINE bool sign_bit(T x)
{
    return sign(T(1), x) < T(0);
}
template <real_kind T>
CUF_INLINE bool is_negative(T x)
{
    return !is_nan(x) && sign_bit(x);
}
template <real_kind T>
CUF_INLINE T infinity_like(T)
{
    return T(__builtin_huge_val());
}
template <real_kind T>
CUF_INLINE T negative_infinity_like(T)
{
    return -T(__builtin_huge_val());
}
template <real_kind T>
CUF_INLINE T nan_like(T)
{
    return T(__builtin_nan(""));
}

/// Exponent e of x = f * 2**e with 0.5 <= |f| < 1; 0 for 0, huge(0) for infinities and NaN.
template <real_kind T>
CUF_INLINE int exponent(T x)
{
    if (!detail::finite(x)) return INT32_MAX;
    int e;
    detail::frexp_of(x, e);
    return e;
}
template <real_kind T>
CUF_INLINE T fraction(T x)
{
    if (!detail::finite(x)) return detail::nan_of(x);
    int e;
    return detail::frexp_of(x, e);
}
template <real_kind T, integer_kind I>
CUF_INLINE T scale(T x, I e)
{
    // Any count beyond the whole range gives the same zero or infinity.
    const int n = int64_t(e) > 10000 ? 10000 : int64_t(e) < -10000 ? -10000 : int(e);
    return detail::scalbn_of(x, n);
}
template <real_kind T, integer_kind I>
CUF_INLINE T set_exponent(T x, I e)
{
    return scale(fraction(x), e);
}
/// The neighbour of x in the direction of the sign of s.
CUF_INLINE float nearest(float x, float s) { return CUF_LIBM(nextafterf)(x, CUF_LIBM(copysignf)(__builtin_huge_valf(), s)); }
CUF_INLINE double nearest(double x, double s) { return CUF_LIBM(nextafter)(x, CUF_LIBM(copysign)(__builtin_huge_val(), s)); }
CUF_INLINE float nearest(float x, double s) { return nearest(x, float(sign(1.0, s))); }
CUF_INLINE double nearest(double x, float s) { return nearest(x, double(s)); }
/// Distance of neighbours near x, at least tiny(x).
template <real_kind T>
CUF_INLINE T spacing(T x)
{
    using M = detail::model<T>;
    if (!detail::finite(x)) return detail::nan_of(x);
    if (x == T(0)) return M::tiny;
    int e;
    detail::frexp_of(x, e);
    e -= M::digits;
    return detail::scalbn_of(T(1), e < M::min_exponent - 1 ? M::min_exponent - 1 : e);
}
/// |x| / spacing(x) without underflow.
template <real_kind T>
CUF_INLINE T rrspacing(T x)
{
    using M = detail::model<T>;
    if (!detail::finite(x)) return detail::nan_of(x);
    const T y = abs(x);
    if (y == T(0)) return y;
    int e;
    detail::frexp_of(y, e);
    return detail::scalbn_of(y, M::digits - e);
}

}  // namespace cuf
