// cuBLAS of the cpu target: updates of a matrix by vectors.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "blas.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::blas;

namespace {

template <class T, class Work>
int general(cublasHandle_t h, int m, int n, const T* alpha, int incx, int incy, int lda, const Work& work)
{
    if (!h) return not_initialized;
    if (m < 0 || n < 0 || incx == 0 || incy == 0 || !is_lead(lda, m) || !alpha) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha)] { work(s.get()); });
}
template <class S, class Work>
int symmetric(cublasHandle_t h, int uplo, int n, const S* alpha, int incx, int incy, int lda, const Work& work)
{
    if (!h) return not_initialized;
    if (!is_fill(uplo) || n < 0 || incx == 0 || incy == 0 || lda < 1 || !alpha) return invalid_value;
    return run(h, [=, s = scalar_of(h, alpha)] { work(s.get()); });
}

template <class T>
int do_ger(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda)
{
    return general(h, m, n, alpha, incx, incy, lda, [=](T s) { ger(m, n, s, x, incx, y, incy, a, lda); });
}
template <class T>
int do_geru(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda)
{
    return general(h, m, n, alpha, incx, incy, lda, [=](T s) { geru(m, n, s, x, incx, y, incy, a, lda); });
}
template <class T>
int do_gerc(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda)
{
    return general(h, m, n, alpha, incx, incy, lda, [=](T s) { gerc(m, n, s, x, incx, y, incy, a, lda); });
}

/// A += alpha*(x*y**T + y*x**T), or alpha*x*x**T if y is null, in one triangle: the complex symmetric forms, which BLAS has not.
template <class T>
void update_complex(int uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda)
{
    const strided<const T> u(x, n, incx), v(y ? y : x, n, y ? incy : incx);
    for (int j = 0; j < n; ++j) {
        const int first = uplo == lower ? j : 0, last = uplo == lower ? n : j + 1;
        for (int i = first; i < last; ++i) a[i + std::int64_t(j) * lda] += alpha * (y ? u[i] * v[j] + v[i] * u[j] : u[i] * u[j]);
    }
}

template <class T>
int do_syr(cublasHandle_t h, int uplo, int n, const T* alpha, const T* x, int incx, T* a, int lda)
{
    return symmetric(h, uplo, n, alpha, incx, 1, lda < n ? 0 : lda, [=](T s) {
        if constexpr (is_complex<T>) update_complex(uplo, n, s, x, incx, static_cast<const T*>(nullptr), 1, a, lda);
        else syr(fill_letter(uplo), n, s, x, incx, a, lda);
    });
}
template <class T>
int do_syr2(cublasHandle_t h, int uplo, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda)
{
    return symmetric(h, uplo, n, alpha, incx, incy, lda < n ? 0 : lda, [=](T s) {
        if constexpr (is_complex<T>) update_complex(uplo, n, s, x, incx, y, incy, a, lda);
        else syr2(fill_letter(uplo), n, s, x, incx, y, incy, a, lda);
    });
}
template <class T>
int do_her(cublasHandle_t h, int uplo, int n, const real_of<T>* alpha, const T* x, int incx, T* a, int lda)
{
    return symmetric(h, uplo, n, alpha, incx, 1, lda < n ? 0 : lda, [=](real_of<T> s) { her(fill_letter(uplo), n, s, x, incx, a, lda); });
}
template <class T>
int do_her2(cublasHandle_t h, int uplo, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda)
{
    return symmetric(h, uplo, n, alpha, incx, incy, lda < n ? 0 : lda, [=](T s) { her2(fill_letter(uplo), n, s, x, incx, y, incy, a, lda); });
}
template <class T>
int do_spr(cublasHandle_t h, int uplo, int n, const T* alpha, const T* x, int incx, T* ap)
{
    return symmetric(h, uplo, n, alpha, incx, 1, 1, [=](T s) { spr(fill_letter(uplo), n, s, x, incx, ap); });
}
template <class T>
int do_spr2(cublasHandle_t h, int uplo, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* ap)
{
    return symmetric(h, uplo, n, alpha, incx, incy, 1, [=](T s) { spr2(fill_letter(uplo), n, s, x, incx, y, incy, ap); });
}
template <class T>
int do_hpr(cublasHandle_t h, int uplo, int n, const real_of<T>* alpha, const T* x, int incx, T* ap)
{
    return symmetric(h, uplo, n, alpha, incx, 1, 1, [=](real_of<T> s) { hpr(fill_letter(uplo), n, s, x, incx, ap); });
}
template <class T>
int do_hpr2(cublasHandle_t h, int uplo, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* ap)
{
    return symmetric(h, uplo, n, alpha, incx, incy, 1, [=](T s) { hpr2(fill_letter(uplo), n, s, x, incx, y, incy, ap); });
}

}  // namespace

extern "C" int cublasSger_v2(cublasHandle_t h, int m, int n, const float* alpha, const float* x, int incx, const float* y, int incy, float* a,
                             int lda)
{
    return do_ger(h, m, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasDger_v2(cublasHandle_t h, int m, int n, const double* alpha, const double* x, int incx, const double* y, int incy, double* a,
                             int lda)
{
    return do_ger(h, m, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasCgeru_v2(cublasHandle_t h, int m, int n, const c4* alpha, const c4* x, int incx, const c4* y, int incy, c4* a, int lda)
{
    return do_geru(h, m, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasZgeru_v2(cublasHandle_t h, int m, int n, const c8* alpha, const c8* x, int incx, const c8* y, int incy, c8* a, int lda)
{
    return do_geru(h, m, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasCgerc_v2(cublasHandle_t h, int m, int n, const c4* alpha, const c4* x, int incx, const c4* y, int incy, c4* a, int lda)
{
    return do_gerc(h, m, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasZgerc_v2(cublasHandle_t h, int m, int n, const c8* alpha, const c8* x, int incx, const c8* y, int incy, c8* a, int lda)
{
    return do_gerc(h, m, n, alpha, x, incx, y, incy, a, lda);
}

extern "C" int cublasSsyr_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const float* x, int incx, float* a, int lda)
{
    return do_syr(h, uplo, n, alpha, x, incx, a, lda);
}
extern "C" int cublasDsyr_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const double* x, int incx, double* a, int lda)
{
    return do_syr(h, uplo, n, alpha, x, incx, a, lda);
}
extern "C" int cublasCsyr_v2(cublasHandle_t h, int uplo, int n, const c4* alpha, const c4* x, int incx, c4* a, int lda)
{
    return do_syr(h, uplo, n, alpha, x, incx, a, lda);
}
extern "C" int cublasZsyr_v2(cublasHandle_t h, int uplo, int n, const c8* alpha, const c8* x, int incx, c8* a, int lda)
{
    return do_syr(h, uplo, n, alpha, x, incx, a, lda);
}
extern "C" int cublasCher_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const c4* x, int incx, c4* a, int lda)
{
    return do_her(h, uplo, n, alpha, x, incx, a, lda);
}
extern "C" int cublasZher_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const c8* x, int incx, c8* a, int lda)
{
    return do_her(h, uplo, n, alpha, x, incx, a, lda);
}
extern "C" int cublasSspr_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const float* x, int incx, float* ap)
{
    return do_spr(h, uplo, n, alpha, x, incx, ap);
}
extern "C" int cublasDspr_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const double* x, int incx, double* ap)
{
    return do_spr(h, uplo, n, alpha, x, incx, ap);
}
extern "C" int cublasChpr_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const c4* x, int incx, c4* ap)
{
    return do_hpr(h, uplo, n, alpha, x, incx, ap);
}
extern "C" int cublasZhpr_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const c8* x, int incx, c8* ap)
{
    return do_hpr(h, uplo, n, alpha, x, incx, ap);
}
extern "C" int cublasSsyr2_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const float* x, int incx, const float* y, int incy, float* a,
                              int lda)
{
    return do_syr2(h, uplo, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasDsyr2_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const double* x, int incx, const double* y, int incy, double* a,
                              int lda)
{
    return do_syr2(h, uplo, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasCsyr2_v2(cublasHandle_t h, int uplo, int n, const c4* alpha, const c4* x, int incx, const c4* y, int incy, c4* a, int lda)
{
    return do_syr2(h, uplo, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasZsyr2_v2(cublasHandle_t h, int uplo, int n, const c8* alpha, const c8* x, int incx, const c8* y, int incy, c8* a, int lda)
{
    return do_syr2(h, uplo, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasCher2_v2(cublasHandle_t h, int uplo, int n, const c4* alpha, const c4* x, int incx, const c4* y, int incy, c4* a, int lda)
{
    return do_her2(h, uplo, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasZher2_v2(cublasHandle_t h, int uplo, int n, const c8* alpha, const c8* x, int incx, const c8* y, int incy, c8* a, int lda)
{
    return do_her2(h, uplo, n, alpha, x, incx, y, incy, a, lda);
}
extern "C" int cublasSspr2_v2(cublasHandle_t h, int uplo, int n, const float* alpha, const float* x, int incx, const float* y, int incy, float* ap)
{
    return do_spr2(h, uplo, n, alpha, x, incx, y, incy, ap);
}
extern "C" int cublasDspr2_v2(cublasHandle_t h, int uplo, int n, const double* alpha, const double* x, int incx, const double* y, int incy,
                              double* ap)
{
    return do_spr2(h, uplo, n, alpha, x, incx, y, incy, ap);
}
extern "C" int cublasChpr2_v2(cublasHandle_t h, int uplo, int n, const c4* alpha, const c4* x, int incx, const c4* y, int incy, c4* ap)
{
    return do_hpr2(h, uplo, n, alpha, x, incx, y, incy, ap);
}
extern "C" int cublasZhpr2_v2(cublasHandle_t h, int uplo, int n, const c8* alpha, const c8* x, int incx, const c8* y, int incy, c8* ap)
{
    return do_hpr2(h, uplo, n, alpha, x, incx, y, incy, ap);
}
