// Entry points of module cuf_runtime: real(2) on the host.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "convert.hpp"

extern "C" {

using namespace cuf::rt;

std::uint16_t cuf_rt_to_half(double x) { return double_to_half(x); }
float cuf_rt_from_half(std::uint16_t h) { return half_to_float(h); }

}  // extern "C"
