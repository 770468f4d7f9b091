// Addresses of module data: every device has its own, and a reset changes them. The generated procedures cuf_bind_<module> give the
// pointers of a module their targets; they are called again when the current device changes.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "queue.hpp"
#include <thread>

namespace cuf::rt {

/// A module's data as this thread has bound it.
struct binder {
    std::int64_t* bound_for;  // the module's own note, with OpenMP one of each thread; see binding_of
    void (*again)();
};

/// For which devices the threads have bound a module's data.
struct binding_table {
    std::mutex lock;
    std::map<const std::int64_t*, std::map<std::thread::id, int>> live;
};
inline binding_table& bindings()
{
    static binding_table* t = new binding_table;
    return *t;
}

/// What this thread has bound; nobody uses it when the thread ends.
struct binder_list {
    std::vector<binder> all;
    ~binder_list()
    {
        binding_table& t = bindings();
        std::lock_guard hold(t.lock);
        for (const binder& b : all) t.live[b.bound_for].erase(std::this_thread::get_id());
    }
    bool knows(const std::int64_t* bound_for) const
    {
        return std::any_of(all.begin(), all.end(), [=](const binder& b) { return b.bound_for == bound_for; });
    }
};
inline thread_local binder_list binders;
inline thread_local bool unbound = false;  // by a reset

/// A device between two resets as one number, never negative.
inline std::int64_t binding_of(const device_key& key) { return key.device + std::int64_t{64} * key.resets; }

[[noreturn]] inline void fail_for_threads(int one, int other)
{
    fail("module data in device memory is used by a host thread on device %d, and by another thread on device %d: all threads share "
         "the addresses of such data (not with --openmp, in threads of OpenMP)", one, other);
}

/// Called when this thread changes to another device.
inline void bind_again()
{
    unbound = false;
    for (const binder& b : std::vector<binder>(binders.all)) b.again();
}

/// Called when the current device has been reset: there are no addresses until it is used again.
inline void unbind()
{
    addresses_gone(true);
    for (const binder& b : std::vector<binder>(binders.all)) {
        *b.bound_for = -1;
        b.again();
        *b.bound_for = -1;
    }
    addresses_gone(false);
    unbound = !binders.all.empty();
}

/// Whether a module's data is bound for the current device; if not, it is taken to be so from now on.
inline bool is_bound(std::int64_t* bound_for, void (*again)())
{
    const device_key here = this_device();
    const std::int64_t wanted = binding_of(here);
    const bool known = binders.knows(bound_for);
    if (known && *bound_for == wanted) return true;
    if (!known) binders.all.push_back({bound_for, again});
    binding_table& t = bindings();
    std::lock_guard hold(t.lock);
    auto& threads = t.live[bound_for];
    threads[std::this_thread::get_id()] = here.device;
    for (const auto& [thread, device] : threads)
        if (device != here.device) fail_for_threads(device, here.device);
    if (*bound_for == wanted) return true;
    *bound_for = wanted;
    return false;
}

}  // namespace cuf::rt
