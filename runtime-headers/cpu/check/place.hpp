// Places in the Fortran source of machine code, by addr2line, which comes with the compilers. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace cuf::check {

/// What a program prints, without its messages; empty if it cannot be run.
inline std::string output_of(const std::vector<std::string>& words)
{
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    int ends[2];
    std::string text;
    if (pipe(ends) != 0) return text;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child = 0;
    const bool started = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char buffer[4096];
    for (ssize_t n; started && (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, std::size_t(n));
    close(ends[0]);
    int status = 0;
    if (started) (void)waitpid(child, &status, 0);
    return text;
}

inline bool ends_with(const std::string& text, const char* end)
{
    const std::size_t n = std::strlen(end);
    return text.size() >= n && text.compare(text.size() - n, n, end) == 0;
}

/// The file is the runtime's or the compiler's, not the user's.
inline bool foreign_file(const std::string& file)
{
    for (const char* end : {".hpp", "cuf.cuh", "_shims.f90", ".cu", ".cuh", "cpu/runtime.cpp", "host/runtime.cpp", ".S", "??"})
        if (ends_with(file, end)) return true;
    return file.empty() || file.find("/include/c++/") != std::string::npos || file.find("/cuf/host/") != std::string::npos ||
           (ends_with(file, ".f90") && file.find("/cuf/cuf") != std::string::npos);
}

/// Lines FILE:LINE of the functions that the code at this address is part of, as addr2line tells them, innermost first. `pc` is the address after
/// the instruction.
inline std::string lines_of(const void* pc)
{
    if (!pc) return {};
    Dl_info info{};
    link_map* map = nullptr;
    const auto* before = static_cast<const char*>(pc) - 1;
    if (!dladdr1(before, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !map) return {};
    const char* path = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    char exe[4096];
    if (const ssize_t n = readlink(path, exe, sizeof exe - 1); n > 0 && std::strcmp(path, "/proc/self/exe") == 0) {
        exe[n] = 0;
        path = exe;
    }
    char address[32];
    std::snprintf(address, sizeof address, "0x%zx", std::size_t(before - reinterpret_cast<const char*>(map->l_addr)));
    return output_of({"addr2line", "-i", "-e", path, address});
}

/// Code of the program itself that was compiled without line numbers.
inline bool without_lines(const void* pc)
{
    Dl_info info{};
    link_map* map = nullptr;
    const bool found = pc && dladdr1(pc, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) && map;
    return found && (!map->l_name || !*map->l_name) && lines_of(pc).compare(0, 2, "??") == 0;
}

/// `line 31 of heat.cuf`, of the innermost function in a user's file that the code at this address is part of; else empty.
inline std::string place_of(const void* pc)
{
    const std::string text = lines_of(pc);
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        at = end + 1;
        if (const auto more = line.find(" (discriminator"); more != std::string::npos) line.erase(more);
        const auto colon = line.rfind(':');
        if (colon == std::string::npos || foreign_file(line.substr(0, colon))) continue;
        const int number = std::atoi(line.c_str() + colon + 1);
        if (number <= 0) continue;
        const auto slash = line.rfind('/', colon);
        const auto first = slash == std::string::npos ? 0 : slash + 1;
        return "line " + std::to_string(number) + " of " + line.substr(first, colon - first);
    }
    return {};
}

/// The calls that led here, innermost first.
struct calls {
    void* at[24];
    int count = 0;

    void note() { count = backtrace(at, 24); }
    /// The innermost of them in a user's file.
    std::string place() const
    {
        for (int i = 0; i < count; ++i)
            if (std::string text = place_of(at[i]); !text.empty()) return text;
        return {};
    }
};

/// The place of an access: of its own code, else of what called it.
inline std::string place_here(const void* pc)
{
    if (std::string text = place_of(pc); !text.empty()) return text;
    calls here;
    here.note();
    return here.place();
}

}  // namespace cuf::check
