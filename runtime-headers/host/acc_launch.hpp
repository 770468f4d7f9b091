// What launchers of compute constructs ask (device/present.hpp), and static data that is declared on the device.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/present.hpp"
#include "acc_api.hpp"

namespace cuf::acc {

void* device_or_host(void* host, std::size_t bytes)
{
    return device_address({static_cast<char*>(host), bytes}, "", true);
}

void* declared(const void* host, std::size_t bytes, const char* what)
{
    const host_bytes r{static_cast<char*>(const_cast<void*>(host)), bytes};
    {
        std::lock_guard hold(lock());
        const lookup l = find(here(), r);
        if (r.empty() || l.found != presence::absent) return r.empty() ? r.low : l.device(r);
    }
    enter_range(r, what, async_sync, absent::copied_in, life::dynamic);
    enter_range(r, what, async_sync, absent::copied_in, life::structured);
    return device(host, bytes, what);
}

void finish(std::int64_t stream, const char* place)
{
    if (stream == rt::thread_stream) wait(reinterpret_cast<cudaStream_t>(static_cast<std::intptr_t>(stream)));
    (void)place;
}

/// Enters static data that is not present yet (OpenACC 2.13): its counts never fall to 0.
inline void declare(const desc* a, const desc* at, absent what)
{
    {
        std::lock_guard hold(lock());
        const host_bytes r = range_of(a);
        if (r.empty() || find(here(), r).found == presence::present) return;
    }
    const host_bytes r = range_of(a);
    enter_range(r, text_of(at), async_sync, what, life::dynamic);
    enter_range(r, text_of(at), async_sync, what, life::structured);
}

/// The data of a declared allocatable, after a statement that may have allocated it: present. What it had before may be that of another one.
inline void follow(const desc* a, const desc* name, const desc* at)
{
    const std::string key = text_of(name);
    const host_bytes r = range_of(a);
    std::lock_guard hold(lock());
    device_data& d = here();
    for (auto i = d.present.begin(); i != d.present.end();) {
        const auto e = i++;
        if (e->second.declared != key || (e->first == r.low && e->second.bytes == r.bytes)) continue;
        if (!r.empty() && e->second.changed == entry::none) e->second.changed = entry::replaced;
        else if (r.empty() && e->second.changed == entry::moved) remove(d, e, false, queue_of(async_sync));
        else if (r.empty()) e->second.changed = entry::moved;
    }
    if (r.empty() || needs_no_copy(r.low)) return;
    lookup l = find(d, r);
    if (l.found == presence::partly) fail_partly(text_of(at), d, r, l);
    if (l.found == presence::absent) l.at = enter_new(d, r, text_of(at), absent::allocated, queue_of(async_sync));
    entry& e = l.at->second;
    if (e.bytes != r.bytes) return;
    if (e.declared.empty()) ++e.structured, ++e.dynamic;
    e.declared = key;
    e.changed = entry::none;
}

/// Behind the calls above for one statement: what was replaced, and is not the data of another allocatable now, is released.
inline void followed()
{
    std::lock_guard hold(lock());
    device_data& d = here();
    for (auto i = d.present.begin(); i != d.present.end();) {
        const auto e = i++;
        if (e->second.changed == entry::replaced) remove(d, e, false, queue_of(async_sync));
    }
}

/// Releases data of declared allocatables before they are deallocated under another name.
inline void release_declared(const desc* a)
{
    const host_bytes r = range_of(a);
    if (r.empty()) return;
    std::lock_guard hold(lock());
    device_data& d = here();
    const lookup l = find(d, r);
    if (l.found == presence::present && !l.at->second.declared.empty()) remove(d, l.at, false, queue_of(async_sync));
}

/// The value of an integer of any kind: on the device if it is present there, behind the work of the queue.
inline std::int64_t integer_value(const desc* a, const desc* async)
{
    const host_bytes r = range_of(a);
    std::int64_t bits = 0;
    if (r.empty() || r.bytes > sizeof bits) return 0;
    void* const at = device_or_host(r.low, r.bytes);
    if (at == r.low && !needs_no_copy(r.low)) {
        std::memcpy(&bits, at, r.bytes);
    } else {
        cudaStream_t stream;
        {
            std::lock_guard hold(lock());
            stream = stream_of(here(), queue_of(async));
        }
        check(cudaMemcpyAsync(&bits, at, r.bytes, cudaMemcpyDefault, stream), "OpenACC: an integer on the device");
        wait(stream);
    }
    const int unused = 64 - 8 * static_cast<int>(r.bytes);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << unused) >> unused;
}

}  // namespace cuf::acc

extern "C" {

std::int64_t cuf_rt_acc_integer(const cuf::rt::desc* a, const cuf::rt::desc* async) { return cuf::acc::integer_value(a, async); }

void cuf_rt_acc_declare_create(const cuf::rt::desc* a, const cuf::rt::desc* at) { cuf::acc::declare(a, at, cuf::acc::absent::allocated); }
void cuf_rt_acc_declare_follow(const cuf::rt::desc* a, const cuf::rt::desc* name, const cuf::rt::desc* at) { cuf::acc::follow(a, name, at); }
void cuf_rt_acc_declare_followed() { cuf::acc::followed(); }
void cuf_rt_acc_declare_release(const cuf::rt::desc* a) { cuf::acc::release_declared(a); }
void cuf_rt_acc_declare_copyin(const cuf::rt::desc* a, const cuf::rt::desc* at) { cuf::acc::declare(a, at, cuf::acc::absent::copied_in); }

}  // extern "C"
