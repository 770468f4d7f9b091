// cuBLAS of the cpu target: products of matrices with vectors, and triangular systems.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "blas.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::blas;

namespace {

/// y = alpha*product + beta*y for a product of n elements that the BLAS forms: `work(alpha, beta)`.
template <class T, class Work>
int product(cublasHandle_t h, const T* alpha, const T* beta, T* y, int n, int incy, const Work& work)
{
    return run(h, [=, a = scalar_of(h, alpha), b = scalar_of(h, beta)] {
        if (b.get() == T(0)) clear(y, n, incy);
        work(a.get(), b.get());
    });
}

template <class T>
int do_gemv(cublasHandle_t h, int trans, int m, int n, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy)
{
    if (!h) return not_initialized;
    if (!is_op(trans) || m < 0 || n < 0 || !is_lead(lda, m) || incx == 0 || incy == 0 || !alpha || !beta) return invalid_value;
    if (m == 0 || n == 0) return success;
    return product(h, alpha, beta, y, trans == op_n ? m : n, incy, [=](T s, T t) { gemv(op_letter(trans), m, n, s, a, lda, x, incx, t, y, incy); });
}
template <class T>
int do_gbmv(cublasHandle_t h, int trans, int m, int n, int kl, int ku, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
            int incy)
{
    if (!h) return not_initialized;
    if (!is_op(trans) || m < 0 || n < 0 || kl < 0 || ku < 0 || lda < kl + ku + 1 || incx == 0 || incy == 0 || !alpha || !beta) return invalid_value;
    if (m == 0 || n == 0) return success;
    return product(h, alpha, beta, y, trans == op_n ? m : n, incy,
                   [=](T s, T t) { gbmv(op_letter(trans), m, n, kl, ku, s, a, lda, x, incx, t, y, incy); });
}

/// The checks of the products with a symmetric matrix.
template <class T>
int check_symmetric(cublasHandle_t h, int uplo, int n, int k, int lda, const T* alpha, int incx, const T* beta, int incy)
{
    if (!h) return not_initialized;
    const bool good = is_fill(uplo) && n >= 0 && k >= 0 && lda >= std::max(1, k) && incx != 0 && incy != 0 && alpha && beta;
    return good ? success : invalid_value;
}

/// y = alpha*A*x + beta*y for a complex symmetric A, which BLAS has not.
template <class T>
void symv_complex(int uplo, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, int incy)
{
    const strided<const T> u(x, n, incx);
    const strided<T> v(y, n, incy);
    for (int i = 0; i < n; ++i) v[i] *= beta;
    if (alpha == T(0)) return;
    for (int j = 0; j < n; ++j) {
        const T* column = a + std::int64_t(j) * lda;
        const int first = uplo == lower ? j + 1 : 0, last = uplo == lower ? n : j;
        T other = column[j] * u[j];
        for (int i = first; i < last; ++i) {
            v[i] += alpha * u[j] * column[i];
            other += column[i] * u[i];
        }
        v[j] += alpha * other;
    }
}

template <class T>
int do_symv(cublasHandle_t h, int uplo, int n, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy)
{
    if (const int bad = check_symmetric(h, uplo, n, n, lda, alpha, incx, beta, incy)) return bad;
    if (n == 0) return success;
    return product(h, alpha, beta, y, n, incy, [=](T s, T t) {
        if constexpr (is_complex<T>) symv_complex(uplo, n, s, a, lda, x, incx, t, y, incy);
        else symv(fill_letter(uplo), n, s, a, lda, x, incx, t, y, incy);
    });
}
template <class T>
int do_hemv(cublasHandle_t h, int uplo, int n, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy)
{
    if (const int bad = check_symmetric(h, uplo, n, n, lda, alpha, incx, beta, incy)) return bad;
    if (n == 0) return success;
    return product(h, alpha, beta, y, n, incy, [=](T s, T t) { hemv(fill_letter(uplo), n, s, a, lda, x, incx, t, y, incy); });
}
template <class T>
int do_sbmv(cublasHandle_t h, int uplo, int n, int k, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy)
{
    if (const int bad = check_symmetric(h, uplo, n, k + 1, lda, alpha, incx, beta, incy)) return bad;
    if (n == 0) return success;
    return product(h, alpha, beta, y, n, incy, [=](T s, T t) { sbmv(fill_letter(uplo), n, k, s, a, lda, x, incx, t, y, incy); });
}
template <class T>
int do_hbmv(cublasHandle_t h, int uplo, int n, int k, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy)
{
    if (const int bad = check_symmetric(h, uplo, n, k + 1, lda, alpha, incx, beta, incy)) return bad;
    if (n == 0) return success;
    return product(h, alpha, beta, y, n, incy, [=](T s, T t) { hbmv(fill_letter(uplo), n, k, s, a, lda, x, incx, t, y, incy); });
}
template <class T>
int do_spmv(cublasHandle_t h, int uplo, int n, const T* alpha, const T* ap, const T* x, int incx, const T* beta, T* y, int incy)
{
    if (const int bad = check_symmetric(h, uplo, n, 0, 1, alpha, incx, beta, incy)) return bad;
    if (n == 0) return success;
    return product(h, alpha, beta, y, n, incy, [=](T s, T t) { spmv(fill_letter(uplo), n, s, ap, x, incx, t, y, incy); });
}
template <class T>
int do_hpmv(cublasHandle_t h, int uplo, int n, const T* alpha, const T* ap, const T* x, int incx, const T* beta, T* y, int incy)
{
    if (const int bad = check_symmetric(h, uplo, n, 0, 1, alpha, incx, beta, incy)) return bad;
    if (n == 0) return success;
    return product(h, alpha, beta, y, n, incy, [=](T s, T t) { hpmv(fill_letter(uplo), n, s, ap, x, incx, t, y, incy); });
}

int check_triangular(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, int rows, int lda, int incx)
{
    if (!h) return not_initialized;
    const bool good = is_fill(uplo) && is_op(trans) && is_diag(diag) && n >= 0 && k >= 0 && is_lead(lda, rows) && incx != 0;
    return good ? success : invalid_value;
}

template <class T>
int do_trmv(cublasHandle_t h, int uplo, int trans, int diag, int n, const T* a, int lda, T* x, int incx)
{
    if (const int bad = check_triangular(h, uplo, trans, diag, n, 0, n, lda, incx)) return bad;
    return run(h, [=] { trmv(fill_letter(uplo), op_letter(trans), diag_letter(diag), n, a, lda, x, incx); });
}
template <class T>
int do_trsv(cublasHandle_t h, int uplo, int trans, int diag, int n, const T* a, int lda, T* x, int incx)
{
    if (const int bad = check_triangular(h, uplo, trans, diag, n, 0, n, lda, incx)) return bad;
    return run(h, [=] { trsv(fill_letter(uplo), op_letter(trans), diag_letter(diag), n, a, lda, x, incx); });
}
template <class T>
int do_tbmv(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const T* a, int lda, T* x, int incx)
{
    if (const int bad = check_triangular(h, uplo, trans, diag, n, k, k + 1, lda, incx)) return bad;
    return run(h, [=] { tbmv(fill_letter(uplo), op_letter(trans), diag_letter(diag), n, k, a, lda, x, incx); });
}
template <class T>
int do_tbsv(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const T* a, int lda, T* x, int incx)
{
    if (const int bad = check_triangular(h, uplo, trans, diag, n, k, k + 1, lda, incx)) return bad;
    return run(h, [=] { tbsv(fill_letter(uplo), op_letter(trans), diag_letter(diag), n, k, a, lda, x, incx); });
}
template <class T>
int do_tpmv(cublasHandle_t h, int uplo, int trans, int diag, int n, const T* ap, T* x, int incx)
{
    if (const int bad = check_triangular(h, uplo, trans, diag, n, 0, 0, 1, incx)) return bad;
    return run(h, [=] { tpmv(fill_letter(uplo), op_letter(trans), diag_letter(diag), n, ap, x, incx); });
}
template <class T>
int do_tpsv(cublasHandle_t h, int uplo, int trans, int diag, int n, const T* ap, T* x, int incx)
{
    if (const int bad = check_triangular(h, uplo, trans, diag, n, 0, 0, 1, incx)) return bad;
    return run(h, [=] { tpsv(fill_letter(uplo), op_letter(trans), diag_letter(diag), n, ap, x, incx); });
}

}  // namespace

extern "C" int cublasSgemv_v2(cublasHandle_t h, int trans, int m, int n, const float* alpha, const float* a, int lda, const float* x, int incx,
                              const float* beta, float* y, int incy)
{
    return do_gemv(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasDgemv_v2(cublasHandle_t h, int trans, int m, int n, const double* alpha, const double* a, int lda, const double* x, int incx,
                              const double* beta, double* y, int incy)
{
    return do_gemv(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasCgemv_v2(cublasHandle_t h, int trans, int m, int n, const c4* alpha, const c4* a, int lda, const c4* x, int incx, const c4* beta,
                              c4* y, int incy)
{
    return do_gemv(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasZgemv_v2(cublasHandle_t h, int trans, int m, int n, const c8* alpha, const c8* a, int lda, const c8* x, int incx, const c8* beta,
                              c8* y, int incy)
{
    return do_gemv(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasSgbmv_v2(cublasHandle_t h, int trans, int m, int n, int kl, int ku, const float* alpha, const float* a, int lda, const float* x,
                              int incx, const float* beta, float* y, int incy)
{
    return do_gbmv(h, trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasDgbmv_v2(cublasHandle_t h, int trans, int m, int n, int kl, int ku, const double* alpha, const double* a, int lda,
                              const double* x, int incx, const double* beta, double* y, int incy)
{
    return do_gbmv(h, trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasCgbmv_v2(cublasHandle_t h, int trans, int m, int n, int kl, int ku, const c4* alpha, const c4* a, int lda, const c4* x, int incx,
                              const c4* beta, c4* y, int incy)
{
    return do_gbmv(h, trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasZgbmv_v2(cublasHandle_t h, int trans, int m, int n, int kl, int ku, const c8* alpha, const c8* a, int lda, const c8* x, int incx,
                              const c8* beta, c8* y, int incy)
{
    return do_gbmv(h, trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy);
}

extern "C" int cublasSsymv_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const float* a, int lda, const float* x, int incx,
                              const float* beta, float* y, int incy)
{
    return do_symv(h, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasDsymv_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const double* a, int lda, const double* x, int incx,
                              const double* beta, double* y, int incy)
{
    return do_symv(h, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasCsymv_v2(cublasHandle_t h, int uplo, int n, const c4* alpha, const c4* a, int lda, const c4* x, int incx, const c4* beta, c4* y,
                              int incy)
{
    return do_symv(h, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasZsymv_v2(cublasHandle_t h, int uplo, int n, const c8* alpha, const c8* a, int lda, const c8* x, int incx, const c8* beta, c8* y,
                              int incy)
{
    return do_symv(h, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasChemv_v2(cublasHandle_t h, int uplo, int n, const c4* alpha, const c4* a, int lda, const c4* x, int incx, const c4* beta, c4* y,
                              int incy)
{
    return do_hemv(h, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasZhemv_v2(cublasHandle_t h, int uplo, int n, const c8* alpha, const c8* a, int lda, const c8* x, int incx, const c8* beta, c8* y,
                              int incy)
{
    return do_hemv(h, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasSsbmv_v2(cublasHandle_t h, int uplo, int n, int k, const float* alpha, const float* a, int lda, const float* x, int incx,
                              const float* beta, float* y, int incy)
{
    return do_sbmv(h, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasDsbmv_v2(cublasHandle_t h, int uplo, int n, int k, const double* alpha, const double* a, int lda, const double* x, int incx,
                              const double* beta, double* y, int incy)
{
    return do_sbmv(h, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasChbmv_v2(cublasHandle_t h, int uplo, int n, int k, const c4* alpha, const c4* a, int lda, const c4* x, int incx, const c4* beta,
                              c4* y, int incy)
{
    return do_hbmv(h, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasZhbmv_v2(cublasHandle_t h, int uplo, int n, int k, const c8* alpha, const c8* a, int lda, const c8* x, int incx, const c8* beta,
                              c8* y, int incy)
{
    return do_hbmv(h, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy);
}
extern "C" int cublasSspmv_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const float* ap, const float* x, int incx, const float* beta,
                              float* y, int incy)
{
    return do_spmv(h, uplo, n, alpha, ap, x, incx, beta, y, incy);
}
extern "C" int cublasDspmv_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const double* ap, const double* x, int incx, const double* beta,
                              double* y, int incy)
{
    return do_spmv(h, uplo, n, alpha, ap, x, incx, beta, y, incy);
}
extern "C" int cublasChpmv_v2(cublasHandle_t h, int uplo, int n, const c4* alpha, const c4* ap, const c4* x, int incx, const c4* beta, c4* y,
                              int incy)
{
    return do_hpmv(h, uplo, n, alpha, ap, x, incx, beta, y, incy);
}
extern "C" int cublasZhpmv_v2(cublasHandle_t h, int uplo, int n, const c8* alpha, const c8* ap, const c8* x, int incx, const c8* beta, c8* y,
                              int incy)
{
    return do_hpmv(h, uplo, n, alpha, ap, x, incx, beta, y, incy);
}

extern "C" int cublasStrmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const float* a, int lda, float* x, int incx)
{
    return do_trmv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasDtrmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const double* a, int lda, double* x, int incx)
{
    return do_trmv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasCtrmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c4* a, int lda, c4* x, int incx)
{
    return do_trmv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasZtrmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c8* a, int lda, c8* x, int incx)
{
    return do_trmv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasStbmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const float* a, int lda, float* x, int incx)
{
    return do_tbmv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasDtbmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const double* a, int lda, double* x, int incx)
{
    return do_tbmv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasCtbmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const c4* a, int lda, c4* x, int incx)
{
    return do_tbmv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasZtbmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const c8* a, int lda, c8* x, int incx)
{
    return do_tbmv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasStpmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const float* ap, float* x, int incx)
{
    return do_tpmv(h, uplo, trans, diag, n, ap, x, incx);
}
extern "C" int cublasDtpmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const double* ap, double* x, int incx)
{
    return do_tpmv(h, uplo, trans, diag, n, ap, x, incx);
}
extern "C" int cublasCtpmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c4* ap, c4* x, int incx)
{
    return do_tpmv(h, uplo, trans, diag, n, ap, x, incx);
}
extern "C" int cublasZtpmv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c8* ap, c8* x, int incx)
{
    return do_tpmv(h, uplo, trans, diag, n, ap, x, incx);
}
extern "C" int cublasStrsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const float* a, int lda, float* x, int incx)
{
    return do_trsv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasDtrsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const double* a, int lda, double* x, int incx)
{
    return do_trsv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasCtrsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c4* a, int lda, c4* x, int incx)
{
    return do_trsv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasZtrsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c8* a, int lda, c8* x, int incx)
{
    return do_trsv(h, uplo, trans, diag, n, a, lda, x, incx);
}
extern "C" int cublasStbsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const float* a, int lda, float* x, int incx)
{
    return do_tbsv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasDtbsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const double* a, int lda, double* x, int incx)
{
    return do_tbsv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasCtbsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const c4* a, int lda, c4* x, int incx)
{
    return do_tbsv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasZtbsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, int k, const c8* a, int lda, c8* x, int incx)
{
    return do_tbsv(h, uplo, trans, diag, n, k, a, lda, x, incx);
}
extern "C" int cublasStpsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const float* ap, float* x, int incx)
{
    return do_tpsv(h, uplo, trans, diag, n, ap, x, incx);
}
extern "C" int cublasDtpsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const double* ap, double* x, int incx)
{
    return do_tpsv(h, uplo, trans, diag, n, ap, x, incx);
}
extern "C" int cublasCtpsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c4* ap, c4* x, int incx)
{
    return do_tpsv(h, uplo, trans, diag, n, ap, x, incx);
}
extern "C" int cublasZtpsv_v2(cublasHandle_t h, int uplo, int trans, int diag, int n, const c8* ap, c8* x, int incx)
{
    return do_tpsv(h, uplo, trans, diag, n, ap, x, incx);
}

