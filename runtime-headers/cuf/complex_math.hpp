// Mathematical intrinsics of complex numbers: the C library on the cpu (as gfortran), own routines under nvcc.
#pragma once

#include "complex.hpp"
#include "math.hpp"

namespace cuf {
namespace detail {

/// Routines for the device: exact special cases on the axes, no avoidable overflow, a few ulp elsewhere.
namespace device_complex {

template <class T>
CUF_INLINE bool is_finite(T x)
{
    return x - x == T(0);
}

template <class T>
CUF_FN complex<T> sqrt(const complex<T>& z)
{
    const T huge = sizeof(T) == 4 ? T(3.4028234663852886e38) : T(1.7976931348623157e308);
    const T tiny = sizeof(T) == 4 ? T(1.1754943508222875e-38) : T(2.2250738585072014e-308);
    const T x = z.re, y = z.im;
    if (x == T(0) && y == T(0)) return {T(0), y};
    if (!is_finite(y) && y == y) return {cuf::abs(y), y};
    if (!is_finite(x)) {
        if (x != x) return {x, x};
        if (x > T(0)) return {x, y == y ? cuf::sign(T(0), y) : y};
        return {y == y ? T(0) : y, cuf::sign(x, y)};
    }
    if (y != y) return {y, y};
    // Scale by powers of four so that neither the modulus nor its halves leave the range.
    T a = x, b = y, back = T(1);
    const T largest = cuf::abs(x) > cuf::abs(y) ? cuf::abs(x) : cuf::abs(y);
    if (largest > huge / T(8)) {
        a *= T(0.0625), b *= T(0.0625), back = T(4);
    } else if (largest < tiny * T(16)) {
        const T up = sizeof(T) == 4 ? T(16777216) : T(18014398509481984.0);
        a *= up, b *= up, back = sizeof(T) == 4 ? T(1) / T(4096) : T(1) / T(134217728);
    }
    const T t = cuf::sqrt((cuf::abs(a) + cuf::hypot(a, b)) * T(0.5));
    const T s = cuf::abs(b) / (T(2) * t);
    if (a >= T(0)) return {back * t, cuf::sign(back * s, y)};
    return {back * s, cuf::sign(back * t, y)};
}

/// Up to here the exponential is finite.
template <class T>
inline constexpr T exp_limit = sizeof(T) == 4 ? T(88) : T(709);

/// exp(x) * (c, s) for x above the limit, where the modulus may overflow before the parts do.
template <class T>
CUF_FN complex<T> large_exp(T x, T c, T s)
{
    const T part = cuf::exp(exp_limit<T>), rest = cuf::exp(x - exp_limit<T>);
    return {part * c * rest, part * s * rest};
}

template <class T>
CUF_FN complex<T> exp(const complex<T>& z)
{
    if (z.im == T(0)) return {cuf::exp(z.re), z.im};
    if (!is_finite(z.im)) {
        // exp(-inf + i*anything) is a zero; elsewhere the angle is undefined.
        if (!is_finite(z.re) && z.re < T(0)) return {T(0), T(0)};
        if (!is_finite(z.re) && z.re > T(0)) return {z.re, z.im - z.im};
        return {z.im - z.im, z.im - z.im};
    }
    const T c = cuf::cos(z.im), s = cuf::sin(z.im);
    if (z.re > exp_limit<T> && is_finite(z.re)) return large_exp(z.re, c, s);
    const T r = cuf::exp(z.re);
    return {r * c, r * s};
}

/// log|z| without overflow and without cancellation near |z| = 1.
template <class T>
CUF_FN T log_abs(const complex<T>& z)
{
    T a = cuf::abs(z.re), b = cuf::abs(z.im);
    if (a < b) {
        const T t = a;
        a = b, b = t;
    }
    if (a > T(0.5) && a < T(2)) {
        // log1p((a-1)*(a+1) + b*b) / 2; the small errors of the two products are carried with fma.
        if constexpr (sizeof(T) == 4) {
            return T(0.5 * CUF_LIBM(log1p)((double(a) - 1.0) * (double(a) + 1.0) + double(b) * double(b)));
        } else {
            const T am = a - T(1), ap = a + T(1);
            const T p = am * ap, q = b * b;
            const T ap_error = (a - ap) + T(1);
            const T p_error = CUF_LIBM(fma)(am, ap, -p) + am * ap_error;
            const T q_error = CUF_LIBM(fma)(b, b, -q);
            const T sum = p + q;
            const T part = sum - p;
            const T error = (p - (sum - part)) + (q - part);
            return T(0.5) * CUF_LIBM(log1p)(sum + (error + p_error + q_error));
        }
    }
    const T h = cuf::hypot(a, b);
    if (is_finite(a) && !is_finite(h)) return cuf::log(cuf::hypot(a / 2, b / 2)) + T(0.69314718055994530942);
    return cuf::log(h);
}

template <class T>
CUF_FN complex<T> log(const complex<T>& z)
{
    return {log_abs(z), cuf::atan2(z.im, z.re)};
}

template <class T>
CUF_FN complex<T> sinh(const complex<T>& z)
{
    if (z.im == T(0)) return {cuf::sinh(z.re), z.im};
    const T c = cuf::cos(z.im), s = cuf::sin(z.im);
    if (z.re == T(0)) return {cuf::sign(T(0), z.re * c), s};
    if (cuf::abs(z.re) > exp_limit<T>) {
        const complex<T> e = large_exp(cuf::abs(z.re), c * T(0.5), s * T(0.5));
        return {cuf::sign(T(1), z.re) * e.re, e.im};
    }
    return {cuf::sinh(z.re) * c, cuf::cosh(z.re) * s};
}

template <class T>
CUF_FN complex<T> cosh(const complex<T>& z)
{
    if (z.im == T(0)) return {cuf::cosh(z.re), z.re < T(0) ? -z.im : z.im};
    const T c = cuf::cos(z.im), s = cuf::sin(z.im);
    if (cuf::abs(z.re) > exp_limit<T>) {
        const complex<T> e = large_exp(cuf::abs(z.re), c * T(0.5), s * T(0.5));
        return {e.re, cuf::sign(T(1), z.re) * e.im};
    }
    return {cuf::cosh(z.re) * c, cuf::sinh(z.re) * s};
}

/// Kahan's formula: no cancellation, saturates far from the imaginary axis.
template <class T>
CUF_FN complex<T> tanh(const complex<T>& z)
{
    const T limit = sizeof(T) == 4 ? T(11) : T(22);
    if (cuf::abs(z.re) > limit) {
        const T e = cuf::exp(-cuf::abs(z.re));
        const T im = is_finite(z.im) ? T(4) * cuf::sin(z.im) * cuf::cos(z.im) * e * e : T(0);
        return {cuf::sign(T(1), z.re), im};
    }
    const T t = cuf::tan(z.im);
    const T beta = T(1) + t * t;
    const T s = cuf::sinh(z.re);
    const T rho = cuf::sqrt(T(1) + s * s);
    if (!is_finite(t)) return {rho / s, T(1) / t};
    const T d = T(1) + beta * s * s;
    return {beta * rho * s / d, t / d};
}

/// w = f(i*z)/i for the odd functions, f(i*z) for cosh.
template <class T>
CUF_FN complex<T> sin(const complex<T>& z)
{
    const complex<T> w = device_complex::sinh(complex<T>(-z.im, z.re));
    return {w.im, -w.re};
}
template <class T>
CUF_FN complex<T> cos(const complex<T>& z)
{
    return device_complex::cosh(complex<T>(-z.im, z.re));
}
template <class T>
CUF_FN complex<T> tan(const complex<T>& z)
{
    const complex<T> w = device_complex::tanh(complex<T>(-z.im, z.re));
    return {w.im, -w.re};
}

/// The inverse functions by Kahan's formulas: each part without cancellation, exact on the cuts.
template <class T>
CUF_FN complex<T> asin(const complex<T>& z)
{
    const complex<T> p = device_complex::sqrt(complex<T>(T(1) + z.re, z.im));
    const complex<T> m = device_complex::sqrt(complex<T>(T(1) - z.re, -z.im));
    return {cuf::atan2(z.re, m.re * p.re - m.im * p.im), cuf::asinh(m.re * p.im - m.im * p.re)};
}
template <class T>
CUF_FN complex<T> acos(const complex<T>& z)
{
    const complex<T> p = device_complex::sqrt(complex<T>(T(1) + z.re, z.im));
    const complex<T> m = device_complex::sqrt(complex<T>(T(1) - z.re, -z.im));
    return {T(2) * cuf::atan2(m.re, p.re), cuf::asinh(p.re * m.im - p.im * m.re)};
}
template <class T>
CUF_FN complex<T> acosh(const complex<T>& z)
{
    const complex<T> p = device_complex::sqrt(complex<T>(z.re + T(1), z.im));
    const complex<T> m = device_complex::sqrt(complex<T>(z.re - T(1), z.im));
    return {cuf::asinh(m.re * p.re + m.im * p.im), T(2) * cuf::atan2(m.im, p.re)};
}
template <class T>
CUF_FN complex<T> atanh(const complex<T>& z)
{
    const T pi_2 = T(1.57079632679489661923);
    const T theta = sizeof(T) == 4 ? T(4.611686e18) : T(3.3519519824856493e153);
    const T rho = T(1) / theta;
    const T beta = cuf::sign(T(1), z.re);
    const T x = beta * z.re, y = -beta * z.im;
    const T t = cuf::abs(y) + rho;
    T xi, eta;
    if (x > theta || cuf::abs(y) > theta) {
        eta = cuf::sign(pi_2, y);
        const T h = cuf::hypot(x / 2, y / 2);
        xi = x / h / h / T(4);
    } else if (x == T(1)) {
        xi = cuf::log(cuf::sqrt(cuf::sqrt(T(4) + y * y)) / cuf::sqrt(t));
        eta = cuf::sign(pi_2 + cuf::atan(t / T(2)), y) / T(2);
    } else {
        const T d = (T(1) - x) * (T(1) - x) + t * t;
        if constexpr (sizeof(T) == 4) {
            xi = CUF_LIBM(log1pf)(T(4) * x / d) / T(4);
        } else {
            xi = CUF_LIBM(log1p)(T(4) * x / d) / T(4);
        }
        eta = cuf::atan2(T(2) * y, (T(1) - x) * (T(1) + x) - t * t) / T(2);
    }
    return {beta * xi, -beta * eta};
}
template <class T>
CUF_FN complex<T> asinh(const complex<T>& z)
{
    const complex<T> w = device_complex::asin(complex<T>(-z.im, z.re));
    return {w.im, -w.re};
}
template <class T>
CUF_FN complex<T> atan(const complex<T>& z)
{
    const complex<T> w = device_complex::atanh(complex<T>(-z.im, z.re));
    return {w.im, -w.re};
}

template <class T>
CUF_FN complex<T> pow(const complex<T>& z, const complex<T>& w)
{
    if (z.re == T(0) && z.im == T(0)) {
        if (w.re == T(0) && w.im == T(0)) return {T(1), T(0)};
        if (w.re > T(0)) return {T(0), T(0)};
    }
    return device_complex::exp(w * device_complex::log(z));
}
/// In single precision the logarithm is taken in double: its error is magnified by the exponent.
CUF_FN inline complex<float> pow(const complex<float>& z, const complex<float>& w)
{
    return device_complex::pow(complex<double>(z), complex<double>(w));
}

}  // namespace device_complex

#if defined(CUF_TARGET_CPU)
template <class C, class T>
CUF_INLINE C to_c(const complex<T>& z)
{
    C c;
    __real__ c = z.re;
    __imag__ c = z.im;
    return c;
}
CUF_INLINE complex<float> from_c(__complex__ float c) { return {__real__ c, __imag__ c}; }
CUF_INLINE complex<double> from_c(__complex__ double c) { return {__real__ c, __imag__ c}; }

CUF_INLINE complex<float> complex_pow(const complex<float>& z, const complex<float>& w)
{
    return from_c(__builtin_cpowf(to_c<__complex__ float>(z), to_c<__complex__ float>(w)));
}
CUF_INLINE complex<double> complex_pow(const complex<double>& z, const complex<double>& w)
{
    return from_c(__builtin_cpow(to_c<__complex__ double>(z), to_c<__complex__ double>(w)));
}
#else
template <class T>
CUF_INLINE complex<T> complex_pow(const complex<T>& z, const complex<T>& w)
{
    return device_complex::pow(z, w);
}
#endif

}  // namespace detail

template <class T>
CUF_INLINE T abs(const complex<T>& z)
{
    return hypot(z.re, z.im);
}

#if defined(CUF_TARGET_CPU)
#define CUF_COMPLEX_FUNCTION(name)                                                                                        \
    CUF_INLINE complex<float> name(const complex<float>& z)                                                               \
    {                                                                                                                     \
        return detail::from_c(__builtin_c##name##f(detail::to_c<__complex__ float>(z)));                                  \
    }                                                                                                                     \
    CUF_INLINE complex<double> name(const complex<double>& z)                                                             \
    {                                                                                                                     \
        return detail::from_c(__builtin_c##name(detail::to_c<__complex__ double>(z)));                                    \
    }
#else
#define CUF_COMPLEX_FUNCTION(name)                                                                                        \
    template <class T>                                                                                                    \
    CUF_INLINE complex<T> name(const complex<T>& z)                                                                       \
    {                                                                                                                     \
        return detail::device_complex::name(z);                                                                           \
    }
#endif
CUF_COMPLEX_FUNCTION(sqrt)
CUF_COMPLEX_FUNCTION(exp)
CUF_COMPLEX_FUNCTION(log)
CUF_COMPLEX_FUNCTION(sin)
CUF_COMPLEX_FUNCTION(cos)
CUF_COMPLEX_FUNCTION(tan)
CUF_COMPLEX_FUNCTION(sinh)
CUF_COMPLEX_FUNCTION(cosh)
CUF_COMPLEX_FUNCTION(tanh)
CUF_COMPLEX_FUNCTION(asin)
CUF_COMPLEX_FUNCTION(acos)
CUF_COMPLEX_FUNCTION(atan)
CUF_COMPLEX_FUNCTION(asinh)
CUF_COMPLEX_FUNCTION(acosh)
CUF_COMPLEX_FUNCTION(atanh)
#undef CUF_COMPLEX_FUNCTION

}  // namespace cuf
