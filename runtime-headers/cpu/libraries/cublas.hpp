// What the files of cuBLAS's emulation share: the handle, checks of arguments, scalars of either memory. On top of any BLAS with
// Fortran's symbols (blas.hpp).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "library.hpp"
#include <algorithm>
#include <complex>
#include <cstdint>

/// What a cublasHandle_t points to.
struct cublasContext {
    cudaStream_t stream = nullptr;
    int pointer_mode = 0;
    int atomics_mode = 0;
    int math_mode = 0;
    int sm_count = 0;
};
using cublasHandle_t = cublasContext*;

namespace cuf::cpu::blas {

using c4 = std::complex<float>;
using c8 = std::complex<double>;

enum status : int {
    success = 0,
    not_initialized = 1,
    alloc_failed = 3,
    invalid_value = 7,
    execution_failed = 13,
    not_supported = 15
};
enum : int { lower = 0, upper = 1 };
enum : int { non_unit = 0, unit = 1 };
enum : int { left = 0, right = 1 };
enum : int { op_n = 0, op_t = 1, op_c = 2 };
enum : int { host_mode = 0, device_mode = 1 };

template <class T>
struct real_part {
    using type = T;
    static constexpr bool is_complex = false;
};
template <class T>
struct real_part<std::complex<T>> {
    using type = T;
    static constexpr bool is_complex = true;
};
/// float for float and std::complex<float>.
template <class T>
using real_of = typename real_part<T>::type;
template <class T>
inline constexpr bool is_complex = real_part<T>::is_complex;

template <class T>
T conjugate(T x)
{
    if constexpr (is_complex<T>) return std::conj(x);
    else return x;
}

/// A scalar argument: read at the call from host memory, or when the work is done from device memory.
template <class T>
struct scalar {
    const T* device = nullptr;
    T value{};
    T get() const { return device ? *device : value; }
};

template <class T>
scalar<T> scalar_of(cublasHandle_t h, const T* p)
{
    return h->pointer_mode == device_mode ? scalar<T>{p, {}} : scalar<T>{nullptr, *p};
}

/// Does the work in the stream of the handle.
template <class Work>
int run(cublasHandle_t h, const Work& work)
{
    return submit_work(h->stream, work) == cudaSuccess ? success : execution_failed;
}

inline bool is_op(int v) { return v >= op_n && v <= op_c; }
inline bool is_fill(int v) { return v == lower || v == upper; }
inline bool is_diag(int v) { return v == non_unit || v == unit; }
inline bool is_side(int v) { return v == left || v == right; }
/// A leading dimension is large enough for so many rows.
inline bool is_lead(int ld, int rows) { return ld >= std::max(1, rows); }

inline char op_letter(int v) { return v == op_n ? 'N' : v == op_t ? 'T' : 'C'; }
inline char fill_letter(int v) { return v == lower ? 'L' : 'U'; }
inline char diag_letter(int v) { return v == unit ? 'U' : 'N'; }
inline char side_letter(int v) { return v == left ? 'L' : 'R'; }

/// Element i (from 0) of a vector of n elements, counted as BLAS does for negative strides.
template <class T>
struct strided {
    T* first;
    std::int64_t inc;
    strided(T* x, int n, int incx) : first(incx < 0 ? x + std::int64_t(1 - n) * incx : x), inc(incx) {}
    T& operator[](std::int64_t i) const { return first[i * inc]; }
};

/// y = 0, whatever it was: products with beta = 0 do not read it.
template <class T>
void clear(T* y, int n, int incy)
{
    const strided<T> v(y, n, incy);
    for (int i = 0; i < n; ++i) v[i] = T(0);
}
template <class T>
void clear(T* c, int m, int n, int ldc)
{
    for (int j = 0; j < n; ++j) std::fill_n(c + std::int64_t(j) * ldc, m, T(0));
}
/// The same for a triangle.
template <class T>
void clear_triangle(int uplo, T* c, int n, int ldc)
{
    for (int j = 0; j < n; ++j) {
        const int first = uplo == lower ? j : 0, last = uplo == lower ? n : j + 1;
        std::fill(c + std::int64_t(j) * ldc + first, c + std::int64_t(j) * ldc + last, T(0));
    }
}

}  // namespace cuf::cpu::blas
