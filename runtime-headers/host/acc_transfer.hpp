// Copies of OpenACC data between host and device. Words with device addresses of attached components keep their values on both sides.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "acc_table.hpp"

namespace cuf::acc {

using rt::direction;

inline constexpr std::size_t word = sizeof(void*);

/// Calls `use(offset in the bytes, address of the bytes of the word, how many)` for what attached words have of these bytes.
template <typename Use>
void for_attached(const entry& e, const char* host, std::size_t bytes, bool device_values, Use use)
{
    for (auto a = e.attached.upper_bound(host - word); a != e.attached.end() && a->first < host + bytes; ++a) {
        const char* low = std::max(a->first, host);
        const char* high = std::min(a->first + word, host + bytes);
        const char* value = device_values ? reinterpret_cast<const char*>(&a->second.device) : a->first;
        use(low - host, value + (low - a->first), static_cast<std::size_t>(high - low));
    }
}

inline bool has_attached(const entry& e, const char* host, std::size_t bytes)
{
    const auto a = e.attached.upper_bound(host - word);
    return a != e.attached.end() && a->first < host + bytes;
}

/// Copies bytes of an entry. In the order of the stream; complete on return if words of it are attached.
inline void copy_bytes(const entry_map::iterator& at, char* host, std::size_t bytes, direction dir, cudaStream_t stream)
{
    const entry& e = at->second;
    char* device = e.device + (host - at->first);
    const bool to_device = dir == direction::to_device;
    desc whole{};
    rt::set_elements(whole, rt::category::other, bytes);
    whole.base_addr = to_device ? device : host;
    const watched seen{{rt::watched_as(dir), &whole, static_cast<std::int64_t>(bytes), reinterpret_cast<std::int64_t>(stream)}};
    if (!has_attached(e, host, bytes)) {
        char *to = to_device ? device : host, *from = to_device ? host : device;
        return check(rt::copy_flat(to, from, static_cast<std::int64_t>(bytes), stream), "OpenACC: a copy");
    }
    const auto staged = rt::host_buffer(static_cast<std::int64_t>(bytes));
    const auto keep = [&](std::ptrdiff_t offset, const char* value, std::size_t n) { std::memcpy(staged.get() + offset, value, n); };
    if (to_device) {
        std::memcpy(staged.get(), host, bytes);
        for_attached(e, host, bytes, true, keep);
        check(rt::copy_flat(device, staged.get(), static_cast<std::int64_t>(bytes), stream), "OpenACC: a copy");
        wait(stream);
        return mirror::level(host, bytes);
    }
    check(rt::copy_flat(staged.get(), device, static_cast<std::int64_t>(bytes), stream), "OpenACC: a copy");
    wait(stream);
    for_attached(e, host, bytes, false, keep);
    std::memcpy(host, staged.get(), bytes);
    mirror::level(host, bytes);
}

/// Copies the elements of a section of an entry, and no others.
inline void copy_section(const entry_map::iterator& at, const desc& section, const host_bytes& r, direction dir, cudaStream_t stream, bool async)
{
    if (is_marked_range(section) || rt::contiguous(section)) return copy_bytes(at, r.low, r.bytes, dir, stream);
    const entry& e = at->second;
    desc host = rt::counted(section), device = host;
    device.base_addr = e.device + (static_cast<char*>(host.base_addr) - at->first);
    const bool to_device = dir == direction::to_device;
    const rt::copy_shape shape = rt::between(to_device ? device : host, to_device ? host : device);
    if (has_attached(e, r.low, r.bytes)) {
        (void)rt::for_each_row(shape, 0, shape.axes.size(), [&](char* to, char* from) {
            copy_bytes(at, to_device ? from : to, static_cast<std::size_t>(shape.run), dir, stream);
            return cudaSuccess;
        });
        return;
    }
    const rt::assignment work{to_device ? device : host, to_device ? host : device, dir, {stream, false}, async, false};
    const watched seen{{rt::watched_as(dir), &work.to, shape.bytes(), reinterpret_cast<std::int64_t>(stream)}};
    rt::assign_across(work, shape);
}

/// The device's word for a component of an object that is present.
inline void set_word(const entry_map::iterator& at, const char* host, const void* value, cudaStream_t stream)
{
    rt::settle();
    check(cudaMemcpyAsync(at->second.device + (host - at->first), &value, word, cudaMemcpyDefault, stream), "OpenACC: attaching a component");
    wait(stream);
    // The two sides have the same component, each by its own address.
    mirror::level(host, word);
}

/// Calls `use(address)` for every aligned word of host bytes that has this value.
template <typename Use>
void for_words(const host_bytes& r, const void* value, Use use)
{
    const auto misaligned = reinterpret_cast<std::uintptr_t>(r.low) % word;
    const char* p = r.low + (misaligned ? word - misaligned : 0);
    for (; p + word <= r.high(); p += word)
        if (std::memcmp(p, &value, word) == 0) use(p);
}

}  // namespace cuf::acc
