// The operator **.
#pragma once

#include "complex_math.hpp"
#include "numeric.hpp"

namespace cuf {

/// integer ** integer; wraps on overflow. A negative exponent gives 0, except for the bases 1 and -1.
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr wider<A, B> pow(A a, B n)
{
    using I = wider<A, B>;
    using U = detail::wide_bits_t<I>;
    if (n < 0) {
        if (a == 1) return I(1);
        if (a == A(-1)) return (n & 1) != 0 ? I(-1) : I(1);
        return I(0);
    }
    U base = U(I(a));
    U result = 1;
    for (detail::wide_bits_t<B> m = detail::wide_bits_t<B>(n);;) {
        if ((m & 1) != 0) result *= base;
        m >>= 1;
        if (m == 0) break;
        base *= base;
    }
    return I(result);
}

/// real ** integer by repeated squaring, in the order of the compiler's power routine; with integer(8) exponents
/// libgfortran inverts the base first.
template <real_kind T, integer_kind N>
CUF_INLINE constexpr T pow(T x, N n)
{
    using U = detail::wide_bits_t<N>;
    U m = n < 0 ? U(0) - U(n) : U(n);
    if (sizeof(N) > 4 && n < 0) x = T(1) / x;
    T y = (m & 1) != 0 ? x : T(1);
    while ((m >>= 1) != 0) {
        x *= x;
        if ((m & 1) != 0) y *= x;
    }
    return sizeof(N) <= 4 && n < 0 ? T(1) / y : y;
}

template <real_kind A, real_kind B>
CUF_INLINE wider<A, B> pow(A x, B y)
{
    if constexpr (sizeof(wider<A, B>) == 4) return CUF_LIBM(powf)(x, y);
    else return CUF_LIBM(pow)(double(x), double(y));
}

template <integer_kind A, real_kind B>
CUF_INLINE B pow(A x, B y)
{
    return pow(B(x), y);
}

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
