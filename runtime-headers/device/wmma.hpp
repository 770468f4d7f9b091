// Tensor cores: CUDA's nvcuda::wmma, or the emulation of it. Only sources that use the module wmma include this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "half.hpp"
#if defined(CUF_TARGET_CPU)
#include "../cpu/wmma.hpp"
#else
#include <mma.h>
#endif

namespace cuf {

/// The i-th element (from 1) that the calling thread holds: `submatrix%x(i)`.
template <class F>
CUF_INLINE auto& fragment_element(F& fragment, int i)
{
    return fragment.x[i - 1];
}

}  // namespace cuf
