// Where in the Fortran program an error was found.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <string>
#include <unistd.h>

/// libgfortran's: the calls under way as text, on standard error.
extern "C" __attribute__((weak)) void _gfortran_backtrace();

namespace cuf::rt {

/// What the call prints.
inline std::string captured(void (*print)())
{
    std::string text;
    std::FILE* file = std::tmpfile();
    if (file == nullptr) return text;
    std::fflush(stderr);
    const int error = dup(STDERR_FILENO);
    if (error >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0) {
        print();
        (void)dup2(error, STDERR_FILENO);
        // Deep recursion gives many lines, of which the first matter.
        text.resize(1 << 16);
        std::rewind(file);
        text.resize(std::fread(text.data(), 1, text.size(), file));
    }
    if (error >= 0) (void)close(error);
    (void)std::fclose(file);
    return text;
}

/// A file of the program's Fortran, not of what cuf2cu wrote beside it.
inline bool is_programs(const std::string& file)
{
    const auto slash = file.rfind('/');
    const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
    const auto dot = name.rfind('.');
    if (dot == std::string::npos || std::strchr("fFcC", name[dot + 1]) == nullptr) return false;
    for (const char* other : {".cpp", ".cu", ".cuh", ".c", ".cc"})
        if (name.compare(dot, std::string::npos, other) == 0) return false;
    for (const char* other : {"cuf_runtime.F90", "cudafor.f90"})
        if (name == other) return false;
    const std::string shims = "_shims.f90";
    return name.size() < shims.size() || name.compare(name.size() - shims.size(), shims.size(), shims) != 0;
}

/// FILE:LINE of the innermost statement of the program that is being executed; empty if it was compiled without line numbers.
inline std::string fortran_place()
{
    if (_gfortran_backtrace == nullptr) return {};
    const std::string text = captured(_gfortran_backtrace);
    const std::string mark = "\n\tat ";
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        at += mark.size();
        const auto end = text.find('\n', at);
        const std::string place = text.substr(at, end == std::string::npos ? end : end - at);
        const auto colon = place.rfind(':');
        if (colon != std::string::npos && is_programs(place.substr(0, colon))) return place;
    }
    return {};
}

/// `heat_m::step` of what C++ calls `void heat_m::step<int>(...)`.
inline std::string plain_name(const char* symbol)
{
    std::string name = symbol;
    int status = 0;
    if (char* plain = abi::__cxa_demangle(symbol, nullptr, nullptr, &status)) {
        name = plain;
        std::free(plain);
    }
    const auto end = name.find_first_of("(<");
    if (end != std::string::npos && end > 0) name.resize(end);
    const std::string result = "void ";
    return name.compare(0, result.size(), result) == 0 ? name.substr(result.size()) : name;
}

}  // namespace cuf::rt
