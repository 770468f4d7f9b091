// The elemental intrinsics of Fortran.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "bits.hpp"
#include "complex_math.hpp"
#include "math.hpp"
#include "numeric.hpp"
#include "pow.hpp"
#include "real_model.hpp"
