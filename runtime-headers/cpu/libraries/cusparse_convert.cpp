// cuSPARSE of the cpu target: conversions between forms of matrices, sorting of entries.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusparse.hpp"
#include <numeric>

using namespace cuf::cpu::sparse;

namespace {

int answer(int bad, std::size_t* bytes)
{
    if (bad != success) return bad;
    if (!bytes) return invalid_value;
    *bytes = buffer_bytes;
    return success;
}

int check_dense(cusparseHandle_t h, cusparseDnMatDescr_t dense, cusparseSpMatDescr_t sparse)
{
    if (!h) return not_initialized;
    if (!dense || !sparse || dense->rows != sparse->rows || dense->cols != sparse->cols) return invalid_value;
    return dense->type == sparse->type ? success : not_supported;
}

/// Calls f(row, column, value) for each element that is not 0, in the order of the sparse form.
template <class T, class F>
void for_nonzeros(const cusparseDnMatDescr& m, bool by_columns, const F& f)
{
    const std::int64_t outer = by_columns ? m.cols : m.rows, inner = by_columns ? m.rows : m.cols;
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            const T v = by_columns ? dense_at<T>(m, i, o) : dense_at<T>(m, o, i);
            if (v != T(0)) by_columns ? f(i, o, v) : f(o, i, v);
        }
}

/// Counts the elements of each line; offsets[line + 1] is the sum up to it.
template <class T>
std::vector<std::int64_t> line_offsets(const cusparseDnMatDescr& m, bool by_columns)
{
    std::vector<std::int64_t> offsets(std::size_t(by_columns ? m.cols : m.rows) + 1);
    for_nonzeros<T>(m, by_columns, [&](std::int64_t i, std::int64_t j, T) { ++offsets[std::size_t(by_columns ? j : i) + 1]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    return offsets;
}

}  // namespace

extern "C" int cusparseSparseToDense_bufferSize(cusparseHandle_t h, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b, int, std::size_t* bytes)
{
    return answer(check_dense(h, b, a), bytes);
}
extern "C" int cusparseSparseToDense(cusparseHandle_t h, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b, int, void*)
{
    if (const int bad = check_dense(h, b, a)) return bad;
    int result = success;
    by_type(a->type, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [a = *a, b = *b] {
            for (std::int64_t j = 0; j < b.cols; ++j)
                for (std::int64_t i = 0; i < b.rows; ++i) dense_at<T>(b, i, j) = T(0);
            for_op<T>(a, op_n, [&](std::int64_t i, std::int64_t j, T v) { dense_at<T>(b, i, j) = v; });
        });
    });
    return result;
}
extern "C" int cusparseDenseToSparse_bufferSize(cusparseHandle_t h, cusparseDnMatDescr_t a, cusparseSpMatDescr_t b, int, std::size_t* bytes)
{
    return answer(check_dense(h, a, b), bytes);
}
/// Finds out how many entries there are, and the offsets.
extern "C" int cusparseDenseToSparse_analysis(cusparseHandle_t h, cusparseDnMatDescr_t a, cusparseSpMatDescr_t b, int, void*)
{
    if (const int bad = check_dense(h, a, b)) return bad;
    int result = success;
    by_type(a->type, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, dense = *a] {
            const auto offsets = line_offsets<T>(dense, b->format == csc);
            b->nnz = offsets.back();
            if (b->format != coo)
                for (std::size_t i = 0; i < offsets.size(); ++i) put_index(b->offsets, b->offset_type, b->base, std::int64_t(i), offsets[i]);
        });
    });
    return result;
}
extern "C" int cusparseDenseToSparse_convert(cusparseHandle_t h, cusparseDnMatDescr_t a, cusparseSpMatDescr_t b, int, void*)
{
    if (const int bad = check_dense(h, a, b)) return bad;
    int result = success;
    by_type(a->type, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [a = *a, b = *b] {
            std::int64_t k = 0;
            for_nonzeros<T>(a, b.format == csc, [&](std::int64_t i, std::int64_t j, T v) {
                if (b.format == coo) put_index(b.offsets, b.offset_type, b.base, k, i);
                put_index(b.indices, b.index_type, b.base, k, b.format == csc ? i : j);
                static_cast<T*>(b.values)[k++] = v;
            });
            if (b.format == coo) return;
            const auto offsets = line_offsets<T>(a, b.format == csc);
            for (std::size_t i = 0; i < offsets.size(); ++i) put_index(b.offsets, b.offset_type, b.base, std::int64_t(i), offsets[i]);
        });
    });
    return result;
}

namespace {

int check_csr2csc(cusparseHandle_t h, int m, int n, int nnz, int type, int action, int base)
{
    if (!h) return not_initialized;
    if (m < 0 || n < 0 || nnz < 0 || action < 0 || action > 1 || !is_base(base)) return invalid_value;
    return is_type(type) ? success : not_supported;
}

}  // namespace

extern "C" int cusparseCsr2cscEx2_bufferSize(cusparseHandle_t h, int m, int n, int nnz, const void*, const int*, const int*, void*, int*, int*, int type,
                                             int action, int base, int, std::size_t* bytes)
{
    return answer(check_csr2csc(h, m, n, nnz, type, action, base), bytes);
}
extern "C" int cusparseCsr2cscEx2(cusparseHandle_t h, int m, int n, int nnz, const void* csr_values, const int* csr_rows, const int* csr_columns,
                                  void* csc_values, int* csc_columns, int* csc_rows, int type, int action, int base, int, void*)
{
    if (const int bad = check_csr2csc(h, m, n, nnz, type, action, base)) return bad;
    int result = success;
    by_type(type, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=] {
            std::vector<int> next(std::size_t(n) + 1);
            for (int k = 0; k < nnz; ++k) ++next[std::size_t(csr_columns[k] - base) + 1];
            std::partial_sum(next.begin(), next.end(), next.begin());
            for (int j = 0; j <= n; ++j) csc_columns[j] = next[std::size_t(j)] + base;
            for (int i = 0; i < m; ++i)
                for (int k = csr_rows[i] - base; k < csr_rows[i + 1] - base; ++k) {
                    const int to = next[std::size_t(csr_columns[k] - base)]++;
                    csc_rows[to] = i + base;
                    if (action == 1) static_cast<T*>(csc_values)[to] = static_cast<const T*>(csr_values)[k];
                }
        });
    });
    return result;
}

extern "C" int cusparseXcoo2csr(cusparseHandle_t h, const int* rows, int nnz, int m, int* offsets, int base)
{
    if (!h) return not_initialized;
    if (nnz < 0 || m < 0 || !is_base(base)) return invalid_value;
    return run(h, [=] {
        for (int i = 0, k = 0; i <= m; ++i) {
            while (k < nnz && rows[k] - base < i) ++k;
            offsets[i] = k + base;
        }
    });
}
extern "C" int cusparseXcsr2coo(cusparseHandle_t h, const int* offsets, int nnz, int m, int* rows, int base)
{
    if (!h) return not_initialized;
    if (nnz < 0 || m < 0 || !is_base(base)) return invalid_value;
    return run(h, [=] {
        for (int i = 0; i < m; ++i)
            for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) rows[k] = i + base;
    });
}
extern "C" int cusparseCreateIdentityPermutation(cusparseHandle_t h, int n, int* p)
{
    if (!h) return not_initialized;
    if (n < 0) return invalid_value;
    return run(h, [=] { std::iota(p, p + n, 0); });
}

namespace {

int size_sort(cusparseHandle_t h, int m, int n, int nnz, std::size_t* bytes)
{
    if (!h) return not_initialized;
    return answer(m < 0 || n < 0 || nnz < 0 ? int(invalid_value) : int(success), bytes);
}
/// Sorts entries first..last by `less`, and with them the arrays (which may be null).
template <class Less, class... Arrays>
void sort_entries(int first, int last, const Less& less, Arrays*... arrays)
{
    std::vector<int> order(std::size_t(last - first));
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(), less);
    const auto permute = [&](int* array) {
        if (!array) return;
        const std::vector<int> before(array + first, array + last);
        for (std::size_t k = 0; k < order.size(); ++k) array[first + int(k)] = before[std::size_t(order[k] - first)];
    };
    (permute(arrays), ...);
}
int sort_coo(cusparseHandle_t h, int m, int n, int nnz, int* major, int* minor, int* p)
{
    if (!h) return not_initialized;
    if (m < 0 || n < 0 || nnz < 0) return invalid_value;
    return run(h, [=] {
        const std::vector<int> a(major, major + nnz), b(minor, minor + nnz);
        const auto less = [&](int x, int y) {
            const auto i = std::size_t(x), j = std::size_t(y);
            return a[i] != a[j] ? a[i] < a[j] : b[i] < b[j];
        };
        sort_entries(0, nnz, less, major, minor, p);
    });
}
int sort_lines(cusparseHandle_t h, int lines, int nnz, cusparseMatDescr_t d, const int* offsets, int* indices, int* p)
{
    if (!h) return not_initialized;
    if (lines < 0 || nnz < 0 || !d) return invalid_value;
    return run(h, [=, base = d->base] {
        const std::vector<int> before(indices, indices + nnz);
        for (int i = 0; i < lines; ++i)
            sort_entries(offsets[i] - base, offsets[i + 1] - base, [&](int x, int y) { return before[std::size_t(x)] < before[std::size_t(y)]; }, indices, p);
    });
}

}  // namespace

extern "C" int cusparseXcoosort_bufferSizeExt(cusparseHandle_t h, int m, int n, int nnz, const int*, const int*, std::size_t* bytes)
{
    return size_sort(h, m, n, nnz, bytes);
}
extern "C" int cusparseXcoosortByRow(cusparseHandle_t h, int m, int n, int nnz, int* rows, int* columns, int* p, void*)
{
    return sort_coo(h, m, n, nnz, rows, columns, p);
}
extern "C" int cusparseXcoosortByColumn(cusparseHandle_t h, int m, int n, int nnz, int* rows, int* columns, int* p, void*)
{
    return sort_coo(h, m, n, nnz, columns, rows, p);
}
extern "C" int cusparseXcsrsort_bufferSizeExt(cusparseHandle_t h, int m, int n, int nnz, const int*, const int*, std::size_t* bytes)
{
    return size_sort(h, m, n, nnz, bytes);
}
extern "C" int cusparseXcsrsort(cusparseHandle_t h, int m, int, int nnz, cusparseMatDescr_t d, const int* offsets, int* columns, int* p, void*)
{
    return sort_lines(h, m, nnz, d, offsets, columns, p);
}
extern "C" int cusparseXcscsort_bufferSizeExt(cusparseHandle_t h, int m, int n, int nnz, const int*, const int*, std::size_t* bytes)
{
    return size_sort(h, m, n, nnz, bytes);
}
extern "C" int cusparseXcscsort(cusparseHandle_t h, int, int n, int nnz, cusparseMatDescr_t d, const int* offsets, int* rows, int* p, void*)
{
    return sort_lines(h, n, nnz, d, offsets, rows, p);
}

namespace {

/// Counts the elements of each row (direction 0) or column (1) that are not 0.
template <class T>
int do_nnz(cusparseHandle_t h, int direction, int m, int n, cusparseMatDescr_t d, const T* a, int lda, int* each, int* total)
{
    if (!h) return not_initialized;
    if (direction < 0 || direction > 1 || m < 0 || n < 0 || !d || lda < std::max(1, m) || !total) return invalid_value;
    return run(h, [=] {
        const int lines = direction == 0 ? m : n;
        std::fill_n(each, lines, 0);
        int sum = 0;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                if (a[i + std::int64_t(j) * lda] != T(0)) ++each[direction == 0 ? i : j], ++sum;
        *total = sum;
    });
}

}  // namespace

extern "C" int cusparseSnnz(cusparseHandle_t h, int direction, int m, int n, cusparseMatDescr_t d, const float* a, int lda, int* each, int* total)
{
    return do_nnz(h, direction, m, n, d, a, lda, each, total);
}
extern "C" int cusparseDnnz(cusparseHandle_t h, int direction, int m, int n, cusparseMatDescr_t d, const double* a, int lda, int* each, int* total)
{
    return do_nnz(h, direction, m, n, d, a, lda, each, total);
}
extern "C" int cusparseCnnz(cusparseHandle_t h, int direction, int m, int n, cusparseMatDescr_t d, const c4* a, int lda, int* each, int* total)
{
    return do_nnz(h, direction, m, n, d, a, lda, each, total);
}
extern "C" int cusparseZnnz(cusparseHandle_t h, int direction, int m, int n, cusparseMatDescr_t d, const c8* a, int lda, int* each, int* total)
{
    return do_nnz(h, direction, m, n, d, a, lda, each, total);
}
