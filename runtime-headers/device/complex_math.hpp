// Mathematical intrinsics of complex numbers: the C library on the cpu (as gfortran), own routines under nvcc.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "complex.hpp"
#include "complex_kernels.hpp"
#include "math.hpp"
#include "pow.hpp"

namespace cuf {
namespace detail {

/// Routines for the device: exact special cases on the axes, no avoidable overflow, errors below two ulp of the modulus.
/// Single precision is computed in double and rounded once; double precision with kernels that carry the low parts of their results.
namespace device_complex {

/// What real functions return for results of this part type.
template <class T>
using working = std::conditional_t<sizeof(T) == 4, double, pair>;

CUF_INLINE bool is_finite(double x)
{
    return x - x == 0.0;
}

/// The larger root of |z|, as high and low part, for finite z other than zero: sqrt((|x| + |z|) / 2).
CUF_FN inline void larger_root(double x, double y, pair& t)
{
    const double a = cuf::abs(x), b = cuf::abs(y);
    // Scale by powers of four so that no square leaves the range.
    int e = exponent_of(a > b ? a : b);
    e = e > 400 || e < -400 ? e & ~1 : 0;
    const double by = power_of_two(-e), back = scaled(1.0, e >> 1);
    const pair square = sum_of_squares(a * by, b * by);
    const double h = CUF_LIBM(sqrt)(square.hi);
    const pair modulus = {h, (fma(-h, h, square.hi) + square.lo) * (0.5 / h)};
    const pair sum = exact_sum(a * by, modulus.hi);
    const double half = 0.5 * sum.hi;
    const double root = CUF_LIBM(sqrt)(half);
    t = {root * back, (fma(-root, root, half) + 0.5 * (sum.lo + modulus.lo)) * (0.5 / root) * back};
}
CUF_INLINE void larger_root(double x, double y, double& t)
{
    t = CUF_LIBM(sqrt)((cuf::abs(x) + CUF_LIBM(sqrt)(x * x + y * y)) * 0.5);
}

template <class R>
CUF_FN complex<double> sqrt_of(const complex<double>& z)
{
    const double x = z.re, y = z.im;
    if (x == 0.0 && y == 0.0) return {0.0, y};
    if (!is_finite(y) && y == y) return {cuf::abs(y), y};
    if (!is_finite(x)) {
        if (x != x) return {x, x};
        if (x > 0.0) return {x, y == y ? cuf::sign(0.0, y) : y};
        return {y == y ? 0.0 : y, cuf::sign(x, y)};
    }
    if (y != y) return {y, y};
    R t;
    larger_root(x, y, t);
    // The other part is |y| / (2*t).
    double s;
    if constexpr (sizeof(R) == sizeof(double)) {
        s = cuf::abs(y) / (t + t);
    } else {
        const double inverse = 0.5 / t.hi, q = cuf::abs(y) * inverse;
        s = q + 2.0 * inverse * (fma(-q, t.hi, 0.5 * cuf::abs(y)) - q * t.lo);
    }
    if (x >= 0.0) return {value(t), cuf::sign(s, y)};
    return {s, cuf::sign(value(t), y)};
}

template <class R>
CUF_FN complex<double> exp_of(const complex<double>& z)
{
    if (!is_finite(z.im)) {
        // exp(-inf + i*anything) is a zero; elsewhere the angle is undefined.
        if (!is_finite(z.re) && z.re < 0.0) return {0.0, 0.0};
        if (!is_finite(z.re) && z.re > 0.0) return {z.re, z.im - z.im};
        return {z.im - z.im, z.im - z.im};
    }
    R v, c, s;
    int k;
    exponential(within_exponents(z.re), 0.0, v, k);
    sine_cosine(z.im, 0.0, s, c);
    return {scaled(value(v * c), k), z.im == 0.0 ? z.im : scaled(value(v * s), k)};
}

/// log|z| without overflow and without cancellation near |z| = 1.
template <class R>
CUF_FN double log_abs(const complex<double>& z)
{
    double a = cuf::abs(z.re), b = cuf::abs(z.im);
    if (a < b) {
        const double t = a;
        a = b, b = t;
    }
    if (a == 0.0 || !is_finite(a) || !is_finite(b)) return cuf::log(cuf::hypot(a, b));
    if constexpr (sizeof(R) == sizeof(double)) {
        // Squares of single precision numbers are exact.
        if (a > 0.5 && a < 2.0) return 0.5 * CUF_LIBM(log1p)((a - 1.0) * (a + 1.0) + b * b);
        return 0.5 * CUF_LIBM(log)(a * a + b * b);
    } else {
        if (a > 0.5 && a < 2.0) {
            // log1p((a-1)*(a+1) + b*b) / 2, with both products to twice the precision.
            const pair sum = exact_sum(a, 1.0);
            const pair u = (a - 1.0) * sum + exact_product(b, b);
            return 0.5 * (CUF_LIBM(log1p)(u.hi) + u.lo / (1.0 + u.hi));
        }
        int e = exponent_of(a);
        if (e < 400 && e > -400) e = 0;
        const pair square = sum_of_squares(a * power_of_two(-e), b * power_of_two(-e));
        return double(e) * 0.69314718055994530942 + 0.5 * (CUF_LIBM(log)(square.hi) + square.lo / square.hi);
    }
}
template <class R>
CUF_FN complex<double> log_of(const complex<double>& z)
{
    return {log_abs<R>(z), cuf::atan2(z.im, z.re)};
}

template <class R>
CUF_FN complex<double> sinh_of(const complex<double>& z)
{
    R ch, sh, c, s;
    int k;
    hyperbolic(within_exponents(z.re), ch, sh, k);
    sine_cosine(z.im, 0.0, s, c);
    const double re = scaled(value(sh * c), k), im = scaled(value(ch * s), k);
    return {z.re == 0.0 ? cuf::sign(0.0, re) : re, z.im == 0.0 ? z.im : im};
}

template <class R>
CUF_FN complex<double> cosh_of(const complex<double>& z)
{
    R ch, sh, c, s;
    int k;
    hyperbolic(within_exponents(z.re), ch, sh, k);
    sine_cosine(z.im, 0.0, s, c);
    const double re = scaled(value(ch * c), k), im = scaled(value(sh * s), k);
    if (z.im == 0.0) return {re, z.re < 0.0 ? -z.im : z.im};
    return {re, im};
}

/// (sinh x cosh x + i sin y cos y) / (sinh(x)**2 + cos(y)**2): no cancellation; saturates far from the imaginary axis.
template <class R>
CUF_FN complex<double> tanh_of(const complex<double>& z)
{
    R c, s;
    sine_cosine(z.im, 0.0, s, c);
    int k;
    if (cuf::abs(z.re) > 22.0) {
        R v;
        exponential(within_exponents(-2.0 * cuf::abs(z.re)), 0.0, v, k);
        const double im = is_finite(z.im) ? scaled(4.0 * value(v) * value(s * c), k) : 0.0;
        return {cuf::sign(1.0, z.re), im};
    }
    R ch, sh;
    hyperbolic(z.re, ch, sh, k);
    ch = scaled(ch, k), sh = scaled(sh, k);
    const R d = sh * sh + c * c;
    return {z.re == 0.0 ? z.re : cuf::sign(value(sh * ch / d), z.re), z.im == 0.0 ? z.im : value(s * c / d)};
}

/// The inverse functions by Kahan's formulas: each part without cancellation, exact on the cuts.
template <class R>
CUF_FN complex<double> asin_of(const complex<double>& z)
{
    const complex<double> p = sqrt_of<R>({1.0 + z.re, z.im});
    const complex<double> m = sqrt_of<R>({1.0 - z.re, -z.im});
    return {cuf::atan2(z.re, difference_of_products(m.re, p.re, m.im, p.im)),
            cuf::asinh(difference_of_products(m.re, p.im, m.im, p.re))};
}
template <class R>
CUF_FN complex<double> acos_of(const complex<double>& z)
{
    const complex<double> p = sqrt_of<R>({1.0 + z.re, z.im});
    const complex<double> m = sqrt_of<R>({1.0 - z.re, -z.im});
    return {2.0 * cuf::atan2(m.re, p.re), cuf::asinh(difference_of_products(p.re, m.im, p.im, m.re))};
}
template <class R>
CUF_FN complex<double> acosh_of(const complex<double>& z)
{
    const complex<double> p = sqrt_of<R>({z.re + 1.0, z.im});
    const complex<double> m = sqrt_of<R>({z.re - 1.0, z.im});
    return {cuf::asinh(difference_of_products(m.re, p.re, -m.im, p.im)), 2.0 * cuf::atan2(m.im, p.re)};
}
CUF_FN inline complex<double> atanh_of(const complex<double>& z)
{
    const double theta = 3.3519519824856493e153;
    const double beta = cuf::sign(1.0, z.re);
    const double x = beta * z.re, y = -beta * z.im, t = cuf::abs(y);
    double xi, eta;
    if (x > theta || t > theta) {
        eta = cuf::sign(1.57079632679489661923, y);
        const double h = cuf::hypot(x / 2.0, y / 2.0);
        xi = x / h / h / 4.0;
    } else {
        const double d = (1.0 - x) * (1.0 - x) + t * t;
        // Close to the poles the squares underflow.
        xi = x == 1.0 && t < 1e-100 ? 0.5 * cuf::log(2.0 / t) : CUF_LIBM(log1p)(4.0 * x / d) / 4.0;
        eta = cuf::atan2(2.0 * y, (1.0 - x) * (1.0 + x) - t * t) / 2.0;
        if (x == 1.0 && t == 0.0) eta = y;
    }
    return {beta * xi, -beta * eta};
}

template <class T>
CUF_FN complex<T> sqrt(const complex<T>& z)
{
    return sqrt_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> exp(const complex<T>& z)
{
    return exp_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> log(const complex<T>& z)
{
    return log_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> sinh(const complex<T>& z)
{
    return sinh_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> cosh(const complex<T>& z)
{
    return cosh_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> tanh(const complex<T>& z)
{
    return tanh_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> asin(const complex<T>& z)
{
    return asin_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> acos(const complex<T>& z)
{
    return acos_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> acosh(const complex<T>& z)
{
    return acosh_of<working<T>>(z);
}
template <class T>
CUF_FN complex<T> atanh(const complex<T>& z)
{
    return atanh_of(z);
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

/// exp(w * log(z)) with the product carried in high and low parts, for its error is magnified by its size.
template <class R>
CUF_FN complex<double> pow_of(const complex<double>& z, const complex<double>& w)
{
    if (z.re == 0.0 && z.im == 0.0) {
        if (w.re == 0.0 && w.im == 0.0) return {1.0, 0.0};
        if (w.re > 0.0) return {0.0, 0.0};
    }
    const complex<double> u = w * log_of<R>(z);
    // Elsewhere the result is none, zero or infinite, or the angle is beyond the kernel's.
    if constexpr (sizeof(R) != sizeof(double)) {
        if (cuf::abs(u.re) < 1300.0 && cuf::abs(u.im) < 1e9 && is_finite(z.re) && is_finite(z.im)) {
            pair modulus, angle, v, c, s;
            polar_logarithm(z.re, z.im, modulus, angle);
            const pair re = w.re * modulus + -(w.im * angle), im = w.re * angle + w.im * modulus;
            int k;
            exponential(re.hi, re.lo, v, k);
            sine_cosine(im.hi, im.lo, s, c);
            return {scaled(value(v * c), k), scaled(value(v * s), k)};
        }
    }
    return exp_of<R>(u);
}
template <class T>
CUF_FN complex<T> pow(const complex<T>& z, const complex<T>& w)
{
    return pow_of<working<T>>(z, w);
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

namespace detail {

/// The product, with each operation rounded by itself under nvcc too: powers are gfortran's to the bit.
template <class T>
CUF_INLINE complex<T> rounded_product(const complex<T>& a, const complex<T>& b)
{
    return {add_rn(mul_rn(a.re, b.re), -mul_rn(a.im, b.im)), add_rn(mul_rn(a.re, b.im), mul_rn(a.im, b.re))};
}
/// 1/z by Smith's method, likewise; the zeros give gfortran's signs.
template <class T>
CUF_INLINE complex<T> rounded_inverse(const complex<T>& z)
{
    if ((z.re < 0 ? -z.re : z.re) < (z.im < 0 ? -z.im : z.im)) {
        const T ratio = z.re / z.im;
        const T div = add_rn(mul_rn(z.re, ratio), z.im);
        return {(ratio + T(0)) / div, T(-1) / div};
    }
    const T ratio = z.im / z.re;
    const T div = add_rn(mul_rn(z.im, ratio), z.re);
    return {T(1) / div, (T(0) - ratio) / div};
}

}  // namespace detail

/// complex ** integer by repeated squaring; a negative exponent inverts the base first, as libgfortran does.
template <class T, integer_kind N>
CUF_INLINE complex<T> pow(complex<T> z, N n)
{
    using U = detail::wide_bits_t<N>;
    complex<T> result(T(1), T(0));
    if (n == 0) return result;
    U m = U(n);
    if (n < 0) {
        m = U(0) - U(n);
        z = detail::rounded_inverse(z);
    }
    for (;;) {
        if ((m & 1) != 0) result = detail::rounded_product(result, z);
        m >>= 1;
        if (m == 0) return result;
        z = detail::rounded_product(z, z);
    }
}

template <class A, class B>
CUF_INLINE auto pow(const complex<A>& z, const complex<B>& w)
{
    using T = wider<A, B>;
    return detail::complex_pow(complex<T>(z), complex<T>(w));
}
template <class A, real_kind B>
CUF_INLINE auto pow(const complex<A>& z, B w)
{
    return pow(z, complex<B>(w));
}
template <class A, class B>
    requires(std::is_arithmetic_v<A>)
CUF_INLINE auto pow(A z, const complex<B>& w)
{
    using T = detail::mixed_part<B, A>;
    return pow(complex<T>(z), complex<T>(w));
}

}  // namespace cuf
