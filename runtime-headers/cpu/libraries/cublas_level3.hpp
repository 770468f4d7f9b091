// cuBLAS of the cpu target: products of matrices, triangular systems and the extensions geam, dgmm, tpttr, trttp.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "blas.hpp"
#include <vector>

namespace cuf::cpu::blas {

inline bool gemm_valid(int transa, int transb, int m, int n, int k, int lda, int ldb, int ldc)
{
    return is_op(transa) && is_op(transb) && m >= 0 && n >= 0 && k >= 0 && is_lead(lda, transa == op_n ? m : k) && is_lead(ldb, transb == op_n ? k : n) &&
           is_lead(ldc, m);
}

/// C = alpha*op(A)*op(B) + beta*C; with beta = 0 C is not read, with alpha = 0 neither A nor B.
template <class T>
void product(int transa, int transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc)
{
    if (m == 0 || n == 0) return;
    if (beta == T(0)) clear(c, m, n, ldc);
    gemm(op_letter(transa), op_letter(transb), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// One triangle of C = alpha*op(A)*op(B)**T (or **H, `with` op_c) + beta*C.
template <class T>
void update_triangle(int uplo, int trans, int with, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc)
{
    std::vector<T> whole(std::size_t(n) * std::size_t(n));
    const bool plain = trans == op_n;
    product(plain ? op_n : with, plain ? with : op_n, n, n, k, alpha, a, lda, b, ldb, T(0), whole.data(), n);
    for (std::int64_t j = 0; j < n; ++j) {
        const std::int64_t first = uplo == lower ? j : 0, last = uplo == lower ? n : j + 1;
        for (std::int64_t i = first; i < last; ++i) c[i + j * ldc] = whole[std::size_t(i + j * n)] + beta * c[i + j * ldc];
    }
}

template <class T>
int do_gemm(cublasHandle_t h, int transa, int transb, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c,
            int ldc)
{
    if (!h) return not_initialized;
    if (!gemm_valid(transa, transb, m, n, k, lda, ldb, ldc) || !alpha || !beta) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] { product(transa, transb, m, n, k, s.get(), a, lda, b, ldb, t.get(), c, ldc); });
}

/// C = alpha*product + beta*C for symmetric and Hermitian factors.
template <bool hermitian, class T>
int multiply_symmetric(cublasHandle_t h, int side, int uplo, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c,
                       int ldc)
{
    if (!h) return not_initialized;
    if (!is_side(side) || !is_fill(uplo) || m < 0 || n < 0 || !is_lead(lda, side == left ? m : n) || !is_lead(ldb, m) || !is_lead(ldc, m) || !alpha ||
        !beta)
        return invalid_value;
    if (m == 0 || n == 0) return success;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] {
        if (t.get() == T(0)) clear(c, m, n, ldc);
        if constexpr (hermitian) hemm(side_letter(side), fill_letter(uplo), m, n, s.get(), a, lda, b, ldb, t.get(), c, ldc);
        else symm(side_letter(side), fill_letter(uplo), m, n, s.get(), a, lda, b, ldb, t.get(), c, ldc);
    });
}
template <class T>
int do_symm(cublasHandle_t h, int side, int uplo, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc)
{
    return multiply_symmetric<false>(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
template <class T>
int do_hemm(cublasHandle_t h, int side, int uplo, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc)
{
    return multiply_symmetric<true>(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// The checks of the updates of one triangle, then `work(alpha, beta)`.
template <class T, class A, class B, class Work>
int update(cublasHandle_t h, bool trans_good, int uplo, int trans, int n, int k, const A* alpha, int lda, int ldb, const B* beta, T* c, int ldc,
           const Work& work)
{
    if (!h) return not_initialized;
    const int rows = trans == op_n ? n : k;
    if (!trans_good || !is_fill(uplo) || n < 0 || k < 0 || !is_lead(lda, rows) || !is_lead(ldb, rows) || !is_lead(ldc, n) || !alpha || !beta)
        return invalid_value;
    if (n == 0) return success;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] {
        if (t.get() == B(0)) clear_triangle(uplo, c, n, ldc);
        work(s.get(), t.get());
    });
}
/// A symmetric update takes no conjugate of complex data, a Hermitian one no transpose.
template <class T>
bool symmetric_op(int trans)
{
    return is_op(trans) && !(is_complex<T> && trans == op_c);
}
inline bool hermitian_op(int trans) { return trans == op_n || trans == op_c; }
/// For symmetric updates.
inline char transposed(int trans) { return trans == op_n ? 'N' : 'T'; }

template <class T>
int do_syrk(cublasHandle_t h, int uplo, int trans, int n, int k, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc)
{
    return update(h, symmetric_op<T>(trans), uplo, trans, n, k, alpha, lda, lda, beta, c, ldc,
                  [=](T s, T t) { syrk(fill_letter(uplo), transposed(trans), n, k, s, a, lda, t, c, ldc); });
}
template <class T>
int do_herk(cublasHandle_t h, int uplo, int trans, int n, int k, const real_of<T>* alpha, const T* a, int lda, const real_of<T>* beta, T* c, int ldc)
{
    return update(h, hermitian_op(trans), uplo, trans, n, k, alpha, lda, lda, beta, c, ldc,
                  [=](auto s, auto t) { herk(fill_letter(uplo), op_letter(trans), n, k, s, a, lda, t, c, ldc); });
}
template <class T>
int do_syr2k(cublasHandle_t h, int uplo, int trans, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc)
{
    return update(h, symmetric_op<T>(trans), uplo, trans, n, k, alpha, lda, ldb, beta, c, ldc,
                  [=](T s, T t) { syr2k(fill_letter(uplo), transposed(trans), n, k, s, a, lda, b, ldb, t, c, ldc); });
}
template <class T>
int do_her2k(cublasHandle_t h, int uplo, int trans, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const real_of<T>* beta, T* c,
             int ldc)
{
    return update(h, hermitian_op(trans), uplo, trans, n, k, alpha, lda, ldb, beta, c, ldc,
                  [=](T s, auto t) { her2k(fill_letter(uplo), op_letter(trans), n, k, s, a, lda, b, ldb, t, c, ldc); });
}
template <class T>
int do_syrkx(cublasHandle_t h, int uplo, int trans, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc)
{
    return update(h, symmetric_op<T>(trans), uplo, trans, n, k, alpha, lda, ldb, beta, c, ldc,
                  [=](T s, T t) { update_triangle(uplo, trans, op_t, n, k, s, a, lda, b, ldb, t, c, ldc); });
}
template <class T>
int do_herkx(cublasHandle_t h, int uplo, int trans, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const real_of<T>* beta, T* c,
             int ldc)
{
    return update(h, hermitian_op(trans), uplo, trans, n, k, alpha, lda, ldb, beta, c, ldc, [=](T s, auto t) {
        update_triangle(uplo, trans, op_c, n, k, s, a, lda, b, ldb, T(t), c, ldc);
        for (int j = 0; j < n; ++j) c[j + std::int64_t(j) * ldc] = std::real(c[j + std::int64_t(j) * ldc]);
    });
}

inline bool triangular_valid(int side, int uplo, int trans, int diag, int m, int n, int lda, int ldb)
{
    return is_side(side) && is_fill(uplo) && is_op(trans) && is_diag(diag) && m >= 0 && n >= 0 && is_lead(lda, side == left ? m : n) && is_lead(ldb, m);
}
/// C = alpha*op(A)*B or alpha*B*op(A): C may be B.
template <class T>
int do_trmm(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, T* c,
            int ldc)
{
    if (!h) return not_initialized;
    if (!triangular_valid(side, uplo, transa, diag, m, n, lda, ldb) || !is_lead(ldc, m) || !alpha) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha)] {
        for (std::int64_t j = 0; j < n; ++j)
            if (c != b) std::copy_n(b + j * ldb, m, c + j * ldc);
        if (s.get() == T(0)) clear(c, m, n, ldc);
        else trmm(side_letter(side), fill_letter(uplo), op_letter(transa), diag_letter(diag), m, n, s.get(), a, lda, c, ldc);
    });
}
template <class T>
int do_trsm(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb)
{
    if (!h) return not_initialized;
    if (!triangular_valid(side, uplo, transa, diag, m, n, lda, ldb) || !alpha) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha)] {
        if (s.get() == T(0)) clear(b, m, n, ldb);
        else trsm(side_letter(side), fill_letter(uplo), op_letter(transa), diag_letter(diag), m, n, s.get(), a, lda, b, ldb);
    });
}

/// Element (i, j) of op(A).
template <class T>
T element(int trans, const T* a, int lda, std::int64_t i, std::int64_t j)
{
    if (trans == op_n) return a[i + j * lda];
    return trans == op_t ? a[j + i * lda] : conjugate(a[j + i * lda]);
}
/// C = alpha*op(A) + beta*op(B): a factor of zero means that its matrix is not read; C may be A or B where that is not transposed.
template <class T>
int do_geam(cublasHandle_t h, int transa, int transb, int m, int n, const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc)
{
    if (!h) return not_initialized;
    const auto bad_lead = [=](int trans, int ld) { return !is_lead(ld, trans == op_n ? m : n); };
    if (!is_op(transa) || !is_op(transb) || m < 0 || n < 0 || bad_lead(transa, lda) || bad_lead(transb, ldb) || !is_lead(ldc, m) || !alpha || !beta)
        return invalid_value;
    if ((c == a && (transa != op_n || lda != ldc)) || (c == b && (transb != op_n || ldb != ldc))) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] {
        const T f = s.get(), g = t.get();
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                T value = T(0);
                if (f != T(0)) value += f * element(transa, a, lda, i, j);
                if (g != T(0)) value += g * element(transb, b, ldb, i, j);
                c[i + std::int64_t(j) * ldc] = value;
            }
    });
}
/// C = A*diag(x) (right) or diag(x)*A (left).
template <class T>
int do_dgmm(cublasHandle_t h, int mode, int m, int n, const T* a, int lda, const T* x, int incx, T* c, int ldc)
{
    if (!h) return not_initialized;
    if (!is_side(mode) || m < 0 || n < 0 || !is_lead(lda, m) || !is_lead(ldc, m)) return invalid_value;
    return run(h, [=] {
        const strided<const T> d(x, mode == left ? m : n, incx);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) c[i + std::int64_t(j) * ldc] = a[i + std::int64_t(j) * lda] * d[mode == left ? i : j];
    });
}
/// Calls move(i, j, k) for each element (i, j) of a triangle and its place k in packed storage.
template <class Move>
void walk_packed(int uplo, int n, const Move& move)
{
    std::int64_t k = 0;
    for (int j = 0; j < n; ++j)
        for (int i = uplo == lower ? j : 0; i < (uplo == lower ? n : j + 1); ++i) move(i, j, k++);
}
template <class T>
int do_tpttr(cublasHandle_t h, int uplo, int n, const T* ap, T* a, int lda)
{
    if (!h) return not_initialized;
    if (!is_fill(uplo) || n < 0 || !is_lead(lda, n)) return invalid_value;
    return run(h, [=] { walk_packed(uplo, n, [=](int i, int j, std::int64_t k) { a[i + std::int64_t(j) * lda] = ap[k]; }); });
}
template <class T>
int do_trttp(cublasHandle_t h, int uplo, int n, const T* a, int lda, T* ap)
{
    if (!h) return not_initialized;
    if (!is_fill(uplo) || n < 0 || !is_lead(lda, n)) return invalid_value;
    return run(h, [=] { walk_packed(uplo, n, [=](int i, int j, std::int64_t k) { ap[k] = a[i + std::int64_t(j) * lda]; }); });
}

}  // namespace cuf::cpu::blas
