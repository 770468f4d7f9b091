// What the files of cuSOLVER's emulation share: the handle, codes and checks. On top of any LAPACK with Fortran's symbols (lapack.hpp).
// Work space of the caller is not used; its size is checked as cuSOLVER does.
#pragma once
#include "lapack.hpp"

/// What a cusolverDnHandle_t points to.
struct cusolverDnContext {
    cudaStream_t stream = nullptr;
    int deterministic = 1;
};
using cusolverDnHandle_t = cusolverDnContext*;

/// Settings and results of the Jacobi methods.
struct jacobi_info {
    double tolerance = 0;
    int max_sweeps = 100;
    int sort = 1;
    double residual = 0;
    int sweeps = 0;
};
struct syevjInfo : jacobi_info {};
struct gesvdjInfo : jacobi_info {};
using syevjInfo_t = syevjInfo*;
using gesvdjInfo_t = gesvdjInfo*;

namespace cuf::cpu::solver {

using blas::c4, blas::c8, blas::is_complex, blas::real_of, blas::is_fill, blas::is_lead, blas::is_op, blas::is_side, blas::fill_letter, blas::lower,
    blas::upper, blas::left, blas::right, blas::op_n, blas::op_t, blas::op_c, blas::with_work;

enum status : int { success = 0, not_initialized = 1, invalid_value = 3, execution_failed = 6, not_supported = 9 };

/// An operation of LAPACK for the type: N and T for real, N and C for complex matrices; 0: there is none.
template <class T>
char lapack_op(int trans)
{
    if (trans == op_n) return 'N';
    if (is_complex<T>) return trans == op_c ? 'C' : '\0';
    return trans == op_t || trans == op_c ? 'T' : '\0';
}

/// Does the work in the stream of the handle if the arguments are `good`.
template <class Work>
int run(cusolverDnHandle_t h, bool good, const Work& work)
{
    if (!h) return not_initialized;
    if (!good) return invalid_value;
    return submit_work(h->stream, work) == cudaSuccess ? success : execution_failed;
}

/// Answers a question for the size of work space, in elements.
inline int answer(cusolverDnHandle_t h, bool good, long long size, int* lwork)
{
    if (!h) return not_initialized;
    if (!good || !lwork) return invalid_value;
    *lwork = int(std::clamp(size, 1LL, 2147483647LL));
    return success;
}

/// Work space that the factorizations ask for: a panel of 32 columns.
inline long long panel(int n) { return 32LL * std::max(1, n); }

}  // namespace cuf::cpu::solver
