// complex(4) and complex(8): layout and arithmetic of gfortran (products by the definition, quotients by Smith's method).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

namespace cuf {

/// Two reals in memory, with the alignment of one.
template <class T>
struct complex {
    using part = T;

    complex() = default;
    template <class U>
        requires(std::is_arithmetic_v<U>)
    CUF_INLINE constexpr complex(U real) : re(T(real)), im(T(0))
    {
    }
    template <class U, class V>
        requires(std::is_arithmetic_v<U> && std::is_arithmetic_v<V>)
    CUF_INLINE constexpr complex(U real, V imaginary) : re(T(real)), im(T(imaginary))
    {
    }
    template <class U>
        requires(!std::is_same_v<U, T>)
    CUF_INLINE constexpr complex(const complex<U>& z) : re(T(z.re)), im(T(z.im))
    {
    }
    /// Fortran conversion: the real part, truncated for an integer.
    template <class U>
        requires(std::is_arithmetic_v<U>)
    CUF_INLINE constexpr explicit operator U() const
    {
        return U(re);
    }

    T re;
    T im;
};

namespace detail {

/// Part type of an operation of complex<T> with a real or integer U.
template <class T, class U>
using mixed_part = std::conditional_t<std::is_floating_point_v<U>, wider<T, U>, T>;

}  // namespace detail

template <class T>
CUF_INLINE constexpr complex<T> operator+(const complex<T>& a)
{
    return a;
}
template <class T>
CUF_INLINE constexpr complex<T> operator-(const complex<T>& a)
{
    return {-a.re, -a.im};
}

template <class A, class B>
CUF_INLINE constexpr auto operator+(const complex<A>& a, const complex<B>& b)
{
    using T = wider<A, B>;
    return complex<T>(T(a.re) + T(b.re), T(a.im) + T(b.im));
}
template <class A, class B>
CUF_INLINE constexpr auto operator-(const complex<A>& a, const complex<B>& b)
{
    using T = wider<A, B>;
    return complex<T>(T(a.re) - T(b.re), T(a.im) - T(b.im));
}
template <class A, class B>
CUF_INLINE constexpr auto operator*(const complex<A>& a, const complex<B>& b)
{
    using T = wider<A, B>;
    const T ar = T(a.re), ai = T(a.im), br = T(b.re), bi = T(b.im);
    return complex<T>(ar * br - ai * bi, ar * bi + ai * br);
}
template <class A, class B>
CUF_INLINE constexpr auto operator/(const complex<A>& a, const complex<B>& b)
{
    using T = wider<A, B>;
    const T ar = T(a.re), ai = T(a.im), br = T(b.re), bi = T(b.im);
    if ((br < 0 ? -br : br) < (bi < 0 ? -bi : bi)) {
        const T ratio = br / bi;
        const T div = br * ratio + bi;
        return complex<T>((ar * ratio + ai) / div, (ai * ratio - ar) / div);
    }
    const T ratio = bi / br;
    const T div = bi * ratio + br;
    return complex<T>((ai * ratio + ar) / div, (ai - ar * ratio) / div);
}

// A real operand is converted first, as the standard says and gfortran does: the signs of zero parts tell (branch cuts of sqrt and log).
template <class A, class B>
    requires(std::is_arithmetic_v<B>)
CUF_INLINE constexpr auto operator+(const complex<A>& a, B b)
{
    using T = detail::mixed_part<A, B>;
    return complex<T>(a) + complex<T>(T(b));
}
template <class A, class B>
    requires(std::is_arithmetic_v<A>)
CUF_INLINE constexpr auto operator+(A a, const complex<B>& b)
{
    using T = detail::mixed_part<B, A>;
    return complex<T>(T(a)) + complex<T>(b);
}
template <class A, class B>
    requires(std::is_arithmetic_v<B>)
CUF_INLINE constexpr auto operator-(const complex<A>& a, B b)
{
    using T = detail::mixed_part<A, B>;
    return complex<T>(a) - complex<T>(T(b));
}
template <class A, class B>
    requires(std::is_arithmetic_v<A>)
CUF_INLINE constexpr auto operator-(A a, const complex<B>& b)
{
    using T = detail::mixed_part<B, A>;
    return complex<T>(T(a)) - complex<T>(b);
}
template <class A, class B>
    requires(std::is_arithmetic_v<B>)
CUF_INLINE constexpr auto operator*(const complex<A>& a, B b)
{
    using T = detail::mixed_part<A, B>;
    return complex<T>(a) * complex<T>(T(b));
}
template <class A, class B>
    requires(std::is_arithmetic_v<A>)
CUF_INLINE constexpr auto operator*(A a, const complex<B>& b)
{
    using T = detail::mixed_part<B, A>;
    return complex<T>(T(a)) * complex<T>(b);
}
template <class A, class B>
    requires(std::is_arithmetic_v<B>)
CUF_INLINE constexpr auto operator/(const complex<A>& a, B b)
{
    using T = detail::mixed_part<A, B>;
    return complex<T>(a) / complex<T>(T(b));
}
template <class A, class B>
    requires(std::is_arithmetic_v<A>)
CUF_INLINE constexpr auto operator/(A a, const complex<B>& b)
{
    using T = detail::mixed_part<B, A>;
    return complex<T>(T(a)) / complex<T>(b);
}

template <class T, class U>
CUF_INLINE constexpr complex<T>& operator+=(complex<T>& a, const U& b)
{
    return a = a + b;
}
template <class T, class U>
CUF_INLINE constexpr complex<T>& operator-=(complex<T>& a, const U& b)
{
    return a = a - b;
}
template <class T, class U>
CUF_INLINE constexpr complex<T>& operator*=(complex<T>& a, const U& b)
{
    return a = a * b;
}
template <class T, class U>
CUF_INLINE constexpr complex<T>& operator/=(complex<T>& a, const U& b)
{
    return a = a / b;
}

template <class A, class B>
CUF_INLINE constexpr bool operator==(const complex<A>& a, const complex<B>& b)
{
    using T = wider<A, B>;
    return T(a.re) == T(b.re) && T(a.im) == T(b.im);
}
template <class A, class B>
    requires(std::is_arithmetic_v<B>)
CUF_INLINE constexpr bool operator==(const complex<A>& a, B b)
{
    using T = detail::mixed_part<A, B>;
    return T(a.re) == T(b) && a.im == A(0);
}

template <class T>
CUF_INLINE constexpr complex<T> conjg(const complex<T>& z)
{
    return {z.re, -z.im};
}
template <class T>
CUF_INLINE constexpr T aimag(const complex<T>& z)
{
    return z.im;
}

}  // namespace cuf

// The functions of a type come with the type: who has complex numbers finds all that is overloaded for them.
#include "complex_math.hpp"
