// Random numbers of the module curand_device. Only sources that use that module include this.
//
// The cuda target has NVIDIA's device functions. The cpu target computes the same integers and uniform numbers; its normal
// numbers differ in the last digits, since GPUs have a fast sine and cosine for them.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#if defined(CUF_TARGET_CPU)
#include "../cpu/curand.hpp"
#else
#include <curand_kernel.h>
#endif
