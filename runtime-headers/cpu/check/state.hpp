// What the checks know of the program: which are on, its variables and allocations; and how a finding is told. Only cpu_runtime.cpp
// includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../../host/flush.hpp"
#include "hooks.hpp"
#include "place.hpp"
#include "shadow.hpp"
#include <algorithm>
#include <map>
#include <memory>
#include <string>

namespace cuf::check {

inline constexpr unsigned enabled_checks = CUF_CHECKS;
inline constexpr bool on(unsigned checks) { return (enabled_checks & checks) != 0; }
/// Device code calls at each access.
inline constexpr bool watches() { return on(init | race | present); }

inline bool reported = false;
/// This is a process that runs a kernel another time, of which nobody is to see anything.
inline bool apart = false;

/// Tells a finding and ends the program; the first one wins.
[[noreturn]] inline void report(const char* kind, const std::string& text)
{
    static std::mutex once;
    once.lock();
    reported = true;
    rt::flush_output();
    std::fprintf(stderr, "cuf2cu: %s: %s\n", kind, text.c_str());
    std::fflush(stderr);
    std::exit(1);
}

/// Memory that the program allocated, and gave back perhaps.
struct memory_block {
    std::size_t bytes = 0;
    std::shared_ptr<calls> allocated, released;
};

/// A variable of a module, or a shared variable on one operating-system thread.
struct variable {
    std::size_t bytes = 0;
    std::string name;
    void* alias = nullptr;  // the address that host code has
};

struct known_program {
    std::mutex lock;
    std::map<std::uintptr_t, memory_block> blocks;
    std::map<std::uintptr_t, variable> variables;
};
inline known_program& program()
{
    static auto* known = new known_program;
    return *known;
}

/// The entry of a map by address that holds the address, or null.
template <class M>
auto* holder(M& all, std::uintptr_t at)
{
    auto found = all.upper_bound(at);
    if (found == all.begin()) return decltype(&*found){nullptr};
    --found;
    return at - found->first < found->second.bytes ? &*found : nullptr;
}

/// Local variables that began last, for their names.
struct local_name {
    std::uintptr_t at;
    std::size_t bytes;
    const char* name;
};
inline constexpr std::size_t known_locals = 256;
inline thread_local local_name local_names[known_locals];
inline thread_local unsigned next_local = 0;

/// The name of device memory that is a copy of host data; empty if it is not.
std::string copy_at(std::uintptr_t at);

/// ` in s`, ` in device memory allocated at line 12 of a.cuf`, with the place in it where one is known.
inline std::string what_holds(std::uintptr_t at)
{
    const auto part = [](std::uintptr_t from, std::uintptr_t to, std::size_t bytes) {
        return "byte " + std::to_string(to - from + 1) + " of " + std::to_string(bytes);
    };
    for (unsigned k = 1; k <= known_locals; ++k) {
        const local_name& l = local_names[(next_local - k) % known_locals];
        if (l.name && at - l.at < l.bytes) return std::string("the local variable ") + l.name + " (" + part(l.at, at, l.bytes) + ")";
    }
    if (const std::string copy = copy_at(at); !copy.empty()) return "the copy of " + copy;
    known_program& p = program();
    std::unique_lock lock(p.lock);
    if (const auto* v = holder(p.variables, at)) return v->second.name + " (" + part(v->first, at, v->second.bytes) + ")";
    const auto* block = holder(p.blocks, at);
    if (!block) return "memory";
    const auto found = block->second;
    std::string text = "device memory (" + part(block->first, at, found.bytes) + ")";
    lock.unlock();
    if (!found.allocated) return text;
    std::string place = found.allocated->place();
    return place.empty() ? text : text + " allocated at " + place;
}

/// `, line 12 of a.cuf` of the DEALLOCATE of the memory, if it is known.
inline std::string where_freed(std::uintptr_t at)
{
    known_program& p = program();
    std::unique_lock lock(p.lock);
    const auto* block = holder(p.blocks, at);
    if (!block || !block->second.released) return {};
    const auto freed_at = block->second.released;
    lock.unlock();
    const std::string place = freed_at->place();
    return place.empty() ? place : ", freed at " + place;
}

/// The bytes behind the dynamic shared memory of a block of so many bytes that belong to it, none of which a thread may touch.
inline std::size_t whole_dynamic(std::size_t bytes) { return (bytes + 1023) / 1024 * 1024 + 1024; }

}  // namespace cuf::check
