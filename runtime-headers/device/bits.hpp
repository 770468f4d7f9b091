// Bit intrinsics on every integer kind. Shift counts outside 0..bit_size shift everything out, never wrap.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

namespace cuf {
namespace detail {

/// Zero-extended bit pattern of i, in a type whose arithmetic is not promoted.
template <class I>
CUF_INLINE constexpr wide_bits_t<I> pattern(I i)
{
    return wide_bits_t<I>(bits_t<I>(i));
}
/// The n rightmost bits set, 0 <= n <= bits of the type.
template <class U>
CUF_INLINE constexpr U low_mask(int64_t n)
{
    return n >= bits_of<U> ? ~U(0) : (U(1) << n) - U(1);
}

}  // namespace detail

template <integer_kind I, integer_kind S>
CUF_INLINE constexpr I shiftl(I i, S shift)
{
    return shift >= detail::bits_of<I> ? I(0) : I(detail::pattern(i) << shift);
}
template <integer_kind I, integer_kind S>
CUF_INLINE constexpr I shiftr(I i, S shift)
{
    return shift >= detail::bits_of<I> ? I(0) : I(detail::pattern(i) >> shift);
}
/// Arithmetic shift to the right.
template <integer_kind I, integer_kind S>
CUF_INLINE constexpr I shifta(I i, S shift)
{
    return I(i >> (shift >= detail::bits_of<I> ? detail::bits_of<I> - 1 : int(shift)));
}
/// Shift to the left by a positive, to the right by a negative count.
template <integer_kind I, integer_kind S>
CUF_INLINE constexpr I ishft(I i, S shift)
{
    return shift >= 0 ? shiftl(i, shift) : shiftr(i, -int64_t(shift));
}
/// Circular shift of the `size` rightmost bits, |shift| <= size.
template <integer_kind I, integer_kind S, integer_kind N = int>
CUF_INLINE constexpr I ishftc(I i, S shift, N size = detail::bits_of<I>)
{
    using U = detail::wide_bits_t<I>;
    const int n = int(size);
    int left = int(shift) < 0 ? int(shift) + n : int(shift);
    if (left >= n || left <= 0) return i;
    const U mask = detail::low_mask<U>(n);
    const U x = detail::pattern(i);
    const U field = x & mask;
    return I((x & ~mask) | (((field << left) | (field >> (n - left))) & mask));
}

/// The bits pos .. pos+len-1 of i, right-adjusted.
template <integer_kind I, integer_kind P, integer_kind L>
CUF_INLINE constexpr I ibits(I i, P pos, L len)
{
    using U = detail::wide_bits_t<I>;
    return I(pos >= detail::bits_of<I> ? U(0) : (detail::pattern(i) >> pos) & detail::low_mask<U>(int64_t(len)));
}
template <integer_kind I, integer_kind P>
CUF_INLINE constexpr I ibset(I i, P pos)
{
    return I(detail::pattern(i) | (detail::wide_bits_t<I>(1) << pos));
}
template <integer_kind I, integer_kind P>
CUF_INLINE constexpr I ibclr(I i, P pos)
{
    return I(detail::pattern(i) & ~(detail::wide_bits_t<I>(1) << pos));
}
template <integer_kind I, integer_kind P>
CUF_INLINE constexpr bool btest(I i, P pos)
{
    return ((detail::pattern(i) >> pos) & 1) != 0;
}
/// Copies `len` bits from position `frompos` of `from` to position `topos` of `to`.
template <integer_kind I, integer_kind P, integer_kind L, integer_kind Q>
CUF_INLINE constexpr void mvbits(I from, P frompos, L len, I& to, Q topos)
{
    using U = detail::wide_bits_t<I>;
    if (len <= 0) return;
    const U mask = U(detail::low_mask<U>(int64_t(len)) << topos);
    const U field = U((detail::pattern(from) >> frompos) << topos);
    to = I((detail::pattern(to) & ~mask) | (field & mask));
}

template <integer_kind I>
CUF_INLINE constexpr int popcnt(I i)
{
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(I) > 4) return __popcll(detail::pattern(i));
    else return __popc(detail::pattern(i));
#else
    return __builtin_popcountll(detail::pattern(i));
#endif
}
template <integer_kind I>
CUF_INLINE constexpr int poppar(I i)
{
    return popcnt(i) & 1;
}
/// Leading zero bits of the kind; bit_size for 0.
template <integer_kind I>
CUF_INLINE constexpr int leadz(I i)
{
    constexpr int unused = detail::bits_of<detail::wide_bits_t<I>> - detail::bits_of<I>;
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(I) > 4) return __clzll((long long)i);
    else return __clz(int(detail::pattern(i))) - unused;
#else
    if (i == 0) return detail::bits_of<I>;
    if constexpr (sizeof(I) > 4) return __builtin_clzll(detail::pattern(i));
    else return __builtin_clz(detail::pattern(i)) - unused;
#endif
}
/// Trailing zero bits; bit_size for 0.
template <integer_kind I>
CUF_INLINE constexpr int trailz(I i)
{
    if (i == 0) return detail::bits_of<I>;
#if defined(__CUDA_ARCH__)
    return __ffsll((long long)detail::pattern(i)) - 1;
#else
    return __builtin_ctzll(detail::pattern(i));
#endif
}

/// The leftmost bits of i:j shifted to the left, 0 <= shift <= bit_size.
template <integer_kind I, integer_kind S>
CUF_INLINE constexpr I dshiftl(I i, I j, S shift)
{
    return I(shiftl(i, int64_t(shift)) | shiftr(j, detail::bits_of<I> - int64_t(shift)));
}
/// The rightmost bits of i:j shifted to the right, 0 <= shift <= bit_size.
template <integer_kind I, integer_kind S>
CUF_INLINE constexpr I dshiftr(I i, I j, S shift)
{
    return I(shiftl(i, detail::bits_of<I> - int64_t(shift)) | shiftr(j, int64_t(shift)));
}
template <integer_kind I>
CUF_INLINE constexpr I merge_bits(I i, I j, I mask)
{
    return I((i & mask) | (j & ~mask));
}
/// The n leftmost bits set.
template <integer_kind I = int, integer_kind N>
CUF_INLINE constexpr I maskl(N n)
{
    using U = detail::bits_t<I>;
    return I(U(~U(detail::low_mask<detail::wide_bits_t<I>>(detail::bits_of<I> - int64_t(n)))));
}
/// The n rightmost bits set.
template <integer_kind I = int, integer_kind N>
CUF_INLINE constexpr I maskr(N n)
{
    return I(detail::low_mask<detail::wide_bits_t<I>>(int64_t(n)));
}

/// Comparisons of bit patterns; the shorter one is extended by zeros.
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr bool bge(A a, B b)
{
    return uint64_t(detail::pattern(a)) >= uint64_t(detail::pattern(b));
}
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr bool bgt(A a, B b)
{
    return uint64_t(detail::pattern(a)) > uint64_t(detail::pattern(b));
}
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr bool ble(A a, B b)
{
    return uint64_t(detail::pattern(a)) <= uint64_t(detail::pattern(b));
}
template <integer_kind A, integer_kind B>
CUF_INLINE constexpr bool blt(A a, B b)
{
    return uint64_t(detail::pattern(a)) < uint64_t(detail::pattern(b));
}

}  // namespace cuf
