// Eigenvalues of symmetric and Hermitian matrices, by LAPACK's divide and conquer for all of cuSOLVER's methods.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusolver.hpp"
#include <cmath>

namespace cuf::cpu::solver {

enum : int { no_vectors = 0, vectors = 1 };
enum : int { range_all = 1001, range_index = 1002, range_value = 1003 };

inline bool eigen_valid(int jobz, int uplo, int n, int lda)
{
    return (jobz == no_vectors || jobz == vectors) && is_fill(uplo) && n >= 0 && is_lead(lda, n);
}
/// Work space that the eigenvalue routines ask for.
inline long long eigen_work(int n) { return 2LL * n * n + 32LL * std::max(1, n); }

/// All eigenvalues, ascending, in w; the vectors, if wished, in a. Returns LAPACK's info.
template <class T>
int all_eigenvalues(int jobz, int uplo, int n, T* a, int lda, real_of<T>* w)
{
    if (n == 0) return 0;
    using R = real_of<T>;
    const char job = jobz == vectors ? 'V' : 'N';
    int info = 0, int_size = 0;
    T size{};
    R real_size{};
    const auto call = [&](T* work, int lwork, R* rwork, int lrwork, int* iwork, int liwork) {
        if constexpr (is_complex<T>) blas::syevd(job, fill_letter(uplo), n, a, lda, w, work, lwork, rwork, lrwork, iwork, liwork, &info);
        else blas::syevd(job, fill_letter(uplo), n, a, lda, w, work, lwork, iwork, liwork, &info);
    };
    call(&size, -1, &real_size, -1, &int_size, -1);
    // Some versions ask for less than they use when n is 1.
    const auto at_least_one = [](double x) { return std::size_t(std::max(1.0, x)); };
    std::vector<T> work(at_least_one(double(std::real(size))));
    std::vector<R> rwork(at_least_one(double(real_size)));
    std::vector<int> iwork(at_least_one(double(int_size)));
    call(work.data(), int(work.size()), rwork.data(), int(rwork.size()), iwork.data(), int(iwork.size()));
    return info;
}

/// Which eigenvalues are wished.
struct selection {
    int range;
    double vl, vu;
    int il, iu;
    bool valid(int n) const
    {
        if (range == range_index) return n == 0 || (il >= 1 && il <= iu && iu <= n);
        return range == range_all || (range == range_value && vl < vu);
    }
};

/// Moves the eigenvalues that are wished, and their vectors, to the front; returns how many there are.
template <class T>
int select(const selection& s, int jobz, int n, T* a, int lda, real_of<T>* w)
{
    int count = 0;
    for (int i = 0; i < n; ++i) {
        const bool in = s.range == range_all || (s.range == range_index ? i + 1 >= s.il && i + 1 <= s.iu : w[i] > s.vl && w[i] <= s.vu);
        if (!in) continue;
        w[count] = w[i];
        if (jobz == vectors && count != i) std::copy_n(a + std::int64_t(i) * lda, n, a + std::int64_t(count) * lda);
        ++count;
    }
    return count;
}

/// Reduces A*x = w*B*x (itype 1), A*B*x = w*x (2) or B*A*x = w*x (3) to standard form; b becomes its Cholesky factor. Returns n + i if
/// the leading minor of order i is not positive definite.
template <class T>
int reduce(int itype, int uplo, int n, T* a, int lda, T* b, int ldb)
{
    int info = 0;
    if (n == 0) return 0;
    blas::potrf(fill_letter(uplo), n, b, ldb, &info);
    if (info != 0) return n + info;
    blas::sygst(itype, fill_letter(uplo), n, a, lda, b, ldb, &info);
    return info;
}
/// Makes vectors of the problem of those of its standard form.
template <class T>
void restore(int itype, int uplo, int n, int count, T* a, int lda, const T* b, int ldb)
{
    if (count == 0) return;
    const char letter = fill_letter(uplo);
    if (itype == 3) blas::trmm('L', letter, uplo == upper ? 'C' : 'N', 'N', n, count, T(1), b, ldb, a, lda);
    else blas::trsm('L', letter, uplo == upper ? 'N' : 'C', 'N', n, count, T(1), b, ldb, a, lda);
}

/// The norm of what is left of V**H*A*V without W.
template <class T>
double residual_of(int uplo, int n, std::vector<T> a, const T* v, int ldv, const real_of<T>* w)
{
    const auto order = std::size_t(n);
    for (std::size_t j = 0; j < order; ++j)
        for (std::size_t i = 0; i < j; ++i) {
            T &above = a[i + j * order], &below = a[j + i * order];
            (uplo == lower ? above : below) = blas::conjugate(uplo == lower ? below : above);
        }
    std::vector<T> av(order * order), vav(order * order);
    blas::gemm('N', 'N', n, n, n, T(1), a.data(), n, v, ldv, T(0), av.data(), n);
    blas::gemm('C', 'N', n, n, n, T(1), v, ldv, av.data(), n, T(0), vav.data(), n);
    double sum = 0;
    for (std::size_t j = 0; j < order; ++j)
        for (std::size_t i = 0; i < order; ++i) sum += double(std::norm(vav[i + j * order] - (i == j ? T(w[i]) : T(0))));
    return std::sqrt(sum);
}

}  // namespace cuf::cpu::solver
