// Level 1 of BLAS, written out: any stride and zero sizes as cuBLAS has them, sums of single precision in double precision.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "blas.hpp"
#include <cmath>
#include <limits>

namespace cuf::cpu::blas {

extern "C" {
void srotg_(float*, float*, float*, float*);
void drotg_(double*, double*, double*, double*);
void crotg_(c4*, c4*, float*, c4*);
void zrotg_(c8*, c8*, double*, c8*);
void srotmg_(float*, float*, float*, const float*, float*);
void drotmg_(double*, double*, double*, const double*, double*);
}
inline void rotg(float* a, float* b, float* c, float* s) { srotg_(a, b, c, s); }
inline void rotg(double* a, double* b, double* c, double* s) { drotg_(a, b, c, s); }
inline void rotg(c4* a, c4* b, float* c, c4* s) { crotg_(a, b, c, s); }
inline void rotg(c8* a, c8* b, double* c, c8* s) { zrotg_(a, b, c, s); }
inline void rotmg(float* d1, float* d2, float* x1, const float* y1, float* param) { srotmg_(d1, d2, x1, y1, param); }
inline void rotmg(double* d1, double* d2, double* x1, const double* y1, double* param) { drotmg_(d1, d2, x1, y1, param); }

template <class T>
struct wide {
    using type = double;
};
template <class T>
struct wide<std::complex<T>> {
    using type = c8;
};
/// The type in which sums are formed.
template <class T>
using sum_of = typename wide<T>::type;

/// The sum of term(0) to term(n - 1), in lanes: faster and closer than one after the other.
template <class A, class Term>
A sum(int n, Term term)
{
    constexpr int lanes = 8;
    A part[lanes]{};
    int i = 0;
    for (; i + lanes <= n; i += lanes)
        for (int k = 0; k < lanes; ++k) part[k] += term(i + k);
    for (int k = 0; i < n; ++i, ++k) part[k] += term(i);
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

template <class T>
real_of<T> abs1(T x)
{
    if constexpr (is_complex<T>) return std::abs(x.real()) + std::abs(x.imag());
    else return std::abs(x);
}

/// The first of the largest (`sign` 1) or smallest (-1) elements by magnitude, counted from 1.
template <class T>
int iamax(int n, const T* x, int incx, int sign)
{
    if (n < 1 || incx < 1) return 0;
    int at = 0;
    auto best = abs1(x[0]);
    for (int i = 1; i < n; ++i) {
        const auto a = abs1(x[std::int64_t(i) * incx]);
        if (sign > 0 ? a > best : a < best) at = i, best = a;
    }
    return at + 1;
}

template <class T>
real_of<T> asum(int n, const T* x, int incx)
{
    if (n < 1 || incx < 1) return 0;
    return real_of<T>(sum<double>(n, [=](int i) { return double(abs1(x[std::int64_t(i) * incx])); }));
}

/// The Euclidean norm, without overflow of the squares.
template <class T>
real_of<T> nrm2(int n, const T* x, int incx)
{
    if (n < 1 || incx < 1) return 0;
    const auto squares = [=](double scale) {
        return sum<double>(n, [=](int i) {
            const T v = x[std::int64_t(i) * incx];
            const double re = double(std::real(v)) / scale, im = double(std::imag(v)) / scale;
            return re * re + im * im;
        });
    };
    const double plain = squares(1);
    if (std::isnan(plain) || (plain > 1e-280 && plain < 1e300)) return real_of<T>(std::sqrt(plain));
    double most = 0;
    for (int i = 0; i < n; ++i) most = std::max(most, double(abs1(x[std::int64_t(i) * incx])));
    if (most == 0 || std::isinf(most)) return real_of<T>(most);
    return real_of<T>(most * std::sqrt(squares(most)));
}

template <class T>
T dot(int n, const T* x, int incx, const T* y, int incy, bool conjugated)
{
    if (n < 1) return T(0);
    const strided<const T> u(x, n, incx), v(y, n, incy);
    using A = sum_of<T>;
    return T(sum<A>(n, [=](int i) { return A(conjugated ? conjugate(u[i]) : u[i]) * A(v[i]); }));
}

template <class T>
void axpy(int n, T a, const T* x, int incx, T* y, int incy)
{
    const strided<const T> u(x, n, incx);
    const strided<T> v(y, n, incy);
    for (int i = 0; i < n; ++i) v[i] += a * u[i];
}

template <class T>
void copy(int n, const T* x, int incx, T* y, int incy)
{
    const strided<const T> u(x, n, incx);
    const strided<T> v(y, n, incy);
    for (int i = 0; i < n; ++i) v[i] = u[i];
}

template <class T>
void swap(int n, T* x, int incx, T* y, int incy)
{
    const strided<T> u(x, n, incx), v(y, n, incy);
    for (int i = 0; i < n; ++i) std::swap(u[i], v[i]);
}

template <class S, class T>
void scal(int n, S a, T* x, int incx)
{
    if (incx < 1) return;
    for (int i = 0; i < n; ++i) x[std::int64_t(i) * incx] *= a;
}

template <class T, class S>
void rot(int n, T* x, int incx, T* y, int incy, real_of<T> c, S s)
{
    const strided<T> u(x, n, incx), v(y, n, incy);
    for (int i = 0; i < n; ++i) {
        const T a = u[i], b = v[i];
        u[i] = c * a + s * b;
        v[i] = c * b - conjugate(s) * a;
    }
}

template <class T>
void rotm(int n, T* x, int incx, T* y, int incy, const T* param)
{
    const T flag = param[0];
    if (flag == T(-2)) return;
    const T h11 = flag == 0 ? T(1) : param[1], h21 = flag == 1 ? T(-1) : param[2];
    const T h12 = flag == 1 ? T(1) : param[3], h22 = flag == 0 ? T(1) : param[4];
    const strided<T> u(x, n, incx), v(y, n, incy);
    for (int i = 0; i < n; ++i) {
        const T a = u[i], b = v[i];
        u[i] = h11 * a + h12 * b;
        v[i] = h21 * a + h22 * b;
    }
}

}  // namespace cuf::cpu::blas
