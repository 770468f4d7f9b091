// What device code of CUDA C++ calls, by CUDA's names, from the parts of the device library.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../../device/atomics.hpp"
#include "../../device/warp.hpp"
#include "../target.hpp"
#include "../intrinsics.hpp"
#include "vector_types.h"
#include <algorithm>
#include <cstdio>
#include <type_traits>

// ---- atomics

// Those of a block or of the system are those of the device, which device/atomics.hpp has.
#define CUF_OWN_ATOMIC(name)             \
    template <class... A>                \
    inline auto name##_block(A... a)     \
    {                                    \
        return name(a...);               \
    }                                    \
    template <class... A>                \
    inline auto name##_system(A... a)    \
    {                                    \
        return name(a...);               \
    }
CUF_OWN_ATOMIC(atomicAdd)
CUF_OWN_ATOMIC(atomicSub)
CUF_OWN_ATOMIC(atomicMax)
CUF_OWN_ATOMIC(atomicMin)
CUF_OWN_ATOMIC(atomicExch)
CUF_OWN_ATOMIC(atomicAnd)
CUF_OWN_ATOMIC(atomicOr)
CUF_OWN_ATOMIC(atomicXor)
CUF_OWN_ATOMIC(atomicInc)
CUF_OWN_ATOMIC(atomicDec)
CUF_OWN_ATOMIC(atomicCAS)
#undef CUF_OWN_ATOMIC

// ---- warps

template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32 CUF_AT)
{
    return cuf::detail::shuffle_value(cuf::shuffle::index, value, lane, width, mask CUF_PASS_AT);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32 CUF_AT)
{
    return cuf::detail::shuffle_value(cuf::shuffle::up, value, int(delta), width, mask CUF_PASS_AT);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32 CUF_AT)
{
    return cuf::detail::shuffle_value(cuf::shuffle::down, value, int(delta), width, mask CUF_PASS_AT);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int flip, int width = 32 CUF_AT)
{
    return cuf::detail::shuffle_value(cuf::shuffle::exclusive_or, value, flip, width, mask CUF_PASS_AT);
}
inline unsigned __ballot_sync(unsigned mask, int predicate CUF_AT) { return unsigned(cuf::ballot_sync(mask, predicate != 0 CUF_PASS_AT)); }
inline int __all_sync(unsigned mask, int predicate CUF_AT) { return cuf::all_sync(mask, predicate != 0 CUF_PASS_AT); }
inline int __any_sync(unsigned mask, int predicate CUF_AT) { return cuf::any_sync(mask, predicate != 0 CUF_PASS_AT); }
template <class T>
inline unsigned __match_any_sync(unsigned mask, T value CUF_AT)
{
    return unsigned(cuf::match_any_sync(mask, value CUF_PASS_AT));
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* same CUF_AT)
{
    return unsigned(cuf::match_all_sync(mask, value, *same CUF_PASS_AT));
}
// A function of its own would be the place at which the lanes are together.
#define __activemask() unsigned(::cuf::activemask())

// ---- memory

template <class T>
inline T __ldg(const T* place) { return *place; }
template <class T>
inline T __ldca(const T* place) { return *place; }
template <class T>
inline T __ldcg(const T* place) { return *place; }
template <class T>
inline T __ldcs(const T* place) { return *place; }
template <class T>
inline T __ldlu(const T* place) { return *place; }
template <class T>
inline T __ldcv(const T* place) { return *place; }
template <class T>
inline void __stcg(T* place, T value) { *place = value; }
template <class T>
inline void __stcs(T* place, T value) { *place = value; }
template <class T>
inline void __stwb(T* place, T value) { *place = value; }
template <class T>
inline void __stwt(T* place, T value) { *place = value; }
[[noreturn]] inline void __trap() { cuf::cpu::fail("__trap()"); }

// ---- numbers

// As in CUDA, for types that differ, too.
#define CUF_OWN_EXTREMES(type, a, b)                                                                 \
    inline type min(a x, b y) { return std::min<type>(static_cast<type>(x), static_cast<type>(y)); } \
    inline type max(a x, b y) { return std::max<type>(static_cast<type>(x), static_cast<type>(y)); }
CUF_OWN_EXTREMES(int, int, int)
CUF_OWN_EXTREMES(unsigned, unsigned, unsigned)
CUF_OWN_EXTREMES(unsigned, int, unsigned)
CUF_OWN_EXTREMES(unsigned, unsigned, int)
CUF_OWN_EXTREMES(long, long, long)
CUF_OWN_EXTREMES(unsigned long, unsigned long, unsigned long)
CUF_OWN_EXTREMES(unsigned long, long, unsigned long)
CUF_OWN_EXTREMES(unsigned long, unsigned long, long)
CUF_OWN_EXTREMES(long long, long long, long long)
CUF_OWN_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
CUF_OWN_EXTREMES(unsigned long long, long long, unsigned long long)
CUF_OWN_EXTREMES(unsigned long long, unsigned long long, long long)
#undef CUF_OWN_EXTREMES
// Of a number and something that is not one these are the number.
inline float min(float x, float y) { return fminf(x, y); }
inline float max(float x, float y) { return fmaxf(x, y); }
inline double min(double x, double y) { return fmin(x, y); }
inline double max(double x, double y) { return fmax(x, y); }
inline double min(float x, double y) { return fmin(double(x), y); }
inline double max(float x, double y) { return fmax(double(x), y); }
inline double min(double x, float y) { return fmin(x, double(y)); }
inline double max(double x, float y) { return fmax(x, double(y)); }
inline unsigned umin(unsigned x, unsigned y) { return min(x, y); }
inline unsigned umax(unsigned x, unsigned y) { return max(x, y); }
inline long long llmin(long long x, long long y) { return min(x, y); }
inline long long llmax(long long x, long long y) { return max(x, y); }
inline unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
inline unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }
