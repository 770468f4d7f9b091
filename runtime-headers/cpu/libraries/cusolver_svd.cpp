// cuSOLVER of the cpu target: singular values.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusolver.hpp"
#include <cmath>
#include <cstring>

using namespace cuf::cpu;
using namespace cuf::cpu::solver;

namespace {

long long svd_work(int m, int n) { return 8LL * std::max(1, std::min(m, n)) + 32LL * std::max(1, std::max(m, n)); }

/// LAPACK's singular values; returns its info. `superdiagonal`, of min(m, n) - 1 elements, may be null.
template <class T>
int singular_values(char jobu, char jobvt, int m, int n, T* a, int lda, real_of<T>* s, T* u, int ldu, T* vt, int ldvt, real_of<T>* superdiagonal)
{
    using R = real_of<T>;
    int info = 0;
    const int least = std::min(m, n);
    if (least == 0) return 0;
    std::vector<R> rwork(5 * std::size_t(least));
    with_work<T>([&](T* work, int size) {
        if constexpr (is_complex<T>) blas::gesvd(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, rwork.data(), &info);
        else blas::gesvd(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, &info);
        if constexpr (!is_complex<T>)
            if (size > 0) std::copy_n(work + 1, std::min(size, least) - 1, rwork.data());
    });
    if (superdiagonal) std::copy_n(rwork.data(), least - 1, superdiagonal);
    return info;
}

template <class T>
int size_gesvd(cusolverDnHandle_t h, int m, int n, int* lwork)
{
    return answer(h, m >= n && n >= 0, svd_work(m, n), lwork);
}
bool is_job(signed char job) { return job && std::strchr("ASON", job); }
/// m >= n, as cuSOLVER limits it.
template <class T>
int do_gesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, T* a, int lda, real_of<T>* s, T* u, int ldu, T* vt, int ldvt, T*,
             int lwork, real_of<T>* rwork, int* info)
{
    const bool jobs = is_job(jobu) && is_job(jobvt) && !(jobu == 'O' && jobvt == 'O');
    const bool leads = is_lead(lda, m) && is_lead(ldu, jobu == 'A' || jobu == 'S' ? m : 1) && is_lead(ldvt, jobvt == 'A' || jobvt == 'S' ? n : 1);
    return run(h, jobs && leads && m >= n && n >= 0 && lwork >= svd_work(m, n) && info,
               [=] { *info = singular_values(char(jobu), char(jobvt), m, n, a, lda, s, u, ldu, vt, ldvt, rwork); });
}

struct jacobi_shape {
    int jobz, econ, m, n, lda, ldu, ldv;
    bool valid() const
    {
        const bool sizes = (jobz == 0 || jobz == 1) && (econ == 0 || econ == 1) && m >= 0 && n >= 0 && is_lead(lda, m);
        return sizes && ldu >= 1 && ldv >= 1 && (jobz == 0 || (is_lead(ldu, m) && is_lead(ldv, n)));
    }
};
/// U*S*V**H = A with V, not its transpose; `residual` gets the norm of what is left of U**H*A*V without S.
template <class T>
int decompose(const jacobi_shape& d, T* a, real_of<T>* s, T* u, T* v, double* residual)
{
    const int m = d.m, n = d.n, least = std::min(m, n);
    if (residual) *residual = 0;
    if (least == 0) return 0;
    const bool thin = d.econ == 1 || d.jobz == 0;
    const int columns_u = thin ? least : m, columns_v = thin ? least : n;
    std::vector<T> before, left_vectors(std::size_t(m) * std::size_t(columns_u)), right_vectors(std::size_t(columns_v) * std::size_t(n));
    for (std::int64_t j = 0; j < n; ++j) before.insert(before.end(), a + j * d.lda, a + j * d.lda + m);
    const char job = thin ? 'S' : 'A';
    const int info = singular_values<T>(job, job, m, n, a, d.lda, s, left_vectors.data(), m, right_vectors.data(), columns_v, nullptr);
    if (residual) {
        std::vector<T> av(std::size_t(m) * std::size_t(least)), uav(std::size_t(least) * std::size_t(least));
        blas::gemm('N', 'C', m, least, n, T(1), before.data(), m, right_vectors.data(), columns_v, T(0), av.data(), m);
        blas::gemm('C', 'N', least, least, m, T(1), left_vectors.data(), m, av.data(), m, T(0), uav.data(), least);
        double sum = 0;
        for (int j = 0; j < least; ++j)
            for (int i = 0; i < least; ++i) sum += double(std::norm(uav[std::size_t(i) + std::size_t(j) * std::size_t(least)] - (i == j ? T(s[i]) : T(0))));
        *residual = std::sqrt(sum);
    }
    if (d.jobz == 0) return info;
    for (std::int64_t j = 0; j < columns_u; ++j) std::copy_n(left_vectors.data() + j * m, m, u + j * d.ldu);
    for (std::int64_t j = 0; j < columns_v; ++j)
        for (std::int64_t i = 0; i < n; ++i) v[i + j * d.ldv] = blas::conjugate(right_vectors[std::size_t(j + i * columns_v)]);
    return info;
}

template <class T>
int size_gesvdj(cusolverDnHandle_t h, int jobz, int econ, int m, int n, const T*, int lda, const real_of<T>*, const T*, int ldu, const T*, int ldv,
                int* lwork, gesvdjInfo_t params)
{
    return answer(h, jacobi_shape{jobz, econ, m, n, lda, ldu, ldv}.valid() && params, svd_work(m, n), lwork);
}
template <class T>
int do_gesvdj(cusolverDnHandle_t h, int jobz, int econ, int m, int n, T* a, int lda, real_of<T>* s, T* u, int ldu, T* v, int ldv, T*, int lwork, int* info,
              gesvdjInfo_t params)
{
    const jacobi_shape shape{jobz, econ, m, n, lda, ldu, ldv};
    return run(h, shape.valid() && lwork >= svd_work(m, n) && info && params, [=] {
        *info = decompose(shape, a, s, u, v, &params->residual);
        params->sweeps = 1;
    });
}
template <class T>
int size_gesvdjBatched(cusolverDnHandle_t h, int jobz, int m, int n, const T*, int lda, const real_of<T>*, const T*, int ldu, const T*, int ldv,
                       int* lwork, gesvdjInfo_t params, int batch)
{
    const bool good = jacobi_shape{jobz, 0, m, n, lda, ldu, ldv}.valid() && m <= 32 && n <= 32 && batch >= 0 && params;
    return answer(h, good, svd_work(m, n), lwork);
}
/// Matrices of up to 32 rows and columns, as cuSOLVER limits them, which follow each other.
template <class T>
int do_gesvdjBatched(cusolverDnHandle_t h, int jobz, int m, int n, T* a, int lda, real_of<T>* s, T* u, int ldu, T* v, int ldv, T*, int lwork, int* info,
                     gesvdjInfo_t params, int batch)
{
    const jacobi_shape shape{jobz, 0, m, n, lda, ldu, ldv};
    return run(h, shape.valid() && m <= 32 && n <= 32 && batch >= 0 && lwork >= svd_work(m, n) && info && params, [=] {
        for (std::int64_t i = 0; i < batch; ++i)
            info[i] = decompose<T>(shape, a + i * lda * n, s + i * std::min(m, n), u + i * ldu * m, v + i * ldv * n, nullptr);
    });
}

}  // namespace

extern "C" int cusolverDnSgesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gesvd<float>(h, m, n, lwork); }
extern "C" int cusolverDnDgesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gesvd<double>(h, m, n, lwork); }
extern "C" int cusolverDnCgesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gesvd<c4>(h, m, n, lwork); }
extern "C" int cusolverDnZgesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* lwork) { return size_gesvd<c8>(h, m, n, lwork); }
extern "C" int cusolverDnSgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, float* a, int lda, float* s, float* u,
                                int ldu, float* vt, int ldvt, float* work, int lwork, float* rwork, int* info)
{
    return do_gesvd(h, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info);
}
extern "C" int cusolverDnDgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, double* a, int lda, double* s, double* u,
                                int ldu, double* vt, int ldvt, double* work, int lwork, double* rwork, int* info)
{
    return do_gesvd(h, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info);
}
extern "C" int cusolverDnCgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, c4* a, int lda, float* s, c4* u, int ldu,
                                c4* vt, int ldvt, c4* work, int lwork, float* rwork, int* info)
{
    return do_gesvd(h, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info);
}
extern "C" int cusolverDnZgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, c8* a, int lda, double* s, c8* u, int ldu,
                                c8* vt, int ldvt, c8* work, int lwork, double* rwork, int* info)
{
    return do_gesvd(h, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info);
}
extern "C" int cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t h, int jobz, int econ, int m, int n, const float* a, int lda, const float* s,
                                            const float* u, int ldu, const float* v, int ldv, int* lwork, gesvdjInfo_t params)
{
    return size_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, lwork, params);
}
extern "C" int cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t h, int jobz, int econ, int m, int n, const double* a, int lda, const double* s,
                                            const double* u, int ldu, const double* v, int ldv, int* lwork, gesvdjInfo_t params)
{
    return size_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, lwork, params);
}
extern "C" int cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t h, int jobz, int econ, int m, int n, const c4* a, int lda, const float* s, const c4* u,
                                            int ldu, const c4* v, int ldv, int* lwork, gesvdjInfo_t params)
{
    return size_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, lwork, params);
}
extern "C" int cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t h, int jobz, int econ, int m, int n, const c8* a, int lda, const double* s,
                                            const c8* u, int ldu, const c8* v, int ldv, int* lwork, gesvdjInfo_t params)
{
    return size_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, lwork, params);
}
extern "C" int cusolverDnSgesvdj(cusolverDnHandle_t h, int jobz, int econ, int m, int n, float* a, int lda, float* s, float* u, int ldu, float* v,
                                 int ldv, float* work, int lwork, int* info, gesvdjInfo_t params)
{
    return do_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params);
}
extern "C" int cusolverDnDgesvdj(cusolverDnHandle_t h, int jobz, int econ, int m, int n, double* a, int lda, double* s, double* u, int ldu, double* v,
                                 int ldv, double* work, int lwork, int* info, gesvdjInfo_t params)
{
    return do_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params);
}
extern "C" int cusolverDnCgesvdj(cusolverDnHandle_t h, int jobz, int econ, int m, int n, c4* a, int lda, float* s, c4* u, int ldu, c4* v, int ldv,
                                 c4* work, int lwork, int* info, gesvdjInfo_t params)
{
    return do_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params);
}
extern "C" int cusolverDnZgesvdj(cusolverDnHandle_t h, int jobz, int econ, int m, int n, c8* a, int lda, double* s, c8* u, int ldu, c8* v, int ldv,
                                 c8* work, int lwork, int* info, gesvdjInfo_t params)
{
    return do_gesvdj(h, jobz, econ, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params);
}
extern "C" int cusolverDnSgesvdjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int m, int n, const float* a, int lda, const float* s,
                                                   const float* u, int ldu, const float* v, int ldv, int* lwork, gesvdjInfo_t params, int batch)
{
    return size_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, lwork, params, batch);
}
extern "C" int cusolverDnDgesvdjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int m, int n, const double* a, int lda, const double* s,
                                                   const double* u, int ldu, const double* v, int ldv, int* lwork, gesvdjInfo_t params, int batch)
{
    return size_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, lwork, params, batch);
}
extern "C" int cusolverDnCgesvdjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int m, int n, const c4* a, int lda, const float* s, const c4* u,
                                                   int ldu, const c4* v, int ldv, int* lwork, gesvdjInfo_t params, int batch)
{
    return size_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, lwork, params, batch);
}
extern "C" int cusolverDnZgesvdjBatched_bufferSize(cusolverDnHandle_t h, int jobz, int m, int n, const c8* a, int lda, const double* s, const c8* u,
                                                   int ldu, const c8* v, int ldv, int* lwork, gesvdjInfo_t params, int batch)
{
    return size_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, lwork, params, batch);
}
extern "C" int cusolverDnSgesvdjBatched(cusolverDnHandle_t h, int jobz, int m, int n, float* a, int lda, float* s, float* u, int ldu, float* v,
                                        int ldv, float* work, int lwork, int* info, gesvdjInfo_t params, int batch)
{
    return do_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params, batch);
}
extern "C" int cusolverDnDgesvdjBatched(cusolverDnHandle_t h, int jobz, int m, int n, double* a, int lda, double* s, double* u, int ldu, double* v,
                                        int ldv, double* work, int lwork, int* info, gesvdjInfo_t params, int batch)
{
    return do_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params, batch);
}
extern "C" int cusolverDnCgesvdjBatched(cusolverDnHandle_t h, int jobz, int m, int n, c4* a, int lda, float* s, c4* u, int ldu, c4* v, int ldv,
                                        c4* work, int lwork, int* info, gesvdjInfo_t params, int batch)
{
    return do_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params, batch);
}
extern "C" int cusolverDnZgesvdjBatched(cusolverDnHandle_t h, int jobz, int m, int n, c8* a, int lda, double* s, c8* u, int ldu, c8* v, int ldv,
                                        c8* work, int lwork, int* info, gesvdjInfo_t params, int batch)
{
    return do_gesvdjBatched(h, jobz, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params, batch);
}

// The calls with sizes of 64 bits.
extern "C" int cusolverDnXgesvd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, signed char, signed char, std::int64_t m, std::int64_t n, int type,
                                           const void*, std::int64_t lda, int type_s, const void*, int type_u, const void*, std::int64_t ldu,
                                           int type_vt, const void*, std::int64_t ldvt, int compute, std::size_t* device, std::size_t* host)
{
    const bool agree = type_s == parts_of(type) && type_u == type && type_vt == type;
    return answer_bytes(h, type, agree ? compute : -1, {m, n, lda, ldu, ldvt}, device, host,
                        [=](auto value, int* size) { return size_gesvd<decltype(value)>(h, int(m), int(n), size); });
}
extern "C" int cusolverDnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char jobu, signed char jobvt, std::int64_t m, std::int64_t n, int type,
                                void* a, std::int64_t lda, int type_s, void* s, int type_u, void* u, std::int64_t ldu, int type_vt, void* vt,
                                std::int64_t ldvt, int compute, void*, std::size_t bytes, void*, std::size_t, int* info)
{
    const bool agree = type_s == parts_of(type) && type_u == type && type_vt == type;
    return run_type(h, type, agree ? compute : -1, {m, n, lda, ldu, ldvt}, bytes, [=](auto value, int size) {
        using T = decltype(value);
        const auto values = static_cast<real_of<T>*>(s);
        return do_gesvd<T>(h, jobu, jobvt, int(m), int(n), static_cast<T*>(a), int(lda), values, static_cast<T*>(u), int(ldu), static_cast<T*>(vt),
                           int(ldvt), nullptr, size, nullptr, info);
    });
}
