// The one header that generated C++ includes. Target: nvcc, or g++ with -DCUF_TARGET_CPU.
#pragma once

#if defined(CUF_TARGET_CPU)
#include "cpu/target.hpp"
#else
#include "device/target.hpp"
#endif

#include "device/registry.hpp"
#include "device/array.hpp"
#include "device/local_array.hpp"
#include "device/stop.hpp"
#include "device/complex.hpp"
#include "device/half.hpp"
#include "device/math.hpp"
#include "device/intrinsics.hpp"
#include <math.h>
#if defined(CUF_TARGET_CPU)
#include "cpu/intrinsics.hpp"
#endif
#include "device/character.hpp"
#include "device/print.hpp"

#include "device/atomics.hpp"
#include "device/volatile.hpp"
#include "device/loops.hpp"
#include "device/warp.hpp"

using cuf::literals::operator""_h;
