// cuSOLVER of the cpu target: linear systems.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusolver.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::solver;

namespace {

bool square(int uplo, int n, int lda) { return is_fill(uplo) && n >= 0 && is_lead(lda, n); }

template <class T>
int size_potrf(cusolverDnHandle_t h, int uplo, int n, T*, int lda, int* lwork)
{
    return answer(h, square(uplo, n, lda), panel(n), lwork);
}
template <class T>
int do_potrf(cusolverDnHandle_t h, int uplo, int n, T* a, int lda, T*, int lwork, int* info)
{
    return run(h, square(uplo, n, lda) && lwork >= panel(n) && info, [=] {
        *info = 0;
        if (n > 0) blas::potrf(fill_letter(uplo), n, a, lda, info);
    });
}
template <class T>
int do_potrs(cusolverDnHandle_t h, int uplo, int n, int nrhs, const T* a, int lda, T* b, int ldb, int* info)
{
    return run(h, square(uplo, n, lda) && nrhs >= 0 && is_lead(ldb, n) && info, [=] {
        *info = 0;
        if (n > 0 && nrhs > 0) blas::potrs(fill_letter(uplo), n, nrhs, a, lda, b, ldb, info);
    });
}
template <class T>
int size_potri(cusolverDnHandle_t h, int uplo, int n, T*, int lda, int* lwork)
{
    return answer(h, square(uplo, n, lda), (long long)n * n, lwork);
}
/// On a copy with room behind it: OpenBLAS 0.3.21 reads past the last column.
template <class T>
int do_potri(cusolverDnHandle_t h, int uplo, int n, T* a, int lda, T*, int lwork, int* info)
{
    return run(h, square(uplo, n, lda) && lwork >= (long long)n * n && info, [=] {
        *info = 0;
        if (n == 0) return;
        const std::size_t order = std::size_t(n);
        std::vector<T> copy(order * order + 16);
        for (std::size_t j = 0; j < order; ++j) std::copy_n(a + j * std::size_t(lda), order, copy.data() + j * order);
        blas::potri(fill_letter(uplo), n, copy.data(), n, info);
        for (std::size_t j = 0; j < order; ++j) std::copy_n(copy.data() + j * order, order, a + j * std::size_t(lda));
    });
}
template <class T>
int do_potrfBatched(cusolverDnHandle_t h, int uplo, int n, T* const* a, int lda, int* info, int batch)
{
    return run(h, square(uplo, n, lda) && batch >= 0 && info, [=] {
        for (int i = 0; i < batch; ++i) {
            info[i] = 0;
            if (n > 0) blas::potrf(fill_letter(uplo), n, a[i], lda, info + i);
        }
    });
}
/// One right-hand side, as cuSOLVER limits it.
template <class T>
int do_potrsBatched(cusolverDnHandle_t h, int uplo, int n, int nrhs, T* const* a, int lda, T* const* b, int ldb, int* info, int batch)
{
    return run(h, square(uplo, n, lda) && nrhs == 1 && is_lead(ldb, n) && batch >= 0 && info, [=] {
        *info = 0;
        int unused = 0;
        for (int i = 0; i < batch; ++i)
            if (n > 0) blas::potrs(fill_letter(uplo), n, nrhs, a[i], lda, b[i], ldb, &unused);
    });
}

template <class T>
int size_getrf(cusolverDnHandle_t h, int m, int n, T*, int lda, int* lwork)
{
    return answer(h, m >= 0 && n >= 0 && is_lead(lda, m), panel(std::max(m, n)), lwork);
}
/// Factors without exchanges of rows.
template <class T>
int factor_in_order(int m, int n, T* a, int lda)
{
    int info = 0;
    const auto at = [=](int i, int j) -> T& { return a[i + std::int64_t(j) * lda]; };
    for (int k = 0; k < std::min(m, n); ++k) {
        if (at(k, k) == T(0)) {
            if (info == 0) info = k + 1;
            continue;
        }
        for (int i = k + 1; i < m; ++i) at(i, k) /= at(k, k);
        for (int j = k + 1; j < n; ++j)
            for (int i = k + 1; i < m; ++i) at(i, j) -= at(i, k) * at(k, j);
    }
    return info;
}
template <class T>
int do_getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T*, int* pivots, int* info)
{
    return run(h, m >= 0 && n >= 0 && is_lead(lda, m) && info, [=] {
        *info = 0;
        if (m == 0 || n == 0) return;
        if (pivots) blas::getrf(m, n, a, lda, pivots, info);
        else *info = factor_in_order(m, n, a, lda);
    });
}
template <class T>
int do_getrs(cusolverDnHandle_t h, int trans, int n, int nrhs, const T* a, int lda, const int* pivots, T* b, int ldb, int* info)
{
    return run(h, is_op(trans) && n >= 0 && nrhs >= 0 && is_lead(lda, n) && is_lead(ldb, n) && info, [=] {
        *info = 0;
        std::vector<int> none;
        if (!pivots)
            for (int i = 1; i <= n; ++i) none.push_back(i);
        if (n > 0 && nrhs > 0) blas::getrs(blas::op_letter(trans), n, nrhs, a, lda, pivots ? pivots : none.data(), b, ldb, info);
    });
}
/// Exchanges rows k1 to k2 with those that the pivots say, from the last on if incx is negative.
template <class T>
int do_laswp(cusolverDnHandle_t h, int n, T* a, int lda, int k1, int k2, const int* pivots, int incx)
{
    return run(h, n >= 0 && lda >= 1 && k1 >= 1 && (incx == 1 || incx == -1), [=] {
        for (int step = 0; step <= k2 - k1; ++step) {
            const int i = incx > 0 ? k1 + step : k2 - step, other = pivots[i - 1];
            for (std::int64_t j = 0; j < n && other != i; ++j) std::swap(a[i - 1 + j * lda], a[other - 1 + j * lda]);
        }
    });
}

template <class T>
int size_sytrf(cusolverDnHandle_t h, int n, T*, int lda, int* lwork)
{
    return answer(h, n >= 0 && is_lead(lda, n), panel(n), lwork);
}
template <class T>
int do_sytrf(cusolverDnHandle_t h, int uplo, int n, T* a, int lda, int* pivots, T*, int lwork, int* info)
{
    return run(h, square(uplo, n, lda) && pivots && lwork >= panel(n) && info, [=] {
        *info = 0;
        if (n > 0) with_work<T>([=](T* work, int size) { blas::sytrf(fill_letter(uplo), n, a, lda, pivots, work, size, info); });
    });
}

}  // namespace

extern "C" int cusolverDnSpotrf_bufferSize(cusolverDnHandle_t h, int uplo, int n, float* a, int lda, int* lwork)
{
    return size_potrf(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnDpotrf_bufferSize(cusolverDnHandle_t h, int uplo, int n, double* a, int lda, int* lwork)
{
    return size_potrf(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnCpotrf_bufferSize(cusolverDnHandle_t h, int uplo, int n, c4* a, int lda, int* lwork)
{
    return size_potrf(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnZpotrf_bufferSize(cusolverDnHandle_t h, int uplo, int n, c8* a, int lda, int* lwork)
{
    return size_potrf(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnSpotrf(cusolverDnHandle_t h, int uplo, int n, float* a, int lda, float* work, int lwork, int* info)
{
    return do_potrf(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnDpotrf(cusolverDnHandle_t h, int uplo, int n, double* a, int lda, double* work, int lwork, int* info)
{
    return do_potrf(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnCpotrf(cusolverDnHandle_t h, int uplo, int n, c4* a, int lda, c4* work, int lwork, int* info)
{
    return do_potrf(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnZpotrf(cusolverDnHandle_t h, int uplo, int n, c8* a, int lda, c8* work, int lwork, int* info)
{
    return do_potrf(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnSpotrs(cusolverDnHandle_t h, int uplo, int n, int nrhs, const float* a, int lda, float* b, int ldb, int* info)
{
    return do_potrs(h, uplo, n, nrhs, a, lda, b, ldb, info);
}
extern "C" int cusolverDnDpotrs(cusolverDnHandle_t h, int uplo, int n, int nrhs, const double* a, int lda, double* b, int ldb, int* info)
{
    return do_potrs(h, uplo, n, nrhs, a, lda, b, ldb, info);
}
extern "C" int cusolverDnCpotrs(cusolverDnHandle_t h, int uplo, int n, int nrhs, const c4* a, int lda, c4* b, int ldb, int* info)
{
    return do_potrs(h, uplo, n, nrhs, a, lda, b, ldb, info);
}
extern "C" int cusolverDnZpotrs(cusolverDnHandle_t h, int uplo, int n, int nrhs, const c8* a, int lda, c8* b, int ldb, int* info)
{
    return do_potrs(h, uplo, n, nrhs, a, lda, b, ldb, info);
}
extern "C" int cusolverDnSpotri_bufferSize(cusolverDnHandle_t h, int uplo, int n, float* a, int lda, int* lwork)
{
    return size_potri(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnDpotri_bufferSize(cusolverDnHandle_t h, int uplo, int n, double* a, int lda, int* lwork)
{
    return size_potri(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnCpotri_bufferSize(cusolverDnHandle_t h, int uplo, int n, c4* a, int lda, int* lwork)
{
    return size_potri(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnZpotri_bufferSize(cusolverDnHandle_t h, int uplo, int n, c8* a, int lda, int* lwork)
{
    return size_potri(h, uplo, n, a, lda, lwork);
}
extern "C" int cusolverDnSpotri(cusolverDnHandle_t h, int uplo, int n, float* a, int lda, float* work, int lwork, int* info)
{
    return do_potri(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnDpotri(cusolverDnHandle_t h, int uplo, int n, double* a, int lda, double* work, int lwork, int* info)
{
    return do_potri(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnCpotri(cusolverDnHandle_t h, int uplo, int n, c4* a, int lda, c4* work, int lwork, int* info)
{
    return do_potri(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnZpotri(cusolverDnHandle_t h, int uplo, int n, c8* a, int lda, c8* work, int lwork, int* info)
{
    return do_potri(h, uplo, n, a, lda, work, lwork, info);
}
extern "C" int cusolverDnSpotrfBatched(cusolverDnHandle_t h, int uplo, int n, float* const* a, int lda, int* info, int batch)
{
    return do_potrfBatched(h, uplo, n, a, lda, info, batch);
}
extern "C" int cusolverDnDpotrfBatched(cusolverDnHandle_t h, int uplo, int n, double* const* a, int lda, int* info, int batch)
{
    return do_potrfBatched(h, uplo, n, a, lda, info, batch);
}
extern "C" int cusolverDnCpotrfBatched(cusolverDnHandle_t h, int uplo, int n, c4* const* a, int lda, int* info, int batch)
{
    return do_potrfBatched(h, uplo, n, a, lda, info, batch);
}
extern "C" int cusolverDnZpotrfBatched(cusolverDnHandle_t h, int uplo, int n, c8* const* a, int lda, int* info, int batch)
{
    return do_potrfBatched(h, uplo, n, a, lda, info, batch);
}
extern "C" int cusolverDnSpotrsBatched(cusolverDnHandle_t h, int uplo, int n, int nrhs, float* const* a, int lda, float* const* b, int ldb, int* info,
                                       int batch)
{
    return do_potrsBatched(h, uplo, n, nrhs, a, lda, b, ldb, info, batch);
}
extern "C" int cusolverDnDpotrsBatched(cusolverDnHandle_t h, int uplo, int n, int nrhs, double* const* a, int lda, double* const* b, int ldb,
                                       int* info, int batch)
{
    return do_potrsBatched(h, uplo, n, nrhs, a, lda, b, ldb, info, batch);
}
extern "C" int cusolverDnCpotrsBatched(cusolverDnHandle_t h, int uplo, int n, int nrhs, c4* const* a, int lda, c4* const* b, int ldb, int* info,
                                       int batch)
{
    return do_potrsBatched(h, uplo, n, nrhs, a, lda, b, ldb, info, batch);
}
extern "C" int cusolverDnZpotrsBatched(cusolverDnHandle_t h, int uplo, int n, int nrhs, c8* const* a, int lda, c8* const* b, int ldb, int* info,
                                       int batch)
{
    return do_potrsBatched(h, uplo, n, nrhs, a, lda, b, ldb, info, batch);
}
extern "C" int cusolverDnSgetrf_bufferSize(cusolverDnHandle_t h, int m, int n, float* a, int lda, int* lwork)
{
    return size_getrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnDgetrf_bufferSize(cusolverDnHandle_t h, int m, int n, double* a, int lda, int* lwork)
{
    return size_getrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnCgetrf_bufferSize(cusolverDnHandle_t h, int m, int n, c4* a, int lda, int* lwork)
{
    return size_getrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnZgetrf_bufferSize(cusolverDnHandle_t h, int m, int n, c8* a, int lda, int* lwork)
{
    return size_getrf(h, m, n, a, lda, lwork);
}
extern "C" int cusolverDnSgetrf(cusolverDnHandle_t h, int m, int n, float* a, int lda, float* work, int* pivots, int* info)
{
    return do_getrf(h, m, n, a, lda, work, pivots, info);
}
extern "C" int cusolverDnDgetrf(cusolverDnHandle_t h, int m, int n, double* a, int lda, double* work, int* pivots, int* info)
{
    return do_getrf(h, m, n, a, lda, work, pivots, info);
}
extern "C" int cusolverDnCgetrf(cusolverDnHandle_t h, int m, int n, c4* a, int lda, c4* work, int* pivots, int* info)
{
    return do_getrf(h, m, n, a, lda, work, pivots, info);
}
extern "C" int cusolverDnZgetrf(cusolverDnHandle_t h, int m, int n, c8* a, int lda, c8* work, int* pivots, int* info)
{
    return do_getrf(h, m, n, a, lda, work, pivots, info);
}
extern "C" int cusolverDnSgetrs(cusolverDnHandle_t h, int trans, int n, int nrhs, const float* a, int lda, const int* pivots, float* b, int ldb,
                                int* info)
{
    return do_getrs(h, trans, n, nrhs, a, lda, pivots, b, ldb, info);
}
extern "C" int cusolverDnDgetrs(cusolverDnHandle_t h, int trans, int n, int nrhs, const double* a, int lda, const int* pivots, double* b, int ldb,
                                int* info)
{
    return do_getrs(h, trans, n, nrhs, a, lda, pivots, b, ldb, info);
}
extern "C" int cusolverDnCgetrs(cusolverDnHandle_t h, int trans, int n, int nrhs, const c4* a, int lda, const int* pivots, c4* b, int ldb, int* info)
{
    return do_getrs(h, trans, n, nrhs, a, lda, pivots, b, ldb, info);
}
extern "C" int cusolverDnZgetrs(cusolverDnHandle_t h, int trans, int n, int nrhs, const c8* a, int lda, const int* pivots, c8* b, int ldb, int* info)
{
    return do_getrs(h, trans, n, nrhs, a, lda, pivots, b, ldb, info);
}
extern "C" int cusolverDnSlaswp(cusolverDnHandle_t h, int n, float* a, int lda, int k1, int k2, const int* pivots, int incx)
{
    return do_laswp(h, n, a, lda, k1, k2, pivots, incx);
}
extern "C" int cusolverDnDlaswp(cusolverDnHandle_t h, int n, double* a, int lda, int k1, int k2, const int* pivots, int incx)
{
    return do_laswp(h, n, a, lda, k1, k2, pivots, incx);
}
extern "C" int cusolverDnClaswp(cusolverDnHandle_t h, int n, c4* a, int lda, int k1, int k2, const int* pivots, int incx)
{
    return do_laswp(h, n, a, lda, k1, k2, pivots, incx);
}
extern "C" int cusolverDnZlaswp(cusolverDnHandle_t h, int n, c8* a, int lda, int k1, int k2, const int* pivots, int incx)
{
    return do_laswp(h, n, a, lda, k1, k2, pivots, incx);
}
extern "C" int cusolverDnSsytrf_bufferSize(cusolverDnHandle_t h, int n, float* a, int lda, int* lwork) { return size_sytrf(h, n, a, lda, lwork); }
extern "C" int cusolverDnDsytrf_bufferSize(cusolverDnHandle_t h, int n, double* a, int lda, int* lwork) { return size_sytrf(h, n, a, lda, lwork); }
extern "C" int cusolverDnCsytrf_bufferSize(cusolverDnHandle_t h, int n, c4* a, int lda, int* lwork) { return size_sytrf(h, n, a, lda, lwork); }
extern "C" int cusolverDnZsytrf_bufferSize(cusolverDnHandle_t h, int n, c8* a, int lda, int* lwork) { return size_sytrf(h, n, a, lda, lwork); }
extern "C" int cusolverDnSsytrf(cusolverDnHandle_t h, int uplo, int n, float* a, int lda, int* pivots, float* work, int lwork, int* info)
{
    return do_sytrf(h, uplo, n, a, lda, pivots, work, lwork, info);
}
extern "C" int cusolverDnDsytrf(cusolverDnHandle_t h, int uplo, int n, double* a, int lda, int* pivots, double* work, int lwork, int* info)
{
    return do_sytrf(h, uplo, n, a, lda, pivots, work, lwork, info);
}
extern "C" int cusolverDnCsytrf(cusolverDnHandle_t h, int uplo, int n, c4* a, int lda, int* pivots, c4* work, int lwork, int* info)
{
    return do_sytrf(h, uplo, n, a, lda, pivots, work, lwork, info);
}
extern "C" int cusolverDnZsytrf(cusolverDnHandle_t h, int uplo, int n, c8* a, int lda, int* pivots, c8* work, int lwork, int* info)
{
    return do_sytrf(h, uplo, n, a, lda, pivots, work, lwork, info);
}

// The calls with sizes of 64 bits.
extern "C" int cusolverDnXpotrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int uplo, std::int64_t n, int type, const void*, std::int64_t lda,
                                           int compute, std::size_t* device, std::size_t* host)
{
    return answer_bytes(h, type, compute, {n, lda}, device, host,
                        [=](auto value, int* size) { return size_potrf(h, uplo, int(n), &value, int(lda), size); });
}
extern "C" int cusolverDnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t, int uplo, std::int64_t n, int type, void* a, std::int64_t lda, int compute,
                                void*, std::size_t bytes, void*, std::size_t, int* info)
{
    return run_type(h, type, compute, {n, lda}, bytes, [=](auto value, int size) {
        using T = decltype(value);
        return do_potrf<T>(h, uplo, int(n), static_cast<T*>(a), int(lda), nullptr, size, info);
    });
}
extern "C" int cusolverDnXpotrs(cusolverDnHandle_t h, cusolverDnParams_t, int uplo, std::int64_t n, std::int64_t nrhs, int type, const void* a,
                                std::int64_t lda, int type_b, void* b, std::int64_t ldb, int* info)
{
    return run_type(h, type, type_b, {n, nrhs, lda, ldb}, 0, [=](auto value, int) {
        using T = decltype(value);
        return do_potrs<T>(h, uplo, int(n), int(nrhs), static_cast<const T*>(a), int(lda), static_cast<T*>(b), int(ldb), info);
    });
}
extern "C" int cusolverDnXgetrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, std::int64_t m, std::int64_t n, int type, const void*,
                                           std::int64_t lda, int compute, std::size_t* device, std::size_t* host)
{
    return answer_bytes(h, type, compute, {m, n, lda}, device, host,
                        [=](auto value, int* size) { return size_getrf(h, int(m), int(n), &value, int(lda), size); });
}
extern "C" int cusolverDnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t, std::int64_t m, std::int64_t n, int type, void* a, std::int64_t lda,
                                std::int64_t* pivots, int compute, void*, std::size_t bytes, void*, std::size_t, int* info)
{
    return run_type(h, type, compute, {m, n, lda}, bytes, [=](auto value, int size) {
        using T = decltype(value);
        const int rows = int(m), columns = int(n);
        return run(h, rows >= 0 && columns >= 0 && is_lead(int(lda), rows) && size >= panel(std::max(rows, columns)) && info, [=] {
            *info = 0;
            if (rows == 0 || columns == 0) return;
            const auto matrix = static_cast<T*>(a);
            if (!pivots) {
                *info = factor_in_order(rows, columns, matrix, int(lda));
                return;
            }
            std::vector<int> exchanged(std::size_t(std::min(rows, columns)));
            blas::getrf(rows, columns, matrix, int(lda), exchanged.data(), info);
            std::copy(exchanged.begin(), exchanged.end(), pivots);
        });
    });
}
extern "C" int cusolverDnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t, int trans, std::int64_t n, std::int64_t nrhs, int type, const void* a,
                                std::int64_t lda, const std::int64_t* pivots, int type_b, void* b, std::int64_t ldb, int* info)
{
    return run_type(h, type, type_b, {n, nrhs, lda, ldb}, 0, [=](auto value, int) {
        using T = decltype(value);
        return run(h, is_op(trans) && n >= 0 && nrhs >= 0 && is_lead(int(lda), int(n)) && is_lead(int(ldb), int(n)) && info, [=] {
            *info = 0;
            std::vector<int> exchanged;
            for (std::int64_t i = 0; i < n; ++i) exchanged.push_back(int(pivots ? pivots[i] : i + 1));
            if (n == 0 || nrhs == 0) return;
            const auto matrix = static_cast<const T*>(a);
            blas::getrs(blas::op_letter(trans), int(n), int(nrhs), matrix, int(lda), exchanged.data(), static_cast<T*>(b), int(ldb), info);
        });
    });
}
