// Pointer array components of derived types: the descriptor of gfortran 9 and later, as the host code writes it.
#pragma once

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

}  // namespace detail

/// Layout of `type(...), pointer :: p(:,...)` inside a derived type of the host compiler.
template <class T, int R>
struct fortran_pointer {
    static constexpr int rank = R;
    using element = T;

    struct dimension {
        int64_t stride, lower, upper;
    };

    template <class... S>
        requires(sizeof...(S) == R)
    CUF_FN T& operator()(S... s) const
    {
        int64_t at = offset;
        int k = 0;
        ((at += int64_t(s) * dim[k++].stride), ...);
        return *reinterpret_cast<T*>(static_cast<char*>(base) + at * span);
    }
    CUF_FN int64_t size(int d) const
    {
        const int64_t n = dim[d - 1].upper - dim[d - 1].lower + 1;
        return n < 0 ? 0 : n;
    }
    CUF_FN int64_t size() const
    {
        int64_t n = 1;
        for (int d = 1; d <= R; ++d) n *= size(d);
        return n;
    }
    CUF_FN int64_t lower(int d) const { return dim[d - 1].lower; }
    CUF_FN int64_t stride(int d) const { return dim[d - 1].stride; }
    CUF_FN int64_t lbound(int d) const { return size(d) > 0 ? dim[d - 1].lower : 1; }
    CUF_FN int64_t ubound(int d) const { return size(d) > 0 ? dim[d - 1].upper : 0; }
    CUF_FN int64_t upper(int d) const { return dim[d - 1].upper; }
    CUF_FN T* data() const { return static_cast<T*>(base); }
    CUF_FN bool contiguous() const { return view<T, R>(*this).contiguous(); }
    CUF_FN operator view<T, R>() const
    {
        int64_t lower[R], extent[R], stride[R];
        for (int d = 0; d < R; ++d) {
            lower[d] = dim[d].lower;
            extent[d] = size(d + 1);
            stride[d] = dim[d].stride * span / int64_t(sizeof(T));
        }
        return view<T, R>(data(), lower, extent, stride);
    }
    CUF_FN operator view<const T, R>() const { return view<T, R>(*this); }

    /// Pointer assignment; null disassociates.
    CUF_FN fortran_pointer& operator=(std::nullptr_t)
    {
        base = nullptr;
        return *this;
    }
    CUF_FN fortran_pointer& operator=(const view<T, R>& v)
    {
        base = v.data();
        element_length = span = int64_t(sizeof(T));
        version = 0;
        array_rank = R;
        type = detail::type_code<T>();
        attribute = 0;
        offset = 0;
        for (int d = 1; d <= R; ++d) {
            dim[d - 1] = {v.stride(d), v.lower(d), v.lower(d) + v.size(d) - 1};
            offset -= v.lower(d) * v.stride(d);
        }
        return *this;
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
