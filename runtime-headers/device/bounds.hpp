// Bounds of arrays: how generated code states them, and the check of subscripts (CUF_CHECK_BOUNDS; for cuda see checked.hpp).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

#if defined(CUF_TARGET_CPU)
#include "../cpu/checks.hpp"
#else
#if defined(CUF_CHECK)
#include "checked.hpp"
#endif
#endif

namespace cuf {

/// The bounds lo:hi of one dimension.
struct range {
    int64_t lo;
    int64_t hi;
};

/// The last dimension of an assumed-size array: lo:*.
struct assumed {
    int64_t lo = 1;
};

/// A whole dimension in a section: `:`.
struct all_t {};
inline constexpr all_t all{};

/// A subscript triplet lo:hi:step in a section.
struct slice {
    int64_t lo;
    int64_t hi;
    int64_t step = 1;
};

/// The ABI of type(cuf_array_t): strides in elements, `base` the address of the first element.
struct descriptor {
    void* base;
    int64_t lower[7];
    int64_t extent[7];
    int64_t stride[7];
    int32_t rank;
};

/// Bounds of a contiguous array, as a kernel takes them beside the pointer.
template <int R, class I = int64_t>
struct shape {
    I lower[R];
    I extent[R];

    CUF_INLINE constexpr explicit shape(const descriptor& d)
    {
        for (int k = 0; k < R; ++k) {
            lower[k] = I(d.lower[k]);
            extent[k] = I(d.extent[k]);
        }
    }
    template <class J>
    CUF_INLINE constexpr explicit shape(const shape<R, J>& s)
    {
        for (int k = 0; k < R; ++k) {
            lower[k] = I(s.lower[k]);
            extent[k] = I(s.extent[k]);
        }
    }
};

/// Bounds and strides, in elements, of an array that need not be contiguous.
template <int R, class I = int64_t>
struct layout {
    I lower[R];
    I extent[R];
    I stride[R];

    CUF_INLINE constexpr explicit layout(const descriptor& d)
    {
        for (int k = 0; k < R; ++k) {
            lower[k] = I(d.lower[k]);
            extent[k] = I(d.extent[k]);
            stride[k] = I(d.stride[k]);
        }
    }
    template <class J>
    CUF_INLINE constexpr explicit layout(const layout<R, J>& l)
    {
        for (int k = 0; k < R; ++k) {
            lower[k] = I(l.lower[k]);
            extent[k] = I(l.extent[k]);
            stride[k] = I(l.stride[k]);
        }
    }
};

struct launch_config;

namespace detail {

template <integer_kind N>
constexpr range bounds_of(N extent)
{
    return {1, int64_t(extent)};
}
constexpr range bounds_of(range r) { return r; }

}  // namespace detail

/// All offsets of elements and all bounds fit in 32 bits.
template <int R>
bool fits_narrow(const launch_config&, const layout<R>& l)
{
    constexpr int64_t limit = INT32_MAX;
    int64_t reach = 0;
    for (int k = 0; k < R; ++k) {
        const int64_t step = l.stride[k] < 0 ? -l.stride[k] : l.stride[k];
        if (l.extent[k] < 0 || l.extent[k] > limit || step > limit) return false;
        if (l.lower[k] < -limit || l.lower[k] + l.extent[k] > limit) return false;
        reach += l.extent[k] * step;
        if (reach > limit) return false;
    }
    return true;
}
template <int R>
bool fits_narrow(const launch_config&, const shape<R>& s)
{
    constexpr int64_t limit = INT32_MAX;
    int64_t count = 1;
    for (int k = 0; k < R; ++k) {
        if (s.extent[k] < 0 || s.extent[k] > limit) return false;
        if (s.lower[k] < -limit || s.lower[k] + s.extent[k] > limit) return false;
        count *= s.extent[k] > 0 ? s.extent[k] : 1;
        if (count > limit) return false;
    }
    return true;
}

/// Whether an array with these bounds, each an extent or a `range`, needs no more than 32 bits for its bounds and elements' offsets.
template <class... B>
constexpr bool few_elements(B... bounds)
{
    constexpr int64_t limit = INT32_MAX;
    int64_t count = 1;
    const auto fits = [&](range r) {
        if (r.lo < -limit || r.lo > limit || r.hi < -limit || r.hi >= limit || r.hi - r.lo >= limit) return false;
        count *= r.hi > r.lo ? r.hi - r.lo + 1 : 1;
        return count <= limit;
    };
    return (fits(detail::bounds_of(bounds)) && ...);
}

/// Address of the first element.
template <class T>
CUF_INLINE T* base(const descriptor& d)
{
    return static_cast<T*>(d.base);
}

namespace detail {

/// Extent of an assumed-size dimension; no declared extent is as small.
template <class I>
inline constexpr I unknown_extent = I(I(1) << (sizeof(I) * 8 - 1));

template <class I>
struct dimension {
    I lo;
    I extent;
};

template <class I, integer_kind N>
CUF_INLINE constexpr dimension<I> make_dimension(N n)
{
    return {I(1), I(n)};
}
template <class I>
CUF_INLINE constexpr dimension<I> make_dimension(range r)
{
    return {I(r.lo), I(r.hi - r.lo + 1)};
}
template <class I>
CUF_INLINE constexpr dimension<I> make_dimension(assumed a)
{
    return {I(a.lo), unknown_extent<I>};
}

/// A declared extent may be negative: the size is then 0.
CUF_INLINE constexpr int64_t clamp_extent(int64_t n) { return n < 0 ? 0 : n; }

/// A subscript as the Fortran integer it stands for: an expression of threadIdx and the like is unsigned in C++.
template <integer_kind S>
CUF_INLINE constexpr auto subscript(S s)
{
    return std::make_signed_t<S>(s);
}

/// s - lo. On the device a 32-bit difference, where it cannot overflow, lets the product with the stride be one
/// instruction; the condition folds, as lower bounds are constants in most programs.
template <class I, integer_kind S>
CUF_INLINE constexpr I distance(S s, I lo)
{
#if defined(__CUDA_ARCH__)
    if (sizeof(I) > 4 && sizeof(S) <= 4 && lo >= 0 && lo <= I(INT32_MAX)) return I(int32_t(s) - int32_t(lo));
#endif
    return I(s) - lo;
}

/// Whose subscripts they are, for messages: its name, else its first element.
struct subscripted {
    const char* name;
    const void* data;
};

#if defined(CUF_CHECK_BOUNDS) && defined(CUF_TARGET_CPU)
inline constexpr bool checks_subscripts = true;
CUF_INLINE void check_subscript(subscripted of, int rank, int dim, int64_t at, int64_t lo, int64_t extent, bool open)
{
    if (at < lo || (!open && at >= lo + extent)) [[unlikely]]
        check::out_of_bounds(of.name, of.data, rank, dim, at, lo, lo + extent - 1, open);
}
CUF_INLINE void check_section(subscripted of, int rank, int dim, int64_t at, int64_t lo, int64_t extent, bool open)
{
    check_subscript(of, rank, dim, at, lo, extent, open);
}
#else
inline constexpr bool checks_subscripts = false;
CUF_INLINE constexpr void check_subscript(subscripted, int, int, int64_t, int64_t, int64_t, bool) {}
/// Of a section; the cuda target does not know its place.
CUF_INLINE constexpr void check_section([[maybe_unused]] subscripted of, [[maybe_unused]] int rank, [[maybe_unused]] int dim, [[maybe_unused]] int64_t at,
                                        [[maybe_unused]] int64_t lo, [[maybe_unused]] int64_t extent, [[maybe_unused]] bool open)
{
#if defined(CUF_CHECK_BOUNDS) && defined(__CUDA_ARCH__)
    if (at < lo || (!open && at >= lo + extent)) check::out_of_bounds(of.name, rank, dim, at, lo, lo + extent - 1, open, nullptr, 0);
#endif
}
#endif

}  // namespace detail
}  // namespace cuf
