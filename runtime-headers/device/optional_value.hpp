// A value that may be absent, and that its owner may change without changing what it was copied from.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "base.hpp"

namespace cuf {

/// The value of an optional argument, of the host procedure or of a device procedure that takes it by value, if it is present.
template <class T>
struct optional_value {
    T value{};
    bool present = false;

    optional_value() = default;
    CUF_INLINE explicit optional_value(const T* argument) : present(argument != nullptr)
    {
        if (present) value = *argument;
    }

    CUF_INLINE T* pointer() { return present ? &value : nullptr; }
};

}  // namespace cuf
