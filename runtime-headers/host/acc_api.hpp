// Entry points of module cuf_openacc: what the translation of OpenACC directives calls.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/acc.hpp"
#include "acc_data.hpp"

namespace cuf::acc {

/// What the regions that this thread is in list in `no_create`: absent data has the host's address in a construct, which must not use it.
inline std::vector<host_bytes>& left_absent()
{
    thread_local std::vector<host_bytes> all;
    return all;
}
inline void may_be_absent(const desc* a) { left_absent().push_back(range_of(a)); }
inline void forget_absent()
{
    if (!left_absent().empty()) left_absent().pop_back();
}
inline bool is_left_absent(const host_bytes& r)
{
    for (const host_bytes& x : left_absent())
        if (x.low <= r.low && r.high() <= x.high()) return true;
    return false;
}

/// The parts of arrays that the compute construct lists in `present`.
inline std::vector<host_bytes>& parts()
{
    thread_local std::vector<host_bytes> all;
    return all;
}

/// Of an array of which several parts are present, at different places of the device, the one that a construct uses: what it lists itself,
/// else what the regions around it list.
inline entry_map::iterator used_part(device_data& d, const host_bytes& r, entry_map::iterator first, const std::string& place)
{
    const auto distance = [](entry_map::iterator e) {
        return reinterpret_cast<std::intptr_t>(e->second.device) - reinterpret_cast<std::intptr_t>(e->first);
    };
    const auto within = [&](const host_bytes& x) { return !x.empty() && r.low <= x.low && x.high() <= r.high(); };
    const auto last = d.present.lower_bound(r.high());
    bool are_one = true;
    for (auto e = first; e != last; ++e) are_one = are_one && distance(e) == distance(first);
    if (are_one) return first;
    entry_map::iterator found = last;
    const auto take = [&](const host_bytes& x) {
        const lookup l = find(d, x);
        if (!within(x) || l.found != presence::present) return true;
        const bool fits = found == last || distance(found) == distance(l.at);
        found = l.at;
        return fits;
    };
    bool fits = std::all_of(parts().begin(), parts().end(), take);
    if (found == last) fits = std::all_of(opened().begin(), opened().end(), [&](const auto& x) { return take(x.second); });
    if (found != last && fits) return found;
    fail("several parts of %s are present on device %d, each at its own place: write a clause `present` with the part that is used here%s",
         subject(place).c_str(), d.key.device, what_is_present(d, r).c_str());
}

/// The device's address; null if the data is absent and `absent_is_host` does not ask for the host's then.
inline void* device_address(const host_bytes& r, const std::string& place, bool absent_is_host)
{
    std::lock_guard hold(lock());
    device_data& d = here();
    lookup l = find(d, r);
    // Of an array of which a section is present, constructs use elements of that section.
    if (l.found == presence::partly) l.at = used_part(d, r, l.at, place);
    if (l.found != presence::absent) return l.device(r);
    if (!absent_is_host && !needs_no_copy(r.low) && !is_left_absent(r)) fail_absent(d, place, r);
    return r.low;
}

void* device(const void* host, std::size_t bytes, const char* what)
{
    const host_bytes r{static_cast<char*>(const_cast<void*>(host)), bytes};
    return r.empty() ? r.low : device_address(r, what, false);
}

/// Waits for the work of a queue: the host does, or the queue `async` if it is one.
inline void wait_for(std::int64_t queue, std::int64_t async)
{
    const auto earlier = queue_of(queue), later = queue_of(async);
    std::unique_lock hold(lock());
    device_data& d = here();
    const auto first = used_stream(d, earlier);
    if (!first) return;
    if (later) return check(rt::order_after(stream_of(d, later), *first), "OpenACC: a queue that waits for another");
    hold.unlock();
    wait(*first);
    hold.lock();
    trim(here(), most_kept);
}

/// The same for all queues.
inline void wait_for_all(std::int64_t async)
{
    const auto later = queue_of(async);
    std::unique_lock hold(lock());
    device_data& d = here();
    std::vector<cudaStream_t> all;
    for (const auto& q : d.queues) all.push_back(q.second.stream);
    if (later) {
        const cudaStream_t last = stream_of(d, later);
        for (cudaStream_t s : all) check(rt::order_after(last, s), "OpenACC: a queue that waits for another");
        return;
    }
    hold.unlock();
    for (cudaStream_t s : all) wait(s);
    hold.lock();
    trim(here(), most_kept);
}

}  // namespace cuf::acc

extern "C" {

using cuf::rt::desc;
namespace cuf_acc = cuf::acc;

void cuf_rt_acc_copy(const desc* a, const desc* at, const desc* async) { cuf_acc::enter(a, at, async, cuf_acc::absent::copied_in); }
void cuf_rt_acc_copyin(const desc* a, const desc* at, const desc* async) { cuf_acc::enter(a, at, async, cuf_acc::absent::copied_in); }
void cuf_rt_acc_copyout(const desc* a, const desc* at, const desc* async) { cuf_acc::enter(a, at, async, cuf_acc::absent::allocated); }
void cuf_rt_acc_copyout_zero(const desc* a, const desc* at, const desc* async) { cuf_acc::enter(a, at, async, cuf_acc::absent::zeroed); }
void cuf_rt_acc_create(const desc* a, const desc* at, const desc* async) { cuf_acc::enter(a, at, async, cuf_acc::absent::allocated); }
void cuf_rt_acc_create_zero(const desc* a, const desc* at, const desc* async) { cuf_acc::enter(a, at, async, cuf_acc::absent::zeroed); }
void cuf_rt_acc_present(const desc* a, const desc* at, const desc* async) { cuf_acc::enter(a, at, async, cuf_acc::absent::error); }
void cuf_rt_acc_no_create(const desc* a, const desc* at, const desc* async)
{
    cuf_acc::may_be_absent(a);
    cuf_acc::enter(a, at, async, cuf_acc::absent::left);
}
void cuf_rt_acc_end_copy(const desc* a, const desc* at, const desc* async) { cuf_acc::leave(a, at, async, true); }
void cuf_rt_acc_end_copyin(const desc* a, const desc* at, const desc* async) { cuf_acc::leave(a, at, async, false); }
void cuf_rt_acc_end_copyout(const desc* a, const desc* at, const desc* async) { cuf_acc::leave(a, at, async, true); }
void cuf_rt_acc_end_create(const desc* a, const desc* at, const desc* async) { cuf_acc::leave(a, at, async, false); }
void cuf_rt_acc_end_present(const desc* a, const desc* at, const desc* async) { cuf_acc::leave(a, at, async, false); }
void cuf_rt_acc_part(const desc* a, const desc* at)
{
    cuf_acc::enter(a, at, nullptr, cuf_acc::absent::error);
    cuf_acc::parts().push_back(cuf_acc::range_of(a));
}
void cuf_rt_acc_end_part(const desc* a, const desc* at)
{
    cuf_acc::leave(a, at, nullptr, false);
    if (!cuf_acc::parts().empty()) cuf_acc::parts().pop_back();
}
void cuf_rt_acc_end_no_create(const desc* a, const desc* at, const desc* async)
{
    cuf_acc::leave(a, at, async, false);
    cuf_acc::forget_absent();
}

void cuf_rt_acc_enter_copyin(const desc* a, const desc* at, const desc* async)
{
    cuf_acc::enter(a, at, async, cuf_acc::absent::copied_in, cuf_acc::life::dynamic);
}
void cuf_rt_acc_enter_create(const desc* a, const desc* at, const desc* async)
{
    cuf_acc::enter(a, at, async, cuf_acc::absent::allocated, cuf_acc::life::dynamic);
}
void cuf_rt_acc_enter_create_zero(const desc* a, const desc* at, const desc* async)
{
    cuf_acc::enter(a, at, async, cuf_acc::absent::zeroed, cuf_acc::life::dynamic);
}

void cuf_rt_acc_exit_copyout(const desc* a, const desc* at, const desc* async, const desc* finalize)
{
    cuf_acc::leave(a, at, async, true, cuf_acc::life::dynamic, finalize);
}
void cuf_rt_acc_exit_delete(const desc* a, const desc* at, const desc* async, const desc* finalize)
{
    cuf_acc::leave(a, at, async, false, cuf_acc::life::dynamic, finalize);
}

void cuf_rt_acc_update_self(const desc* a, const desc* at, const desc* async, const desc* if_present)
{
    cuf_acc::update(a, cuf_acc::text_of(at), cuf::rt::integer(async, cuf_acc::async_sync), cuf::rt::integer(if_present) != 0,
                    cuf_acc::direction::to_host);
}
void cuf_rt_acc_update_device(const desc* a, const desc* at, const desc* async, const desc* if_present)
{
    cuf_acc::update(a, cuf_acc::text_of(at), cuf::rt::integer(async, cuf_acc::async_sync), cuf::rt::integer(if_present) != 0,
                    cuf_acc::direction::to_device);
}

void cuf_rt_acc_attach(const desc* parent, const desc* a, const desc*, const desc* async)
{
    const cuf_acc::host_bytes object = cuf_acc::range_of(parent), data = cuf_acc::range_of(a);
    if (object.empty() || data.empty()) return;
    const auto queue = cuf_acc::queue_of(async);
    std::lock_guard hold(cuf_acc::lock());
    cuf_acc::device_data& d = cuf_acc::here();
    cuf_acc::attach(d, object, *a, cuf_acc::stream_of(d, queue));
}
void cuf_rt_acc_detach(const desc* parent, const desc* a, const desc*, const desc* finalize, const desc* async)
{
    const cuf_acc::host_bytes object = cuf_acc::range_of(parent), data = cuf_acc::range_of(a);
    if (object.empty() || data.empty()) return;
    const auto queue = cuf_acc::queue_of(async);
    std::lock_guard hold(cuf_acc::lock());
    cuf_acc::device_data& d = cuf_acc::here();
    cuf_acc::detach(d, object, data, cuf::rt::integer(finalize) != 0, cuf_acc::stream_of(d, queue));
}

void cuf_rt_acc_wait(const desc* queue) { cuf_acc::wait_for(cuf::rt::integer(queue), cuf_acc::async_sync); }
void cuf_rt_acc_wait_all() { cuf_acc::wait_for_all(cuf_acc::async_sync); }
void cuf_rt_acc_wait_async(const desc* queue, const desc* async) { cuf_acc::wait_for(cuf::rt::integer(queue), cuf::rt::integer(async)); }
void cuf_rt_acc_wait_all_async(const desc* async) { cuf_acc::wait_for_all(cuf::rt::integer(async)); }

std::int64_t cuf_rt_acc_stream(const desc* async)
{
    const auto queue = cuf_acc::queue_of(async);
    if (!queue) return cuf::rt::thread_stream;
    std::lock_guard hold(cuf_acc::lock());
    return reinterpret_cast<std::intptr_t>(cuf_acc::stream_of(cuf_acc::here(), queue));
}

void* cuf_rt_acc_device(const desc* a, const desc* at, const desc* if_present, const desc* when)
{
    const cuf_acc::host_bytes r = cuf_acc::range_of(a);
    if (r.empty()) return a == nullptr ? nullptr : a->base_addr;
    char* first = cuf_acc::is_marked_range(*a) ? r.low : static_cast<char*>(a->base_addr);
    if (when != nullptr && cuf::rt::integer(when) == 0) return first;
    if (!cuf_acc::is_marked_range(*a) && !cuf_acc::is_assumed_size(*a) && !cuf::rt::contiguous(*a))
        cuf_acc::fail("%s is not contiguous: `use_device` takes contiguous data only", cuf_acc::subject(cuf_acc::text_of(at)).c_str());
    char* low = static_cast<char*>(cuf_acc::device_address(r, cuf_acc::text_of(at), cuf::rt::integer(if_present) != 0));
    return low + (first - r.low);
}

/// A variable of a module whose copy on the device is a variable as well: it is present until it is undeclared.
void cuf_rt_acc_declare(const desc* a, const desc* device)
{
    const cuf_acc::host_bytes r = cuf_acc::range_of(a);
    if (r.empty() || device->base_addr == nullptr || cuf_acc::host_is_shared()) return;
    std::lock_guard hold(cuf_acc::lock());
    cuf_acc::device_data& d = cuf_acc::here();
    const cuf_acc::lookup l = cuf_acc::find(d, r);
    if (l.found == cuf_acc::presence::present && l.at->second.from == cuf_acc::entry::fixed) return;
    if (l.found != cuf_acc::presence::absent) cuf_acc::fail_partly("OpenACC: a declared variable", d, r, l);
    cuf_acc::entry e{r.bytes, static_cast<char*>(device->base_addr), cuf_acc::entry::fixed, 1};
    e.place = "OpenACC: a declared variable";
    d.present.emplace(r.low, std::move(e));
}
void cuf_rt_acc_undeclare(const desc* a)
{
    const cuf_acc::host_bytes r = cuf_acc::range_of(a);
    if (r.empty()) return;
    std::lock_guard hold(cuf_acc::lock());
    cuf_acc::device_data& d = cuf_acc::here();
    const cuf_acc::lookup l = cuf_acc::find(d, r);
    if (l.found == cuf_acc::presence::present && l.at->second.from == cuf_acc::entry::fixed) d.present.erase(l.at);
}

}  // extern "C"
