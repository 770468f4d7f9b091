// What the checks at run time (`--check`) ask of device code. cpu/checks.hpp includes this in programs that are built with them.
// Device code is compiled with -fsanitize=thread, whose calls at each access cpu/check/access.hpp answers; see docs/checks.md.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <string>
#include <type_traits>

namespace cuf::check {

/// The checks, as bits of CUF_CHECKS, which the program is compiled with; CUF_CHECK: there are any.
inline constexpr unsigned bounds = 1, init = 2, race = 4, barriers = 8, leak = 16, present = 32;

/// Why a lane has no value for a shuffle; its number is added.
inline constexpr unsigned lane_has_ended = 0x100, lane_is_missing = 0x200, lane_is_elsewhere = 0x400;
/// What stands for an undefined value of a shuffle.
struct stand_in {
    static constexpr int mark = -1, own = -2;
    std::uint64_t bits;  // as a mark: in words of 8 bytes; the upper four in words of 4 bytes
    int fill;            // this byte everywhere, or one of the above: `own` is the value that the calling thread gave
};
/// The value that a shuffle gave to the calling thread is undefined, for this reason.
stand_in note_undefined(unsigned why, std::source_location at);
/// The program has shuffles.
inline bool shuffles_exist = false;
template <class T>
inline const bool shuffled = shuffles_exist = true;

/// After a shuffle: marks a value that is undefined.
template <class T>
void mark_undefined(T& value, unsigned why, std::source_location at)
{
    if (why == 0 || !shuffled<T>) return;
    const stand_in other = note_undefined(why, at);
    if (other.fill == stand_in::own) return;
    if constexpr (std::is_same_v<T, bool>) {
        if (other.fill >= 0) value = other.fill >> 7;
        return;
    }
    char* bytes = reinterpret_cast<char*>(&value);
    if (other.fill >= 0) {
        for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = char(other.fill);
        return;
    }
    const auto word = std::uint32_t(other.bits >> 32);
    constexpr std::size_t size = sizeof(T) % 8 == 0 && alignof(T) % 8 == 0 ? 8 : 4;
    if constexpr (sizeof(T) % size == 0 && alignof(T) % 4 == 0)
        for (std::size_t i = 0; i < sizeof(T); i += size) std::memcpy(bytes + i, size == 8 ? static_cast<const void*>(&other.bits) : &word, size);
}

/// A subscript was outside its bounds: ends the program. `name`: of the array, null where only `data`, its first element, may tell it.
[[noreturn]] __attribute__((noinline, cold)) void out_of_bounds(const char* name, const void* data, int rank, int dimension, std::int64_t at,
                                                          std::int64_t lower, std::int64_t upper, bool open);

/// Number of the block that runs on this operating-system thread; 0 outside kernels.
extern thread_local std::uint64_t instance __attribute__((tls_model("initial-exec")));

/// A shared variable on one operating-system thread.
struct shared_variable {
    std::uint64_t block;  // the last one that began to use it
    bool known;
};
void enter_shared(shared_variable& variable, const void* data, std::size_t bytes, const char* name);

/// The address of a device variable that host code is given: another one for the same memory, closed to host code.
void* host_address(void* variable, std::size_t bytes, const char* name);
/// The same for the runtime.
void* host_alias(void* variable);
/// OpenACC: a range of host data has a copy on the device from now on; `place`: "FILE:LINE: DESIGNATOR".
void begin_mirror(char* host, char* device, std::size_t bytes, const std::string& place);
void end_mirror(char* host, char* device, std::size_t bytes);
/// Both have the same values.
void level_mirror(char* host, std::size_t bytes);
/// A table of the runtime: that memory stands in it does not keep it from being lost.
void holds_nothing(const void* table);
/// The program asked for the last error, of a launch perhaps.
void asked_for_error();

void begin_local(const void* data, std::size_t bytes, const char* name);
void end_local(const void* data, std::size_t bytes);

/// Memory of the device's heap.
void begin_heap(const void* data, std::size_t bytes);
void end_heap(const void* data, std::size_t bytes);

/// A local variable without a value, as long as it lives.
template <class T>
class local {
public:
    local(T& variable, const char* name) : variable_(variable)
    {
        if constexpr (std::is_trivially_default_constructible_v<T>) begin_local(&variable_, sizeof variable_, name);
    }
    ~local()
    {
        if constexpr (std::is_trivially_default_constructible_v<T>) end_local(&variable_, sizeof variable_);
    }
    local(const local&) = delete;
    local& operator=(const local&) = delete;

private:
    T& variable_;
};

template <class A>
inline __attribute__((always_inline)) void named(A& array, const char* name)
{
    if constexpr (requires { array.name(name); }) array.name(name);
}

#define CUF_SHARED(variable)                                                                                 \
    static thread_local constinit ::cuf::check::shared_variable cuf_check_##variable{};                      \
    if (cuf_check_##variable.block != ::cuf::check::instance)                                                \
    ::cuf::check::enter_shared(cuf_check_##variable, &variable, sizeof variable, #variable)
#define CUF_LOCAL(variable) const ::cuf::check::local cuf_check_##variable(variable, #variable)
#define CUF_NAMED(variable) ::cuf::check::named(variable, #variable)

}  // namespace cuf::check
