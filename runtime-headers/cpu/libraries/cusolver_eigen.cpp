// cuSOLVER of the cpu target: eigenvalues.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusolver_eigen.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::solver;

namespace {

bool general_valid(int itype, int jobz, int uplo, int n, int lda, int ldb)
{
    return itype >= 1 && itype <= 3 && eigen_valid(jobz, uplo, n, lda) && is_lead(ldb, n);
}

template <class T>
int size_syevd(cusolverDnHandle_t h, int jobz, int uplo, int n, const T*, int lda, const real_of<T>*, int* lwork)
{
    return answer(h, eigen_valid(jobz, uplo, n, lda), eigen_work(n), lwork);
}
template <class T>
int do_syevd(cusolverDnHandle_t h, int jobz, int uplo, int n, T* a, int lda, real_of<T>* w, T*, int lwork, int* info)
{
    return run(h, eigen_valid(jobz, uplo, n, lda) && lwork >= eigen_work(n) && info, [=] { *info = all_eigenvalues(jobz, uplo, n, a, lda, w); });
}
template <class T>
int size_syevdx(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, const T*, int lda, real_of<T> vl, real_of<T> vu, int il, int iu, int*,
                const real_of<T>*, int* lwork)
{
    return answer(h, eigen_valid(jobz, uplo, n, lda) && selection{range, double(vl), double(vu), il, iu}.valid(n), eigen_work(n), lwork);
}
template <class T>
int do_syevdx(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, T* a, int lda, real_of<T> vl, real_of<T> vu, int il, int iu, int* meig,
              real_of<T>* w, T*, int lwork, int* info)
{
    const selection wished{range, double(vl), double(vu), il, iu};
    return run(h, eigen_valid(jobz, uplo, n, lda) && wished.valid(n) && lwork >= eigen_work(n) && meig && info, [=] {
        *info = all_eigenvalues(jobz, uplo, n, a, lda, w);
        *meig = *info == 0 ? select(wished, jobz, n, a, lda, w) : 0;
    });
}

template <class T>
int size_sygvd(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const T*, int lda, const T*, int ldb, const real_of<T>*, int* lwork)
{
    return answer(h, general_valid(itype, jobz, uplo, n, lda, ldb), eigen_work(n), lwork);
}
template <class T>
int do_sygvd(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, T* a, int lda, T* b, int ldb, real_of<T>* w, T*, int lwork, int* info)
{
    return run(h, general_valid(itype, jobz, uplo, n, lda, ldb) && lwork >= eigen_work(n) && info, [=] {
        *info = reduce(itype, uplo, n, a, lda, b, ldb);
        if (*info == 0) *info = all_eigenvalues(jobz, uplo, n, a, lda, w);
        if (*info == 0 && jobz == vectors) restore(itype, uplo, n, n, a, lda, b, ldb);
    });
}
template <class T>
int size_sygvdx(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, const T*, int lda, const T*, int ldb, real_of<T> vl, real_of<T> vu,
                int il, int iu, int*, const real_of<T>*, int* lwork)
{
    const bool good = general_valid(itype, jobz, uplo, n, lda, ldb) && selection{range, double(vl), double(vu), il, iu}.valid(n);
    return answer(h, good, eigen_work(n), lwork);
}
template <class T>
int do_sygvdx(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, T* a, int lda, T* b, int ldb, real_of<T> vl, real_of<T> vu, int il,
              int iu, int* meig, real_of<T>* w, T*, int lwork, int* info)
{
    const selection wished{range, double(vl), double(vu), il, iu};
    return run(h, general_valid(itype, jobz, uplo, n, lda, ldb) && wished.valid(n) && lwork >= eigen_work(n) && meig && info, [=] {
        *meig = 0;
        *info = reduce(itype, uplo, n, a, lda, b, ldb);
        if (*info == 0) *info = all_eigenvalues(jobz, uplo, n, a, lda, w);
        if (*info != 0) return;
        *meig = select(wished, jobz, n, a, lda, w);
        if (jobz == vectors) restore(itype, uplo, n, *meig, a, lda, b, ldb);
    });
}

/// Eigenvalues with the residual and the number of sweeps of the Jacobi methods: divide and conquer makes one.
template <class T>
int jacobi(int jobz, int uplo, int n, T* a, int lda, real_of<T>* w, syevjInfo_t params)
{
    std::vector<T> before;
    for (std::int64_t j = 0; j < n; ++j) before.insert(before.end(), a + j * lda, a + j * lda + n);
    std::vector<T> of_values;
    T* v = a;
    int ldv = lda;
    if (jobz == no_vectors) of_values = before, v = of_values.data(), ldv = std::max(1, n);
    const int info = all_eigenvalues(vectors, uplo, n, v, ldv, w);
    params->sweeps = 1;
    params->residual = n > 0 ? residual_of(uplo, n, before, v, ldv, w) : 0;
    return info;
}
template <class T>
int size_syevj(cusolverDnHandle_t h, int jobz, int uplo, int n, const T*, int lda, const real_of<T>*, int* lwork, syevjInfo_t params)
{
    return answer(h, eigen_valid(jobz, uplo, n, lda) && params, eigen_work(n), lwork);
}
template <class T>
int do_syevj(cusolverDnHandle_t h, int jobz, int uplo, int n, T* a, int lda, real_of<T>* w, T*, int lwork, int* info, syevjInfo_t params)
{
    return run(h, eigen_valid(jobz, uplo, n, lda) && lwork >= eigen_work(n) && info && params,
               [=] { *info = jacobi(jobz, uplo, n, a, lda, w, params); });
}
template <class T>
int size_sygvj(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const T*, int lda, const T*, int ldb, const real_of<T>*, int* lwork,
               syevjInfo_t params)
{
    return answer(h, general_valid(itype, jobz, uplo, n, lda, ldb) && params, eigen_work(n), lwork);
}
template <class T>
int do_sygvj(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, T* a, int lda, T* b, int ldb, real_of<T>* w, T*, int lwork, int* info,
             syevjInfo_t params)
{
    return run(h, general_valid(itype, jobz, uplo, n, lda, ldb) && lwork >= eigen_work(n) && info && params, [=] {
        *info = reduce(itype, uplo, n, a, lda, b, ldb);
        if (*info == 0) *info = jacobi(jobz, uplo, n, a, lda, w, params);
        if (*info == 0 && jobz == vectors) restore(itype, uplo, n, n, a, lda, b, ldb);
    });
}
template <class T>
int size_syevjBatched(cusolverDnHandle_t h, int jobz, int uplo, int n, const T*, int lda, const real_of<T>*, int* lwork, syevjInfo_t params, int batch)
{
    return answer(h, eigen_valid(jobz, uplo, n, lda) && params && batch >= 0, eigen_work(n), lwork);
}
/// The matrices follow each other: a(lda, n, batch), w(n, batch).
template <class T>
int do_syevjBatched(cusolverDnHandle_t h, int jobz, int uplo, int n, T* a, int lda, real_of<T>* w, T*, int lwork, int* info, syevjInfo_t params, int batch)
{
    return run(h, eigen_valid(jobz, uplo, n, lda) && lwork >= eigen_work(n) && info && params && batch >= 0, [=] {
        for (std::int64_t i = 0; i < batch; ++i) info[i] = all_eigenvalues(jobz, uplo, n, a + i * lda * n, lda, w + i * n);
    });
}

}  // namespace

extern "C" int cusolverDnSsyevd_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const float* a, int lda, const float* w, int* lwork)
{
    return size_syevd(h, jobz, uplo, n, a, lda, w, lwork);
}
extern "C" int cusolverDnDsyevd_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const double* a, int lda, const double* w, int* lwork)
{
    return size_syevd(h, jobz, uplo, n, a, lda, w, lwork);
}
extern "C" int cusolverDnCheevd_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const c4* a, int lda, const float* w, int* lwork)
{
    return size_syevd(h, jobz, uplo, n, a, lda, w, lwork);
}
extern "C" int cusolverDnZheevd_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const c8* a, int lda, const double* w, int* lwork)
{
    return size_syevd(h, jobz, uplo, n, a, lda, w, lwork);
}
extern "C" int cusolverDnSsyevd(cusolverDnHandle_t h, int jobz, int uplo, int n, float* a, int lda, float* w, float* work, int lwork, int* info)
{
    return do_syevd(h, jobz, uplo, n, a, lda, w, work, lwork, info);
}
extern "C" int cusolverDnDsyevd(cusolverDnHandle_t h, int jobz, int uplo, int n, double* a, int lda, double* w, double* work, int lwork, int* info)
{
    return do_syevd(h, jobz, uplo, n, a, lda, w, work, lwork, info);
}
extern "C" int cusolverDnCheevd(cusolverDnHandle_t h, int jobz, int uplo, int n, c4* a, int lda, float* w, c4* work, int lwork, int* info)
{
    return do_syevd(h, jobz, uplo, n, a, lda, w, work, lwork, info);
}
extern "C" int cusolverDnZheevd(cusolverDnHandle_t h, int jobz, int uplo, int n, c8* a, int lda, double* w, c8* work, int lwork, int* info)
{
    return do_syevd(h, jobz, uplo, n, a, lda, w, work, lwork, info);
}
extern "C" int cusolverDnSsyevdx_bufferSize(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, const float* a, int lda, float vl, float vu,
                                            int il, int iu, int* meig, const float* w, int* lwork)
{
    return size_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnDsyevdx_bufferSize(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, const double* a, int lda, double vl,
                                            double vu, int il, int iu, int* meig, const double* w, int* lwork)
{
    return size_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnCheevdx_bufferSize(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, const c4* a, int lda, float vl, float vu,
                                            int il, int iu, int* meig, const float* w, int* lwork)
{
    return size_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnZheevdx_bufferSize(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, const c8* a, int lda, double vl, double vu,
                                            int il, int iu, int* meig, const double* w, int* lwork)
{
    return size_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnSsyevdx(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, float* a, int lda, float vl, float vu, int il, int iu,
                                 int* meig, float* w, float* work, int lwork, int* info)
{
    return do_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnDsyevdx(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, double* a, int lda, double vl, double vu, int il, int iu,
                                 int* meig, double* w, double* work, int lwork, int* info)
{
    return do_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnCheevdx(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, c4* a, int lda, float vl, float vu, int il, int iu,
                                 int* meig, float* w, c4* work, int lwork, int* info)
{
    return do_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnZheevdx(cusolverDnHandle_t h, int jobz, int range, int uplo, int n, c8* a, int lda, double vl, double vu, int il, int iu,
                                 int* meig, double* w, c8* work, int lwork, int* info)
{
    return do_syevdx(h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnSsygvd_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const float* a, int lda, const float* b,
                                           int ldb, const float* w, int* lwork)
{
    return size_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork);
}
extern "C" int cusolverDnDsygvd_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const double* a, int lda, const double* b,
                                           int ldb, const double* w, int* lwork)
{
    return size_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork);
}
extern "C" int cusolverDnChegvd_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const c4* a, int lda, const c4* b, int ldb,
                                           const float* w, int* lwork)
{
    return size_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork);
}
extern "C" int cusolverDnZhegvd_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const c8* a, int lda, const c8* b, int ldb,
                                           const double* w, int* lwork)
{
    return size_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork);
}
extern "C" int cusolverDnSsygvd(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, float* a, int lda, float* b, int ldb, float* w,
                                float* work, int lwork, int* info)
{
    return do_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info);
}
extern "C" int cusolverDnDsygvd(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, double* a, int lda, double* b, int ldb, double* w,
                                double* work, int lwork, int* info)
{
    return do_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info);
}
extern "C" int cusolverDnChegvd(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, c4* a, int lda, c4* b, int ldb, float* w, c4* work,
                                int lwork, int* info)
{
    return do_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info);
}
extern "C" int cusolverDnZhegvd(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, c8* a, int lda, c8* b, int ldb, double* w, c8* work,
                                int lwork, int* info)
{
    return do_sygvd(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info);
}
extern "C" int cusolverDnSsygvdx_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, const float* a, int lda,
                                            const float* b, int ldb, float vl, float vu, int il, int iu, int* meig, const float* w, int* lwork)
{
    return size_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnDsygvdx_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, const double* a, int lda,
                                            const double* b, int ldb, double vl, double vu, int il, int iu, int* meig, const double* w, int* lwork)
{
    return size_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnChegvdx_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, const c4* a, int lda, const c4* b,
                                            int ldb, float vl, float vu, int il, int iu, int* meig, const float* w, int* lwork)
{
    return size_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnZhegvdx_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, const c8* a, int lda, const c8* b,
                                            int ldb, double vl, double vu, int il, int iu, int* meig, const double* w, int* lwork)
{
    return size_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, lwork);
}
extern "C" int cusolverDnSsygvdx(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, float* a, int lda, float* b, int ldb,
                                 float vl, float vu, int il, int iu, int* meig, float* w, float* work, int lwork, int* info)
{
    return do_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnDsygvdx(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, double* a, int lda, double* b, int ldb,
                                 double vl, double vu, int il, int iu, int* meig, double* w, double* work, int lwork, int* info)
{
    return do_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnChegvdx(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, c4* a, int lda, c4* b, int ldb, float vl,
                                 float vu, int il, int iu, int* meig, float* w, c4* work, int lwork, int* info)
{
    return do_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnZhegvdx(cusolverDnHandle_t h, int itype, int jobz, int range, int uplo, int n, c8* a, int lda, c8* b, int ldb, double vl,
                                 double vu, int il, int iu, int* meig, double* w, c8* work, int lwork, int* info)
{
    return do_sygvdx(h, itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, meig, w, work, lwork, info);
}
extern "C" int cusolverDnSsyevj_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const float* a, int lda, const float* w, int* lwork,
                                           syevjInfo_t params)
{
    return size_syevj(h, jobz, uplo, n, a, lda, w, lwork, params);
}
extern "C" int cusolverDnDsyevj_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const double* a, int lda, const double* w, int* lwork,
                                           syevjInfo_t params)
{
    return size_syevj(h, jobz, uplo, n, a, lda, w, lwork, params);
}
extern "C" int cusolverDnCheevj_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const c4* a, int lda, const float* w, int* lwork,
                                           syevjInfo_t params)
{
    return size_syevj(h, jobz, uplo, n, a, lda, w, lwork, params);
}
extern "C" int cusolverDnZheevj_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const c8* a, int lda, const double* w, int* lwork,
                                           syevjInfo_t params)
{
    return size_syevj(h, jobz, uplo, n, a, lda, w, lwork, params);
}
extern "C" int cusolverDnSsyevj(cusolverDnHandle_t h, int jobz, int uplo, int n, float* a, int lda, float* w, float* work, int lwork, int* info,
                                syevjInfo_t params)
{
    return do_syevj(h, jobz, uplo, n, a, lda, w, work, lwork, info, params);
}
extern "C" int cusolverDnDsyevj(cusolverDnHandle_t h, int jobz, int uplo, int n, double* a, int lda, double* w, double* work, int lwork, int* info,
                                syevjInfo_t params)
{
    return do_syevj(h, jobz, uplo, n, a, lda, w, work, lwork, info, params);
}
extern "C" int cusolverDnCheevj(cusolverDnHandle_t h, int jobz, int uplo, int n, c4* a, int lda, float* w, c4* work, int lwork, int* info,
                                syevjInfo_t params)
{
    return do_syevj(h, jobz, uplo, n, a, lda, w, work, lwork, info, params);
}
extern "C" int cusolverDnZheevj(cusolverDnHandle_t h, int jobz, int uplo, int n, c8* a, int lda, double* w, c8* work, int lwork, int* info,
                                syevjInfo_t params)
{
    return do_syevj(h, jobz, uplo, n, a, lda, w, work, lwork, info, params);
}
extern "C" int cusolverDnSsygvj_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const float* a, int lda, const float* b,
                                           int ldb, const float* w, int* lwork, syevjInfo_t params)
{
    return size_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork, params);
}
extern "C" int cusolverDnDsygvj_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const double* a, int lda, const double* b,
                                           int ldb, const double* w, int* lwork, syevjInfo_t params)
{
    return size_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork, params);
}
extern "C" int cusolverDnChegvj_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const c4* a, int lda, const c4* b, int ldb,
                                           const float* w, int* lwork, syevjInfo_t params)
{
    return size_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork, params);
}
extern "C" int cusolverDnZhegvj_bufferSize(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, const c8* a, int lda, const c8* b, int ldb,
                                           const double* w, int* lwork, syevjInfo_t params)
{
    return size_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork, params);
}
extern "C" int cusolverDnSsygvj(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, float* a, int lda, float* b, int ldb, float* w,
                                float* work, int lwork, int* info, syevjInfo_t params)
{
    return do_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info, params);
}
extern "C" int cusolverDnDsygvj(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, double* a, int lda, double* b, int ldb, double* w,
                                double* work, int lwork, int* info, syevjInfo_t params)
{
    return do_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info, params);
}
extern "C" int cusolverDnChegvj(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, c4* a, int lda, c4* b, int ldb, float* w, c4* work,
                                int lwork, int* info, syevjInfo_t params)
{
    return do_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info, params);
}
extern "C" int cusolverDnZhegvj(cusolverDnHandle_t h, int itype, int jobz, int uplo, int n, c8* a, int lda, c8* b, int ldb, double* w, c8* work,
                                int lwork, int* info, syevjInfo_t params)
{
    return do_sygvj(h, itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info, params);
}
extern "C" int cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const float* a, int lda, const float* w,
                                                  int* lwork, syevjInfo_t params, int batch)
{
    return size_syevjBatched(h, jobz, uplo, n, a, lda, w, lwork, params, batch);
}
extern "C" int cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const double* a, int lda, const double* w,
                                                  int* lwork, syevjInfo_t params, int batch)
{
    return size_syevjBatched(h, jobz, uplo, n, a, lda, w, lwork, params, batch);
}
extern "C" int cusolverDnCheevjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const c4* a, int lda, const float* w, int* lwork,
                                                  syevjInfo_t params, int batch)
{
    return size_syevjBatched(h, jobz, uplo, n, a, lda, w, lwork, params, batch);
}
extern "C" int cusolverDnZheevjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int uplo, int n, const c8* a, int lda, const double* w, int* lwork,
                                                  syevjInfo_t params, int batch)
{
    return size_syevjBatched(h, jobz, uplo, n, a, lda, w, lwork, params, batch);
}
extern "C" int cusolverDnSsyevjBatched(cusolverDnHandle_t h, int jobz, int uplo, int n, float* a, int lda, float* w, float* work, int lwork,
                                       int* info, syevjInfo_t params, int batch)
{
    return do_syevjBatched(h, jobz, uplo, n, a, lda, w, work, lwork, info, params, batch);
}
extern "C" int cusolverDnDsyevjBatched(cusolverDnHandle_t h, int jobz, int uplo, int n, double* a, int lda, double* w, double* work, int lwork,
                                       int* info, syevjInfo_t params, int batch)
{
    return do_syevjBatched(h, jobz, uplo, n, a, lda, w, work, lwork, info, params, batch);
}
extern "C" int cusolverDnCheevjBatched(cusolverDnHandle_t h, int jobz, int uplo, int n, c4* a, int lda, float* w, c4* work, int lwork, int* info,
                                       syevjInfo_t params, int batch)
{
    return do_syevjBatched(h, jobz, uplo, n, a, lda, w, work, lwork, info, params, batch);
}
extern "C" int cusolverDnZheevjBatched(cusolverDnHandle_t h, int jobz, int uplo, int n, c8* a, int lda, double* w, c8* work, int lwork, int* info,
                                       syevjInfo_t params, int batch)
{
    return do_syevjBatched(h, jobz, uplo, n, a, lda, w, work, lwork, info, params, batch);
}

// The calls with sizes of 64 bits.
extern "C" int cusolverDnXsyevd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int jobz, int uplo, std::int64_t n, int type, const void*,
                                           std::int64_t lda, int type_w, const void*, int compute, std::size_t* device, std::size_t* host)
{
    return answer_bytes(h, type, type_w == parts_of(type) ? compute : -1, {n, lda}, device, host, [=](auto value, int* size) {
        using T = decltype(value);
        return size_syevd<T>(h, jobz, uplo, int(n), nullptr, int(lda), nullptr, size);
    });
}
extern "C" int cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, int jobz, int uplo, std::int64_t n, int type, void* a, std::int64_t lda,
                                int type_w, void* w, int compute, void*, std::size_t bytes, void*, std::size_t, int* info)
{
    return run_type(h, type, type_w == parts_of(type) ? compute : -1, {n, lda}, bytes, [=](auto value, int size) {
        using T = decltype(value);
        return do_syevd<T>(h, jobz, uplo, int(n), static_cast<T*>(a), int(lda), static_cast<real_of<T>*>(w), nullptr, size, info);
    });
}
