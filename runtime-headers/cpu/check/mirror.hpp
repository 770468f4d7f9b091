// Host data and its copies on the device (OpenACC): which of the two has the newer value of each byte. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "state.hpp"

namespace cuf::check {

/// A range of host data, or its copy on the device.
struct mirror {
    std::size_t bytes;
    char* other;        // the first byte on the other side
    bool on_device;
    std::string place;  // "FILE:LINE: DESIGNATOR" of what made it present
    std::vector<char> seen;  // of host data: its bytes when they were last looked at
};

struct mirror_table {
    std::mutex lock;
    std::map<std::uintptr_t, mirror> all;
};
inline mirror_table& mirrors()
{
    static auto* table = new mirror_table;
    return *table;
}

/// Sets and clears bits of the states of a range.
inline void change_states(const void* data, std::size_t bytes, unsigned char set, unsigned char cleared)
{
    for_states(data, bytes, [=](unsigned char* states, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) states[i] = static_cast<unsigned char>((states[i] & ~cleared) | set);
    });
}

/// The host's bytes are what they are by now.
inline void look(mirror& m, std::uintptr_t first, std::uintptr_t at, std::size_t bytes)
{
    if (m.on_device || m.seen.empty()) return;
    std::memcpy(m.seen.data() + (at - first), reinterpret_cast<const void*>(at), bytes);
}

/// `a` (bytes 5 to 8 of 40), present since line 7 of a.cuf. The table is locked.
inline std::string described(const mirror& m, std::size_t from, std::size_t bytes)
{
    const auto colon = m.place.rfind(": ");
    const std::string name = colon == std::string::npos ? "data" : "`" + m.place.substr(colon + 2) + "`";
    const std::string to = bytes > 1 ? " to " + std::to_string(from + bytes) : "";
    return name + " (byte" + (bytes > 1 ? "s " : " ") + std::to_string(from + 1) + to + " of " + std::to_string(m.bytes) + ")" +
           (colon == std::string::npos ? "" : ", present since " + m.place.substr(0, colon));
}

/// The name of device memory that is a copy of host data; empty if it is not.
std::string copy_at(std::uintptr_t at)
{
    mirror_table& t = mirrors();
    std::lock_guard hold(t.lock);
    const auto* found = holder(t.all, at);
    return found && found->second.on_device ? described(found->second, at - found->first, 1) : std::string();
}

void begin_mirror(char* host, char* device, std::size_t bytes, const std::string& place)
{
    mirror_table& t = mirrors();
    {
        std::lock_guard hold(t.lock);
        t.all[reinterpret_cast<std::uintptr_t>(device)] = {bytes, host, true, place, {}};
        mirror& own = t.all[reinterpret_cast<std::uintptr_t>(host)] = {bytes, device, false, place, {}};
        if (on(present)) own.seen.assign(host, host + bytes);
    }
    if (!on(present)) return;
    cover(host, bytes);
    change_states(host, bytes, mirrored, stale);
    change_states(device, bytes, mirrored, stale);
}

void end_mirror(char* host, char* device, std::size_t bytes)
{
    {
        mirror_table& t = mirrors();
        std::lock_guard hold(t.lock);
        t.all.erase(reinterpret_cast<std::uintptr_t>(host));
        t.all.erase(reinterpret_cast<std::uintptr_t>(device));
    }
    if (!on(present)) return;
    change_states(host, bytes, 0, mirrored | stale);
    change_states(device, bytes, 0, mirrored | stale);
}

/// Both sides have the same values.
void level_mirror(char* host, std::size_t bytes)
{
    if (!on(present)) return;
    mirror_table& t = mirrors();
    std::lock_guard hold(t.lock);
    const auto at = reinterpret_cast<std::uintptr_t>(host);
    auto* found = holder(t.all, at);
    if (!found || found->second.on_device) return;
    look(found->second, found->first, at, bytes);
    change_states(host, bytes, 0, stale);
    change_states(found->second.other + (at - found->first), bytes, 0, stale);
}

/// One side was written: the other one's value is older.
inline void wrote_mirror(std::uintptr_t at, std::size_t bytes)
{
    mirror_table& t = mirrors();
    std::lock_guard hold(t.lock);
    auto* found = holder(t.all, at);
    if (!found) return;
    const std::size_t from = at - found->first, n = std::min(bytes, found->second.bytes - from);
    change_states(reinterpret_cast<const void*>(at), n, 0, stale);
    change_states(found->second.other + from, n, stale, 0);
}

/// Bytes were copied by the runtime: between the two sides of a mirror, or from elsewhere.
inline void copied_mirror(const void* to, const void* from, std::size_t bytes)
{
    const auto at = reinterpret_cast<std::uintptr_t>(to);
    char* host = nullptr;
    {
        mirror_table& t = mirrors();
        std::lock_guard hold(t.lock);
        const auto* found = holder(t.all, at);
        if (!found) return;
        const char* other = found->second.other + (at - found->first);
        if (other == from) host = const_cast<char*>(found->second.on_device ? other : static_cast<const char*>(to));
    }
    if (host) return level_mirror(host, bytes);
    wrote_mirror(at, bytes);
}

/// What the host changed without a call of the checks, such as library procedures, is noted before a kernel runs.
inline void look_at_host()
{
    mirror_table& t = mirrors();
    std::lock_guard hold(t.lock);
    for (auto& [at, m] : t.all) {
        if (m.on_device || m.seen.empty()) continue;
        const char* now = reinterpret_cast<const char*>(at);
        if (std::memcmp(now, m.seen.data(), m.bytes) == 0) continue;
        for (std::size_t i = 0; i < m.bytes; ++i) {
            if (now[i] == m.seen[i]) continue;
            m.seen[i] = now[i];
            change_states(now + i, 1, 0, stale);
            change_states(m.other + i, 1, stale, 0);
        }
    }
}

inline void open_block(void* memory, std::size_t bytes, int access);

/// Device memory is closed to host code, which is about to be told something.
inline void open_for_look(std::uintptr_t at)
{
    known_program& p = program();
    std::lock_guard hold(p.lock);
    if (const auto* block = holder(p.blocks, at))
        open_block(reinterpret_cast<void*>(block->first), block->second.bytes, PROT_READ | PROT_WRITE);
}

/// The bytes of the host that the text is about are older than those of the device, or the reverse; false where that makes no difference.
inline bool is_older(std::uintptr_t at, const unsigned char* states, std::size_t bytes, std::string& text)
{
    mirror_table& t = mirrors();
    std::lock_guard hold(t.lock);
    auto* found = holder(t.all, at);
    if (!found) return false;
    mirror& m = found->second;
    const std::size_t from = at - found->first;
    const char* own = reinterpret_cast<const char*>(at);
    if (!m.on_device) open_for_look(reinterpret_cast<std::uintptr_t>(m.other));
    for (std::size_t i = 0; i < bytes && from + i < m.bytes; ++i) {
        if (!(states[i] & stale) || own[i] == m.other[from + i]) continue;
        // The host has changed it without a call of the checks.
        if (!m.on_device && !m.seen.empty() && own[i] != m.seen[from + i]) continue;
        text = described(m, from, bytes);
        return true;
    }
    return false;
}

}  // namespace cuf::check
