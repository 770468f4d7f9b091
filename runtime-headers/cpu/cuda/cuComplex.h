// Complex numbers of CUDA's header, with its formulas where rounding depends on them.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "vector_types.h"
#include <cmath>

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define CUF_COMPLEX(type, real, make, f, absolute, root)                                                                     \
    inline type make(real re, real im) { return {re, im}; }                                                                  \
    inline real cuCreal##f(type x) { return x.x; }                                                                           \
    inline real cuCimag##f(type x) { return x.y; }                                                                           \
    inline type cuConj##f(type x) { return {x.x, -x.y}; }                                                                    \
    inline type cuCadd##f(type x, type y) { return {x.x + y.x, x.y + y.y}; }                                                 \
    inline type cuCsub##f(type x, type y) { return {x.x - y.x, x.y - y.y}; }                                                 \
    inline type cuCmul##f(type x, type y) { return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x}; }                         \
    inline type cuCdiv##f(type x, type y)                                                                                    \
    {                                                                                                                        \
        const real s = absolute(y.x) + absolute(y.y), one = real(1) / s;                                                     \
        const real ar = x.x * one, ai = x.y * one, br = y.x * one, bi = y.y * one;                                           \
        const real t = real(1) / (br * br + bi * bi);                                                                        \
        return {(ar * br + ai * bi) * t, (ai * br - ar * bi) * t};                                                           \
    }                                                                                                                        \
    inline real cuCabs##f(type x) { return root(x.x, x.y); }                                                                 \
    inline type cuCfma##f(type x, type y, type d)                                                                            \
    {                                                                                                                        \
        const real re = x.x * y.x + d.x, im = x.x * y.y + d.y;                                                               \
        return {-(x.y * y.y) + re, x.y * y.x + im};                                                                          \
    }
CUF_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, fabsf, hypotf)
CUF_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , fabs, hypot)
#undef CUF_COMPLEX
inline cuComplex make_cuComplex(float re, float im) { return {re, im}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return {double(x.x), double(x.y)}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return {float(x.x), float(x.y)}; }
