// Instantiates the device library for nvcc; compiled only.
#include "device/array.hpp"
#include "device/cache_hints.hpp"
#include "device/character.hpp"
#include "device/half.hpp"
#include "device/intrinsics.hpp"
#include "device/logical.hpp"
#include "device/print.hpp"

__device__ float total(cuf::view<const float, 2> v)
{
    float s = 0;
    for (int j = 1; j <= v.ubound(2); ++j)
        for (int i = 1; i <= v.ubound(1); ++i) s += v(i, j);
    return s;
}

__global__ void arrays(const float* __restrict__ p, float* __restrict__ q, int n, int m, cuf::descriptor d)
{
    cuf::array<const float, 2> a(p, n, m);
    cuf::array<float, 2> b(q, cuf::range{0, n - 1}, cuf::assumed{});
    __shared__ cuf::fixed_array<float, 33, cuf::range{0, 17}> t;
    const int i = threadIdx.x + 1, j = threadIdx.y + 1;
    t(i, j) = a(i, j);
    __syncthreads();
    b(i - 1, j) = t(j, i) + total(a) + total(t);
    cuf::view<cuf::complex<double>, 2> v(d);
    cuf::section(v, cuf::all, 3)(1) = 2.0;
    cuf::section(t, cuf::slice{1, 5, 2}, cuf::all)(1, 2) = cuf::max(1.0f, 2.0f, b(i, j));
}

namespace cuf::test {

template <class T>
__device__ T reals(T x, int n)
{
    return abs(x) + sqrt(x) + exp(x) + log(x) + log10(x) + sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x)
           + cosh(x) + tanh(x) + asinh(x) + acosh(x) + atanh(x) + erf(x) + erfc(x) + erfc_scaled(x) + gamma(x) + log_gamma(x)
           + bessel_j0(x) + bessel_j1(x) + bessel_y0(x) + bessel_y1(x) + bessel_jn(n, x) + bessel_yn(n, x) + aint(x) + anint(x)
           + atan2(x, x) + hypot(x, x) + mod(x, x) + modulo(x, x) + sign(x, x) + dim(x, x) + T(nint<int64_t>(x) + ceiling<int8_t>(x))
           + T(floor(x) + exponent(x)) + fraction(x) + scale(x, n) + set_exponent(x, n) + nearest(x, x) + spacing(x)
           + rrspacing(x) + pow(x, n) + pow(x, x) + pow(n, x) + min(x, x, x) + merge(x, x, n > 0);
}

template <class I>
__device__ I integers(I i, int n)
{
    I to = i;
    mvbits(i, n, n, to, n);
    return I(abs(i) + mod(i, i) + modulo(i, i) + sign(i, i) + dim(i, i) + pow(i, i) + ishft(i, n) + ishftc(i, n, n) + ishftc(i, n)
             + shiftl(i, n) + shiftr(i, n) + shifta(i, n) + ibits(i, n, n) + ibset(i, n) + ibclr(i, n) + btest(i, n) + popcnt(i)
             + poppar(i) + leadz(i) + trailz(i) + dshiftl(i, i, n) + dshiftr(i, i, n) + merge_bits(i, i, i) + bge(i, n)
             + maskl<I>(n) + maskr<I>(n) + to + transfer<I>(n));
}

template <class T>
__device__ cuf::complex<T> complexes(cuf::complex<T> z, int n)
{
    return sqrt(z) + exp(z) + log(z) + sin(z) + cos(z) + tan(z) + sinh(z) + cosh(z) + tanh(z) + pow(z, z) + pow(z, n)
           + pow(z, T(2)) + pow(T(2), z) + abs(z) + conjg(z) * aimag(z) / z + n / z;
}

}  // namespace cuf::test

__global__ void values(float* f, double* d, int8_t* i1, int16_t* i2, int* i4, int64_t* i8, cuf::half* h, cuf::complex<float>* c,
                       cuf::complex<double>* z, cuf::logical<4>* l, cuf::character<12>* s)
{
    *f = cuf::test::reals(*f, *i4);
    *d = cuf::test::reals(*d, *i4);
    *i1 = cuf::test::integers(*i1, *i4);
    *i2 = cuf::test::integers(*i2, *i4);
    *i4 = cuf::test::integers(*i4, *i4);
    *i8 = cuf::test::integers(*i8, *i4);
    *h = cuf::sqrt(*h) + cuf::max(*h, cuf::half(2.0f)) * cuf::pow(*h, 3) + cuf::half(cuf::nint(*h));
    *c = cuf::test::complexes(*c, *i4) + *z;
    *z = cuf::test::complexes(*z, *i4);
    *l = *l && *i4 > 3;
    (*s)(2, 3) = "ab";
    if (*s == "x" || cuf::index(*s, "b") > 1) *s = cuf::concat(cuf::adjustl(*s), cuf::achar(65));
    cuf::print("values", *f, *d, *i1, *i8, *h, *c, *z, *l, true, *s, (*s)(1, 2));
}

__global__ void hints(int* i, int64_t* k, double* d, cuf::half* h, cuf::complex<float>* c)
{
    cuf::stcg(*i, cuf::ldcg(*i) + cuf::ldca(*i) + cuf::ldcs(*i) + cuf::ldlu(*i));
    cuf::stwt(*k, cuf::ldcv(*k));
    cuf::stwb(*d, cuf::ldca(*d));
    cuf::stcs(*h, cuf::ldca(*h));
    cuf::stwb(*c, cuf::ldcg(*c));
}
