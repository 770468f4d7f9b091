// Pointer array components of derived types: descriptors as the compiler of the host code writes them, gfortran or, with CUF_FLANG, LLVM flang.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "local_array.hpp"
#include "character.hpp"
#include "complex.hpp"
#include "logical.hpp"

namespace cuf {

namespace detail {

template <class T>
inline constexpr bool is_logical_kind = false;
template <int K>
inline constexpr bool is_logical_kind<logical<K>> = true;
template <class T>
inline constexpr bool is_complex_kind = false;
template <class T>
inline constexpr bool is_complex_kind<complex<T>> = true;

#if defined(CUF_FLANG)
/// Type code of a descriptor of LLVM flang.
template <class T>
CUF_FN constexpr int8_t type_code()
{
    constexpr int power = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    if (integer_kind<T>) return int8_t(7 + power);
    if (is_logical_kind<T>) return power == 0 ? 39 : int8_t(12 + power);
    if (real_kind<T>) return sizeof(T) == 2 ? 25 : sizeof(T) == 4 ? 27 : 28;
    if (is_complex_kind<T>) return sizeof(T) == 8 ? 34 : 35;
    return text<T> ? 40 : 42;
}

/// The addendum that flang appends to the dimensions if elements are of a derived type. The host writes it.
template <class T, bool IsIntrinsic = integer_kind<T> || is_logical_kind<T> || real_kind<T> || is_complex_kind<T> || text<T>>
struct description {};
template <class T>
struct description<T, false> {
    const void* type = nullptr;
    int64_t lengths[1] = {};
};

/// A pointer or allocatable in a derived type as LLVM flang 22 lays it out.
template <class T, int R>
struct component {
    struct dimension {
        int64_t lower, extent, distance;
    };
    template <class... S>
    CUF_FN int64_t bytes_to(S... s) const
    {
        int64_t at = 0;
        int k = 0;
        ((at += (int64_t(s) - dim[k].lower) * dim[k].distance, ++k), ...);
        return at;
    }
    CUF_FN int64_t extent(int k) const { return dim[k].extent; }
    CUF_FN int64_t bytes_between(int k) const { return dim[k].distance; }
    template <class V>
    CUF_FN void set(const V& v)
    {
        base = v.data();
        element_length = sizeof(T);
        for (int d = 1; d <= R; ++d) dim[d - 1] = {v.lower(d), v.size(d), v.stride(d) * int64_t(sizeof(T))};
    }

    // As flang sets up a pointer of its own.
    void* base = nullptr;
    uint64_t element_length = sizeof(T);
    int32_t version = 20240719;
    int8_t array_rank = R, type = type_code<T>();
    uint8_t attribute = 1, extra = 0;
    dimension dim[R] = {};
    [[no_unique_address]] description<T> of;
};
#else
/// Type code of a descriptor of gfortran.
template <class T>
CUF_FN constexpr int8_t type_code()
{
    if (integer_kind<T>) return 1;
    if (is_logical_kind<T>) return 2;
    if (real_kind<T>) return 3;
    if (is_complex_kind<T>) return 4;
    return text<T> ? 6 : 5;
}

/// A pointer or allocatable in a derived type as gfortran 9 and later lay it out.
template <class T, int R>
struct component {
    struct dimension {
        int64_t stride, lower, upper;
    };
    template <class... S>
    CUF_FN int64_t bytes_to(S... s) const
    {
        int64_t at = offset;
        int k = 0;
        ((at += int64_t(s) * dim[k++].stride), ...);
        return at * span;
    }
    CUF_FN int64_t extent(int k) const
    {
        const int64_t n = dim[k].upper - dim[k].lower + 1;
        return n < 0 ? 0 : n;
    }
    CUF_FN int64_t bytes_between(int k) const { return dim[k].stride * span; }
    template <class V>
    CUF_FN void set(const V& v)
    {
        base = v.data();
        element_length = span = int64_t(sizeof(T));
        version = 0;
        array_rank = R;
        type = type_code<T>();
        attribute = 0;
        offset = 0;
        for (int d = 1; d <= R; ++d) {
            dim[d - 1] = {v.stride(d), v.lower(d), v.lower(d) + v.size(d) - 1};
            offset -= v.lower(d) * v.stride(d);
        }
    }

    void* base;
    int64_t offset;
    int64_t element_length;
    int32_t version;
    int8_t array_rank, type;
    int16_t attribute;
    int64_t span;
    dimension dim[R];
};
#endif

}  // namespace detail

/// Layout of `type(...), pointer :: p(:,...)` inside a derived type of the host compiler.
template <class T, int R>
struct fortran_pointer : detail::component<T, R> {
    static constexpr int rank = R;
    using element = T;

    template <class... S>
        requires(sizeof...(S) == R)
    CUF_FN T& operator()(S... s) const
    {
        return *reinterpret_cast<T*>(static_cast<char*>(this->base) + this->bytes_to(s...));
    }
    CUF_FN int64_t size(int d) const { return this->extent(d - 1); }
    CUF_FN int64_t size() const
    {
        int64_t n = 1;
        for (int d = 1; d <= R; ++d) n *= size(d);
        return n;
    }
    CUF_FN int64_t lower(int d) const { return this->dim[d - 1].lower; }
    CUF_FN int64_t stride(int d) const { return this->bytes_between(d - 1) / int64_t(sizeof(T)); }
    CUF_FN int64_t lbound(int d) const { return size(d) > 0 ? lower(d) : 1; }
    CUF_FN int64_t ubound(int d) const { return size(d) > 0 ? upper(d) : 0; }
    CUF_FN int64_t upper(int d) const { return lower(d) + size(d) - 1; }
    CUF_FN T* data() const { return static_cast<T*>(this->base); }
    CUF_FN bool contiguous() const { return view<T, R>(*this).contiguous(); }
    CUF_FN operator view<T, R>() const
    {
        int64_t low[R], extent[R], distance[R];
        for (int d = 0; d < R; ++d) {
            low[d] = lower(d + 1);
            extent[d] = size(d + 1);
            distance[d] = stride(d + 1);
        }
        return view<T, R>(data(), low, extent, distance);
    }
    CUF_FN operator view<const T, R>() const { return view<T, R>(*this); }

    /// Pointer assignment; null disassociates.
    CUF_FN fortran_pointer& operator=(std::nullptr_t)
    {
        this->base = nullptr;
        return *this;
    }
    CUF_FN fortran_pointer& operator=(const view<T, R>& v)
    {
        this->set(v);
        return *this;
    }
};

#if defined(CUF_FLANG)
/// Layout of `type(...), pointer :: p` inside a derived type: LLVM flang has a descriptor there, gfortran the address.
template <class T>
struct fortran_scalar {
    fortran_scalar() = default;
    CUF_FN fortran_scalar(T* p) : base(p) {}
    CUF_FN operator T*() const { return base; }
    CUF_FN T* operator->() const { return base; }
    CUF_FN fortran_scalar& operator=(T* p)
    {
        base = p;
        return *this;
    }

    T* base = nullptr;
    uint64_t element_length = sizeof(T);
    int32_t version = 20240719;
    int8_t array_rank = 0, type = detail::type_code<T>();
    uint8_t attribute = 1, extra = 0;
    [[no_unique_address]] detail::description<T> of;
};
template <class T>
CUF_FN int try_allocate(fortran_scalar<T>& p)
{
    return try_allocate(p.base);
}
template <class T>
CUF_FN int try_deallocate(fortran_scalar<T>& p)
{
    return try_deallocate(p.base);
}
#else
template <class T>
using fortran_scalar = T*;
#endif

template <class T, int R>
view(const fortran_pointer<T, R>&) -> view<T, R>;

/// ALLOCATE and DEALLOCATE of a pointer component; the status for STAT=.
template <class T, int R, class... B>
CUF_FN int try_allocate(fortran_pointer<T, R>& p, B... bounds)
{
    view<T, R> v(nullptr);
    const int status = try_allocate(v, bounds...);
    if (status == 0) p = v;
    return status;
}
template <class T, int R>
CUF_FN int try_deallocate(fortran_pointer<T, R>& p)
{
    view<T, R> v(p);
    const int status = try_deallocate(v);
    p = nullptr;
    return status;
}

}  // namespace cuf
