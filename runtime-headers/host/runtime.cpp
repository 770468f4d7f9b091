// The runtime library behind the Fortran modules cuf_runtime and cudafor. Compiled by nvcc (as CUDA) or by g++
// (CUF_TARGET_CPU). The entry points are bind(C) procedures of those modules; arrays arrive as C descriptors, so
// device memory is never read on the host. A program's own copy gathers the entry points that it needs.
// SPDX-License-Identifier: MIT OR Apache-2.0
#if !defined(CUF_TARGET_CPU)
#include "device.hpp"
#endif
#include "symbols.hpp"
#include "launch.hpp"
#include "array_views.hpp"
#include "copies.hpp"
#include "statements.hpp"
#include "whole.hpp"
#include "copy_in.hpp"
#include "reach.hpp"
#include "halves.hpp"
#include "api_device.hpp"
#include "api_properties.hpp"
#include "api_error.hpp"
#include "api_stream.hpp"
#include "api_kernel.hpp"
#include "api_graph.hpp"
#include "api_memory.hpp"
#include "api_copy.hpp"
#include "api_symbol.hpp"
#include "api_array.hpp"
#include "acc_api.hpp"
#include "acc_launch.hpp"
#include "acc_openacc.hpp"
