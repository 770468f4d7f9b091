// cuBLASXt of the cpu target: level 3 for matrices in the memory of the host or of the device. The calls return when they are done.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas_level3.hpp"
#include <limits>

using namespace cuf::cpu;
using namespace cuf::cpu::blas;

/// What a cublasXtHandle_t points to.
struct cublasXtContext {
    cublasContext blas;
    int block = 2048;
    int pinning = 0;
};
using cublasXtHandle_t = cublasXtContext*;

namespace {

cublasHandle_t context(cublasXtHandle_t h) { return h ? &h->blas : nullptr; }

/// The BLAS counts in int.
template <class... Size>
bool too_large(Size... n)
{
    return (... || (n > std::size_t(std::numeric_limits<int>::max())));
}
int narrow(std::size_t n) { return int(n); }

/// Products with a symmetric matrix in packed storage.
template <class T>
int do_spmm(cublasHandle_t h, int side, int uplo, int m, int n, const T* alpha, const T* ap, const T* b, int ldb, const T* beta, T* c, int ldc)
{
    if (!h) return not_initialized;
    if (!is_side(side) || !is_fill(uplo)) return invalid_value;
    const int order = side == left ? m : n;
    std::vector<T> a(std::size_t(order) * std::size_t(order));
    const int unpacked = do_tpttr(h, uplo, order, ap, a.data(), std::max(1, order));
    return unpacked != success ? unpacked : do_symm(h, side, uplo, m, n, alpha, a.data(), std::max(1, order), b, ldb, beta, c, ldc);
}

}  // namespace

extern "C" int cublasXtCreate(cublasXtHandle_t* h)
{
    if (!h) return invalid_value;
    *h = new cublasXtContext;
    return success;
}
extern "C" int cublasXtDestroy(cublasXtHandle_t h)
{
    if (!h) return not_initialized;
    delete h;
    return success;
}
/// There is one device, 0.
extern "C" int cublasXtDeviceSelect(cublasXtHandle_t h, int count, int* devices)
{
    if (!h) return not_initialized;
    if (count < 1 || !devices) return invalid_value;
    for (int i = 0; i < count; ++i)
        if (devices[i] != 0) return invalid_value;
    return success;
}
extern "C" int cublasXtGetNumBoards(int count, int* devices, int* boards)
{
    if (count < 1 || !devices || !boards) return invalid_value;
    *boards = 1;
    return success;
}
extern "C" int cublasXtMaxBoards(int* boards)
{
    if (!boards) return invalid_value;
    *boards = 1;
    return success;
}
extern "C" int cublasXtSetBlockDim(cublasXtHandle_t h, int block)
{
    if (!h) return not_initialized;
    if (block <= 0) return invalid_value;
    h->block = block;
    return success;
}
extern "C" int cublasXtGetBlockDim(cublasXtHandle_t h, int* block)
{
    if (!h) return not_initialized;
    if (!block) return invalid_value;
    *block = h->block;
    return success;
}
extern "C" int cublasXtSetPinningMemMode(cublasXtHandle_t h, int mode)
{
    if (!h) return not_initialized;
    if (mode != 0 && mode != 1) return invalid_value;
    h->pinning = mode;
    return success;
}
extern "C" int cublasXtGetPinningMemMode(cublasXtHandle_t h, int* mode)
{
    if (!h) return not_initialized;
    if (!mode) return invalid_value;
    *mode = h->pinning;
    return success;
}

extern "C" int cublasXtSgemm(cublasXtHandle_t h, int transa, int transb, std::size_t m, std::size_t n, std::size_t k, const float* alpha,
                             const float* a, std::size_t lda, const float* b, std::size_t ldb, const float* beta, float* c, std::size_t ldc)
{
    if (too_large(m, n, k, lda, ldb, ldc)) return not_supported;
    return do_gemm(context(h), transa, transb, narrow(m), narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtDgemm(cublasXtHandle_t h, int transa, int transb, std::size_t m, std::size_t n, std::size_t k, const double* alpha,
                             const double* a, std::size_t lda, const double* b, std::size_t ldb, const double* beta, double* c, std::size_t ldc)
{
    if (too_large(m, n, k, lda, ldb, ldc)) return not_supported;
    return do_gemm(context(h), transa, transb, narrow(m), narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtCgemm(cublasXtHandle_t h, int transa, int transb, std::size_t m, std::size_t n, std::size_t k, const c4* alpha, const c4* a,
                             std::size_t lda, const c4* b, std::size_t ldb, const c4* beta, c4* c, std::size_t ldc)
{
    if (too_large(m, n, k, lda, ldb, ldc)) return not_supported;
    return do_gemm(context(h), transa, transb, narrow(m), narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZgemm(cublasXtHandle_t h, int transa, int transb, std::size_t m, std::size_t n, std::size_t k, const c8* alpha, const c8* a,
                             std::size_t lda, const c8* b, std::size_t ldb, const c8* beta, c8* c, std::size_t ldc)
{
    if (too_large(m, n, k, lda, ldb, ldc)) return not_supported;
    return do_gemm(context(h), transa, transb, narrow(m), narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtSsymm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const float* alpha, const float* a,
                             std::size_t lda, const float* b, std::size_t ldb, const float* beta, float* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_symm(context(h), side, uplo, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtDsymm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const double* alpha, const double* a,
                             std::size_t lda, const double* b, std::size_t ldb, const double* beta, double* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_symm(context(h), side, uplo, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtCsymm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const c4* alpha, const c4* a, std::size_t lda,
                             const c4* b, std::size_t ldb, const c4* beta, c4* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_symm(context(h), side, uplo, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZsymm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const c8* alpha, const c8* a, std::size_t lda,
                             const c8* b, std::size_t ldb, const c8* beta, c8* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_symm(context(h), side, uplo, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtChemm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const c4* alpha, const c4* a, std::size_t lda,
                             const c4* b, std::size_t ldb, const c4* beta, c4* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_hemm(context(h), side, uplo, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZhemm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const c8* alpha, const c8* a, std::size_t lda,
                             const c8* b, std::size_t ldb, const c8* beta, c8* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_hemm(context(h), side, uplo, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtSspmm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const float* alpha, const float* ap,
                             const float* b, std::size_t ldb, const float* beta, float* c, std::size_t ldc)
{
    if (too_large(m, n, ldb, ldc)) return not_supported;
    return do_spmm(context(h), side, uplo, narrow(m), narrow(n), alpha, ap, b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtDspmm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const double* alpha, const double* ap,
                             const double* b, std::size_t ldb, const double* beta, double* c, std::size_t ldc)
{
    if (too_large(m, n, ldb, ldc)) return not_supported;
    return do_spmm(context(h), side, uplo, narrow(m), narrow(n), alpha, ap, b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtCspmm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const c4* alpha, const c4* ap, const c4* b,
                             std::size_t ldb, const c4* beta, c4* c, std::size_t ldc)
{
    if (too_large(m, n, ldb, ldc)) return not_supported;
    return do_spmm(context(h), side, uplo, narrow(m), narrow(n), alpha, ap, b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZspmm(cublasXtHandle_t h, int side, int uplo, std::size_t m, std::size_t n, const c8* alpha, const c8* ap, const c8* b,
                             std::size_t ldb, const c8* beta, c8* c, std::size_t ldc)
{
    if (too_large(m, n, ldb, ldc)) return not_supported;
    return do_spmm(context(h), side, uplo, narrow(m), narrow(n), alpha, ap, b, narrow(ldb), beta, c, narrow(ldc));
}

extern "C" int cublasXtSsyrk(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const float* alpha, const float* a,
                             std::size_t lda, const float* beta, float* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldc)) return not_supported;
    return do_syrk(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), beta, c, narrow(ldc));
}
extern "C" int cublasXtDsyrk(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const double* alpha, const double* a,
                             std::size_t lda, const double* beta, double* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldc)) return not_supported;
    return do_syrk(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), beta, c, narrow(ldc));
}
extern "C" int cublasXtCsyrk(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c4* alpha, const c4* a, std::size_t lda,
                             const c4* beta, c4* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldc)) return not_supported;
    return do_syrk(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), beta, c, narrow(ldc));
}
extern "C" int cublasXtZsyrk(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c8* alpha, const c8* a, std::size_t lda,
                             const c8* beta, c8* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldc)) return not_supported;
    return do_syrk(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), beta, c, narrow(ldc));
}
extern "C" int cublasXtCherk(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const float* alpha, const c4* a, std::size_t lda,
                             const float* beta, c4* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldc)) return not_supported;
    return do_herk(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), beta, c, narrow(ldc));
}
extern "C" int cublasXtZherk(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const double* alpha, const c8* a, std::size_t lda,
                             const double* beta, c8* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldc)) return not_supported;
    return do_herk(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), beta, c, narrow(ldc));
}
extern "C" int cublasXtSsyr2k(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const float* alpha, const float* a,
                              std::size_t lda, const float* b, std::size_t ldb, const float* beta, float* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syr2k(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtDsyr2k(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const double* alpha, const double* a,
                              std::size_t lda, const double* b, std::size_t ldb, const double* beta, double* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syr2k(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtCsyr2k(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c4* alpha, const c4* a, std::size_t lda,
                              const c4* b, std::size_t ldb, const c4* beta, c4* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syr2k(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZsyr2k(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c8* alpha, const c8* a, std::size_t lda,
                              const c8* b, std::size_t ldb, const c8* beta, c8* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syr2k(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtCher2k(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c4* alpha, const c4* a, std::size_t lda,
                              const c4* b, std::size_t ldb, const float* beta, c4* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_her2k(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZher2k(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c8* alpha, const c8* a, std::size_t lda,
                              const c8* b, std::size_t ldb, const double* beta, c8* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_her2k(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtSsyrkx(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const float* alpha, const float* a,
                              std::size_t lda, const float* b, std::size_t ldb, const float* beta, float* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syrkx(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtDsyrkx(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const double* alpha, const double* a,
                              std::size_t lda, const double* b, std::size_t ldb, const double* beta, double* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syrkx(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtCsyrkx(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c4* alpha, const c4* a, std::size_t lda,
                              const c4* b, std::size_t ldb, const c4* beta, c4* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syrkx(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZsyrkx(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c8* alpha, const c8* a, std::size_t lda,
                              const c8* b, std::size_t ldb, const c8* beta, c8* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_syrkx(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtCherkx(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c4* alpha, const c4* a, std::size_t lda,
                              const c4* b, std::size_t ldb, const float* beta, c4* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_herkx(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}
extern "C" int cublasXtZherkx(cublasXtHandle_t h, int uplo, int trans, std::size_t n, std::size_t k, const c8* alpha, const c8* a, std::size_t lda,
                              const c8* b, std::size_t ldb, const double* beta, c8* c, std::size_t ldc)
{
    if (too_large(n, k, lda, ldb, ldc)) return not_supported;
    return do_herkx(context(h), uplo, trans, narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}

extern "C" int cublasXtStrmm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const float* alpha,
                             const float* a, std::size_t lda, const float* b, std::size_t ldb, float* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_trmm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), c, narrow(ldc));
}
extern "C" int cublasXtDtrmm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const double* alpha,
                             const double* a, std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_trmm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), c, narrow(ldc));
}
extern "C" int cublasXtCtrmm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const c4* alpha, const c4* a,
                             std::size_t lda, const c4* b, std::size_t ldb, c4* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_trmm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), c, narrow(ldc));
}
extern "C" int cublasXtZtrmm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const c8* alpha, const c8* a,
                             std::size_t lda, const c8* b, std::size_t ldb, c8* c, std::size_t ldc)
{
    if (too_large(m, n, lda, ldb, ldc)) return not_supported;
    return do_trmm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb), c, narrow(ldc));
}
extern "C" int cublasXtStrsm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const float* alpha,
                             const float* a, std::size_t lda, float* b, std::size_t ldb)
{
    if (too_large(m, n, lda, ldb)) return not_supported;
    return do_trsm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb));
}
extern "C" int cublasXtDtrsm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const double* alpha,
                             const double* a, std::size_t lda, double* b, std::size_t ldb)
{
    if (too_large(m, n, lda, ldb)) return not_supported;
    return do_trsm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb));
}
extern "C" int cublasXtCtrsm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const c4* alpha, const c4* a,
                             std::size_t lda, c4* b, std::size_t ldb)
{
    if (too_large(m, n, lda, ldb)) return not_supported;
    return do_trsm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb));
}
extern "C" int cublasXtZtrsm(cublasXtHandle_t h, int side, int uplo, int trans, int diag, std::size_t m, std::size_t n, const c8* alpha, const c8* a,
                             std::size_t lda, c8* b, std::size_t ldb)
{
    if (too_large(m, n, lda, ldb)) return not_supported;
    return do_trsm(context(h), side, uplo, trans, diag, narrow(m), narrow(n), alpha, a, narrow(lda), b, narrow(ldb));
}
