// Numeric intrinsics of integers, and those of any type: min, max, merge, transfer.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "math.hpp"

namespace cuf {

/// The smallest integer stays as it is, as in host code. ptxas 13.0 takes abs.s32 for never negative, and abs.s16 and neg.s16
/// for 32768 where they wrap (seen on sm_90), so nvcc must not make these instructions here and in `negated`.
template <integer_kind I>
CUF_INLINE constexpr I abs(I i)
{
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) {
        if constexpr (sizeof(I) == 8) {
            int64_t result;
            asm("{\n\t.reg .s64 sign, flipped;\n\tshr.s64 sign, %1, 63;\n\txor.b64 flipped, %1, sign;\n\t"
                "sub.s64 %0, flipped, sign;\n\t}" : "=l"(result) : "l"(int64_t(i)));
            return I(result);
        } else {
            int result;
            asm("{\n\t.reg .s32 sign, flipped;\n\tshr.s32 sign, %1, 31;\n\txor.b32 flipped, %1, sign;\n\t"
                "sub.s32 %0, flipped, sign;\n\t}" : "=r"(result) : "r"(int(i)));
            return I(result);
        }
    }
#endif
    return i < 0 ? I(detail::wide_bits_t<I>(0) - detail::wide_bits_t<I>(i)) : i;
}

/// -i of a kind shorter than int.
template <integer_kind I>
CUF_INLINE constexpr I negated(I i)
{
    static_assert(sizeof(I) < sizeof(int));
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) {
        int result;
        asm("neg.s32 %0, %1;" : "=r"(result) : "r"(int(i)));
        return I(result);
    }
#endif
    return I(-i);
}

/// Remainder with the sign of a.
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr wider<A, B> mod(A a, B p)
{
    using I = wider<A, B>;
    return I(I(a) % I(p));
}

/// Remainder with the sign of p.
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr wider<A, B> modulo(A a, B p)
{
    using I = wider<A, B>;
    const I r = I(I(a) % I(p));
    return r != 0 && ((r ^ I(p)) < 0) ? I(r + I(p)) : r;
}

/// |a| with the sign of b; a zero b is positive.
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr wider<A, B> sign(A a, B b)
{
    using I = wider<A, B>;
    using U = detail::wide_bits_t<I>;
    const I size = abs(I(a));
    if constexpr (sizeof(I) < sizeof(int)) return b < 0 ? negated(size) : size;
    else return b < 0 ? I(U(0) - U(size)) : size;
}

/// The difference if it is positive; it is taken first, and wraps.
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr wider<A, B> dim(A a, B b)
{
    using I = wider<A, B>;
    using U = detail::wide_bits_t<I>;
    const I difference = I(U(I(a)) - U(I(b)));
    return difference > 0 ? difference : I(0);
}

namespace detail {

/// max and min leave NaN operands out, as the device instructions do (Fortran and gfortran leave that case open);
/// so the result does not depend on the order of the operands.
template <bool largest, class T>
CUF_INLINE constexpr T extreme(T a, T b)
{
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<T, float>) return largest ? ::fmaxf(a, b) : ::fminf(a, b);
    else if constexpr (std::is_same_v<T, double>) return largest ? ::fmax(a, b) : ::fmin(a, b);
    else
#endif
    if constexpr (integer_kind<T>) {
#if defined(__CUDA_ARCH__)
        // ptxas 13.0 loses the sign of -k when it fuses min(k, -k, i) into one three-input instruction (seen on sm_90);
        // a comparison and a selection it leaves alone.
        if constexpr (sizeof(T) == 4) {
            if (!__builtin_is_constant_evaluated()) {
                T result;
                if constexpr (largest)
                    asm("{\n\t.reg .pred p;\n\tsetp.gt.s32 p, %1, %2;\n\tselp.b32 %0, %1, %2, p;\n\t}"
                        : "=r"(result) : "r"(a), "r"(b));
                else
                    asm("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %1, %2;\n\tselp.b32 %0, %1, %2, p;\n\t}"
                        : "=r"(result) : "r"(a), "r"(b));
                return result;
            }
        }
#endif
        return (largest ? a > b : a < b) ? a : b;
    }
    else return (largest ? a > b : a < b) || !(b == b) ? a : b;
}

}  // namespace detail

template <class T>
CUF_INLINE constexpr T max(T a, T b)
{
    return detail::extreme<true>(a, b);
}
template <class T>
CUF_INLINE constexpr T min(T a, T b)
{
    return detail::extreme<false>(a, b);
}
template <class T, class... Rest>
    requires(sizeof...(Rest) > 0)
CUF_INLINE constexpr T max(T a, T b, Rest... rest)
{
    return max(max(a, b), T(rest)...);
}
template <class T, class... Rest>
    requires(sizeof...(Rest) > 0)
CUF_INLINE constexpr T min(T a, T b, Rest... rest)
{
    return min(min(a, b), T(rest)...);
}

template <class T>
CUF_INLINE constexpr T merge(const T& if_true, const T& if_false, bool mask)
{
    return mask ? if_true : if_false;
}

/// The bits of x as a T; bytes of the result that x has not are zero. T and X are trivial types (also fixed_array).
template <class T, class X>
CUF_INLINE constexpr T transfer(const X& x)
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_copyable_v<X>);
    // Known at compile time, for initial values.
    if constexpr (sizeof(T) == sizeof(X)) {
        return __builtin_bit_cast(T, x);
    } else {
        T result{};
        __builtin_memcpy(&result, &x, sizeof(T) < sizeof(X) ? sizeof(T) : sizeof(X));
        return result;
    }
}

namespace detail {

template <class X>
concept has_elements = requires(X& x) {
    x.data();
    x.size();
};

template <class X>
CUF_INLINE char* bytes_of(X& x)
{
    if constexpr (has_elements<X>)
        return reinterpret_cast<char*>(const_cast<std::remove_cvref_t<decltype(*x.data())>*>(x.data()));
    else
        return reinterpret_cast<char*>(const_cast<std::remove_const_t<X>*>(&x));
}

template <class X>
CUF_INLINE int64_t byte_count(X& x)
{
    if constexpr (has_elements<X>)
        return x.size() * int64_t(sizeof(*x.data()));
    else
        return sizeof(X);
}

}  // namespace detail

/// The bytes of one array or scalar into another; those that the source has not are zero.
template <class To, class From>
CUF_FN void transfer_bytes(To& to, From& from)
{
    char* target = detail::bytes_of(to);
    const char* source = detail::bytes_of(from);
    const int64_t n = detail::byte_count(to), have = detail::byte_count(from);
    for (int64_t k = 0; k < n; ++k) target[k] = k < have ? source[k] : 0;
}

}  // namespace cuf
