// The present table of OpenACC: which host data has a copy on the device, and what is said where a program takes it for something else.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "acc_queue.hpp"

namespace cuf::acc {

// ---- what a call is about ----

/// Host bytes.
struct host_bytes {
    char* low = nullptr;
    std::size_t bytes = 0;

    const char* high() const { return low + bytes; }
    bool empty() const { return low == nullptr || bytes == 0; }
};

/// The type cuf_acc_range of module cuf_openacc.
struct marked_range {
    std::int64_t mark[2];
    char* low;
    std::int64_t bytes;
};
inline constexpr std::int64_t range_mark[2] = {0x6375665F6163635F, 0x72616E67655F6F66};

inline bool is_marked_range(const desc& a)
{
    return a.rank == 0 && a.elem_len == sizeof(marked_range) && std::memcmp(a.base_addr, range_mark, sizeof range_mark) == 0;
}

/// All bytes from the first element to the last one. Nothing, for what is absent, not allocated, not associated, or of size zero.
inline host_bytes range_of(const desc* a)
{
    if (a == nullptr || a->base_addr == nullptr) return {};
    if (is_marked_range(*a)) {
        const auto& r = *static_cast<const marked_range*>(a->base_addr);
        return {r.low, static_cast<std::size_t>(r.bytes)};
    }
    desc elements = rt::copy_of(*a);
    for (int i = 0; i < a->rank; ++i) {
        auto& extent = elements.dim[i].extent;
        // The last extent of a whole assumed-size array is not known.
        extent = i == a->rank - 1 && extent == -1 ? 1 : extent;
        if (extent <= 0) return {};
    }
    const auto [low, high] = rt::footprint(elements);
    return {const_cast<char*>(low), static_cast<std::size_t>(high - low)};
}

inline bool is_assumed_size(const desc& a) { return a.rank > 0 && a.dim[a.rank - 1].extent == -1 && !is_marked_range(a); }

inline std::string text_of(const desc* at)
{
    if (at == nullptr || at->base_addr == nullptr) return "OpenACC";
    return {static_cast<const char*>(at->base_addr), at->elem_len};
}

/// "FILE:LINE: `DESIGNATOR`" of a place.
inline std::string subject(const std::string& place)
{
    const auto colon = place.rfind(": ");
    if (colon == std::string::npos) return place + ": data";
    return place.substr(0, colon + 2) + '`' + place.substr(colon + 2) + '`';
}

// ---- for the checks of the cpu target ----

/// What --check=present knows of entries.
namespace mirror {

#if defined(CUF_CHECK) && defined(CUF_TARGET_CPU)
inline void begin(const char* host, const entry& e) { cuf::check::begin_mirror(const_cast<char*>(host), e.device, e.bytes, e.place); }
inline void end(const char* host, const entry& e) { cuf::check::end_mirror(const_cast<char*>(host), e.device, e.bytes); }
inline void level(const char* host, std::size_t bytes) { cuf::check::level_mirror(const_cast<char*>(host), bytes); }
#else
inline void begin(const char*, const entry&) {}
inline void end(const char*, const entry&) {}
inline void level(const char*, std::size_t) {}
#endif

}  // namespace mirror

// ---- lookups ----

enum class presence { absent, present, partly };

struct lookup {
    presence found;
    entry_map::iterator at;  // the entry, or the one that it is partly in

    char* device(const host_bytes& r) const { return at->second.device + (r.low - at->first); }
};

inline lookup find(device_data& d, const host_bytes& r)
{
    auto next = d.present.upper_bound(r.low);
    if (next != d.present.begin()) {
        const auto before = std::prev(next);
        const char* end = before->first + before->second.bytes;
        if (r.low < end) return {r.high() <= end ? presence::present : presence::partly, before};
    }
    if (next != d.present.end() && next->first < r.high()) return {presence::partly, next};
    return {presence::absent, next};
}

/// All host data is data of the device as well: the memory mode "unified".
inline bool host_is_shared() { return rt::shares_host_memory(); }

/// Data that needs no copy: the device reaches it where it is, for it is its own or shared with the host.
inline bool needs_no_copy(const char* p)
{
    if (host_is_shared() || rt::allocated_on(p) >= 0) return true;
    cudaPointerAttributes a{};
    return rt::attributes_of(p, a) && (a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged);
}

// ---- messages ----

inline std::string described(const char* low, const entry& e)
{
    char text[160];
    std::snprintf(text, sizeof text, ": %zu bytes at %p, structured count %d, dynamic count %d", e.bytes, static_cast<const void*>(low),
                  e.structured, e.dynamic);
    return "\n  present: " + subject(e.place) + text;
}

/// The entries around an address, at most eight.
inline std::string what_is_present(device_data& d, const host_bytes& r)
{
    constexpr int most = 8;
    if (d.present.empty()) return "\n  no data is present";
    auto first = d.present.lower_bound(r.low);
    for (int i = 0; i < most / 2 && first != d.present.begin(); ++i) --first;
    std::string text;
    int shown = 0;
    for (; first != d.present.end() && shown < most; ++first, ++shown) text += described(first->first, first->second);
    if (d.present.size() > most) text += "\n  and " + std::to_string(d.present.size() - most) + " others";
    return text;
}

[[noreturn]] inline void fail_absent(device_data& d, const std::string& place, const host_bytes& r)
{
    fail("%s is not present on device %d: %zu bytes at %p%s", subject(place).c_str(), d.key.device, r.bytes,
         static_cast<const void*>(r.low), what_is_present(d, r).c_str());
}

[[noreturn]] inline void fail_partly(const std::string& place, device_data& d, const host_bytes& r, const lookup& l)
{
    const char* low = std::max<const char*>(r.low, l.at->first);
    const char* high = std::min(r.high(), l.at->first + l.at->second.bytes);
    fail("%s is only partly present on device %d: %zu bytes at %p, of which %zu are present%s", subject(place).c_str(), d.key.device,
         r.bytes, static_cast<const void*>(r.low), static_cast<std::size_t>(high - low), described(l.at->first, l.at->second).c_str());
}

/// The range of a data clause, whose elements have to lie side by side.
inline host_bytes whole_range(const desc* a, const std::string& place, bool of_any_size)
{
    const host_bytes r = range_of(a);
    if (r.empty() || is_marked_range(*a)) return r;
    if (is_assumed_size(*a)) {
        if (of_any_size) return r;
        fail("%s is an assumed-size array, of which the last upper bound is not known: give it in the clause", subject(place).c_str());
    }
    if (!rt::contiguous(*a))
        fail("%s is not contiguous: a data clause takes contiguous data only", subject(place).c_str());
    return r;
}

}  // namespace cuf::acc
