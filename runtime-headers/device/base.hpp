// What every header of the device library rests on: function markers of the target, integer names, kind arithmetic.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include <cstdint>
#include <type_traits>

#if defined(CUF_TARGET_CPU)
#if !defined(CUF_FN)
/// Marks a function that runs on the host and on the device.
#define CUF_FN
#endif
/// The same, for functions that must vanish into their caller.
#define CUF_INLINE inline __attribute__((always_inline))
/// The loop that follows has few turns, whose number is known: one behind the other. g++ -O2 finds them itself.
#define CUF_UNROLL
#else
#if !defined(__CUDACC__)
#error "compile with nvcc, or with -DCUF_TARGET_CPU for the cpu target"
#endif
#if !defined(CUF_FN)
#define CUF_FN __host__ __device__
#endif
#define CUF_INLINE __host__ __device__ __forceinline__
// The host's compiler does not know the pragma.
#if defined(__CUDA_ARCH__)
#define CUF_UNROLL _Pragma("unroll")
#else
#define CUF_UNROLL
#endif
#endif

namespace cuf {

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

/// A Fortran integer kind (bool is a logical, char a character).
template <class T>
concept integer_kind = std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>;

/// real(4) or real(8).
template <class T>
concept real_kind = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// The kind of the result of an operation on two kinds of one type: the larger one.
template <class A, class B>
using wider = std::conditional_t<(sizeof(A) >= sizeof(B)), A, B>;

/// Bytes of a variable of the type.
template <class T>
CUF_INLINE constexpr int64_t size_of()
{
    return sizeof(T);
}

namespace detail {

template <class T>
inline constexpr int bits_of = int(sizeof(T) * 8);

/// Unsigned type of the same size: bit patterns and wrapping arithmetic.
template <class T>
using bits_t = std::make_unsigned_t<T>;

/// Unsigned type wide enough that its arithmetic is not promoted to int.
template <class T>
using wide_bits_t = std::conditional_t<(sizeof(T) > 4), uint64_t, uint32_t>;

/// Bitwise copy between types of one size.
template <class To, class From>
CUF_INLINE To bit_cast(const From& from)
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}

}  // namespace detail
}  // namespace cuf
