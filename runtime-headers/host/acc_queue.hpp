// What OpenACC keeps for a device: data that is present, queues, device memory that is free again.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "assign.hpp"
#include <climits>
#include <optional>

namespace cuf::acc {

using rt::check;
using rt::desc;
using rt::fail;
using rt::quiet;

/// Values of an async argument that are not numbers of queues, and the queue of `async` without an argument.
inline constexpr int async_sync = -2, async_noval = -1, async_default = 0;

/// A word of an object on the device that holds a device address: the host's value stays what it was.
struct attachment {
    void *host, *device;
    int count;
};

/// Host data that is present on a device.
struct entry {
    std::size_t bytes;
    char* device;
    /// `mapped`: the device memory is the program's; `fixed`: a variable of a module with a twin on the device, whose counts never fall.
    enum origin { own, mapped, fixed } from = own;
    int structured = 0, dynamic = 0;
    /// "FILE:LINE: DESIGNATOR" of what made it present.
    std::string place{};
    /// The allocatable of a module that a directive declares on the device, whose data this is.
    std::string declared{};
    /// What has become of it: that allocatable is allocated anew, or is not allocated, and another one may have got the data (MOVE_ALLOC).
    enum change { none, replaced, moved } changed = none;
    /// By host address.
    std::map<const char*, attachment> attached{};
};

using entry_map = std::map<const char*, entry>;

/// A stream of OpenACC's own, or of the program.
struct stream_of_queue {
    cudaStream_t stream;
    bool own;
};

/// Device memory that may be used again after the event.
struct free_block {
    char* memory;
    cudaEvent_t ready;
};

struct device_data {
    device_key key;
    entry_map present;  // by the host's first byte; entries do not overlap
    std::map<int, stream_of_queue> queues;
    std::multimap<std::size_t, free_block> free;
    std::size_t free_bytes = 0;
};

inline std::mutex& lock()
{
    static auto* m = new std::mutex;  // outlives static destructors
    return *m;
}

/// The current device's data, none of it from before a reset. Under the lock.
inline device_data& here()
{
    static auto* all = new std::map<int, device_data>;
    const device_key key = this_device();
    device_data& d = (*all)[key.device];
    if (!(d.key == key)) {
        d = device_data{};
        d.key = key;
    }
    return d;
}

// ---- queues ----

inline thread_local int default_queue = async_default;

/// The queue of a number; none: the work is done when the call returns.
inline std::optional<int> queue_of(std::int64_t number)
{
    if (number == async_noval) number = default_queue;
    if (number == async_sync) return std::nullopt;
    if (number < 0 || number > INT_MAX)
        fail("OpenACC: %lld is not the number of a queue: use a number from 0 on, acc_async_noval, or acc_async_sync",
             static_cast<long long>(number));
    return static_cast<int>(number);
}
inline std::optional<int> queue_of(const desc* async) { return queue_of(rt::integer(async, async_sync)); }

inline cudaStream_t default_stream() { return rt::stream_handle(rt::thread_stream); }

/// The stream of a queue, made at its first use.
inline cudaStream_t stream_of(device_data& d, std::optional<int> queue)
{
    if (!queue) return default_stream();
    auto [q, fresh] = d.queues.try_emplace(*queue, stream_of_queue{nullptr, true});
    if (fresh) check(cudaStreamCreateWithFlags(&q->second.stream, cudaStreamDefault), "OpenACC: making a queue");
    return q->second.stream;
}

/// The stream of a queue, if it has been used.
inline std::optional<cudaStream_t> used_stream(device_data& d, std::optional<int> queue)
{
    if (!queue) return default_stream();
    const auto q = d.queues.find(*queue);
    return q == d.queues.end() ? std::nullopt : std::optional(q->second.stream);
}

inline void wait(cudaStream_t stream) { check(cudaStreamSynchronize(stream), "OpenACC: an error of a queue's work"); }

/// Waits for work that the caller does not want to be under way.
inline void complete(std::optional<int> queue, cudaStream_t stream)
{
    if (!queue) wait(stream);
}

// ---- device memory ----

/// Device memory that is kept for data regions to come. The cpu target keeps none: there memory that is new has no values.
#if defined(CUF_TARGET_CPU)
inline constexpr std::size_t most_kept = 0;
#else
inline constexpr std::size_t most_kept = std::size_t{256} << 20;
#endif

/// Gives memory back to CUDA until at most `kept` bytes are left, as far as no work uses it.
inline void trim(device_data& d, std::size_t kept)
{
    quiet keep_last_error;
    for (auto b = d.free.end(); b != d.free.begin() && d.free_bytes > kept;) {
        --b;
        if (cudaEventQuery(b->second.ready) == cudaErrorNotReady) continue;
        (void)cudaEventDestroy(b->second.ready);
        (void)cudaFree(b->second.memory);
        d.free_bytes -= b->first;
        b = d.free.erase(b);
    }
}

/// Memory is free when the work that was given to the stream so far is done.
inline void give(device_data& d, char* memory, std::size_t bytes, cudaStream_t stream)
{
    rt::settle();
    cudaEvent_t ready = nullptr;
    check(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming), "OpenACC: freeing device memory");
    check(cudaEventRecord(ready, stream), "OpenACC: freeing device memory");
    d.free.insert({bytes, {memory, ready}});
    d.free_bytes += bytes;
    trim(d, most_kept);
}

inline std::size_t rounded(std::size_t bytes) { return (std::max<std::size_t>(bytes, 1) + 255) / 256 * 256; }

/// Device memory of a size that `rounded` gives.
inline char* take(device_data& d, std::size_t bytes, const std::string& place)
{
    quiet keep_last_error;
    for (auto [b, end] = d.free.equal_range(bytes); b != end; ++b) {
        if (cudaEventQuery(b->second.ready) != cudaSuccess) continue;
        char* memory = b->second.memory;
        (void)cudaEventDestroy(b->second.ready);
        d.free_bytes -= b->first;
        d.free.erase(b);
        return memory;
    }
    void* memory = nullptr;
    cudaError_t code = cudaMalloc(&memory, bytes);
    if (code == cudaErrorMemoryAllocation && !d.free.empty()) {
        check(cudaDeviceSynchronize(), "OpenACC: waiting for device memory");
        trim(d, 0);
        code = cudaMalloc(&memory, bytes);
    }
    if (code != cudaSuccess)
        fail("%s: no device memory for %zu bytes: %s", place.c_str(), bytes, cudaGetErrorString(code));
#if defined(CUF_TARGET_CPU) && !defined(CUF_CHECK)
    // No number, so that a result shows what was never set.
    check(cudaMemset(memory, 0xff, bytes), "OpenACC: device memory");
#endif
    return static_cast<char*>(memory);
}

}  // namespace cuf::acc
