// Pointer array components of derived types: the descriptor of gfortran 9 and later, as the host code writes it.
#pragma once

#include "array.hpp"

namespace cuf {

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
    CUF_FN int64_t origin(int d) const { return dim[d - 1].lower; }
    CUF_FN int64_t lbound(int d) const { return size(d) > 0 ? dim[d - 1].lower : 1; }
    CUF_FN int64_t ubound(int d) const { return size(d) > 0 ? dim[d - 1].upper : 0; }
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

}  // namespace cuf
