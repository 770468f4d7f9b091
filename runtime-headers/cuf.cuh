// The one header that generated C++ includes. Target: nvcc, or g++ with -DCUF_TARGET_CPU.
// A program's own copy includes what the program uses.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "device/execution.hpp"
#include "device/launch_config.hpp"
#include "device/device_state.hpp"
#include "device/launch_error.hpp"
#include "device/registry.hpp"
#include "device/base.hpp"
#include "device/stop.hpp"
#include "device/bounds.hpp"
#include "device/array.hpp"
#include "device/heap.hpp"
#include "device/local_array.hpp"
#include "device/logical.hpp"
#include "device/math.hpp"
#include "device/numeric.hpp"
#include "device/bits.hpp"
#include "device/pow.hpp"
#include "device/real_model.hpp"
#include "device/complex.hpp"
#include "device/complex_kernels.hpp"
#include "device/complex_math.hpp"
#include "device/intrinsics.hpp"
#include "device/small_array.hpp"
#include "device/half.hpp"
#include <math.h>
#if defined(CUF_TARGET_CPU)
#include "cpu/intrinsics.hpp"
#endif
#include "device/character.hpp"
#include "device/decimal.hpp"
#include "device/print.hpp"
#include "device/atomics.hpp"
#include "device/volatile.hpp"
#include "device/warp.hpp"
#include "device/optional_value.hpp"
#include "device/do_range.hpp"
#include "device/loops.hpp"
#include "device/present.hpp"
#include "device/reduction.hpp"
#include "device/block.hpp"
#include "device/acc.hpp"

#if defined(CUF_TARGET_CPU)
// A launch may give one array under two names, against the standard, and its threads, each by itself, still do what is written. The loops over threads
// (cpu/plain.hpp) would make more of the promise than one thread does; whether arrays overlap is asked at run time instead.
#define __restrict__
#endif
