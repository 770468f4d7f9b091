// Storage that several local variables share (EQUIVALENCE).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

namespace cuf {

/// Bytes for variables of any type, aligned for the strictest.
template <int bytes>
struct storage {
    alignas(16) unsigned char data[bytes];
};

/// The variable of type T at this offset in bytes. The types of one storage alias each other: nvcc has no rules about that, g++
/// compiles with -fno-strict-aliasing.
template <class T, int bytes>
CUF_INLINE T& storage_at(storage<bytes>& s, int offset)
{
    return *reinterpret_cast<T*>(s.data + offset);
}

}  // namespace cuf
