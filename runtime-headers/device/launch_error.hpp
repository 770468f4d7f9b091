// The last error as CUDA Fortran programs see it: with the names that they know for errors of launches.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#if defined(CUF_TARGET_CPU)
#include "../cpu/api.hpp"
#include "../cpu/checks.hpp"
#else
#include <cuda_runtime.h>
#endif

namespace cuf {

/// A launch error of this host thread that CUDA has under another name. CUDA's own last error cannot be set, so the name that
/// programs know is kept beside it.
inline cudaError_t& renamed_error()
{
    static thread_local cudaError_t code = cudaSuccess;
    return code;
}

/// What cudaGetLastError (take) and cudaPeekAtLastError tell.
inline cudaError_t last_error(bool take)
{
#if defined(CUF_CHECK) && defined(CUF_TARGET_CPU)
    check::asked_for_error();
#endif
    const cudaError_t renamed = renamed_error();
    const cudaError_t code = take ? cudaGetLastError() : cudaPeekAtLastError();
    if (take) renamed_error() = cudaSuccess;
    return code != cudaSuccess ? code : renamed;
}

}  // namespace cuf
