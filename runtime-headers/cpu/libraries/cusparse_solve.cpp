// cuSPARSE of the cpu target: sparse triangular systems.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusparse.hpp"
#include <memory>

using namespace cuf::cpu::sparse;

/// What cusparseSpSVDescr_t and cusparseSpSMDescr_t point to: the matrix as it was analysed.
struct cusparseTriangleDescr {
    std::unique_ptr<cusparseSpMatDescr> matrix;
};
using cusparseSpSVDescr_t = cusparseTriangleDescr*;
using cusparseSpSMDescr_t = cusparseTriangleDescr*;

namespace {

int create(cusparseTriangleDescr** d)
{
    if (!d) return invalid_value;
    *d = new cusparseTriangleDescr;
    return success;
}
int destroy(cusparseTriangleDescr* d)
{
    delete d;
    return success;
}
int answer(int bad, std::size_t* bytes)
{
    if (bad != success) return bad;
    if (!bytes) return invalid_value;
    *bytes = buffer_bytes;
    return success;
}
int analyse(int bad, cusparseSpMatDescr_t a, cusparseTriangleDescr* d)
{
    if (bad != success) return bad;
    d->matrix = std::make_unique<cusparseSpMatDescr>(*a);
    return success;
}
/// With new values, all of them or those of the diagonal.
int update(cusparseHandle_t h, cusparseTriangleDescr* d, void* values, int part)
{
    if (!h) return not_initialized;
    if (!d || !d->matrix || !values || part < 0 || part > 1) return invalid_value;
    const cusparseSpMatDescr a = *d->matrix;
    return run(h, [=] {
        const std::size_t bytes = size_of(a.type);
        auto* to = static_cast<char*>(a.values);
        const auto* from = static_cast<const char*>(values);
        for_entries(a, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
            if (part == 0) std::copy_n(from + std::size_t(k) * bytes, bytes, to + std::size_t(k) * bytes);
            else if (i == j) std::copy_n(from + std::size_t(i) * bytes, bytes, to + std::size_t(k) * bytes);
        });
    });
}

/// The triangle of op(A) by rows, in the order in which its unknowns are found.
template <class T>
struct triangle {
    struct entry {
        std::int64_t column;
        T value;
    };
    std::vector<std::vector<entry>> rows;
    std::vector<T> diagonal;
    bool forward, unit;

    triangle(const cusparseSpMatDescr& a, int op) : rows(std::size_t(a.rows)), diagonal(std::size_t(a.rows)), forward((a.fill == 0) == (op == op_n)), unit(a.diag == 1)
    {
        for_op<T>(a, op, [&](std::int64_t i, std::int64_t j, T v) {
            if (i == j) diagonal[std::size_t(i)] = v;
            else if ((j < i) == forward) rows[std::size_t(i)].push_back({j, v});
        });
    }
    /// x(i) is given by `get` and put by `put`.
    template <class Get, class Put>
    void solve(const Get& get, const Put& put) const
    {
        const auto n = std::int64_t(rows.size());
        std::vector<T> x(rows.size());
        for (std::int64_t step = 0; step < n; ++step) {
            const auto i = std::size_t(forward ? step : n - 1 - step);
            T sum = get(std::int64_t(i));
            for (const entry& e : rows[i]) sum -= e.value * x[std::size_t(e.column)];
            x[i] = unit ? sum : sum / diagonal[i];
        }
        for (std::int64_t i = 0; i < n; ++i) put(i, x[std::size_t(i)]);
    }
};

int check_spsv(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y, int compute,
               cusparseTriangleDescr* d)
{
    if (!h) return not_initialized;
    if (!is_op(op) || !alpha || !a || !x || !y || !d || a->rows != a->cols || x->size != a->rows || y->size != a->rows) return invalid_value;
    return is_type(compute) && a->format != csc && a->type == compute && x->type == compute && y->type == compute ? success : not_supported;
}
int check_spsm(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b, cusparseDnMatDescr_t c,
               int compute, cusparseTriangleDescr* d)
{
    if (!h) return not_initialized;
    if (!is_op(op_a) || !is_op(op_b) || !alpha || !a || !b || !c || !d || a->rows != a->cols || c->rows != a->rows) return invalid_value;
    if ((op_b == op_n ? b->rows : b->cols) != a->rows || (op_b == op_n ? b->cols : b->rows) != c->cols) return invalid_value;
    const bool types = is_type(compute) && a->type == compute && b->type == compute && c->type == compute;
    return types && a->format != csc && op_b != op_c ? success : not_supported;
}

}  // namespace

extern "C" int cusparseSpSV_createDescr(cusparseSpSVDescr_t* d) { return create(d); }
extern "C" int cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d) { return destroy(d); }
extern "C" int cusparseSpSV_bufferSize(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       int compute, int, cusparseSpSVDescr_t d, std::size_t* bytes)
{
    return answer(check_spsv(h, op, alpha, a, x, y, compute, d), bytes);
}
extern "C" int cusparseSpSV_analysis(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                     int compute, int, cusparseSpSVDescr_t d, void*)
{
    return analyse(check_spsv(h, op, alpha, a, x, y, compute, d), a, d);
}
extern "C" int cusparseSpSV_updateMatrix(cusparseHandle_t h, cusparseSpSVDescr_t d, void* values, int part) { return update(h, d, values, part); }
/// op(A)*y = alpha*x.
extern "C" int cusparseSpSV_solve(cusparseHandle_t h, int op, const void* alpha, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                  int compute, int, cusparseSpSVDescr_t d)
{
    if (const int bad = check_spsv(h, op, alpha, a, x, y, compute, d)) return bad;
    if (!d->matrix) return invalid_value;
    int result = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, a = *a, x = *x, y = *y, s = scalar_of<T>(h, alpha)] {
            const auto* from = static_cast<const T*>(x.values);
            auto* to = static_cast<T*>(y.values);
            triangle<T>(a, op).solve([&](std::int64_t i) { return s.get() * from[i]; }, [&](std::int64_t i, T v) { to[i] = v; });
        });
    });
    return result;
}

extern "C" int cusparseSpSM_createDescr(cusparseSpSMDescr_t* d) { return create(d); }
extern "C" int cusparseSpSM_destroyDescr(cusparseSpSMDescr_t d) { return destroy(d); }
extern "C" int cusparseSpSM_bufferSize(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, int compute, int, cusparseSpSMDescr_t d, std::size_t* bytes)
{
    return answer(check_spsm(h, op_a, op_b, alpha, a, b, c, compute, d), bytes);
}
extern "C" int cusparseSpSM_analysis(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                     cusparseDnMatDescr_t c, int compute, int, cusparseSpSMDescr_t d, void*)
{
    return analyse(check_spsm(h, op_a, op_b, alpha, a, b, c, compute, d), a, d);
}
extern "C" int cusparseSpSM_updateMatrix(cusparseHandle_t h, cusparseSpSMDescr_t d, void* values, int part) { return update(h, d, values, part); }
/// op(A)*C = alpha*op(B).
extern "C" int cusparseSpSM_solve(cusparseHandle_t h, int op_a, int op_b, const void* alpha, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                  cusparseDnMatDescr_t c, int compute, int, cusparseSpSMDescr_t d)
{
    if (const int bad = check_spsm(h, op_a, op_b, alpha, a, b, c, compute, d)) return bad;
    if (!d->matrix) return invalid_value;
    int result = success;
    by_type(compute, [&](auto zero) {
        using T = decltype(zero);
        result = run(h, [=, a = *a, b = *b, c = *c, s = scalar_of<T>(h, alpha)] {
            const triangle<T> factor(a, op_a);
            for (std::int64_t j = 0; j < c.cols; ++j)
                factor.solve([&](std::int64_t i) { return s.get() * (op_b == op_n ? dense_at<T>(b, i, j) : dense_at<T>(b, j, i)); },
                             [&](std::int64_t i, T v) { dense_at<T>(c, i, j) = v; });
        });
    });
    return result;
}
