// What the watchers of a program have in common: the statement under way, names of kernels, the process.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/watch.hpp"
#include "core.hpp"
#include <execinfo.h>
#include <unistd.h>
#if defined(CUF_TARGET_CPU)
#include "../cpu/names.hpp"
#endif

namespace cuf::rt {

/// The places of calls as libgfortran's backtrace tells them: FILE:LINE in the program's Fortran, empty for others.
using known_calls = std::map<std::uintptr_t, std::string>;

/// Adds what the backtrace tells of the calls under way: `#1  0x55d0 in a`, and `at FILE:LINE` on the next line.
inline void learn_calls(known_calls& known)
{
    if (_gfortran_backtrace == nullptr) return;
    const std::string text = captured(_gfortran_backtrace);
    const std::string call = "  0x", place = "\n\tat ";
    for (auto at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
        const std::uintptr_t address = std::strtoull(text.c_str() + at + 2, nullptr, 16);
        const auto line = text.find('\n', at);
        std::string& found = known[address];
        if (line == std::string::npos || text.compare(line, place.size(), place) != 0 || !found.empty()) continue;
        const auto from = line + place.size(), end = text.find('\n', from), colon = text.rfind(':', end);
        if (colon > from && colon != std::string::npos && is_programs(text.substr(from, colon - from))) found = text.substr(from, end - from);
    }
}

/// FILE:LINE of the program's statement that is being executed. libgfortran, which takes some 10 ms, is asked once for each call.
inline const std::string& statement()
{
    constexpr int depth = 32;
    static auto* known = new known_calls;
    void* calls[depth];
    const int n = std::max(backtrace(calls, depth), 0);
    for (const bool again : {true, false}) {
        bool all = true;
        for (int i = 0; i < n && all; ++i) {
            // The address before the one that is returned to, as libgfortran has it.
            const auto at = known->find(reinterpret_cast<std::uintptr_t>(calls[i]) - 1);
            if (at != known->end() && !at->second.empty()) return at->second;
            all = at != known->end() || i == 0;
        }
        if (all || !again) break;
        learn_calls(*known);
    }
    static const auto* nowhere = new std::string;
    return *nowhere;
}

inline std::string name_of_kernel(const void* kernel)
{
    static auto* known = new std::map<const void*, std::string>;
    const auto at = known->find(kernel);
    if (at != known->end()) return at->second;
    std::string name;
#if defined(CUF_TARGET_CPU)
    name = plain_name(cpu::kernel_name(kernel).c_str());
#elif CUDART_VERSION >= 12030
    const char* symbol = nullptr;
    if (cudaFuncGetName(&symbol, kernel) == cudaSuccess && symbol != nullptr) name = plain_name(symbol);
#endif
    if (name.empty()) name = "kernel";
    return known->emplace(kernel, name).first->second;
}

/// How the kernel came about: a CUF loop's name ends with `_loop_` and its number.
inline bool is_loop(const std::string& name)
{
    const auto at = name.rfind("_loop_");
    return at != std::string::npos && at + 6 < name.size() && name.find_first_not_of("0123456789", at + 6) == std::string::npos;
}

inline bool is_array_operation(const std::string& name) { return name.compare(0, 13, "cuf::arrays::") == 0; }

/// The host may read what lies there; on the cpu target device memory may be closed to it. Null stands for a CUDA array.
inline bool is_hosts(const void* p)
{
    if (p == nullptr) return false;
    cudaPointerAttributes a{};
    const bool known = cudaPointerGetAttributes(&a, p) == cudaSuccess;
    return !known || a.type != cudaMemoryTypeDevice;
}

/// Nothing of the stream's work is put off: it is not captured, nor is another stream whose capture this one's work would break.
inline bool runs_now(cudaStream_t stream)
{
    cudaStreamCaptureStatus status{};
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone;
}

/// The name of the program's file.
inline std::string program_name()
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    const std::string whole(path, static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    return whole.substr(whole.rfind('/') + 1);
}

}  // namespace cuf::rt
