// Addresses of module data: every device has its own, and a reset changes them. The generated procedures cuf_bind_<module> give the
// pointers of a module their targets; they are called again when the current device changes.
#pragma once
#include "cuf/rt_queue.hpp"
#include <thread>

namespace cuf::rt {

/// A module's data as this thread has bound it.
struct binder {
    std::int64_t* bound_for;  // the module's own note; see binding_of
    void (*again)();
};
inline thread_local std::vector<binder> binders;
inline thread_local bool unbound = false;  // by a reset

/// Who bound a module's data last, and for which device: all threads share the pointers.
struct binding {
    std::thread::id thread;
    int device;
};
struct binding_table {
    std::mutex lock;
    std::map<const std::int64_t*, binding> live;
};
inline binding_table& bindings()
{
    static binding_table* t = new binding_table;
    return *t;
}

/// A device between two resets as one number, never negative.
inline std::int64_t binding_of(const device_key& key) { return key.device + std::int64_t{64} * key.resets; }

[[noreturn]] inline void fail_for_threads(int one, int other)
{
    fail("module data in device memory is used by a host thread on device %d, and another thread changes to device %d: all threads "
         "share the addresses of such data", one, other);
}

/// Called when this thread changes to another device.
inline void bind_again()
{
    const int device = this_device().device;
    unbound = false;
    {
        binding_table& t = bindings();
        std::lock_guard hold(t.lock);
        for (const auto& [module, b] : t.live)
            if (b.device != device && b.thread != std::this_thread::get_id()) fail_for_threads(b.device, device);
    }
    for (const binder& b : std::vector<binder>(binders)) b.again();
}

/// Called when the current device has been reset: there are no addresses until it is used again.
inline void unbind()
{
    addresses_gone(true);
    for (const binder& b : std::vector<binder>(binders)) {
        *b.bound_for = -1;
        b.again();
        *b.bound_for = -1;
    }
    addresses_gone(false);
    unbound = !binders.empty();
}

/// Whether a module's data is bound for the current device; if not, it is taken to be so from now on.
inline bool is_bound(std::int64_t* bound_for, void (*again)())
{
    const device_key here = this_device();
    const std::int64_t wanted = binding_of(here);
    if (*bound_for == wanted) return true;
    *bound_for = wanted;
    const bool known = std::any_of(binders.begin(), binders.end(), [=](const binder& b) { return b.bound_for == bound_for; });
    if (!known) binders.push_back({bound_for, again});
    binding_table& t = bindings();
    std::lock_guard hold(t.lock);
    const auto [at, first] = t.live.try_emplace(bound_for, binding{std::this_thread::get_id(), here.device});
    if (!first && at->second.device != here.device && at->second.thread != std::this_thread::get_id())
        fail_for_threads(at->second.device, here.device);
    at->second = {std::this_thread::get_id(), here.device};
    return false;
}

}  // namespace cuf::rt
