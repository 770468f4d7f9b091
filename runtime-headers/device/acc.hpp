// Data of OpenACC programs as generated launchers see it. host/acc_api.hpp has the definition, which is compiled once, into the runtime.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstddef>

namespace cuf::acc {

/// The device's address of host data that is present; an address of the device, or one that the device shares with the host, as it is.
/// Stops the program if the data is absent. `what`: "FILE:LINE: DESIGNATOR".
void* device(const void* host, std::size_t bytes, const char* what);

}  // namespace cuf::acc
