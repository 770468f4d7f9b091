// STOP and ERROR STOP in device code: the kernel ends with an error.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

#include <cstdio>
#include <cstdlib>

namespace cuf {

/// Ends the kernel, which the host sees as an error of the launch; what runs on the host (cpu target, host code) ends the program.
#if defined(CUF_TARGET_CPU)
[[noreturn]]
#endif
CUF_FN inline void stop()
{
#if defined(__CUDA_ARCH__)
    __trap();
#else
    std::fflush(stdout);
    std::fprintf(stderr, "STOP in device code\n");
    std::exit(1);
#endif
}

}  // namespace cuf
