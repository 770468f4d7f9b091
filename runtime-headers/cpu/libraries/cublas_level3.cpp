// cuBLAS of the cpu target: the calls of level 3 and its extensions.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas_level3.hpp"

using namespace cuf::cpu::blas;

extern "C" int cublasSgemm_v2(cublasHandle_t h, int transa, int transb, int m, int n, int k, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, const float* beta, float* c, int ldc)
{
    return do_gemm(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasDgemm_v2(cublasHandle_t h, int transa, int transb, int m, int n, int k, const double* alpha, const double* a, int lda,
                              const double* b, int ldb, const double* beta, double* c, int ldc)
{
    return do_gemm(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasCgemm_v2(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c4* alpha, const c4* a, int lda, const c4* b,
                              int ldb, const c4* beta, c4* c, int ldc)
{
    return do_gemm(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZgemm_v2(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c8* alpha, const c8* a, int lda, const c8* b,
                              int ldb, const c8* beta, c8* c, int ldc)
{
    return do_gemm(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasCgemm3m(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c4* alpha, const c4* a, int lda, const c4* b,
                             int ldb, const c4* beta, c4* c, int ldc)
{
    return do_gemm(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZgemm3m(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c8* alpha, const c8* a, int lda, const c8* b,
                             int ldb, const c8* beta, c8* c, int ldc)
{
    return do_gemm(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasSsymm_v2(cublasHandle_t h, int side, int uplo, int m, int n, const float* alpha, const float* a, int lda, const float* b,
                              int ldb, const float* beta, float* c, int ldc)
{
    return do_symm(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasDsymm_v2(cublasHandle_t h, int side, int uplo, int m, int n, const double* alpha, const double* a, int lda, const double* b,
                              int ldb, const double* beta, double* c, int ldc)
{
    return do_symm(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasCsymm_v2(cublasHandle_t h, int side, int uplo, int m, int n, const c4* alpha, const c4* a, int lda, const c4* b, int ldb,
                              const c4* beta, c4* c, int ldc)
{
    return do_symm(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZsymm_v2(cublasHandle_t h, int side, int uplo, int m, int n, const c8* alpha, const c8* a, int lda, const c8* b, int ldb,
                              const c8* beta, c8* c, int ldc)
{
    return do_symm(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasChemm_v2(cublasHandle_t h, int side, int uplo, int m, int n, const c4* alpha, const c4* a, int lda, const c4* b, int ldb,
                              const c4* beta, c4* c, int ldc)
{
    return do_hemm(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZhemm_v2(cublasHandle_t h, int side, int uplo, int m, int n, const c8* alpha, const c8* a, int lda, const c8* b, int ldb,
                              const c8* beta, c8* c, int ldc)
{
    return do_hemm(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}

extern "C" int cublasSsyrk_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const float* alpha, const float* a, int lda, const float* beta,
                              float* c, int ldc)
{
    return do_syrk(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}
extern "C" int cublasDsyrk_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const double* alpha, const double* a, int lda, const double* beta,
                              double* c, int ldc)
{
    return do_syrk(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}
extern "C" int cublasCsyrk_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const c4* alpha, const c4* a, int lda, const c4* beta, c4* c,
                              int ldc)
{
    return do_syrk(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}
extern "C" int cublasZsyrk_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const c8* alpha, const c8* a, int lda, const c8* beta, c8* c,
                              int ldc)
{
    return do_syrk(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}
extern "C" int cublasCherk_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const float* alpha, const c4* a, int lda, const float* beta, c4* c,
                              int ldc)
{
    return do_herk(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}
extern "C" int cublasZherk_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const double* alpha, const c8* a, int lda, const double* beta,
                              c8* c, int ldc)
{
    return do_herk(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}
extern "C" int cublasSsyr2k_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const float* alpha, const float* a, int lda, const float* b,
                               int ldb, const float* beta, float* c, int ldc)
{
    return do_syr2k(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasDsyr2k_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const double* alpha, const double* a, int lda, const double* b,
                               int ldb, const double* beta, double* c, int ldc)
{
    return do_syr2k(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasCsyr2k_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const c4* alpha, const c4* a, int lda, const c4* b, int ldb,
                               const c4* beta, c4* c, int ldc)
{
    return do_syr2k(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZsyr2k_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const c8* alpha, const c8* a, int lda, const c8* b, int ldb,
                               const c8* beta, c8* c, int ldc)
{
    return do_syr2k(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasCher2k_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const c4* alpha, const c4* a, int lda, const c4* b, int ldb,
                               const float* beta, c4* c, int ldc)
{
    return do_her2k(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZher2k_v2(cublasHandle_t h, int uplo, int trans, int n, int k, const c8* alpha, const c8* a, int lda, const c8* b, int ldb,
                               const double* beta, c8* c, int ldc)
{
    return do_her2k(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasSsyrkx(cublasHandle_t h, int uplo, int trans, int n, int k, const float* alpha, const float* a, int lda, const float* b, int ldb,
                            const float* beta, float* c, int ldc)
{
    return do_syrkx(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasDsyrkx(cublasHandle_t h, int uplo, int trans, int n, int k, const double* alpha, const double* a, int lda, const double* b,
                            int ldb, const double* beta, double* c, int ldc)
{
    return do_syrkx(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasCsyrkx(cublasHandle_t h, int uplo, int trans, int n, int k, const c4* alpha, const c4* a, int lda, const c4* b, int ldb,
                            const c4* beta, c4* c, int ldc)
{
    return do_syrkx(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZsyrkx(cublasHandle_t h, int uplo, int trans, int n, int k, const c8* alpha, const c8* a, int lda, const c8* b, int ldb,
                            const c8* beta, c8* c, int ldc)
{
    return do_syrkx(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasCherkx(cublasHandle_t h, int uplo, int trans, int n, int k, const c4* alpha, const c4* a, int lda, const c4* b, int ldb,
                            const float* beta, c4* c, int ldc)
{
    return do_herkx(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
extern "C" int cublasZherkx(cublasHandle_t h, int uplo, int trans, int n, int k, const c8* alpha, const c8* a, int lda, const c8* b, int ldb,
                            const double* beta, c8* c, int ldc)
{
    return do_herkx(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

extern "C" int cublasStrmm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, float* c, int ldc)
{
    return do_trmm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, c, ldc);
}
extern "C" int cublasDtrmm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const double* alpha, const double* a, int lda,
                              const double* b, int ldb, double* c, int ldc)
{
    return do_trmm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, c, ldc);
}
extern "C" int cublasCtrmm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const c4* alpha, const c4* a, int lda,
                              const c4* b, int ldb, c4* c, int ldc)
{
    return do_trmm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, c, ldc);
}
extern "C" int cublasZtrmm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const c8* alpha, const c8* a, int lda,
                              const c8* b, int ldb, c8* c, int ldc)
{
    return do_trmm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, c, ldc);
}
extern "C" int cublasStrsm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const float* alpha, const float* a, int lda,
                              float* b, int ldb)
{
    return do_trsm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb);
}
extern "C" int cublasDtrsm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const double* alpha, const double* a, int lda,
                              double* b, int ldb)
{
    return do_trsm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb);
}
extern "C" int cublasCtrsm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const c4* alpha, const c4* a, int lda, c4* b,
                              int ldb)
{
    return do_trsm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb);
}
extern "C" int cublasZtrsm_v2(cublasHandle_t h, int side, int uplo, int transa, int diag, int m, int n, const c8* alpha, const c8* a, int lda, c8* b,
                              int ldb)
{
    return do_trsm(h, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb);
}

extern "C" int cublasSgeam(cublasHandle_t h, int transa, int transb, int m, int n, const float* alpha, const float* a, int lda, const float* beta,
                           const float* b, int ldb, float* c, int ldc)
{
    return do_geam(h, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
extern "C" int cublasDgeam(cublasHandle_t h, int transa, int transb, int m, int n, const double* alpha, const double* a, int lda, const double* beta,
                           const double* b, int ldb, double* c, int ldc)
{
    return do_geam(h, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
extern "C" int cublasCgeam(cublasHandle_t h, int transa, int transb, int m, int n, const c4* alpha, const c4* a, int lda, const c4* beta, const c4* b,
                           int ldb, c4* c, int ldc)
{
    return do_geam(h, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
extern "C" int cublasZgeam(cublasHandle_t h, int transa, int transb, int m, int n, const c8* alpha, const c8* a, int lda, const c8* beta, const c8* b,
                           int ldb, c8* c, int ldc)
{
    return do_geam(h, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
extern "C" int cublasSdgmm(cublasHandle_t h, int mode, int m, int n, const float* a, int lda, const float* x, int incx, float* c, int ldc)
{
    return do_dgmm(h, mode, m, n, a, lda, x, incx, c, ldc);
}
extern "C" int cublasDdgmm(cublasHandle_t h, int mode, int m, int n, const double* a, int lda, const double* x, int incx, double* c, int ldc)
{
    return do_dgmm(h, mode, m, n, a, lda, x, incx, c, ldc);
}
extern "C" int cublasCdgmm(cublasHandle_t h, int mode, int m, int n, const c4* a, int lda, const c4* x, int incx, c4* c, int ldc)
{
    return do_dgmm(h, mode, m, n, a, lda, x, incx, c, ldc);
}
extern "C" int cublasZdgmm(cublasHandle_t h, int mode, int m, int n, const c8* a, int lda, const c8* x, int incx, c8* c, int ldc)
{
    return do_dgmm(h, mode, m, n, a, lda, x, incx, c, ldc);
}
extern "C" int cublasStpttr(cublasHandle_t h, int uplo, int n, const float* ap, float* a, int lda) { return do_tpttr(h, uplo, n, ap, a, lda); }
extern "C" int cublasDtpttr(cublasHandle_t h, int uplo, int n, const double* ap, double* a, int lda) { return do_tpttr(h, uplo, n, ap, a, lda); }
extern "C" int cublasCtpttr(cublasHandle_t h, int uplo, int n, const c4* ap, c4* a, int lda) { return do_tpttr(h, uplo, n, ap, a, lda); }
extern "C" int cublasZtpttr(cublasHandle_t h, int uplo, int n, const c8* ap, c8* a, int lda) { return do_tpttr(h, uplo, n, ap, a, lda); }
extern "C" int cublasStrttp(cublasHandle_t h, int uplo, int n, const float* a, int lda, float* ap) { return do_trttp(h, uplo, n, a, lda, ap); }
extern "C" int cublasDtrttp(cublasHandle_t h, int uplo, int n, const double* a, int lda, double* ap) { return do_trttp(h, uplo, n, a, lda, ap); }
extern "C" int cublasCtrttp(cublasHandle_t h, int uplo, int n, const c4* a, int lda, c4* ap) { return do_trttp(h, uplo, n, a, lda, ap); }
extern "C" int cublasZtrttp(cublasHandle_t h, int uplo, int n, const c8* a, int lda, c8* ap) { return do_trttp(h, uplo, n, a, lda, ap); }
