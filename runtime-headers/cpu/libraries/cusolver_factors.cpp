// cuSOLVER of the cpu target: orthogonal factors, bidiagonal and tridiagonal form.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusolver.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::solver;

namespace {

bool rectangle(int m, int n, int lda) { return m >= 0 && n >= 0 && is_lead(lda, m); }
bool square(int uplo, int n, int lda) { return is_fill(uplo) && n >= 0 && is_lead(lda, n); }

template <class T>
int size_geqrf(cusolverDnHandle_t h, int m, int n, T*, int lda, int* lwork)
{
    return answer(h, rectangle(m, n, lda), panel(n), lwork);
}
template <class T>
int do_geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T*, int lwork, int* info)
{
    return run(h, rectangle(m, n, lda) && lwork >= panel(n) && info, [=] {
        *info = 0;
        if (m > 0 && n > 0) with_work<T>([=](T* work, int size) { blas::geqrf(m, n, a, lda, tau, work, size, info); });
    });
}

/// The factor that ormqr applies: k reflections of an order that the side says.
template <class T>
bool product_valid(int side, int trans, int m, int n, int k, int lda, int ldc)
{
    const int order = side == left ? m : n;
    return is_side(side) && lapack_op<T>(trans) && rectangle(m, n, ldc) && k >= 0 && k <= order && is_lead(lda, order);
}
template <class T>
int size_ormqr(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const T*, int lda, const T*, const T*, int ldc, int* lwork)
{
    return answer(h, product_valid<T>(side, trans, m, n, k, lda, ldc), panel(side == left ? n : m), lwork);
}
template <class T>
int do_ormqr(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const T* a, int lda, const T* tau, T* c, int ldc, T*, int lwork, int* info)
{
    const bool good = product_valid<T>(side, trans, m, n, k, lda, ldc) && lwork >= panel(side == left ? n : m) && info;
    return run(h, good, [=] {
        *info = 0;
        if (m == 0 || n == 0 || k == 0) return;
        with_work<T>(
            [=](T* work, int size) { blas::ormqr(blas::side_letter(side), lapack_op<T>(trans), m, n, k, a, lda, tau, c, ldc, work, size, info); });
    });
}
template <class T>
int size_orgqr(cusolverDnHandle_t h, int m, int n, int k, const T*, int lda, const T*, int* lwork)
{
    return answer(h, rectangle(m, n, lda) && n <= m && k >= 0 && k <= n, panel(n), lwork);
}
template <class T>
int do_orgqr(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda, const T* tau, T*, int lwork, int* info)
{
    return run(h, rectangle(m, n, lda) && n <= m && k >= 0 && k <= n && lwork >= panel(n) && info, [=] {
        *info = 0;
        if (n > 0) with_work<T>([=](T* work, int size) { blas::orgqr(m, n, k, a, lda, tau, work, size, info); });
    });
}

template <class T>
int size_gebrd(cusolverDnHandle_t h, int m, int n, int* lwork)
{
    return answer(h, m >= 0 && n >= 0, panel(std::max(m, n)), lwork);
}
/// m >= n, as cuSOLVER limits it.
template <class T>
int do_gebrd(cusolverDnHandle_t h, int m, int n, T* a, int lda, real_of<T>* d, real_of<T>* e, T* tauq, T* taup, T*, int lwork, int* info)
{
    return run(h, rectangle(m, n, lda) && m >= n && lwork >= panel(std::max(m, n)) && info, [=] {
        *info = 0;
        if (n > 0) with_work<T>([=](T* work, int size) { blas::gebrd(m, n, a, lda, d, e, tauq, taup, work, size, info); });
    });
}
bool orgbr_valid(int side, int m, int n, int k, int lda)
{
    if (!is_side(side) || !rectangle(m, n, lda) || k < 0) return false;
    return side == left ? m >= n && n >= std::min(m, k) : n >= m && m >= std::min(n, k);
}
template <class T>
int size_orgbr(cusolverDnHandle_t h, int side, int m, int n, int k, const T*, int lda, const T*, int* lwork)
{
    return answer(h, orgbr_valid(side, m, n, k, lda), panel(std::max(m, n)), lwork);
}
template <class T>
int do_orgbr(cusolverDnHandle_t h, int side, int m, int n, int k, T* a, int lda, const T* tau, T*, int lwork, int* info)
{
    return run(h, orgbr_valid(side, m, n, k, lda) && lwork >= panel(std::max(m, n)) && info, [=] {
        *info = 0;
        if (m > 0 && n > 0)
            with_work<T>([=](T* work, int size) { blas::orgbr(side == left ? 'Q' : 'P', m, n, k, a, lda, tau, work, size, info); });
    });
}

template <class T>
int size_sytrd(cusolverDnHandle_t h, int uplo, int n, const T*, int lda, const real_of<T>*, const real_of<T>*, const T*, int* lwork)
{
    return answer(h, square(uplo, n, lda), panel(n), lwork);
}
template <class T>
int do_sytrd(cusolverDnHandle_t h, int uplo, int n, T* a, int lda, real_of<T>* d, real_of<T>* e, T* tau, T*, int lwork, int* info)
{
    return run(h, square(uplo, n, lda) && lwork >= panel(n) && info, [=] {
        *info = 0;
        if (n > 0) with_work<T>([=](T* work, int size) { blas::sytrd(fill_letter(uplo), n, a, lda, d, e, tau, work, size, info); });
    });
}
template <class T>
int size_orgtr(cusolverDnHandle_t h, int uplo, int n, const T*, int lda, const T*, int* lwork)
{
    return answer(h, square(uplo, n, lda), panel(n), lwork);
}
template <class T>
int do_orgtr(cusolverDnHandle_t h, int uplo, int n, T* a, int lda, const T* tau, T*, int lwork, int* info)
{
    return run(h, square(uplo, n, lda) && lwork >= panel(n) && info, [=] {
        *info = 0;
        if (n > 0) with_work<T>([=](T* work, int size) { blas::orgtr(fill_letter(uplo), n, a, lda, tau, work, size, info); });
    });
}
template <class T>
bool ormtr_valid(int side, int uplo, int trans, int m, int n, int lda, int ldc)
{
    return is_side(side) && lapack_op<T>(trans) && rectangle(m, n, ldc) && square(uplo, side == left ? m : n, lda);
}
template <class T>
int size_ormtr(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, const T*, int lda, const T*, const T*, int ldc, int* lwork)
{
    return answer(h, ormtr_valid<T>(side, uplo, trans, m, n, lda, ldc), panel(side == left ? n : m), lwork);
}
template <class T>
int do_ormtr(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, const T* a, int lda, const T* tau, T* c, int ldc, T*, int lwork, int* info)
{
    const bool good = ormtr_valid<T>(side, uplo, trans, m, n, lda, ldc) && lwork >= panel(side == left ? n : m) && info;
    return run(h, good, [=] {
        *info = 0;
        if (m == 0 || n == 0) return;
        with_work<T>([=](T* work, int size) {
            blas::ormtr(blas::side_letter(side), fill_letter(uplo), lapack_op<T>(trans), m, n, a, lda, tau, c, ldc, work, size, info);
        });
    });
}

}  // namespace

extern "C" int cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t h, int m, int n, float* a, int lda, int* lwork)
{
    return size_geqrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t h, int m, int n, double* a, int lda, int* lwork)
{
    return size_geqrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t h, int m, int n, c4* a, int lda, int* lwork)
{
    return size_geqrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t h, int m, int n, c8* a, int lda, int* lwork)
{
    return size_geqrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnSgeqrf(cusolverDnHandle_t h, int m, int n, float* a, int lda, float* tau, float* work, int lwork, int* info)
{
    return do_geqrf(h, m, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnDgeqrf(cusolverDnHandle_t h, int m, int n, double* a, int lda, double* tau, double* work, int lwork, int* info)
{
    return do_geqrf(h, m, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnCgeqrf(cusolverDnHandle_t h, int m, int n, c4* a, int lda, c4* tau, c4* work, int lwork, int* info)
{
    return do_geqrf(h, m, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnZgeqrf(cusolverDnHandle_t h, int m, int n, c8* a, int lda, c8* tau, c8* work, int lwork, int* info)
{
    return do_geqrf(h, m, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnSormqr_bufferSize(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const float* a, int lda, const float* tau,
                                           const float* c, int ldc, int* lwork)
{
    return size_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnDormqr_bufferSize(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const double* a, int lda,
                                           const double* tau, const double* c, int ldc, int* lwork)
{
    return size_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnCunmqr_bufferSize(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const c4* a, int lda, const c4* tau,
                                           const c4* c, int ldc, int* lwork)
{
    return size_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnZunmqr_bufferSize(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const c8* a, int lda, const c8* tau,
                                           const c8* c, int ldc, int* lwork)
{
    return size_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnSormqr(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const float* a, int lda, const float* tau, float* c,
                                int ldc, float* work, int lwork, int* info)
{
    return do_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info);
}
extern "C" int cusolverDnDormqr(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const double* a, int lda, const double* tau,
                                double* c, int ldc, double* work, int lwork, int* info)
{
    return do_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info);
}
extern "C" int cusolverDnCunmqr(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const c4* a, int lda, const c4* tau, c4* c, int ldc,
                                c4* work, int lwork, int* info)
{
    return do_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info);
}
extern "C" int cusolverDnZunmqr(cusolverDnHandle_t h, int side, int trans, int m, int n, int k, const c8* a, int lda, const c8* tau, c8* c, int ldc,
                                c8* work, int lwork, int* info)
{
    return do_ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info);
}
extern "C" int cusolverDnSorgqr_bufferSize(cusolverDnHandle_t h, int m, int n, int k, const float* a, int lda, const float* tau, int* lwork)
{
    return size_orgqr(h, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnDorgqr_bufferSize(cusolverDnHandle_t h, int m, int n, int k, const double* a, int lda, const double* tau, int* lwork)
{
    return size_orgqr(h, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnCungqr_bufferSize(cusolverDnHandle_t h, int m, int n, int k, const c4* a, int lda, const c4* tau, int* lwork)
{
    return size_orgqr(h, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnZungqr_bufferSize(cusolverDnHandle_t h, int m, int n, int k, const c8* a, int lda, const c8* tau, int* lwork)
{
    return size_orgqr(h, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnSorgqr(cusolverDnHandle_t h, int m, int n, int k, float* a, int lda, const float* tau, float* work, int lwork, int* info)
{
    return do_orgqr(h, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnDorgqr(cusolverDnHandle_t h, int m, int n, int k, double* a, int lda, const double* tau, double* work, int lwork, int* info)
{
    return do_orgqr(h, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnCungqr(cusolverDnHandle_t h, int m, int n, int k, c4* a, int lda, const c4* tau, c4* work, int lwork, int* info)
{
    return do_orgqr(h, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnZungqr(cusolverDnHandle_t h, int m, int n, int k, c8* a, int lda, const c8* tau, c8* work, int lwork, int* info)
{
    return do_orgqr(h, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnSgebrd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gebrd<float>(h, m, n, lwork); }
extern "C" int cusolverDnDgebrd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gebrd<double>(h, m, n, lwork); }
extern "C" int cusolverDnCgebrd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gebrd<c4>(h, m, n, lwork); }
extern "C" int cusolverDnZgebrd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gebrd<c8>(h, m, n, lwork); }
extern "C" int cusolverDnSgebrd(cusolverDnHandle_t h, int m, int n, float* a, int lda, float* d, float* e, float* tauq, float* taup, float* work,
                                int lwork, int* info)
{
    return do_gebrd(h, m, n, a, lda, d, e, tauq, taup, work, lwork, info);
}
extern "C" int cusolverDnDgebrd(cusolverDnHandle_t h, int m, int n, double* a, int lda, double* d, double* e, double* tauq, double* taup,
                                double* work, int lwork, int* info)
{
    return do_gebrd(h, m, n, a, lda, d, e, tauq, taup, work, lwork, info);
}
extern "C" int cusolverDnCgebrd(cusolverDnHandle_t h, int m, int n, c4* a, int lda, float* d, float* e, c4* tauq, c4* taup, c4* work, int lwork,
                                int* info)
{
    return do_gebrd(h, m, n, a, lda, d, e, tauq, taup, work, lwork, info);
}
extern "C" int cusolverDnZgebrd(cusolverDnHandle_t h, int m, int n, c8* a, int lda, double* d, double* e, c8* tauq, c8* taup, c8* work, int lwork,
                                int* info)
{
    return do_gebrd(h, m, n, a, lda, d, e, tauq, taup, work, lwork, info);
}
extern "C" int cusolverDnSorgbr_bufferSize(cusolverDnHandle_t h, int side, int m, int n, int k, const float* a, int lda, const float* tau, int* lwork)
{
    return size_orgbr(h, side, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnDorgbr_bufferSize(cusolverDnHandle_t h, int side, int m, int n, int k, const double* a, int lda, const double* tau,
                                           int* lwork)
{
    return size_orgbr(h, side, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnCungbr_bufferSize(cusolverDnHandle_t h, int side, int m, int n, int k, const c4* a, int lda, const c4* tau, int* lwork)
{
    return size_orgbr(h, side, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnZungbr_bufferSize(cusolverDnHandle_t h, int side, int m, int n, int k, const c8* a, int lda, const c8* tau, int* lwork)
{
    return size_orgbr(h, side, m, n, k, a, lda, tau, lwork);
}
extern "C" int cusolverDnSorgbr(cusolverDnHandle_t h, int side, int m, int n, int k, float* a, int lda, const float* tau, float* work, int lwork,
                                int* info)
{
    return do_orgbr(h, side, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnDorgbr(cusolverDnHandle_t h, int side, int m, int n, int k, double* a, int lda, const double* tau, double* work, int lwork,
                                int* info)
{
    return do_orgbr(h, side, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnCungbr(cusolverDnHandle_t h, int side, int m, int n, int k, c4* a, int lda, const c4* tau, c4* work, int lwork, int* info)
{
    return do_orgbr(h, side, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnZungbr(cusolverDnHandle_t h, int side, int m, int n, int k, c8* a, int lda, const c8* tau, c8* work, int lwork, int* info)
{
    return do_orgbr(h, side, m, n, k, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnSsytrd_bufferSize(cusolverDnHandle_t h, int uplo, int n, const float* a, int lda, const float* d, const float* e,
                                           const float* tau, int* lwork)
{
    return size_sytrd(h, uplo, n, a, lda, d, e, tau, lwork);
}
extern "C" int cusolverDnDsytrd_bufferSize(cusolverDnHandle_t h, int uplo, int n, const double* a, int lda, const double* d, const double* e,
                                           const double* tau, int* lwork)
{
    return size_sytrd(h, uplo, n, a, lda, d, e, tau, lwork);
}
extern "C" int cusolverDnChetrd_bufferSize(cusolverDnHandle_t h, int uplo, int n, const c4* a, int lda, const float* d, const float* e, const c4* tau,
                                           int* lwork)
{
    return size_sytrd(h, uplo, n, a, lda, d, e, tau, lwork);
}
extern "C" int cusolverDnZhetrd_bufferSize(cusolverDnHandle_t h, int uplo, int n, const c8* a, int lda, const double* d, const double* e,
                                           const c8* tau, int* lwork)
{
    return size_sytrd(h, uplo, n, a, lda, d, e, tau, lwork);
}
extern "C" int cusolverDnSsytrd(cusolverDnHandle_t h, int uplo, int n, float* a, int lda, float* d, float* e, float* tau, float* work, int lwork,
                                int* info)
{
    return do_sytrd(h, uplo, n, a, lda, d, e, tau, work, lwork, info);
}
extern "C" int cusolverDnDsytrd(cusolverDnHandle_t h, int uplo, int n, double* a, int lda, double* d, double* e, double* tau, double* work, int lwork,
                                int* info)
{
    return do_sytrd(h, uplo, n, a, lda, d, e, tau, work, lwork, info);
}
extern "C" int cusolverDnChetrd(cusolverDnHandle_t h, int uplo, int n, c4* a, int lda, float* d, float* e, c4* tau, c4* work, int lwork, int* info)
{
    return do_sytrd(h, uplo, n, a, lda, d, e, tau, work, lwork, info);
}
extern "C" int cusolverDnZhetrd(cusolverDnHandle_t h, int uplo, int n, c8* a, int lda, double* d, double* e, c8* tau, c8* work, int lwork, int* info)
{
    return do_sytrd(h, uplo, n, a, lda, d, e, tau, work, lwork, info);
}
extern "C" int cusolverDnSorgtr_bufferSize(cusolverDnHandle_t h, int uplo, int n, const float* a, int lda, const float* tau, int* lwork)
{
    return size_orgtr(h, uplo, n, a, lda, tau, lwork);
}
extern "C" int cusolverDnDorgtr_bufferSize(cusolverDnHandle_t h, int uplo, int n, const double* a, int lda, const double* tau, int* lwork)
{
    return size_orgtr(h, uplo, n, a, lda, tau, lwork);
}
extern "C" int cusolverDnCungtr_bufferSize(cusolverDnHandle_t h, int uplo, int n, const c4* a, int lda, const c4* tau, int* lwork)
{
    return size_orgtr(h, uplo, n, a, lda, tau, lwork);
}
extern "C" int cusolverDnZungtr_bufferSize(cusolverDnHandle_t h, int uplo, int n, const c8* a, int lda, const c8* tau, int* lwork)
{
    return size_orgtr(h, uplo, n, a, lda, tau, lwork);
}
extern "C" int cusolverDnSorgtr(cusolverDnHandle_t h, int uplo, int n, float* a, int lda, const float* tau, float* work, int lwork, int* info)
{
    return do_orgtr(h, uplo, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnDorgtr(cusolverDnHandle_t h, int uplo, int n, double* a, int lda, const double* tau, double* work, int lwork, int* info)
{
    return do_orgtr(h, uplo, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnCungtr(cusolverDnHandle_t h, int uplo, int n, c4* a, int lda, const c4* tau, c4* work, int lwork, int* info)
{
    return do_orgtr(h, uplo, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnZungtr(cusolverDnHandle_t h, int uplo, int n, c8* a, int lda, const c8* tau, c8* work, int lwork, int* info)
{
    return do_orgtr(h, uplo, n, a, lda, tau, work, lwork, info);
}
extern "C" int cusolverDnSormtr_bufferSize(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, const float* a, int lda,
                                           const float* tau, const float* c, int ldc, int* lwork)
{
    return size_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnDormtr_bufferSize(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, const double* a, int lda,
                                           const double* tau, const double* c, int ldc, int* lwork)
{
    return size_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnCunmtr_bufferSize(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, const c4* a, int lda, const c4* tau,
                                           const c4* c, int ldc, int* lwork)
{
    return size_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnZunmtr_bufferSize(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, const c8* a, int lda, const c8* tau,
                                           const c8* c, int ldc, int* lwork)
{
    return size_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, lwork);
}
extern "C" int cusolverDnSormtr(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, float* a, int lda, float* tau, float* c, int ldc,
                                float* work, int lwork, int* info)
{
    return do_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, work, lwork, info);
}
extern "C" int cusolverDnDormtr(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, double* a, int lda, double* tau, double* c,
                                int ldc, double* work, int lwork, int* info)
{
    return do_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, work, lwork, info);
}
extern "C" int cusolverDnCunmtr(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, c4* a, int lda, c4* tau, c4* c, int ldc, c4* work,
                                int lwork, int* info)
{
    return do_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, work, lwork, info);
}
extern "C" int cusolverDnZunmtr(cusolverDnHandle_t h, int side, int uplo, int trans, int m, int n, c8* a, int lda, c8* tau, c8* c, int ldc, c8* work,
                                int lwork, int* info)
{
    return do_ormtr(h, side, uplo, trans, m, n, a, lda, tau, c, ldc, work, lwork, info);
}

// The calls with sizes of 64 bits.
extern "C" int cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, std::int64_t m, std::int64_t n, int type, const void*,
                                           std::int64_t lda, int type_tau, const void*, int compute, std::size_t* device, std::size_t* host)
{
    return answer_bytes(h, type, type_tau == type ? compute : -1, {m, n, lda}, device, host,
                        [=](auto value, int* size) { return size_geqrf(h, int(m), int(n), &value, int(lda), size); });
}
extern "C" int cusolverDnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, std::int64_t m, std::int64_t n, int type, void* a, std::int64_t lda,
                                int type_tau, void* tau, int compute, void*, std::size_t bytes, void*, std::size_t, int* info)
{
    return run_type(h, type, type_tau == type ? compute : -1, {m, n, lda}, bytes, [=](auto value, int size) {
        using T = decltype(value);
        return do_geqrf<T>(h, int(m), int(n), static_cast<T*>(a), int(lda), static_cast<T*>(tau), nullptr, size, info);
    });
}
