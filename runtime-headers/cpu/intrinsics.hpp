// The device functions of CUDA (guide, table 14) under their C names, for the cpu target; results as on the device
// wherever those are defined. The fast approximations are the accurate functions. Not for nvcc, which has them all.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include <cfenv>
#include <climits>
#include <cmath>
#include <ctime>

#include "../device/half.hpp"

namespace cuf::cpu {

/// Makes the value of x unknown to the compiler at this point.
template <class T>
inline void hide(T& x)
{
    __asm__ volatile("" : "+m"(x));
}

/// Evaluates `operation` under a rounding mode; the compiler can neither fold it nor move it out.
template <class T, class... A, class F>
inline T rounded(int mode, F operation, A... operands)
{
    const int saved = std::fegetround();
    std::fesetround(mode);
    (hide(operands), ...);
    T result = operation(operands...);
    hide(result);
    std::fesetround(saved);
    return result;
}

/// Real to integer in a rounding direction: saturates, NaN gives 0 (for 64-bit results the high bit only).
template <class I, class T>
inline I saturate(T x)
{
    if (x != x) return sizeof(I) == 8 ? I(uint64_t(1) << 63) : I(0);
    constexpr I lo = std::is_signed_v<I> ? I(uint64_t(1) << (sizeof(I) * 8 - 1)) : I(0);
    constexpr I hi = I(~lo);
    // 2**bits is exact in T, the largest integer may not be.
    const T limit = T(1) * T(uint64_t(hi) / 2 + 1) * T(2);
    if (x >= limit) return hi;
    if (x < T(lo)) return lo;
    return I(x);
}

inline float fast_sin(float x) { return std::sin(x); }
inline float fast_cos(float x) { return std::cos(x); }
inline float fast_tan(float x) { return std::tan(x); }
inline float fast_exp(float x) { return std::exp(x); }
inline float fast_exp10(float x) { return ::exp10f(x); }
inline float fast_log(float x) { return std::log(x); }
inline float fast_log2(float x) { return std::log2(x); }
inline float fast_log10(float x) { return std::log10(x); }
inline float fast_pow(float x, float y) { return std::pow(x, y); }
inline float fast_tanh(float x) { return std::tanh(x); }
inline void fast_sincos(float x, float* s, float* c)
{
    *s = std::sin(x);
    *c = std::cos(x);
}

/// sin(pi*x) and cos(pi*x): exact reduction to |r| <= 1/4, exact at multiples of 1/2.
template <class T>
inline void sincos_pi(T x, T& s, T& c)
{
    const double pi = 3.14159265358979323846;
    if (!(x - x == 0)) {
        s = c = x - x;
        return;
    }
    const T y = std::fmod(x, T(2));
    const int quarter = int(std::lround(double(y) * 2));
    const double r = double(y) - 0.5 * quarter;
    const double sr = std::sin(pi * r), cr = std::cos(pi * r);
    switch (quarter & 3) {
    case 0: s = T(sr), c = T(cr); break;
    case 1: s = T(cr), c = T(-sr); break;
    case 2: s = T(-sr), c = T(-cr); break;
    default: s = T(-cr), c = T(sr); break;
    }
    // Zeros: sinpi keeps the sign of x at integers, cospi is +0 at halves.
    if (s == 0) s = std::copysign(T(0), x);
    if (c == 0) c = T(0);
}

}  // namespace cuf::cpu

// glibc declares functions of these names without defining them.
#define __sinf ::cuf::cpu::fast_sin
#define __cosf ::cuf::cpu::fast_cos
#define __tanf ::cuf::cpu::fast_tan
#define __expf ::cuf::cpu::fast_exp
#define __exp10f ::cuf::cpu::fast_exp10
#define __logf ::cuf::cpu::fast_log
#define __log2f ::cuf::cpu::fast_log2
#define __log10f ::cuf::cpu::fast_log10
#define __powf ::cuf::cpu::fast_pow
#define __tanhf ::cuf::cpu::fast_tanh
#define __sincosf ::cuf::cpu::fast_sincos

// ---- arithmetic in a rounding direction

#define CUF_CPU_MODES(define) define(rn, FE_TONEAREST) define(rz, FE_TOWARDZERO) define(ru, FE_UPWARD) define(rd, FE_DOWNWARD)

#define CUF_CPU_ARITHMETIC(suffix, mode)                                                                                              \
    inline float __fadd_##suffix(float x, float y) { return cuf::cpu::rounded<float>(mode, [](float a, float b) { return a + b; }, x, y); }       \
    inline float __fsub_##suffix(float x, float y) { return cuf::cpu::rounded<float>(mode, [](float a, float b) { return a - b; }, x, y); }       \
    inline float __fmul_##suffix(float x, float y) { return cuf::cpu::rounded<float>(mode, [](float a, float b) { return a * b; }, x, y); }       \
    inline float __fdiv_##suffix(float x, float y) { return cuf::cpu::rounded<float>(mode, [](float a, float b) { return a / b; }, x, y); }       \
    inline float __frcp_##suffix(float x) { return __fdiv_##suffix(1.0f, x); }                                                        \
    inline float __fsqrt_##suffix(float x) { return cuf::cpu::rounded<float>(mode, [](float a) { return __builtin_sqrtf(a); }, x); }  \
    inline float __fmaf_##suffix(float x, float y, float z)                                                                           \
    {                                                                                                                                 \
        return cuf::cpu::rounded<float>(mode, [](float a, float b, float c) { return __builtin_fmaf(a, b, c); }, x, y, z);            \
    }                                                                                                                                 \
    inline double __dadd_##suffix(double x, double y) { return cuf::cpu::rounded<double>(mode, [](double a, double b) { return a + b; }, x, y); } \
    inline double __dsub_##suffix(double x, double y) { return cuf::cpu::rounded<double>(mode, [](double a, double b) { return a - b; }, x, y); } \
    inline double __dmul_##suffix(double x, double y) { return cuf::cpu::rounded<double>(mode, [](double a, double b) { return a * b; }, x, y); } \
    inline double __ddiv_##suffix(double x, double y) { return cuf::cpu::rounded<double>(mode, [](double a, double b) { return a / b; }, x, y); } \
    inline double __drcp_##suffix(double x) { return __ddiv_##suffix(1.0, x); }                                                       \
    inline double __dsqrt_##suffix(double x) { return cuf::cpu::rounded<double>(mode, [](double a) { return __builtin_sqrt(a); }, x); } \
    inline double __fma_##suffix(double x, double y, double z)                                                                        \
    {                                                                                                                                 \
        return cuf::cpu::rounded<double>(mode, [](double a, double b, double c) { return __builtin_fma(a, b, c); }, x, y, z);         \
    }
CUF_CPU_MODES(CUF_CPU_ARITHMETIC)
#undef CUF_CPU_ARITHMETIC

// ---- conversions

#define CUF_CPU_FROM_INTEGER(suffix, mode)                                                                                            \
    inline float __int2float_##suffix(int x) { return cuf::cpu::rounded<float>(mode, [](int a) { return float(a); }, x); }            \
    inline float __uint2float_##suffix(unsigned x) { return cuf::cpu::rounded<float>(mode, [](int64_t a) { return float(a); }, int64_t(x)); }      \
    inline float __ll2float_##suffix(long long x) { return cuf::cpu::rounded<float>(mode, [](long long a) { return float(a); }, x); } \
    inline float __ull2float_##suffix(unsigned long long x)                                                                           \
    {                                                                                                                                 \
        return cuf::cpu::rounded<float>(mode, [](unsigned long long a) { return float(a); }, x);                                      \
    }                                                                                                                                 \
    inline double __ll2double_##suffix(long long x) { return cuf::cpu::rounded<double>(mode, [](long long a) { return double(a); }, x); } \
    inline double __ull2double_##suffix(unsigned long long x)                                                                         \
    {                                                                                                                                 \
        return cuf::cpu::rounded<double>(mode, [](unsigned long long a) { return double(a); }, x);                                    \
    }                                                                                                                                 \
    inline float __double2float_##suffix(double x) { return cuf::cpu::rounded<float>(mode, [](double a) { return float(a); }, x); }
CUF_CPU_MODES(CUF_CPU_FROM_INTEGER)
#undef CUF_CPU_FROM_INTEGER
#undef CUF_CPU_MODES

inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

#define CUF_CPU_TO_INTEGER(suffix, round)                                                                                     \
    inline int __float2int_##suffix(float x) { return cuf::cpu::saturate<int>(round##f(x)); }                                 \
    inline unsigned __float2uint_##suffix(float x) { return cuf::cpu::saturate<unsigned>(round##f(x)); }                      \
    inline long long __float2ll_##suffix(float x) { return cuf::cpu::saturate<long long>(round##f(x)); }                      \
    inline unsigned long long __float2ull_##suffix(float x) { return cuf::cpu::saturate<unsigned long long>(round##f(x)); }   \
    inline int __double2int_##suffix(double x) { return cuf::cpu::saturate<int>(round(x)); }                                  \
    inline unsigned __double2uint_##suffix(double x) { return cuf::cpu::saturate<unsigned>(round(x)); }                       \
    inline long long __double2ll_##suffix(double x) { return cuf::cpu::saturate<long long>(round(x)); }                       \
    inline unsigned long long __double2ull_##suffix(double x) { return cuf::cpu::saturate<unsigned long long>(round(x)); }
CUF_CPU_TO_INTEGER(rn, __builtin_rint)
CUF_CPU_TO_INTEGER(rz, __builtin_trunc)
CUF_CPU_TO_INTEGER(ru, __builtin_ceil)
CUF_CPU_TO_INTEGER(rd, __builtin_floor)
#undef CUF_CPU_TO_INTEGER

inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __double2hiint(double x) { return int(uint64_t(__double_as_longlong(x)) >> 32); }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int hi, int lo)
{
    return __longlong_as_double((long long)((uint64_t(uint32_t(hi)) << 32) | uint32_t(lo)));
}
inline float __half2float(cuf::half x) { return x; }
inline cuf::half __float2half_rn(float x) { return x; }
inline cuf::half __float2half(float x) { return x; }

// ---- integers

inline int __clz(int x) { return cuf::leadz(x); }
inline int __clzll(long long x) { return cuf::leadz(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline unsigned __brev(unsigned x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x)
{
    return ((unsigned long long)(__brev(unsigned(x))) << 32) | __brev(unsigned(x >> 32));
}
inline int __mul24(int x, int y)
{
    const int64_t a = int32_t(uint32_t(x) << 8) >> 8, b = int32_t(uint32_t(y) << 8) >> 8;
    return int(a * b);
}
inline unsigned __umul24(unsigned x, unsigned y) { return unsigned(uint64_t(x & 0xffffffu) * (y & 0xffffffu)); }
inline int __mulhi(int x, int y) { return int((int64_t(x) * y) >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) { return unsigned((uint64_t(x) * y) >> 32); }
inline long long __mul64hi(long long x, long long y) { return (long long)(((__int128)x * y) >> 64); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)(((unsigned __int128)x * y) >> 64);
}
inline unsigned __sad(int x, int y, unsigned z) { return z + unsigned(x < y ? int64_t(y) - x : int64_t(x) - y); }
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
inline int __hadd(int x, int y) { return int((int64_t(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return int((int64_t(x) + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y) { return unsigned((uint64_t(x) + y) >> 1); }
inline unsigned __urhadd(unsigned x, unsigned y) { return unsigned((uint64_t(x) + y + 1) >> 1); }
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    const uint64_t bytes = (uint64_t(y) << 32) | x;
    unsigned r = 0;
    for (int k = 0; k < 4; ++k) {
        const unsigned selector = (s >> (4 * k)) & 0xf;
        unsigned byte = unsigned(bytes >> (8 * (selector & 7))) & 0xff;
        // Bit 3 of the selector replicates the sign of the byte.
        if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
        r |= byte << (8 * k);
    }
    return r;
}
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return unsigned((((uint64_t(hi) << 32) | lo) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return unsigned(((uint64_t(hi) << 32) | lo) >> (shift & 31));
}

// ---- reals

inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
inline float __frsqrt_rn(float x) { return float(1.0 / std::sqrt(double(x))); }
inline float rsqrtf(float x) { return float(1.0 / std::sqrt(double(x))); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rcbrtf(float x) { return float(1.0 / std::cbrt(double(x))); }
inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
inline void sincospif(float x, float* s, float* c) { cuf::cpu::sincos_pi(x, *s, *c); }
inline void sincospi(double x, double* s, double* c) { cuf::cpu::sincos_pi(x, *s, *c); }
inline float sinpif(float x)
{
    float s, c;
    sincospif(x, &s, &c);
    return s;
}
inline float cospif(float x)
{
    float s, c;
    sincospif(x, &s, &c);
    return c;
}
inline double sinpi(double x)
{
    double s, c;
    sincospi(x, &s, &c);
    return s;
}
inline double cospi(double x)
{
    double s, c;
    sincospi(x, &s, &c);
    return c;
}
inline float erfcxf(float x) { return cuf::erfc_scaled(x); }
inline double erfcx(double x) { return cuf::erfc_scaled(x); }

// ---- clocks (clock() is that of the C library)

/// Counts nanoseconds instead of cycles.
inline long long clock64()
{
    std::timespec now;
    std::timespec_get(&now, TIME_UTC);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}
