// cuBLAS of the cpu target: many small problems in one call.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas_level3.hpp"
#include "lapack.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::blas;

namespace {

template <class T>
int do_gemmBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const T* alpha, const T* const* a, int lda, const T* const* b, int ldb,
                   const T* beta, T* const* c, int ldc, int batch)
{
    if (!h) return not_initialized;
    if (!gemm_valid(transa, transb, m, n, k, lda, ldb, ldc) || batch < 0 || !alpha || !beta) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] {
        for (int i = 0; i < batch; ++i) product(transa, transb, m, n, k, s.get(), a[i], lda, b[i], ldb, t.get(), c[i], ldc);
    });
}
template <class T>
int do_gemmStridedBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const T* alpha, const T* a, int lda, long long stride_a,
                          const T* b, int ldb, long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int batch)
{
    if (!h) return not_initialized;
    if (!gemm_valid(transa, transb, m, n, k, lda, ldb, ldc) || batch < 0 || !alpha || !beta) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] {
        for (long long i = 0; i < batch; ++i)
            product(transa, transb, m, n, k, s.get(), a + i * stride_a, lda, b + i * stride_b, ldb, t.get(), c + i * stride_c, ldc);
    });
}

bool gemv_valid(int trans, int m, int n, int lda, int incx, int incy, int batch)
{
    return is_op(trans) && m >= 0 && n >= 0 && is_lead(lda, m) && incx != 0 && incy != 0 && batch >= 0;
}
/// y = alpha*op(A)*x + beta*y.
template <class T>
void multiply(int trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, int incy)
{
    if (m == 0 || n == 0) return;
    if (beta == T(0)) clear(y, trans == op_n ? m : n, incy);
    gemv(op_letter(trans), m, n, alpha, a, lda, x, incx, beta, y, incy);
}
template <class T>
int do_gemvBatched(cublasHandle_t h, int trans, int m, int n, const T* alpha, const T* const* a, int lda, const T* const* x, int incx, const T* beta,
                   T* const* y, int incy, int batch)
{
    if (!h) return not_initialized;
    if (!gemv_valid(trans, m, n, lda, incx, incy, batch) || !alpha || !beta) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] {
        for (int i = 0; i < batch; ++i) multiply(trans, m, n, s.get(), a[i], lda, x[i], incx, t.get(), y[i], incy);
    });
}
template <class T>
int do_gemvStridedBatched(cublasHandle_t h, int trans, int m, int n, const T* alpha, const T* a, int lda, long long stride_a, const T* x, int incx,
                          long long stride_x, const T* beta, T* y, int incy, long long stride_y, int batch)
{
    if (!h) return not_initialized;
    if (!gemv_valid(trans, m, n, lda, incx, incy, batch) || !alpha || !beta) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha), t = scalar_of(h, beta)] {
        for (long long i = 0; i < batch; ++i)
            multiply(trans, m, n, s.get(), a + i * stride_a, lda, x + i * stride_x, incx, t.get(), y + i * stride_y, incy);
    });
}

template <class T>
int do_trsmBatched(cublasHandle_t h, int side, int uplo, int trans, int diag, int m, int n, const T* alpha, const T* const* a, int lda, T* const* b,
                   int ldb, int batch)
{
    if (!h) return not_initialized;
    if (!is_side(side) || !is_fill(uplo) || !is_op(trans) || !is_diag(diag) || m < 0 || n < 0 || batch < 0 || !is_lead(lda, side == left ? m : n) ||
        !is_lead(ldb, m) || !alpha)
        return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha)] {
        for (int i = 0; i < batch; ++i) {
            if (s.get() == T(0)) clear(b[i], m, n, ldb);
            else trsm(side_letter(side), fill_letter(uplo), op_letter(trans), diag_letter(diag), m, n, s.get(), a[i], lda, b[i], ldb);
        }
    });
}

/// Factors without exchanges of rows; returns the first column whose pivot is 0, from 1.
template <class T>
int factor_in_order(int n, T* a, int lda)
{
    int info = 0;
    const auto at = [=](int i, int j) -> T& { return a[i + std::int64_t(j) * lda]; };
    for (int k = 0; k < n; ++k) {
        if (at(k, k) == T(0)) {
            if (info == 0) info = k + 1;
            continue;
        }
        for (int i = k + 1; i < n; ++i) at(i, k) /= at(k, k);
        for (int j = k + 1; j < n; ++j)
            for (int i = k + 1; i < n; ++i) at(i, j) -= at(i, k) * at(k, j);
    }
    return info;
}
/// Pivots that exchange nothing, for factors that were formed in order.
std::vector<int> no_exchanges(int n)
{
    std::vector<int> pivots(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) pivots[std::size_t(i)] = i + 1;
    return pivots;
}

template <class T>
int do_getrfBatched(cublasHandle_t h, int n, T* const* a, int lda, int* pivots, int* info, int batch)
{
    if (!h) return not_initialized;
    if (n < 0 || batch < 0 || !is_lead(lda, n) || !info) return invalid_value;
    return run(h, [=] {
        for (std::int64_t i = 0; i < batch; ++i) {
            info[i] = 0;
            if (n == 0) continue;
            if (pivots) getrf(n, n, a[i], lda, pivots + i * n, info + i);
            else info[i] = factor_in_order(n, a[i], lda);
        }
    });
}
template <class T>
int do_getrsBatched(cublasHandle_t h, int trans, int n, int nrhs, const T* const* a, int lda, const int* pivots, T* const* b, int ldb, int* info, int batch)
{
    if (!h) return not_initialized;
    if (!info) return invalid_value;
    *info = !is_op(trans) ? -1 : n < 0 ? -2 : nrhs < 0 ? -3 : !is_lead(lda, n) ? -5 : !is_lead(ldb, n) ? -8 : batch < 0 ? -10 : 0;
    if (*info != 0) return invalid_value;
    return run(h, [=] {
        const std::vector<int> none = no_exchanges(n);
        int unused = 0;
        for (std::int64_t i = 0; i < batch; ++i)
            if (n > 0 && nrhs > 0) getrs(op_letter(trans), n, nrhs, a[i], lda, pivots ? pivots + i * n : none.data(), b[i], ldb, &unused);
    });
}
template <class T>
void invert(int n, T* a, int lda, const int* pivots, int* info)
{
    with_work<T>([=](T* work, int size) { getri(n, a, lda, pivots, work, size, info); });
}
template <class T>
void copy_square(int n, const T* a, int lda, T* c, int ldc)
{
    for (std::int64_t j = 0; j < n; ++j) std::copy_n(a + j * lda, n, c + j * ldc);
}
template <class T>
int do_getriBatched(cublasHandle_t h, int n, const T* const* a, int lda, const int* pivots, T* const* c, int ldc, int* info, int batch)
{
    if (!h) return not_initialized;
    if (n < 0 || batch < 0 || !is_lead(lda, n) || !is_lead(ldc, n) || !info) return invalid_value;
    return run(h, [=] {
        const std::vector<int> none = no_exchanges(n);
        for (std::int64_t i = 0; i < batch; ++i) {
            info[i] = 0;
            if (n == 0) continue;
            copy_square(n, a[i], lda, c[i], ldc);
            invert(n, c[i], ldc, pivots ? pivots + i * n : none.data(), info + i);
        }
    });
}
/// Inverses of matrices of up to 32 rows, as cuBLAS limits them.
template <class T>
int do_matinvBatched(cublasHandle_t h, int n, const T* const* a, int lda, T* const* inverse, int ld_inverse, int* info, int batch)
{
    if (!h) return not_initialized;
    if (n < 0 || n > 32 || batch < 0 || !is_lead(lda, n) || !is_lead(ld_inverse, n) || !info) return invalid_value;
    return run(h, [=] {
        std::vector<int> pivots = no_exchanges(n);
        for (std::int64_t i = 0; i < batch; ++i) {
            info[i] = 0;
            if (n == 0) continue;
            copy_square(n, a[i], lda, inverse[i], ld_inverse);
            getrf(n, n, inverse[i], ld_inverse, pivots.data(), info + i);
            if (info[i] == 0) invert(n, inverse[i], ld_inverse, pivots.data(), info + i);
        }
    });
}
template <class T>
int do_geqrfBatched(cublasHandle_t h, int m, int n, T* const* a, int lda, T* const* tau, int* info, int batch)
{
    if (!h) return not_initialized;
    if (!info) return invalid_value;
    *info = m < 0 ? -1 : n < 0 ? -2 : !is_lead(lda, m) ? -4 : batch < 0 ? -7 : 0;
    if (*info != 0) return invalid_value;
    return run(h, [=] {
        int unused = 0;
        for (int i = 0; i < batch; ++i)
            if (m > 0 && n > 0) with_work<T>([&](T* work, int size) { geqrf(m, n, a[i], lda, tau[i], work, size, &unused); });
    });
}
/// Least squares of systems that are not underdetermined, the only ones that cuBLAS takes.
template <class T>
int do_gelsBatched(cublasHandle_t h, int trans, int m, int n, int nrhs, T* const* a, int lda, T* const* c, int ldc, int* info, int* dev_info, int batch)
{
    if (!h) return not_initialized;
    if (!info) return invalid_value;
    *info = !is_op(trans) ? -1 : m < 0 ? -2 : n < 0 ? -3 : nrhs < 0 ? -4 : !is_lead(lda, m) ? -6 : !is_lead(ldc, m) ? -8 : batch < 0 ? -11 : 0;
    if (*info != 0) return invalid_value;
    if (trans != op_n || m < n) return not_supported;
    return run(h, [=] {
        for (int i = 0; i < batch; ++i) {
            int result = 0;
            if (n > 0) with_work<T>([&](T* work, int size) { gels('N', m, n, nrhs, a[i], lda, c[i], ldc, work, size, &result); });
            if (dev_info) dev_info[i] = result;
        }
    });
}

}  // namespace

extern "C" int cublasSgemvBatched(cublasHandle_t h, int trans, int m, int n, const float* alpha, const float* const* a, int lda,
                                  const float* const* x, int incx, const float* beta, float* const* y, int incy, int batch)
{
    return do_gemvBatched(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, batch);
}
extern "C" int cublasDgemvBatched(cublasHandle_t h, int trans, int m, int n, const double* alpha, const double* const* a, int lda,
                                  const double* const* x, int incx, const double* beta, double* const* y, int incy, int batch)
{
    return do_gemvBatched(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, batch);
}
extern "C" int cublasCgemvBatched(cublasHandle_t h, int trans, int m, int n, const c4* alpha, const c4* const* a, int lda, const c4* const* x,
                                  int incx, const c4* beta, c4* const* y, int incy, int batch)
{
    return do_gemvBatched(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, batch);
}
extern "C" int cublasZgemvBatched(cublasHandle_t h, int trans, int m, int n, const c8* alpha, const c8* const* a, int lda, const c8* const* x,
                                  int incx, const c8* beta, c8* const* y, int incy, int batch)
{
    return do_gemvBatched(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, batch);
}
extern "C" int cublasSgemvStridedBatched(cublasHandle_t h, int trans, int m, int n, const float* alpha, const float* a, int lda, long long stride_a,
                                         const float* x, int incx, long long stride_x, const float* beta, float* y, int incy, long long stride_y,
                                         int batch)
{
    return do_gemvStridedBatched(h, trans, m, n, alpha, a, lda, stride_a, x, incx, stride_x, beta, y, incy, stride_y, batch);
}
extern "C" int cublasDgemvStridedBatched(cublasHandle_t h, int trans, int m, int n, const double* alpha, const double* a, int lda, long long stride_a,
                                         const double* x, int incx, long long stride_x, const double* beta, double* y, int incy, long long stride_y,
                                         int batch)
{
    return do_gemvStridedBatched(h, trans, m, n, alpha, a, lda, stride_a, x, incx, stride_x, beta, y, incy, stride_y, batch);
}
extern "C" int cublasCgemvStridedBatched(cublasHandle_t h, int trans, int m, int n, const c4* alpha, const c4* a, int lda, long long stride_a,
                                         const c4* x, int incx, long long stride_x, const c4* beta, c4* y, int incy, long long stride_y, int batch)
{
    return do_gemvStridedBatched(h, trans, m, n, alpha, a, lda, stride_a, x, incx, stride_x, beta, y, incy, stride_y, batch);
}
extern "C" int cublasZgemvStridedBatched(cublasHandle_t h, int trans, int m, int n, const c8* alpha, const c8* a, int lda, long long stride_a,
                                         const c8* x, int incx, long long stride_x, const c8* beta, c8* y, int incy, long long stride_y, int batch)
{
    return do_gemvStridedBatched(h, trans, m, n, alpha, a, lda, stride_a, x, incx, stride_x, beta, y, incy, stride_y, batch);
}
extern "C" int cublasSgemmBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const float* alpha, const float* const* a, int lda,
                                  const float* const* b, int ldb, const float* beta, float* const* c, int ldc, int batch)
{
    return do_gemmBatched(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch);
}
extern "C" int cublasDgemmBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const double* alpha, const double* const* a, int lda,
                                  const double* const* b, int ldb, const double* beta, double* const* c, int ldc, int batch)
{
    return do_gemmBatched(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch);
}
extern "C" int cublasCgemmBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c4* alpha, const c4* const* a, int lda,
                                  const c4* const* b, int ldb, const c4* beta, c4* const* c, int ldc, int batch)
{
    return do_gemmBatched(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch);
}
extern "C" int cublasZgemmBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c8* alpha, const c8* const* a, int lda,
                                  const c8* const* b, int ldb, const c8* beta, c8* const* c, int ldc, int batch)
{
    return do_gemmBatched(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch);
}
extern "C" int cublasSgemmStridedBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const float* alpha, const float* a, int lda,
                                         long long stride_a, const float* b, int ldb, long long stride_b, const float* beta, float* c, int ldc,
                                         long long stride_c, int batch)
{
    return do_gemmStridedBatched(h, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, batch);
}
extern "C" int cublasDgemmStridedBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const double* alpha, const double* a, int lda,
                                         long long stride_a, const double* b, int ldb, long long stride_b, const double* beta, double* c, int ldc,
                                         long long stride_c, int batch)
{
    return do_gemmStridedBatched(h, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, batch);
}
extern "C" int cublasCgemmStridedBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c4* alpha, const c4* a, int lda,
                                         long long stride_a, const c4* b, int ldb, long long stride_b, const c4* beta, c4* c, int ldc,
                                         long long stride_c, int batch)
{
    return do_gemmStridedBatched(h, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, batch);
}
extern "C" int cublasZgemmStridedBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c8* alpha, const c8* a, int lda,
                                         long long stride_a, const c8* b, int ldb, long long stride_b, const c8* beta, c8* c, int ldc,
                                         long long stride_c, int batch)
{
    return do_gemmStridedBatched(h, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, batch);
}

extern "C" int cublasStrsmBatched(cublasHandle_t h, int side, int uplo, int trans, int diag, int m, int n, const float* alpha, const float* const* a,
                                  int lda, float* const* b, int ldb, int batch)
{
    return do_trsmBatched(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch);
}
extern "C" int cublasDtrsmBatched(cublasHandle_t h, int side, int uplo, int trans, int diag, int m, int n, const double* alpha,
                                  const double* const* a, int lda, double* const* b, int ldb, int batch)
{
    return do_trsmBatched(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch);
}
extern "C" int cublasCtrsmBatched(cublasHandle_t h, int side, int uplo, int trans, int diag, int m, int n, const c4* alpha, const c4* const* a,
                                  int lda, c4* const* b, int ldb, int batch)
{
    return do_trsmBatched(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch);
}
extern "C" int cublasZtrsmBatched(cublasHandle_t h, int side, int uplo, int trans, int diag, int m, int n, const c8* alpha, const c8* const* a,
                                  int lda, c8* const* b, int ldb, int batch)
{
    return do_trsmBatched(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch);
}
extern "C" int cublasSgetrfBatched(cublasHandle_t h, int n, float* const* a, int lda, int* pivots, int* info, int batch)
{
    return do_getrfBatched(h, n, a, lda, pivots, info, batch);
}
extern "C" int cublasDgetrfBatched(cublasHandle_t h, int n, double* const* a, int lda, int* pivots, int* info, int batch)
{
    return do_getrfBatched(h, n, a, lda, pivots, info, batch);
}
extern "C" int cublasCgetrfBatched(cublasHandle_t h, int n, c4* const* a, int lda, int* pivots, int* info, int batch)
{
    return do_getrfBatched(h, n, a, lda, pivots, info, batch);
}
extern "C" int cublasZgetrfBatched(cublasHandle_t h, int n, c8* const* a, int lda, int* pivots, int* info, int batch)
{
    return do_getrfBatched(h, n, a, lda, pivots, info, batch);
}
extern "C" int cublasSgetrsBatched(cublasHandle_t h, int trans, int n, int nrhs, const float* const* a, int lda, const int* pivots, float* const* b,
                                   int ldb, int* info, int batch)
{
    return do_getrsBatched(h, trans, n, nrhs, a, lda, pivots, b, ldb, info, batch);
}
extern "C" int cublasDgetrsBatched(cublasHandle_t h, int trans, int n, int nrhs, const double* const* a, int lda, const int* pivots, double* const* b,
                                   int ldb, int* info, int batch)
{
    return do_getrsBatched(h, trans, n, nrhs, a, lda, pivots, b, ldb, info, batch);
}
extern "C" int cublasCgetrsBatched(cublasHandle_t h, int trans, int n, int nrhs, const c4* const* a, int lda, const int* pivots, c4* const* b,
                                   int ldb, int* info, int batch)
{
    return do_getrsBatched(h, trans, n, nrhs, a, lda, pivots, b, ldb, info, batch);
}
extern "C" int cublasZgetrsBatched(cublasHandle_t h, int trans, int n, int nrhs, const c8* const* a, int lda, const int* pivots, c8* const* b,
                                   int ldb, int* info, int batch)
{
    return do_getrsBatched(h, trans, n, nrhs, a, lda, pivots, b, ldb, info, batch);
}
extern "C" int cublasSgetriBatched(cublasHandle_t h, int n, const float* const* a, int lda, const int* pivots, float* const* c, int ldc, int* info,
                                   int batch)
{
    return do_getriBatched(h, n, a, lda, pivots, c, ldc, info, batch);
}
extern "C" int cublasDgetriBatched(cublasHandle_t h, int n, const double* const* a, int lda, const int* pivots, double* const* c, int ldc, int* info,
                                   int batch)
{
    return do_getriBatched(h, n, a, lda, pivots, c, ldc, info, batch);
}
extern "C" int cublasCgetriBatched(cublasHandle_t h, int n, const c4* const* a, int lda, const int* pivots, c4* const* c, int ldc, int* info,
                                   int batch)
{
    return do_getriBatched(h, n, a, lda, pivots, c, ldc, info, batch);
}
extern "C" int cublasZgetriBatched(cublasHandle_t h, int n, const c8* const* a, int lda, const int* pivots, c8* const* c, int ldc, int* info,
                                   int batch)
{
    return do_getriBatched(h, n, a, lda, pivots, c, ldc, info, batch);
}
extern "C" int cublasSmatinvBatched(cublasHandle_t h, int n, const float* const* a, int lda, float* const* inverse, int ld_inverse, int* info,
                                    int batch)
{
    return do_matinvBatched(h, n, a, lda, inverse, ld_inverse, info, batch);
}
extern "C" int cublasDmatinvBatched(cublasHandle_t h, int n, const double* const* a, int lda, double* const* inverse, int ld_inverse, int* info,
                                    int batch)
{
    return do_matinvBatched(h, n, a, lda, inverse, ld_inverse, info, batch);
}
extern "C" int cublasCmatinvBatched(cublasHandle_t h, int n, const c4* const* a, int lda, c4* const* inverse, int ld_inverse, int* info, int batch)
{
    return do_matinvBatched(h, n, a, lda, inverse, ld_inverse, info, batch);
}
extern "C" int cublasZmatinvBatched(cublasHandle_t h, int n, const c8* const* a, int lda, c8* const* inverse, int ld_inverse, int* info, int batch)
{
    return do_matinvBatched(h, n, a, lda, inverse, ld_inverse, info, batch);
}
extern "C" int cublasSgeqrfBatched(cublasHandle_t h, int m, int n, float* const* a, int lda, float* const* tau, int* info, int batch)
{
    return do_geqrfBatched(h, m, n, a, lda, tau, info, batch);
}
extern "C" int cublasDgeqrfBatched(cublasHandle_t h, int m, int n, double* const* a, int lda, double* const* tau, int* info, int batch)
{
    return do_geqrfBatched(h, m, n, a, lda, tau, info, batch);
}
extern "C" int cublasCgeqrfBatched(cublasHandle_t h, int m, int n, c4* const* a, int lda, c4* const* tau, int* info, int batch)
{
    return do_geqrfBatched(h, m, n, a, lda, tau, info, batch);
}
extern "C" int cublasZgeqrfBatched(cublasHandle_t h, int m, int n, c8* const* a, int lda, c8* const* tau, int* info, int batch)
{
    return do_geqrfBatched(h, m, n, a, lda, tau, info, batch);
}
extern "C" int cublasSgelsBatched(cublasHandle_t h, int trans, int m, int n, int nrhs, float* const* a, int lda, float* const* c, int ldc, int* info,
                                  int* dev_info, int batch)
{
    return do_gelsBatched(h, trans, m, n, nrhs, a, lda, c, ldc, info, dev_info, batch);
}
extern "C" int cublasDgelsBatched(cublasHandle_t h, int trans, int m, int n, int nrhs, double* const* a, int lda, double* const* c, int ldc,
                                  int* info, int* dev_info, int batch)
{
    return do_gelsBatched(h, trans, m, n, nrhs, a, lda, c, ldc, info, dev_info, batch);
}
extern "C" int cublasCgelsBatched(cublasHandle_t h, int trans, int m, int n, int nrhs, c4* const* a, int lda, c4* const* c, int ldc, int* info,
                                  int* dev_info, int batch)
{
    return do_gelsBatched(h, trans, m, n, nrhs, a, lda, c, ldc, info, dev_info, batch);
}
extern "C" int cublasZgelsBatched(cublasHandle_t h, int trans, int m, int n, int nrhs, c8* const* a, int lda, c8* const* c, int ldc, int* info,
                                  int* dev_info, int batch)
{
    return do_gelsBatched(h, trans, m, n, nrhs, a, lda, c, ldc, info, dev_info, batch);
}
