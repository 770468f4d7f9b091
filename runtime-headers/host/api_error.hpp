// Entry points of module cudafor: errors.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/launch_error.hpp"
#include "core.hpp"

extern "C" {

using cuf::rt::desc;

int cufapi_last_error(void) { return cuf::last_error(true); }
int cufapi_peek_error(void) { return cuf::last_error(false); }

int cufapi_error_length(int code, int name)
{
    auto e = static_cast<cudaError_t>(code);
    return static_cast<int>(std::strlen(name ? cudaGetErrorName(e) : cudaGetErrorString(e)));
}

void cufapi_error_text(int code, int name, char* text)
{
    auto e = static_cast<cudaError_t>(code);
    const char* from = name ? cudaGetErrorName(e) : cudaGetErrorString(e);
    std::memcpy(text, from, std::strlen(from));
}

}  // extern "C"
