// The one header that generated C++ includes. Target: nvcc, or g++ with -DCUF_TARGET_CPU.
#pragma once

#if defined(CUF_TARGET_CPU)
#include "cuf/target_cpu.hpp"
#else
#include "cuf/target_cuda.hpp"
#endif

#include "cuf/registry.hpp"
#include "cuf/array.hpp"
#include "cuf/local_array.hpp"
#include "cuf/stop.hpp"
#include "cuf/complex.hpp"
#include "cuf/half.hpp"
#include "cuf/math.hpp"
#include "cuf/intrinsics.hpp"
#include <math.h>
#if defined(CUF_TARGET_CPU)
#include "cuf/cpu_intrinsics.hpp"
#endif
#include "cuf/character.hpp"
#include "cuf/print.hpp"

#include "cuf/atomics.hpp"
#include "cuf/volatile.hpp"
#include "cuf/loops.hpp"
#include "cuf/warp.hpp"

using cuf::literals::operator""_h;
