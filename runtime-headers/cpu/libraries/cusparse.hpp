// What the files of cuSPARSE's emulation share: handles and descriptors, and how they are read.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "library.hpp"
#include <algorithm>
#include <complex>
#include <cstdint>
#include <vector>

/// What a cusparseHandle_t points to.
struct cusparseContext {
    cudaStream_t stream = nullptr;
    int pointer_mode = 0;
};
using cusparseHandle_t = cusparseContext*;

/// What a cusparseMatDescr_t points to.
struct cusparseMatDescr {
    int type = 0, fill = 0, diag = 0, base = 0;
};
using cusparseMatDescr_t = cusparseMatDescr*;

/// A sparse vector.
struct cusparseSpVecDescr {
    std::int64_t size, nnz;
    void *indices, *values;
    int index_type, base, type;
};
using cusparseSpVecDescr_t = cusparseSpVecDescr*;

struct cusparseDnVecDescr {
    std::int64_t size;
    void* values;
    int type;
};
using cusparseDnVecDescr_t = cusparseDnVecDescr*;

/// A sparse matrix. `offsets` and `indices` are row offsets and columns (CSR), column offsets and rows (CSC), or rows and columns (COO).
struct cusparseSpMatDescr {
    int format;
    std::int64_t rows, cols, nnz;
    void *offsets, *indices, *values;
    int offset_type, index_type, base, type;
    int fill = 0, diag = 0;
    int batch = 1;
    std::int64_t offset_stride = 0, value_stride = 0;
};
using cusparseSpMatDescr_t = cusparseSpMatDescr*;

struct cusparseDnMatDescr {
    std::int64_t rows, cols, ld;
    void* values;
    int type, order;
    int batch = 1;
    std::int64_t stride = 0;
};
using cusparseDnMatDescr_t = cusparseDnMatDescr*;

namespace cuf::cpu::sparse {

using c4 = std::complex<float>;
using c8 = std::complex<double>;

enum status : int { success = 0, not_initialized = 1, alloc_failed = 2, invalid_value = 3, execution_failed = 6, zero_pivot = 9, not_supported = 10 };
enum : int { csr = 1, csc = 2, coo = 3 };
enum : int { order_col = 1, order_row = 2 };
enum : int { index_32 = 2, index_64 = 3 };
enum : int { op_n = 0, op_t = 1, op_c = 2 };
enum : int { real_4 = 0, real_8 = 1, complex_4 = 4, complex_8 = 5 };

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
T conjugate(T x)
{
    if constexpr (is_complex<T>) return std::conj(x);
    else return x;
}

inline bool is_op(int op) { return op >= op_n && op <= op_c; }
inline bool is_index(int type) { return type == index_32 || type == index_64; }
inline bool is_base(int base) { return base == 0 || base == 1; }
/// Types of data that the emulation computes with.
inline bool is_type(int type) { return type == real_4 || type == real_8 || type == complex_4 || type == complex_8; }
inline std::size_t size_of(int type) { return type == real_4 ? 4 : type == complex_8 ? 16 : 8; }

/// Calls f with a value of the type of data, which is_type accepts.
template <class F>
void by_type(int type, const F& f)
{
    switch (type) {
    case real_4: return f(float{});
    case real_8: return f(double{});
    case complex_4: return f(c4{});
    default: return f(c8{});
    }
}

/// Indices of either width, counted from 0.
struct index_list {
    const void* data;
    int type, base;
    std::int64_t operator[](std::int64_t i) const
    {
        return (type == index_64 ? static_cast<const std::int64_t*>(data)[i] : static_cast<const std::int32_t*>(data)[i]) - base;
    }
};
/// Puts an index, counted from 0.
inline void put_index(void* data, int type, int base, std::int64_t i, std::int64_t value)
{
    if (type == index_64) static_cast<std::int64_t*>(data)[i] = value + base;
    else static_cast<std::int32_t*>(data)[i] = std::int32_t(value + base);
}

/// Calls f(row, column, k) for each entry of a matrix and its place k among the values.
template <class F>
void for_entries(const cusparseSpMatDescr& a, const F& f)
{
    const index_list outer{a.offsets, a.offset_type, a.base}, inner{a.indices, a.index_type, a.base};
    if (a.format == coo) {
        for (std::int64_t k = 0; k < a.nnz; ++k) f(outer[k], inner[k], k);
        return;
    }
    const std::int64_t lines = a.format == csr ? a.rows : a.cols;
    for (std::int64_t line = 0; line < lines; ++line)
        for (std::int64_t k = outer[line]; k < outer[line + 1]; ++k) a.format == csr ? f(line, inner[k], k) : f(inner[k], line, k);
}

/// Calls f(row, column, value) for each entry of op(A).
template <class T, class F>
void for_op(const cusparseSpMatDescr& a, int op, const F& f)
{
    const auto* values = static_cast<const T*>(a.values);
    for_entries(a, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        if (op == op_n) f(i, j, values[k]);
        else f(j, i, op == op_t ? values[k] : conjugate(values[k]));
    });
}

/// Element (i, j) of a dense matrix.
template <class T>
T& dense_at(const cusparseDnMatDescr& m, std::int64_t i, std::int64_t j)
{
    return static_cast<T*>(m.values)[m.order == order_col ? i + j * m.ld : j + i * m.ld];
}

/// A scalar argument: read at the call from host memory, or when the work is done from device memory.
template <class T>
struct scalar {
    const void* device;
    T value;
    T get() const { return device ? *static_cast<const T*>(device) : value; }
};
template <class T>
scalar<T> scalar_of(cusparseHandle_t h, const void* p)
{
    if (h->pointer_mode == 1) return {p, {}};
    return {nullptr, *static_cast<const T*>(p)};
}

/// Does the work in the stream of the handle.
template <class Work>
int run(cusparseHandle_t h, const Work& work)
{
    return submit_work(h->stream, work) == cudaSuccess ? success : execution_failed;
}

/// Work space that the calls ask for; the emulation uses none of it.
inline constexpr std::size_t buffer_bytes = 16;

}  // namespace cuf::cpu::sparse
