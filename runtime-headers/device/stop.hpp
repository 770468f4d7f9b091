// STOP and ERROR STOP in device code: the kernel ends with an error.
#pragma once

#include "base.hpp"

#if defined(CUF_TARGET_CPU)
#include <cstdio>
#include <cstdlib>
#endif

namespace cuf {

/// Ends the program (cpu) or the kernel, which the host sees as an error of the launch (cuda).
#if defined(CUF_TARGET_CPU)
[[noreturn]] inline void stop()
{
    std::fflush(stdout);
    std::fprintf(stderr, "STOP in device code\n");
    std::exit(1);
}
#else
__device__ inline void stop() { __trap(); }
#endif

}  // namespace cuf
