// Loads and stores with cache hints (guide, tables 9 and 10) on places of any type; a plain access on the cpu.
#pragma once

#include "base.hpp"
#include "complex.hpp"
#include "half.hpp"

namespace cuf {

#if defined(CUF_TARGET_CPU)
#define CUF_CACHE_LOAD(name, intrinsic)   \
    template <class T>                    \
    CUF_INLINE T name(const T& place)     \
    {                                     \
        return place;                     \
    }
#define CUF_CACHE_STORE(name, intrinsic)                              \
    template <class T>                                                \
    CUF_INLINE void name(T& place, std::type_identity_t<T> value)     \
    {                                                                 \
        place = value;                                                \
    }
#else
#define CUF_CACHE_LOAD(name, intrinsic)                                     \
    template <class T>                                                      \
    __device__ __forceinline__ T name(const T& place)                       \
    {                                                                       \
        if constexpr (std::is_same_v<T, int64_t>) {                         \
            return T(intrinsic(reinterpret_cast<const long long*>(&place))); \
        } else {                                                            \
            return intrinsic(&place);                                       \
        }                                                                   \
    }                                                                       \
    template <class T>                                                      \
    __device__ __forceinline__ complex<T> name(const complex<T>& place)     \
    {                                                                       \
        return {intrinsic(&place.re), intrinsic(&place.im)};                \
    }
#define CUF_CACHE_STORE(name, intrinsic)                                                         \
    template <class T>                                                                           \
    __device__ __forceinline__ void name(T& place, std::type_identity_t<T> value)                \
    {                                                                                            \
        if constexpr (std::is_same_v<T, int64_t>) {                                              \
            intrinsic(reinterpret_cast<long long*>(&place), (long long)value);                   \
        } else {                                                                                 \
            intrinsic(&place, value);                                                            \
        }                                                                                        \
    }                                                                                            \
    template <class T>                                                                           \
    __device__ __forceinline__ void name(complex<T>& place, std::type_identity_t<complex<T>> value) \
    {                                                                                            \
        intrinsic(&place.re, value.re);                                                          \
        intrinsic(&place.im, value.im);                                                          \
    }
#endif

CUF_CACHE_LOAD(ldca, __ldca)
CUF_CACHE_LOAD(ldcg, __ldcg)
CUF_CACHE_LOAD(ldcs, __ldcs)
CUF_CACHE_LOAD(ldlu, __ldlu)
CUF_CACHE_LOAD(ldcv, __ldcv)
CUF_CACHE_STORE(stwb, __stwb)
CUF_CACHE_STORE(stcg, __stcg)
CUF_CACHE_STORE(stcs, __stcs)
CUF_CACHE_STORE(stwt, __stwt)

#undef CUF_CACHE_LOAD
#undef CUF_CACHE_STORE

}  // namespace cuf
