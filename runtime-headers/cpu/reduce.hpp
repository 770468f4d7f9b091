// The values that the threads of the running block have given to a reduction. The last of them combines, so that a loop with a
// reduction needs no barrier.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

namespace cuf::cpu {

struct block_values {
    const void* reduction;
    unsigned count;  // values given so far; 0: free
    alignas(16) unsigned char bytes[1024 * 16];
};

/// The values of the running block for a reduction, which is told by its address.
block_values& values_of(const void* reduction);

}  // namespace cuf::cpu
