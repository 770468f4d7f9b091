// What the files of cuSOLVER's emulation share: the handle, codes and checks. On top of any LAPACK with Fortran's symbols (lapack.hpp).
// Work space of the caller is not used; its size is checked as cuSOLVER does.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "data_types.hpp"
#include "lapack.hpp"
#include <limits>

/// What a cusolverDnHandle_t points to.
struct cusolverDnContext {
    cudaStream_t stream = nullptr;
    int deterministic = 1;
};
using cusolverDnHandle_t = cusolverDnContext*;

/// The algorithms that a program prefers, which the cpu target has not.
struct cusolverDnParams {
    int algorithm[3] = {};
};
using cusolverDnParams_t = cusolverDnParams*;

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

/// Whether LAPACK can be told these sizes, which the calls of 64 bits take.
inline bool are_sizes(std::initializer_list<std::int64_t> sizes)
{
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    return std::all_of(sizes.begin(), sizes.end(), [](std::int64_t n) { return n >= -1 && n <= most; });
}

/// The type of the parts of a complex type.
inline int parts_of(int type) { return type == c_32f ? r_32f : type == c_64f ? r_64f : type; }

/// Calls with a value of the type that an argument names, in which LAPACK computes, too.
template <class Call>
int of_type(int type, int compute, const Call& call)
{
    if (type != compute) return not_supported;
    switch (type) {
    case r_32f: return call(float());
    case r_64f: return call(double());
    case c_32f: return call(c4());
    case c_64f: return call(c8());
    default: return not_supported;
    }
}

/// Answers a question for the size of work space in bytes; `size(value of the type, elements)` is that for one type.
template <class Size>
int answer_bytes(cusolverDnHandle_t h, int type, int compute, std::initializer_list<std::int64_t> sizes, std::size_t* device, std::size_t* host,
                 const Size& size)
{
    if (!h) return not_initialized;
    if (!are_sizes(sizes) || !device || !host) return invalid_value;
    return of_type(type, compute, [&](auto value) {
        int elements = 0;
        const int result = size(value, &elements);
        if (result == success) *device = std::size_t(elements) * sizeof value, *host = 0;
        return result;
    });
}

/// Calls `work(value of the type, elements of the work space)`.
template <class Work>
int run_type(cusolverDnHandle_t h, int type, int compute, std::initializer_list<std::int64_t> sizes, std::size_t bytes, const Work& work)
{
    if (!h) return not_initialized;
    if (!are_sizes(sizes)) return invalid_value;
    return of_type(type, compute, [&](auto value) {
        const std::size_t most = std::numeric_limits<int>::max();
        return work(value, int(std::min(bytes / sizeof value, most)));
    });
}

}  // namespace cuf::cpu::solver
