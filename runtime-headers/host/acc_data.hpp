// The data clauses of OpenACC: what they do at the entry of a region and at its end.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "acc_transfer.hpp"

namespace cuf::acc {

/// What a clause does with data that is absent.
enum class absent { copied_in, allocated, zeroed, error, left };

enum class life { structured, dynamic };

inline int& count(entry& e, life of) { return of == life::structured ? e.structured : e.dynamic; }

/// A new entry. Nothing of the range is present.
inline entry_map::iterator enter_new(device_data& d, const host_bytes& r, const std::string& place, absent what, std::optional<int> queue)
{
    const cudaStream_t stream = stream_of(d, queue);
    entry e{r.bytes, take(d, rounded(r.bytes), place)};
    e.place = place;
    const auto at = d.present.emplace(r.low, std::move(e)).first;
    mirror::begin(at->first, at->second);
    if (what == absent::copied_in) {
        copy_bytes(at, r.low, r.bytes, direction::to_device, stream);
        complete(queue, stream);
    } else if (what == absent::zeroed) {
        check(cudaMemsetAsync(at->second.device, 0, r.bytes, stream), "OpenACC: setting data to zero");
        complete(queue, stream);
    }
    return at;
}

/// Takes an entry away: copied out if `out`.
inline void remove(device_data& d, entry_map::iterator at, bool out, std::optional<int> queue)
{
    const cudaStream_t stream = stream_of(d, queue);
    entry& e = at->second;
    if (out) {
        copy_bytes(at, const_cast<char*>(at->first), e.bytes, direction::to_host, stream);
        complete(queue, stream);
    }
    mirror::end(at->first, e);
    give(d, e.device, rounded(e.bytes), stream);
    d.present.erase(at);
}

inline void enter_range(const host_bytes& r, const std::string& place, std::int64_t async, absent what, life of)
{
    if (r.empty()) return;
    const auto queue = queue_of(async);
    std::lock_guard hold(lock());
    device_data& d = here();
    lookup l = find(d, r);
    // Memory that a declared allocatable has left may be that of other data by now.
    const bool enters = what == absent::copied_in || what == absent::allocated || what == absent::zeroed;
    while (enters && l.found != presence::absent && l.at->second.changed == entry::moved) {
        remove(d, l.at, false, queue);
        l = find(d, r);
    }
    if (l.found == presence::absent) {
        if (what == absent::left || needs_no_copy(r.low)) return;
        if (what == absent::error) fail_absent(d, place, r);
        l.at = enter_new(d, r, place, what, queue);
    } else if (l.found == presence::partly) {
        fail_partly(place, d, r, l);
    }
    ++count(l.at->second, of);
}

inline void leave_range(const host_bytes& r, const std::string& place, std::int64_t async, bool out, bool finalize, life of)
{
    if (r.empty()) return;
    const auto queue = queue_of(async);
    std::lock_guard hold(lock());
    device_data& d = here();
    const lookup l = find(d, r);
    if (l.found == presence::absent) return;
    if (l.found == presence::partly) fail_partly(place, d, r, l);
    entry& e = l.at->second;
    if (e.from != entry::own) {
        // Memory of the program's own stays until it is unmapped; the count that mapping made stays, too.
        const int least = e.from == entry::mapped && of == life::dynamic ? 1 : 0;
        if (e.from == entry::mapped) count(e, of) = finalize ? least : std::max(count(e, of) - 1, least);
        return;
    }
    count(e, of) = finalize ? 0 : std::max(count(e, of) - 1, 0);
    if (e.structured == 0 && e.dynamic == 0) remove(d, l.at, out, queue);
}

/// What the structured regions that this thread is in were entered with: bounds, pointers and subscripts keep the values of the entry (2.7.1).
inline std::vector<std::pair<std::string, host_bytes>>& opened()
{
    thread_local std::vector<std::pair<std::string, host_bytes>> all;
    return all;
}

/// The range of the clause at the end of its region, by its place; of an end without an entry `otherwise`.
inline host_bytes closed(const std::string& place, const host_bytes& otherwise)
{
    auto& all = opened();
    for (auto i = all.size(); i-- > 0;) {
        if (all[i].first != place) continue;
        const host_bytes r = all[i].second;
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
        return r;
    }
    return otherwise;
}

/// The range of a clause. Data with gaps has to be a part of data that is present, which is not copied.
inline host_bytes clause_range(const desc* a, const std::string& place, bool of_any_size)
{
    const host_bytes r = range_of(a);
    {
        std::lock_guard hold(lock());
        if (!r.empty() && find(here(), r).found == presence::present && !is_assumed_size(*a)) return r;
    }
    return whole_range(a, place, of_any_size);
}

inline void enter(const desc* a, const desc* at, const desc* async, absent what, life of = life::structured)
{
    const std::string place = text_of(at);
    const bool any_size = what == absent::error || what == absent::left;
    const host_bytes r = clause_range(a, place, any_size);
    enter_range(r, place, rt::integer(async, async_sync), what, of);
    if (of == life::structured) opened().emplace_back(place, r);
}

inline void leave(const desc* a, const desc* at, const desc* async, bool out, life of = life::structured, const desc* finalize = nullptr)
{
    const std::string place = text_of(at);
    const host_bytes now = of == life::structured ? range_of(a) : clause_range(a, place, true);
    leave_range(of == life::structured ? closed(place, now) : now, place, rt::integer(async, async_sync), out, rt::integer(finalize) != 0, of);
}

/// Moves elements of data that is present. None of them is moved where host and device have one memory.
inline void update(const desc* a, const std::string& place, std::int64_t async, bool if_present, direction dir)
{
    const host_bytes r = range_of(a);
    if (r.empty()) return;
    if (is_assumed_size(*a)) (void)whole_range(a, place, false);
    const auto queue = queue_of(async);
    std::lock_guard hold(lock());
    device_data& d = here();
    const lookup l = find(d, r);
    if (l.found == presence::partly) fail_partly(place, d, r, l);
    if (l.found == presence::absent) {
        if (if_present || needs_no_copy(r.low)) return;
        fail_absent(d, place, r);
    }
    const cudaStream_t stream = stream_of(d, queue);
    copy_section(l.at, *a, r, dir, stream, queue.has_value());
    complete(queue, stream);
}

// ---- components of objects that are present ----

/// How many bytes of a descriptor of the host's compiler follow the address at its beginning; 0: the address is that of something else.
/// gfortran has an offset there, the type and rank, the distance of elements, and the bounds; LLVM flang a descriptor of C.
inline std::size_t descriptor_behind(const char* p, const char* end, const desc& data)
{
    const auto get = [&](std::size_t at, auto value) {
        if (end - p >= static_cast<std::ptrdiff_t>(at + sizeof value)) std::memcpy(&value, p + at, sizeof value);
        return value;
    };
    const auto fits = [&](std::size_t bytes) { return p + bytes <= end ? bytes - word : 0; };
    constexpr std::size_t dimension = 24;
    const auto length = static_cast<std::int64_t>(data.elem_len);
    const int rank = get(28, std::int8_t(0));
    if (get(16, std::int64_t(-1)) == length && get(32, std::int64_t(-1)) == length && rank >= 1 && rank <= 15)
        return fits(40 + dimension * static_cast<std::size_t>(rank));
    const int c_rank = get(20, std::int8_t(0));
    if (get(8, std::int64_t(-1)) == length && get(16, std::int32_t(0)) >= cfi::flang_version && c_rank >= 1 && c_rank <= 15)
        return fits(24 + dimension * static_cast<std::size_t>(c_rank));
    return 0;
}

/// The addresses of `data` in the host's bytes of `object` become addresses of the device in its copy. The same again is counted.
/// A descriptor to which an address belongs is copied with it: the component may have been allocated after the object was copied.
inline void attach(device_data& d, const host_bytes& object, const desc& of, cudaStream_t stream)
{
    const host_bytes data = range_of(&of);
    const lookup owner = find(d, object), target = find(d, data);
    if (owner.found != presence::present || target.found != presence::present) return;
    char* device = target.device(data);
    auto& attached = owner.at->second.attached;
    for_words(object, data.low, [&](const char* p) {
        const auto known = attached.find(p);
        if (known != attached.end() && known->second.host == data.low && known->second.device == device) {
            ++known->second.count;
            return;
        }
        attached[p] = {data.low, device, 1};
        set_word(owner.at, p, device, stream);
        const std::size_t more = is_marked_range(of) ? 0 : descriptor_behind(p, object.high(), of);
        if (more > 0) copy_bytes(owner.at, const_cast<char*>(p) + word, more, direction::to_device, stream);
    });
}

inline void detach(device_data& d, const host_bytes& object, const host_bytes& data, bool finalize, cudaStream_t stream)
{
    const lookup owner = find(d, object);
    if (owner.found != presence::present) return;
    auto& attached = owner.at->second.attached;
    for (auto a = attached.lower_bound(object.low); a != attached.end() && a->first < object.high();) {
        if (a->second.host != data.low || (--a->second.count > 0 && !finalize)) {
            ++a;
            continue;
        }
        set_word(owner.at, a->first, a->second.host, stream);
        a = attached.erase(a);
    }
}

}  // namespace cuf::acc
