// Memory of the program: where it came from, and how it goes back.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "queue.hpp"

namespace cuf::rt {

enum class space : int { device = 0, managed = 1, pinned = 2, host = 3 };

struct allocation {
    space where;
    bool stream_ordered;
    int device;
    std::size_t bytes = 0;
};

struct allocation_table {
    std::mutex lock;
    std::map<void*, allocation> live;
    std::atomic<std::uint64_t> changes{1};  // of `live`
    std::map<void*, unsigned> reset;  // variables that still hold an address from before a reset of the device
};
inline allocation_table& allocations()
{
    static allocation_table* t = [] {
        auto* table = new allocation_table;
#if defined(CUF_CHECK) && defined(CUF_TARGET_CPU)
        check::holds_nothing(table);
#endif
        return table;
    }();
    return *t;
}

/// Where the memory of the host's allocatables comes from.
struct host_memory {
    void* (*take)(std::size_t) = std::malloc;
    void (*give)(void*) = std::free;
    void (*lose)() = [] {};  // a device has been reset
};
inline host_memory& memory_of_host()
{
    static host_memory memory;
    return memory;
}

inline void remember(void* p, space where, bool stream_ordered, std::size_t bytes)
{
    const int device = this_device().device;
    note_device(device);
    allocation_table& t = allocations();
    std::lock_guard hold(t.lock);
    t.live[p] = {where, stream_ordered, device, bytes};
    ++t.changes;
}

/// The device whose ordinary memory ALLOCATE got here, without a call of CUDA; -1: the runtime API has to be asked. The thread
/// remembers the last two answers for as long as nothing is allocated or freed: both sides of an assignment that is repeated.
inline int allocated_on(const void* at)
{
    struct answer {
        std::uint64_t changes;
        const char *low, *high;
        int device;
    };
    static thread_local answer last[2]{};
    const char* p = static_cast<const char*>(at);
    allocation_table& t = allocations();
    const std::uint64_t changes = t.changes;
    for (const answer& a : last)
        if (a.changes == changes && a.low <= p && p < a.high) return a.device;
    std::lock_guard hold(t.lock);
    auto it = t.live.upper_bound(const_cast<void*>(at));
    if (it == t.live.begin()) return -1;
    --it;
    const allocation& a = it->second;
    const char* low = static_cast<const char*>(it->first);
    // Stream-ordered memory is that of its stream's device, which need not be the current one.
    if (a.where != space::device || a.stream_ordered || p >= low + a.bytes) return -1;
    last[1] = last[0];
    last[0] = {t.changes, low, low + a.bytes, a.device};
    return a.device;
}

/// Memory that is never null, also for zero bytes: an allocated array of size zero is associated. `stream_ordered` memory is tied to
/// its stream, as by cudaforSetDefaultStream (guide 3.3.6).
inline cudaError_t allocate(void** p, std::size_t bytes, space where, cudaStream_t stream, bool stream_ordered,
                            bool* pinned)
{
    bytes = std::max<std::size_t>(bytes, 1);
    cudaError_t code = cudaSuccess;
    switch (where) {
    case space::device: code = stream_ordered ? cudaMallocAsync(p, bytes, stream) : cudaMalloc(p, bytes); break;
    case space::managed: code = cudaMallocManaged(p, bytes, cudaMemAttachGlobal); break;
    case space::pinned:
        code = cudaHostAlloc(p, bytes, cudaHostAllocPortable);
        if (code == cudaSuccess) {
            if (pinned) *pinned = true;
            break;
        }
        [[fallthrough]];  // memory that cannot be pinned is ordinary memory
    case space::host:
        if (pinned) *pinned = false;
        *p = std::malloc(bytes);
        where = space::host;
        code = *p ? cudaSuccess : cudaErrorMemoryAllocation;
        break;
    }
    if (code != cudaSuccess) return code;
    stream_ordered = stream_ordered && where == space::device;
    remember(*p, where, stream_ordered, bytes);
    if (stream_ordered) tie_stream(*p, bytes, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(stream)));
    return cudaSuccess;
}

/// Takes an address out of the tables; `a` is what was known about it.
inline bool forget(void* p, allocation* a = nullptr)
{
    untie(p);
    allocation_table& t = allocations();
    std::lock_guard hold(t.lock);
    auto it = t.live.find(p);
    if (it == t.live.end()) return false;
    if (a) *a = it->second;
    t.live.erase(it);
    ++t.changes;
    return true;
}

/// Frees memory that did not come from here, as what it is, after all work that may use it: it may be stream-ordered memory, for
/// which cudaFree does not wait.
inline cudaError_t release_foreign(void* p)
{
    cudaPointerAttributes attributes{};
    cudaError_t code = cudaPointerGetAttributes(&attributes, p);
    if (code != cudaSuccess) return code;
    on_device_of owner(p);
    code = cudaDeviceSynchronize();
    if (code != cudaSuccess) return code;
    return attributes.type == cudaMemoryTypeHost ? cudaFreeHost(p) : cudaFree(p);
}

/// Whether a variable holds this address from before a reset: it has nothing to free, but what was allocated at the address since may
/// be another variable's. Which of them asks cannot be told, so the last to ask frees it.
inline bool is_from_before_reset(void* p)
{
    allocation_table& t = allocations();
    std::lock_guard hold(t.lock);
    const auto it = t.reset.find(p);
    if (it == t.reset.end()) return false;
    if (--it->second == 0) t.reset.erase(it);
    return true;
}

/// Frees any memory the program can have got: from here, or from the CUDA API.
inline cudaError_t release(void* p, bool only_ours)
{
    if (p == nullptr) return cudaSuccess;
    if (is_from_before_reset(p)) return cudaSuccess;
    allocation a{space::device, false, 0};
    if (!forget(p, &a)) return only_ours ? cudaSuccess : release_foreign(p);
    if (a.where == space::host) {
        std::free(p);
        return cudaSuccess;
    }
    on_device_of owner(several_devices() ? a.device : -1);
    if (a.where == space::pinned) return cudaFreeHost(p);
    // cudaFree does not wait for work on stream-ordered memory, nor for that of a device that is not the current one.
    if (a.stream_ordered || owner.elsewhere()) (void)cudaDeviceSynchronize();
    return cudaFree(p);
}

/// Forgets the memory of a device that has been reset.
inline void forget_device(int device)
{
    memory_of_host().lose();
    {
        allocation_table& t = allocations();
        std::lock_guard hold(t.lock);
        std::erase_if(t.live, [&](const auto& a) {
            const bool gone = a.second.where != space::host && a.second.device == device;
            if (gone) ++t.reset[a.first];
            return gone;
        });
        ++t.changes;
    }
    stream_table& t = streams();
    std::lock_guard hold(t.lock);
    std::erase_if(t.by_address, [device](const auto& v) { return v.second.device == device; });
    thread_stream = 0;
    captured_stream = nullptr;
}

}  // namespace cuf::rt
