// What nvcc includes by itself before CUDA C++, for the emulation on the cpu target. The files beside it have the names of CUDA's headers.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#if !defined(CUF_OWN_CUDA)
// Host code calls the runtime API; it need not be compiled as kernels are.
#include "../api.hpp"
#include "vector_types.h"
#else
#include <cassert>
#include <cmath>
#include <math.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>
#include "launch.hpp"
#include "runtime_forms.hpp"
#include "device_functions.hpp"

// Two parameters of a kernel may be one array under two names, against the promise: each thread does what is written.
#define __restrict__
// Kernels that the translation has seen are without it.
#undef __global__
#define __global__ cuf2cu_has_not_seen_this_kernel
#define __inline_hint__
#define __nv_pure__
#define __device_builtin__
#define __cudart_builtin__
#define __CUDACC__ 1
#define __NVCC__ 1
#endif
