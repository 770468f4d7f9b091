// cuSPARSE of the cpu target: sparse vectors, products of sparse matrices with vectors and dense matrices.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusparse.hpp"

using namespace cuf::cpu::sparse;

namespace {

/// A scalar of a compute type, or the reason why the call is refused.
int check(cusparseHandle_t h, bool good, bool supported)
{
    if (!h) return not_initialized;
    if (!good) return invalid_value;
    return supported ? success : not_supported;
}
int answer(int bad, std::size_t* bytes)
{
    if (bad != success) return bad;
    if (!bytes) return invalid_value;
    *bytes = buffer_bytes;
    return success;
}

/// x*beta, and 0 if beta is 0 whatever x is.
template <class T>
T scaled(T beta, T x)
{
    return beta == T(0) ? T(0) : beta * x;
}

int check_vectors(cusparseHandle_t h, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    if (!h) return not_initialized;
    if (!x || !y || x->size != y->size) return invalid_value;
    return x->type == y->type ? success : not_supported;
}
template <class T>
T* values_of(const cusparseSpVecDescr& x)
{
    return static_cast<T*>(x.values);
}
template <class T>
T* values_of(const cusparseDnVecDescr& y)
{
    return static_cast<T*>(y.values);
}

std::int64_t rows_of(const cusparseSpMatDescr& a, int op) { return op == op_n ? a.rows : a.cols; }
std::int64_t cols_of(const cusparseSpMatDescr& a, int op) { return op == op_n ? a.cols : a.rows; }

int check_spmv(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y,
               int compute)
{
    const bool good = is_op(op) && alpha && a && x && beta && y && x->size == cols_of(*a, op) && y->size == rows_of(*a, op);
    return check(h, good, good && is_type(compute) && a->type == compute && x->type == compute && y->type == compute);
}

struct dense_op {
    const cusparseDnMatDescr& m;
    int op;
    std::int64_t rows() const { return op == op_n ? m.rows : m.cols; }
    std::int64_t cols() const { return op == op_n ? m.cols : m.rows; }
    template <class T>
    T at(std::int64_t i, std::int64_t j) const
    {
        if (op == op_n) return dense_at<T>(m, i, j);
        return op == op_t ? dense_at<T>(m, j, i) : conjugate(dense_at<T>(m, j, i));
    }
};

int check_spmm(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b, const void* beta,
               cusparseDnMatDescr_t c, int compute)
{
    bool good = is_op(op_a) && is_op(op_b) && alpha && a && b && beta && c;
    if (good) {
        const dense_op factor{*b, op_b};
        good = c->rows == rows_of(*a, op_a) && factor.rows() == cols_of(*a, op_a) && c->cols == factor.cols();
        good = good && (a->batch == 1 || a->batch == c->batch) && (b->batch == 1 || b->batch == c->batch);
    }
    return check(h, good, good && is_type(compute) && a->type == compute && b->type == compute && c->type == compute);
}

/// Matrix number i of a batch.
cusparseSpMatDescr of_batch(cusparseSpMatDescr a, int i)
{
    if (a.batch == 1) return a;
    const auto moved = [i](void* p, std::int64_t stride, std::size_t bytes) { return static_cast<char*>(p) + i * stride * std::int64_t(bytes); };
    a.offsets = moved(a.offsets, a.offset_stride, a.offset_type == index_64 ? 8 : 4);
    a.indices = moved(a.indices, a.value_stride, a.index_type == index_64 ? 8 : 4);
    a.values = moved(a.values, a.value_stride, size_of(a.type));
    return a;
}
cusparseDnMatDescr of_batch(cusparseDnMatDescr m, int i)
{
    if (m.batch > 1) m.values = static_cast<char*>(m.values) + i * m.stride * std::int64_t(size_of(m.type));
    return m;
}

template <class T>
void multiply(const cusparseSpMatDescr& a, int op_a, const dense_op& b, T alpha, T beta, const cusparseDnMatDescr& c)
{
    std::vector<T> sums(std::size_t(c.rows * c.cols));
    if (alpha != T(0))
        for_op<T>(a, op_a, [&](std::int64_t i, std::int64_t k, T v) {
            for (std::int64_t j = 0; j < c.cols; ++j) sums[std::size_t(i + j * c.rows)] += v * b.at<T>(k, j);
        });
    for (std::int64_t j = 0; j < c.cols; ++j)
        for (std::int64_t i = 0; i < c.rows; ++i) {
            T& to = dense_at<T>(c, i, j);
            to = alpha * sums[std::size_t(i + j * c.rows)] + scaled(beta, to);
        }
}

int check_sddmm(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseDnMatDescr_t a, cusparseDnMatDescr_t b, const void* beta,
                cusparseSpMatDescr_t c, int compute)
{
    bool good = is_op(op_a) && is_op(op_b) && alpha && a && b && beta && c;
    if (good) {
        const dense_op x{*a, op_a}, y{*b, op_b};
        good = x.rows() == c->rows && y.cols() == c->cols && x.cols() == y.rows();
    }
    return check(h, good, good && is_type(compute) && a->type == compute && b->type == compute && c->type == compute);
}

}  // namespace

extern "C" int cusparseAxpby(cusparseHandle_t h, const void* alpha, cusparseSpVecDescr_t x, const void* beta, cusparseDnVecDescr_t y)
{
    if (const int bad = check_vectors(h, x, y)) return bad;
    if (!alpha || !beta) return invalid_value;
    int result = success;
    by_type(x->type, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, x = *x, y = *y, s = scalar_of<T>(h, alpha), t = scalar_of<T>(h, beta)] {
            const index_list at{x.indices, x.index_type, x.base};
            for (std::int64_t i = 0; i < y.size; ++i) values_of<T>(y)[i] = scaled(t.get(), values_of<T>(y)[i]);
            for (std::int64_t k = 0; k < x.nnz; ++k) values_of<T>(y)[at[k]] += s.get() * values_of<T>(x)[k];
        });
    });
    return result;
}
extern "C" int cusparseGather(cusparseHandle_t h, cusparseDnVecDescr_t y, cusparseSpVecDescr_t x)
{
    if (const int bad = check_vectors(h, x, y)) return bad;
    int result = success;
    by_type(x->type, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [x = *x, y = *y] {
            const index_list at{x.indices, x.index_type, x.base};
            for (std::int64_t k = 0; k < x.nnz; ++k) values_of<T>(x)[k] = values_of<T>(y)[at[k]];
        });
    });
    return result;
}
extern "C" int cusparseScatter(cusparseHandle_t h, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    if (const int bad = check_vectors(h, x, y)) return bad;
    int result = success;
    by_type(x->type, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [x = *x, y = *y] {
            const index_list at{x.indices, x.index_type, x.base};
            for (std::int64_t k = 0; k < x.nnz; ++k) values_of<T>(y)[at[k]] = values_of<T>(x)[k];
        });
    });
    return result;
}
extern "C" int cusparseSpVV_bufferSize(cusparseHandle_t h, int op, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y, const void*, int, std::size_t* bytes)
{
    const int bad = check_vectors(h, x, y);
    return answer(bad == success && !is_op(op) ? int(invalid_value) : bad, bytes);
}
extern "C" int cusparseSpVV(cusparseHandle_t h, int op, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y, void* result, int compute, void*)
{
    if (const int bad = check_vectors(h, x, y)) return bad;
    if (!is_op(op) || !result) return invalid_value;
    if (x->type != compute) return not_supported;
    int code = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        code = run(h, [=, x = *x, y = *y] {
            const index_list at{x.indices, x.index_type, x.base};
            T sum(0);
            for (std::int64_t k = 0; k < x.nnz; ++k) {
                const T v = values_of<T>(x)[k];
                sum += (op == op_c ? conjugate(v) : v) * values_of<T>(y)[at[k]];
            }
            *static_cast<T*>(result) = sum;
        });
    });
    return code;
}

extern "C" int cusparseSpMV_bufferSize(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, const void* beta,
                                       cusparseDnVecDescr_t y, int compute, int, std::size_t* bytes)
{
    return answer(check_spmv(h, op, alpha, a, x, beta, y, compute), bytes);
}
extern "C" int cusparseSpMV_preprocess(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, const void* beta,
                                       cusparseDnVecDescr_t y, int compute, int, void*)
{
    return check_spmv(h, op, alpha, a, x, beta, y, compute);
}
extern "C" int cusparseSpMV(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, const void* beta,
                            cusparseDnVecDescr_t y, int compute, int, void*)
{
    if (const int bad = check_spmv(h, op, alpha, a, x, beta, y, compute)) return bad;
    int result = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, a = *a, x = *x, y = *y, s = scalar_of<T>(h, alpha), t = scalar_of<T>(h, beta)] {
            std::vector<T> sums(std::size_t(y.size));
            const T* from = values_of<T>(x);
            T* to = values_of<T>(y);
            if (s.get() != T(0)) for_op<T>(a, op, [&](std::int64_t i, std::int64_t j, T v) { sums[std::size_t(i)] += v * from[j]; });
            for (std::int64_t i = 0; i < y.size; ++i) to[i] = s.get() * sums[std::size_t(i)] + scaled(t.get(), to[i]);
        });
    });
    return result;
}

extern "C" int cusparseSpMM_bufferSize(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       const void* beta, cusparseDnMatDescr_t c, int compute, int, std::size_t* bytes)
{
    return answer(check_spmm(h, op_a, op_b, alpha, a, b, beta, c, compute), bytes);
}
extern "C" int cusparseSpMM_preprocess(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       const void* beta, cusparseDnMatDescr_t c, int compute, int, void*)
{
    return check_spmm(h, op_a, op_b, alpha, a, b, beta, c, compute);
}
extern "C" int cusparseSpMM(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b, const void* beta,
                            cusparseDnMatDescr_t c, int compute, int, void*)
{
    if (const int bad = check_spmm(h, op_a, op_b, alpha, a, b, beta, c, compute)) return bad;
    int result = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, a = *a, b = *b, c = *c, s = scalar_of<T>(h, alpha), t = scalar_of<T>(h, beta)] {
            for (int i = 0; i < c.batch; ++i) {
                const cusparseDnMatDescr factor = of_batch(b, i);
                multiply<T>(of_batch(a, i), op_a, {factor, op_b}, s.get(), t.get(), of_batch(c, i));
            }
        });
    });
    return result;
}

extern "C" int cusparseSDDMM_bufferSize(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseDnMatDescr_t a, cusparseDnMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, int compute, int, std::size_t* bytes)
{
    return answer(check_sddmm(h, op_a, op_b, alpha, a, b, beta, c, compute), bytes);
}
extern "C" int cusparseSDDMM_preprocess(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseDnMatDescr_t a, cusparseDnMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, int compute, int, void*)
{
    return check_sddmm(h, op_a, op_b, alpha, a, b, beta, c, compute);
}
extern "C" int cusparseSDDMM(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseDnMatDescr_t a, cusparseDnMatDescr_t b, const void* beta,
                             cusparseSpMatDescr_t c, int compute, int, void*)
{
    if (const int bad = check_sddmm(h, op_a, op_b, alpha, a, b, beta, c, compute)) return bad;
    int result = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, a = *a, b = *b, c = *c, s = scalar_of<T>(h, alpha), t = scalar_of<T>(h, beta)] {
            const dense_op x{a, op_a}, y{b, op_b};
            for_entries(c, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
                T sum(0);
                for (std::int64_t l = 0; l < x.cols(); ++l) sum += x.at<T>(i, l) * y.at<T>(l, j);
                T& to = static_cast<T*>(c.values)[k];
                to = s.get() * sum + scaled(t.get(), to);
            });
        });
    });
    return result;
}
