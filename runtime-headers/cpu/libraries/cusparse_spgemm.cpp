// cuSPARSE of the cpu target: products and sums of two sparse matrices.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusparse.hpp"
#include <map>

using namespace cuf::cpu::sparse;

/// What a cusparseSpGEMMDescr_t points to: the product between compute and copy, without alpha.
struct cusparseSpGEMMDescr {
    std::vector<std::int64_t> offsets, columns;
    std::vector<c8> values;
};
using cusparseSpGEMMDescr_t = cusparseSpGEMMDescr*;

namespace {

int check(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseSpMatDescr_t b, const void* beta,
          cusparseSpMatDescr_t c, int compute, cusparseSpGEMMDescr_t d)
{
    if (!h) return not_initialized;
    if (!is_op(op_a) || !is_op(op_b) || !alpha || !a || !b || !beta || !c || !d) return invalid_value;
    if (a->cols != b->rows || c->rows != a->rows || c->cols != b->cols) return invalid_value;
    const bool types = is_type(compute) && a->type == compute && b->type == compute && c->type == compute;
    const bool forms = a->format == csr && b->format == csr && c->format == csr && op_a == op_n && op_b == op_n;
    return types && forms ? success : not_supported;
}

/// A*B by rows, with ascending columns.
template <class T>
void form_product(const cusparseSpMatDescr& a, const cusparseSpMatDescr& b, cusparseSpGEMMDescr& out)
{
    const index_list rows_b{b.offsets, b.offset_type, b.base}, cols_b{b.indices, b.index_type, b.base};
    std::vector<std::map<std::int64_t, T>> rows(std::size_t(a.rows));
    for_op<T>(a, op_n, [&](std::int64_t i, std::int64_t k, T v) {
        for (std::int64_t l = rows_b[k]; l < rows_b[k + 1]; ++l) rows[std::size_t(i)][cols_b[l]] += v * static_cast<const T*>(b.values)[l];
    });
    out.offsets.assign(1, 0);
    out.columns.clear();
    out.values.clear();
    for (const auto& row : rows) {
        for (const auto& [column, value] : row) {
            out.columns.push_back(column);
            out.values.push_back(c8(value));
        }
        out.offsets.push_back(std::int64_t(out.columns.size()));
    }
}

}  // namespace

extern "C" int cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* d)
{
    if (!d) return invalid_value;
    *d = new cusparseSpGEMMDescr;
    return success;
}
extern "C" int cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t d)
{
    delete d;
    return success;
}
/// Both steps answer the question for their work space if the buffer is null.
extern "C" int cusparseSpGEMM_workEstimation(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                             const void* beta, cusparseSpMatDescr_t c, int compute, int, cusparseSpGEMMDescr_t d, std::size_t* bytes,
                                             void* buffer)
{
    if (const int bad = check(h, op_a, op_b, alpha, a, b, beta, c, compute, d)) return bad;
    if (!bytes) return invalid_value;
    if (!buffer) *bytes = buffer_bytes;
    return success;
}
extern "C" int cusparseSpGEMM_compute(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                      const void* beta, cusparseSpMatDescr_t c, int compute, int, cusparseSpGEMMDescr_t d, std::size_t* bytes, void* buffer)
{
    if (const int bad = check(h, op_a, op_b, alpha, a, b, beta, c, compute, d)) return bad;
    if (!bytes) return invalid_value;
    if (!buffer) {
        *bytes = buffer_bytes;
        return success;
    }
    int result = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=] {
            form_product<T>(*a, *b, *d);
            c->nnz = std::int64_t(d->columns.size());
        });
    });
    return result;
}
extern "C" int cusparseSpGEMM_copy(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                   const void* beta, cusparseSpMatDescr_t c, int compute, int, cusparseSpGEMMDescr_t d)
{
    if (const int bad = check(h, op_a, op_b, alpha, a, b, beta, c, compute, d)) return bad;
    if (std::int64_t(d->offsets.size()) != c->rows + 1 || std::int64_t(d->columns.size()) != c->nnz) return invalid_value;
    int result = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, c = *c, product = *d, s = scalar_of<T>(h, alpha), t = scalar_of<T>(h, beta)] {
            for (std::size_t i = 0; i < product.offsets.size(); ++i) put_index(c.offsets, c.offset_type, c.base, std::int64_t(i), product.offsets[i]);
            auto* values = static_cast<T*>(c.values);
            for (std::size_t k = 0; k < product.columns.size(); ++k) {
                put_index(c.indices, c.index_type, c.base, std::int64_t(k), product.columns[k]);
                T value;
                if constexpr (is_complex<T>) value = s.get() * T(product.values[k]);
                else value = s.get() * T(product.values[k].real());
                values[k] = t.get() == T(0) ? value : value + t.get() * values[k];
            }
        });
    });
    return result;
}

namespace {

/// A sparse matrix of the older calls.
template <class T>
struct old_csr {
    const T* values;
    const int *rows, *columns;
    int base;
};

/// Calls f(row, column, place in A or -1, place in B or -1) for each entry of the union of two matrices with ascending columns.
template <class A, class F>
void for_union(int m, const A& a, const A& b, const F& f)
{
    for (int i = 0; i < m; ++i) {
        int k = a.rows[i] - a.base, l = b.rows[i] - b.base;
        const int last_a = a.rows[i + 1] - a.base, last_b = b.rows[i + 1] - b.base;
        while (k < last_a || l < last_b) {
            const int of_a = k < last_a ? a.columns[k] - a.base : -1, of_b = l < last_b ? b.columns[l] - b.base : -1;
            if (of_b < 0 || (of_a >= 0 && of_a < of_b)) f(i, of_a, k++, -1);
            else if (of_a < 0 || of_b < of_a) f(i, of_b, -1, l++);
            else f(i, of_a, k++, l++);
        }
    }
}

bool descriptors(cusparseMatDescr_t a, cusparseMatDescr_t b, cusparseMatDescr_t c) { return a && b && c && a->type == 0 && b->type == 0 && c->type == 0; }

int size_csrgeam2(cusparseHandle_t h, bool good, std::size_t* bytes)
{
    if (!h) return not_initialized;
    if (!good || !bytes) return invalid_value;
    *bytes = buffer_bytes;
    return success;
}

/// C = alpha*A + beta*B.
template <class T>
int do_csrgeam2(cusparseHandle_t h, int m, int n, const T* alpha, cusparseMatDescr_t da, const T* va, const int* ra, const int* ca, const T* beta,
                cusparseMatDescr_t db, const T* vb, const int* rb, const int* cb, cusparseMatDescr_t dc, T* vc, int* rc, int* cc)
{
    if (!h) return not_initialized;
    if (m < 0 || n < 0 || !descriptors(da, db, dc) || !alpha || !beta) return invalid_value;
    const old_csr<T> a{va, ra, ca, da->base}, b{vb, rb, cb, db->base};
    return run(h, [=, base = dc->base, s = scalar_of<T>(h, alpha), t = scalar_of<T>(h, beta)] {
        int k = 0;
        for (int i = 0; i <= m; ++i) rc[i] = base;
        for_union(m, a, b, [&](int i, int j, int of_a, int of_b) {
            cc[k] = j + base;
            vc[k] = (of_a < 0 ? T(0) : s.get() * a.values[of_a]) + (of_b < 0 ? T(0) : t.get() * b.values[of_b]);
            rc[i + 1] = ++k + base;
        });
        for (int i = 1; i <= m; ++i) rc[i] = std::max(rc[i], rc[i - 1]);
    });
}

}  // namespace

extern "C" int cusparseXcsrgeam2Nnz(cusparseHandle_t h, int m, int n, cusparseMatDescr_t da, int, const int* ra, const int* ca, cusparseMatDescr_t db, int,
                                    const int* rb, const int* cb, cusparseMatDescr_t dc, int* rc, int* total, void*)
{
    if (!h) return not_initialized;
    if (m < 0 || n < 0 || !descriptors(da, db, dc) || !total) return invalid_value;
    const old_csr<float> a{nullptr, ra, ca, da->base}, b{nullptr, rb, cb, db->base};
    return run(h, [=, base = dc->base] {
        int k = 0;
        for (int i = 0; i <= m; ++i) rc[i] = base;
        for_union(m, a, b, [&](int i, int, int, int) { rc[i + 1] = ++k + base; });
        for (int i = 1; i <= m; ++i) rc[i] = std::max(rc[i], rc[i - 1]);
        *total = k;
    });
}

extern "C" int cusparseScsrgeam2_bufferSizeExt(cusparseHandle_t h, int m, int n, const float* alpha, cusparseMatDescr_t da, int, const float*,
                                               const int*, const int*, const float* beta, cusparseMatDescr_t db, int, const float*, const int*,
                                               const int*, cusparseMatDescr_t dc, const float*, const int*, const int*, std::size_t* bytes)
{
    return size_csrgeam2(h, m >= 0 && n >= 0 && descriptors(da, db, dc) && alpha && beta, bytes);
}
extern "C" int cusparseScsrgeam2(cusparseHandle_t h, int m, int n, const float* alpha, cusparseMatDescr_t da, int, const float* va, const int* ra,
                                 const int* ca, const float* beta, cusparseMatDescr_t db, int, const float* vb, const int* rb, const int* cb,
                                 cusparseMatDescr_t dc, float* vc, int* rc, int* cc, void*)
{
    return do_csrgeam2(h, m, n, alpha, da, va, ra, ca, beta, db, vb, rb, cb, dc, vc, rc, cc);
}
extern "C" int cusparseDcsrgeam2_bufferSizeExt(cusparseHandle_t h, int m, int n, const double* alpha, cusparseMatDescr_t da, int, const double*,
                                               const int*, const int*, const double* beta, cusparseMatDescr_t db, int, const double*, const int*,
                                               const int*, cusparseMatDescr_t dc, const double*, const int*, const int*, std::size_t* bytes)
{
    return size_csrgeam2(h, m >= 0 && n >= 0 && descriptors(da, db, dc) && alpha && beta, bytes);
}
extern "C" int cusparseDcsrgeam2(cusparseHandle_t h, int m, int n, const double* alpha, cusparseMatDescr_t da, int, const double* va, const int* ra,
                                 const int* ca, const double* beta, cusparseMatDescr_t db, int, const double* vb, const int* rb, const int* cb,
                                 cusparseMatDescr_t dc, double* vc, int* rc, int* cc, void*)
{
    return do_csrgeam2(h, m, n, alpha, da, va, ra, ca, beta, db, vb, rb, cb, dc, vc, rc, cc);
}
extern "C" int cusparseCcsrgeam2_bufferSizeExt(cusparseHandle_t h, int m, int n, const c4* alpha, cusparseMatDescr_t da, int, const c4*, const int*,
                                               const int*, const c4* beta, cusparseMatDescr_t db, int, const c4*, const int*, const int*,
                                               cusparseMatDescr_t dc, const c4*, const int*, const int*, std::size_t* bytes)
{
    return size_csrgeam2(h, m >= 0 && n >= 0 && descriptors(da, db, dc) && alpha && beta, bytes);
}
extern "C" int cusparseCcsrgeam2(cusparseHandle_t h, int m, int n, const c4* alpha, cusparseMatDescr_t da, int, const c4* va, const int* ra,
                                 const int* ca, const c4* beta, cusparseMatDescr_t db, int, const c4* vb, const int* rb, const int* cb,
                                 cusparseMatDescr_t dc, c4* vc, int* rc, int* cc, void*)
{
    return do_csrgeam2(h, m, n, alpha, da, va, ra, ca, beta, db, vb, rb, cb, dc, vc, rc, cc);
}
extern "C" int cusparseZcsrgeam2_bufferSizeExt(cusparseHandle_t h, int m, int n, const c8* alpha, cusparseMatDescr_t da, int, const c8*, const int*,
                                               const int*, const c8* beta, cusparseMatDescr_t db, int, const c8*, const int*, const int*,
                                               cusparseMatDescr_t dc, const c8*, const int*, const int*, std::size_t* bytes)
{
    return size_csrgeam2(h, m >= 0 && n >= 0 && descriptors(da, db, dc) && alpha && beta, bytes);
}
extern "C" int cusparseZcsrgeam2(cusparseHandle_t h, int m, int n, const c8* alpha, cusparseMatDescr_t da, int, const c8* va, const int* ra,
                                 const int* ca, const c8* beta, cusparseMatDescr_t db, int, const c8* vb, const int* rb, const int* cb,
                                 cusparseMatDescr_t dc, c8* vc, int* rc, int* cc, void*)
{
    return do_csrgeam2(h, m, n, alpha, da, va, ra, ca, beta, db, vb, rb, cb, dc, vc, rc, cc);
}
