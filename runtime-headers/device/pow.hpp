// The operator ** of integers and reals; complex_math.hpp has that of complex numbers.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

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

}  // namespace cuf
