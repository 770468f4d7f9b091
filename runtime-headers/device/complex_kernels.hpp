// Real functions to more than double precision, from which the device's complex functions are made: results are unevaluated sums.
// Only the header complex_math.hpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "math.hpp"

namespace cuf {
namespace detail {

/// A product or sum rounded by itself: nvcc must not merge it with another operation.
CUF_INLINE float mul_rn(float a, float b)
{
#if defined(__CUDA_ARCH__)
    return ::__fmul_rn(a, b);
#else
    return a * b;
#endif
}
CUF_INLINE float add_rn(float a, float b)
{
#if defined(__CUDA_ARCH__)
    return ::__fadd_rn(a, b);
#else
    return a + b;
#endif
}
CUF_INLINE double mul_rn(double a, double b)
{
#if defined(__CUDA_ARCH__)
    return ::__dmul_rn(a, b);
#else
    return a * b;
#endif
}
CUF_INLINE double add_rn(double a, double b)
{
#if defined(__CUDA_ARCH__)
    return ::__dadd_rn(a, b);
#else
    return a + b;
#endif
}

namespace device_complex {

CUF_INLINE double fma(double a, double b, double c)
{
    return CUF_LIBM(fma)(a, b, c);
}

/// hi + lo, with lo below a few ulp of hi.
struct pair {
    double hi, lo;
};

/// The rounded value; a zero keeps its sign.
CUF_INLINE double value(const pair& a)
{
    return a.hi == 0.0 ? a.hi : a.hi + a.lo;
}
CUF_INLINE double value(double a)
{
    return a;
}

/// a + b exactly, where |a| >= |b| or a is zero.
CUF_INLINE pair ordered_sum(double a, double b)
{
    const double s = add_rn(a, b);
    return {s, add_rn(b, -add_rn(s, -a))};
}
/// a + b exactly.
CUF_INLINE pair exact_sum(double a, double b)
{
    const double s = add_rn(a, b);
    const double t = add_rn(s, -a);
    return {s, add_rn(add_rn(a, -add_rn(s, -t)), add_rn(b, -t))};
}
/// a * b exactly, unless the error underflows.
CUF_INLINE pair exact_product(double a, double b)
{
    const double p = mul_rn(a, b);
    return {p, fma(a, b, -p)};
}

CUF_INLINE pair operator-(const pair& a)
{
    return {-a.hi, -a.lo};
}
CUF_INLINE pair operator+(const pair& a, const pair& b)
{
    const pair s = exact_sum(a.hi, b.hi);
    return ordered_sum(s.hi, s.lo + (a.lo + b.lo));
}
CUF_INLINE pair operator*(const pair& a, const pair& b)
{
    const pair p = exact_product(a.hi, b.hi);
    return {p.hi, fma(a.hi, b.lo, fma(a.lo, b.hi, p.lo))};
}
CUF_INLINE pair operator*(double a, const pair& b)
{
    const pair p = exact_product(a, b.hi);
    return {p.hi, fma(a, b.lo, p.lo)};
}
CUF_INLINE pair operator/(const pair& a, const pair& b)
{
    const double q = a.hi / b.hi;
    const double rest = fma(-q, b.hi, a.hi) + fma(-q, b.lo, a.lo);
    return {q, rest / b.hi};
}

/// 2**k for a normal result.
CUF_INLINE double power_of_two(int k)
{
    return bit_cast<double>(int64_t(k + 1023) << 52);
}
/// a * 2**k, over- and underflowing only if the result does; |k| < 2044.
CUF_INLINE double scaled(double a, int k)
{
    const int half = k >> 1;
    return a * power_of_two(half) * power_of_two(k - half);
}
CUF_INLINE pair scaled(const pair& a, int k)
{
    return {scaled(a.hi, k), scaled(a.lo, k)};
}
/// The binary exponent of |a|, kept where both powers of two are normal.
CUF_INLINE int exponent_of(double a)
{
    const int e = int((bit_cast<int64_t>(a) >> 52) & 0x7ff) - 1023;
    return e < -1022 ? -1022 : e > 1022 ? 1022 : e;
}

/// Beyond this the exponential, with any factor that a sine can be, is zero or infinite.
CUF_INLINE double within_exponents(double x)
{
    return x > 1400.0 ? 1400.0 : x < -1400.0 ? -1400.0 : x;
}

/// exp(x + low) = v * 2**k, where x is within_exponents and low is small; the error is below 2**-58.
CUF_FN inline void exponential(double x, double low, pair& v, int& k)
{
    const double n = CUF_LIBM(rint)(x * 1.4426950408889634);
    k = x == x ? int(n) : 0;
    // n has 12 bits and the first part of log(2) 32: the product and the difference are exact.
    const double high = fma(-n, 0x1.62e42fee00000p-1, x);
    const pair r = ordered_sum(high, fma(-n, 0x1.a39ef35793c76p-33, low));
    const double x1 = r.hi;
    double p = 1.1470745597729725e-11;
    p = fma(p, x1, 1.6059043836821613e-10);
    p = fma(p, x1, 2.08767569878681e-09);
    p = fma(p, x1, 2.505210838544172e-08);
    p = fma(p, x1, 2.755731922398589e-07);
    p = fma(p, x1, 2.7557319223985893e-06);
    p = fma(p, x1, 2.48015873015873e-05);
    p = fma(p, x1, 0.0001984126984126984);
    p = fma(p, x1, 0.001388888888888889);
    p = fma(p, x1, 0.008333333333333333);
    p = fma(p, x1, 0.041666666666666664);
    p = fma(p, x1, 0.16666666666666666);
    const pair square = exact_product(x1 * 0.5, x1);
    const pair linear = ordered_sum(1.0, x1);
    const pair two = exact_sum(linear.hi, square.hi);
    // The rest: the cube and beyond, the errors of the sums, and the derivative times the low part of the argument.
    const double cube = mul_rn(square.hi + square.hi, x1) * p;
    const double rest = cube + (linear.lo + two.lo + square.lo + fma(r.lo, x1, r.lo));
    v = ordered_sum(two.hi, rest);
}

/// sin(y + low) and cos(y + low), each within 2**-55; from 2**30 on as good as the library's.
CUF_FN inline void sine_cosine(double y, double low, pair& sine, pair& cosine)
{
    if (!(cuf::abs(y) <= 1073741824.0)) {
        sine = {CUF_LIBM(sin)(y), 0.0};
        cosine = {CUF_LIBM(cos)(y), 0.0};
        return;
    }
    const int quadrant = int(CUF_LIBM(rint)(y * 0.6366197723675814));
    const double n = quadrant;
    // The first difference is exact; the others carry pi/2 to 160 bits.
    const double high = fma(-n, 1.5707963267948966, y);
    const pair product = exact_product(-n, 6.123233995736766e-17);
    const pair sum = exact_sum(high, product.hi);
    const pair r = ordered_sum(sum.hi, sum.lo + fma(-n, -1.4973849048591698e-33, product.lo + low));
    const double x = r.hi;
    const pair square = exact_product(x, x);
    const double x2 = square.hi;
    double p = 2.8114572543455206e-15;
    p = fma(p, x2, -7.647163731819816e-13);
    p = fma(p, x2, 1.6059043836821613e-10);
    p = fma(p, x2, -2.505210838544172e-08);
    p = fma(p, x2, 2.7557319223985893e-06);
    p = fma(p, x2, -0.0001984126984126984);
    p = fma(p, x2, 0.008333333333333333);
    p = fma(p, x2, -0.16666666666666666);
    pair s = ordered_sum(x, fma(p * x2, x, fma(-0.5 * x2, r.lo, r.lo)));
    if (x == 0.0) s = {x, 0.0};
    double q = -1.5619206968586225e-16;
    q = fma(q, x2, 4.779477332387385e-14);
    q = fma(q, x2, -1.1470745597729725e-11);
    q = fma(q, x2, 2.08767569878681e-09);
    q = fma(q, x2, -2.755731922398589e-07);
    q = fma(q, x2, 2.48015873015873e-05);
    q = fma(q, x2, -0.001388888888888889);
    q = fma(q, x2, 0.041666666666666664);
    const pair half = ordered_sum(1.0, -0.5 * x2);
    const pair c = ordered_sum(half.hi, fma(q * x2, x2, half.lo - fma(x, r.lo, 0.5 * square.lo)));
    const bool odd = (quadrant & 1) != 0;
    sine = odd ? c : s;
    cosine = odd ? s : c;
    if ((quadrant & 2) != 0) sine = -sine;
    if (((quadrant + 1) & 2) != 0) cosine = -cosine;
}

/// cosh(x) = c * 2**k and sinh(x) = s * 2**k, within 2**-56, where |x| is within_exponents.
CUF_FN inline void hyperbolic(double x, pair& c, pair& s, int& k)
{
    pair e;
    exponential(cuf::abs(x), 0.0, e, k);
    const pair inverse = pair{1.0, 0.0} / e;
    const double scale = k < 500 ? power_of_two(-2 * k) : 0.0;
    c = e + pair{inverse.hi * scale, inverse.lo * scale};
    s = e + pair{-inverse.hi * scale, -inverse.lo * scale};
    if (x < 0.0) s = -s;
    k -= 1;
    if (cuf::abs(x) < 0.35) {
        // Here k was 0 or 1, and the difference cancels.
        const double x2 = x * x;
        double p = 1.6059043836821613e-10;
        p = fma(p, x2, 2.505210838544172e-08);
        p = fma(p, x2, 2.7557319223985893e-06);
        p = fma(p, x2, 0.0001984126984126984);
        p = fma(p, x2, 0.008333333333333333);
        p = fma(p, x2, 0.16666666666666666);
        s = ordered_sum(x, p * x2 * x);
        if (x == 0.0) s = {x, 0.0};
        const double back = power_of_two(-k);
        s = {s.hi * back, s.lo * back};
    }
}

/// The same names with plain results: enough for functions of single precision, which are rounded to it once.
CUF_INLINE void exponential(double x, double, double& v, int& k)
{
    // Powers of single precision numbers may have exponents beyond; those of their results are far within.
    v = CUF_LIBM(exp)(x > 700.0 ? 700.0 : x);
    k = 0;
}
CUF_INLINE void sine_cosine(double y, double, double& sine, double& cosine)
{
    CUF_LIBM(sincos)(y, &sine, &cosine);
}
CUF_INLINE void hyperbolic(double x, double& c, double& s, int& k)
{
    const double within = x > 700.0 ? 700.0 : x < -700.0 ? -700.0 : x;
    c = CUF_LIBM(cosh)(within);
    s = CUF_LIBM(sinh)(within);
    k = 0;
}

/// a*a + b*b; the arguments are such that no square overflows and the larger does not underflow.
CUF_INLINE pair sum_of_squares(double a, double b)
{
    return exact_product(a, a) + exact_product(b, b);
}
/// a*b - c*d without cancellation.
CUF_INLINE double difference_of_products(double a, double b, double c, double d)
{
    const pair p = exact_product(a, b), q = exact_product(c, d);
    const double high = p.hi - q.hi, low = p.lo - q.lo;
    // No addition where high is infinite, or the zero of an axis with its sign.
    return high - high != 0.0 || low == 0.0 ? high : high + low;
}

/// log|z| and the angle of a finite z other than zero, within 2**-55 absolutely: for powers, which magnify the error.
CUF_FN inline void polar_logarithm(double re, double im, pair& modulus, pair& angle)
{
    const double larger = cuf::abs(re) > cuf::abs(im) ? cuf::abs(re) : cuf::abs(im);
    const int e = exponent_of(larger);
    const double back = power_of_two(-e);
    const double x = re * back, y = im * back;
    const pair square = sum_of_squares(x, y);
    // One step of Newton's method for each: the exponential and the sine are more accurate than the library's inverses.
    const double first = CUF_LIBM(log)(square.hi);
    pair v;
    int k;
    exponential(-first, 0.0, v, k);
    const pair product = square * scaled(v, k);
    const double excess = (product.hi - 1.0) + product.lo;
    const pair half = ordered_sum(0.5 * first, 0.5 * excess);
    modulus = exact_sum(double(e) * 0x1.62e42fee00000p-1, half.hi);
    modulus = ordered_sum(modulus.hi, modulus.lo + (half.lo + double(e) * 0x1.a39ef35793c76p-33));
    if (e == 0) modulus = half;

    const double theta = CUF_LIBM(atan2)(y, x);
    pair sine, cosine;
    sine_cosine(theta, 0.0, sine, cosine);
    const pair p = y * cosine, q = x * sine;
    const double turn = ((p.hi - q.hi) + (p.lo - q.lo)) / CUF_LIBM(sqrt)(square.hi);
    angle = ordered_sum(theta, turn);
    if (theta == 0.0) angle = {theta, turn};
}

}  // namespace device_complex
}  // namespace detail
}  // namespace cuf
