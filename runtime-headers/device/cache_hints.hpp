// Loads and stores with cache hints (guide, tables 9 and 10) on places of any type; a plain access on the cpu.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "array.hpp"
#include "base.hpp"
#include "complex.hpp"
#include "half.hpp"
#include "volatile.hpp"

namespace cuf {

#if defined(CUF_TARGET_CPU)
#define CUF_CACHE_LOAD(name, intrinsic)   \
    template <class T>                    \
    CUF_INLINE T name(const T& place)     \
    {                                     \
        return place;                     \
    }
// What other threads write is seen, so a loop may wait for it.
#define CUF_COHERENT_LOAD(name, intrinsic) \
    template <class T>                     \
    CUF_INLINE T name(const T& place)      \
    {                                      \
        cpu::spin_point();                 \
        return detail::read_now(place);    \
    }
#define CUF_CACHE_STORE(name, intrinsic)                              \
    template <class T>                                                \
    CUF_INLINE void name(T& place, std::type_identity_t<T> value)     \
    {                                                                 \
        if constexpr (std::is_scalar_v<T>) {                          \
            const_cast<volatile T&>(place) = value;                   \
        } else {                                                      \
            place = value;                                            \
        }                                                             \
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
// Not the intrinsic: nvcc 13.0 takes a loop away that only waits by such loads (measured in SASS). These are the same instructions.
#define CUF_COHERENT_LOAD(name, intrinsic)               \
    template <class T>                                   \
    __device__ __forceinline__ T name(const T& place)    \
    {                                                    \
        return detail::read_now(place);                  \
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

// 128 bits in one access, where they are aligned so: four elements of 4 bytes, or two of 8.
#if defined(CUF_TARGET_CPU)
#define CUF_CACHE_VECTOR_LOAD(name, intrinsic)                              \
    template <class T>                                                      \
    CUF_INLINE fixed_array<T, int(16 / sizeof(T))> name(const T* p)         \
    {                                                                       \
        fixed_array<T, int(16 / sizeof(T))> r;                              \
        memcpy(&r, p, sizeof r);                                            \
        return r;                                                           \
    }
#define CUF_CACHE_VECTOR_STORE(name, intrinsic)                             \
    template <class T, auto B>                                              \
    CUF_INLINE void name(T* p, const fixed_array<T, B>& value)              \
    {                                                                       \
        static_assert(sizeof value == 16);                                  \
        memcpy(p, &value, sizeof value);                                    \
    }
#else
#define CUF_CACHE_VECTOR_LOAD(name, intrinsic)                                                   \
    template <class T>                                                                           \
    __device__ __forceinline__ fixed_array<T, int(16 / sizeof(T))> name(const T* p)              \
    {                                                                                            \
        const int4 v = intrinsic(reinterpret_cast<const int4*>(p));                              \
        fixed_array<T, int(16 / sizeof(T))> r;                                                   \
        memcpy(&r, &v, sizeof r);                                                                \
        return r;                                                                                \
    }
#define CUF_CACHE_VECTOR_STORE(name, intrinsic)                                                  \
    template <class T, auto B>                                                                   \
    __device__ __forceinline__ void name(T* p, const fixed_array<T, B>& value)                   \
    {                                                                                            \
        static_assert(sizeof value == 16);                                                       \
        int4 v;                                                                                  \
        memcpy(&v, &value, sizeof v);                                                            \
        intrinsic(reinterpret_cast<int4*>(p), v);                                                \
    }
#endif

CUF_CACHE_LOAD(ldca, __ldca)
CUF_COHERENT_LOAD(ldcg, __ldcg)
CUF_CACHE_LOAD(ldcs, __ldcs)
CUF_CACHE_LOAD(ldlu, __ldlu)
CUF_COHERENT_LOAD(ldcv, __ldcv)
CUF_CACHE_STORE(stwb, __stwb)
CUF_CACHE_STORE(stcg, __stcg)
CUF_CACHE_STORE(stcs, __stcs)
CUF_CACHE_STORE(stwt, __stwt)
CUF_CACHE_VECTOR_LOAD(ldca_vector, __ldca)
CUF_CACHE_VECTOR_LOAD(ldcg_vector, __ldcg)
CUF_CACHE_VECTOR_LOAD(ldcs_vector, __ldcs)
CUF_CACHE_VECTOR_LOAD(ldlu_vector, __ldlu)
CUF_CACHE_VECTOR_LOAD(ldcv_vector, __ldcv)
CUF_CACHE_VECTOR_STORE(stwb_vector, __stwb)
CUF_CACHE_VECTOR_STORE(stcg_vector, __stcg)
CUF_CACHE_VECTOR_STORE(stcs_vector, __stcs)
CUF_CACHE_VECTOR_STORE(stwt_vector, __stwt)

#undef CUF_CACHE_LOAD
#undef CUF_COHERENT_LOAD
#undef CUF_CACHE_STORE
#undef CUF_CACHE_VECTOR_LOAD
#undef CUF_CACHE_VECTOR_STORE

}  // namespace cuf
