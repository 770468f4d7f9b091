// The execution model of the target: kernels, launches, barriers, the shared block.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#if defined(CUF_TARGET_CPU)
#include "../cpu/target.hpp"
#include "../cpu/plain.hpp"
#else
#include "target.hpp"
#endif
