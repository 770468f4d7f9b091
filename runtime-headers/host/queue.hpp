// In which stream, on which device and when the work of a statement is done: default streams, captures, devices that own data.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/device_state.hpp"
#include "core.hpp"
#include <atomic>

namespace cuf::rt {

// ---- devices ----

/// On a machine with one device all data is its own, and nothing is asked.
inline bool several_devices()
{
    static const bool several = [] {
        quiet keep_last_error;
        int n = 0;
        return cudaGetDeviceCount(&n) == cudaSuccess && n > 1;
    }();
    return several;
}

/// What CUDA knows of an address, if it knows any.
inline bool attributes_of(const void* p, cudaPointerAttributes& a)
{
    quiet keep_last_error;
    return cudaPointerGetAttributes(&a, p) == cudaSuccess;
}

/// The device whose memory this is; -1 for host and managed memory, which have none.
inline int owner_of(const void* p)
{
    cudaPointerAttributes a{};
    return p != nullptr && attributes_of(p, a) && a.type == cudaMemoryTypeDevice ? a.device : -1;
}

inline bool is_managed(const void* p)
{
    cudaPointerAttributes a{};
    return attributes_of(p, a) && a.type == cudaMemoryTypeManaged;
}

inline std::atomic<std::uint64_t> used_devices{0};
inline void note_device(int device)
{
    if (device >= 0 && device < 64) used_devices |= std::uint64_t{1} << device;
}

/// Makes a device the current one while it lives; -1: the one that is.
class on_device_of {
public:
    explicit on_device_of(int device)
    {
        if (device < 0) return;
        quiet keep_last_error;
        if (cudaGetDevice(&before_) != cudaSuccess || before_ == device || cudaSetDevice(device) != cudaSuccess)
            before_ = -1;
    }
    /// The device that owns the data.
    explicit on_device_of(const void* data) : on_device_of(several_devices() ? owner_of(data) : -1) {}
    ~on_device_of()
    {
        if (before_ >= 0) (void)cudaSetDevice(before_);
    }
    on_device_of(const on_device_of&) = delete;
    on_device_of& operator=(const on_device_of&) = delete;
    /// It was not the current one.
    bool elsewhere() const { return before_ >= 0; }

private:
    int before_ = -1;
};

/// What a memory mode checks before a launch.
inline void (*&before_launch())()
{
    static void (*check)() = [] {};
    return check;
}

/// Devices reach all memory of the host where it is: the memory mode "unified".
inline bool& shares_host_memory()
{
    static bool shared = false;
    return shared;
}

// ---- default streams ----

/// The stream that cudaforSetDefaultStream(stream) tied to this host thread.
inline thread_local std::int64_t thread_stream = 0;

struct stream_table {
    std::mutex lock;
    struct range {
        const char* end;
        std::int64_t stream;
        int device;
    };
    std::map<const char*, range> by_address;  // variables tied to a stream
    std::atomic<bool> any{false};             // most programs tie none, and assignments need not look
};
inline stream_table& streams()
{
    static stream_table* t = new stream_table;  // outlives static destructors
    return *t;
}

inline void tie_stream(const void* at, std::size_t bytes, std::int64_t stream)
{
    const char* p = static_cast<const char*>(at);
    stream_table& t = streams();
    std::lock_guard hold(t.lock);
    if (stream == 0)
        t.by_address.erase(p);
    else
        t.by_address[p] = {p + std::max<std::size_t>(bytes, 1), stream, this_device().device};
    t.any = !t.by_address.empty();
}

inline void untie(const void* at) { tie_stream(at, 0, 0); }

inline std::int64_t tied_stream(const void* at)
{
    const char* p = static_cast<const char*>(at);
    stream_table& t = streams();
    if (!t.any) return 0;
    std::lock_guard hold(t.lock);
    auto it = t.by_address.upper_bound(p);
    if (it == t.by_address.begin()) return 0;
    --it;
    return p < it->second.end ? it->second.stream : 0;
}

/// Work in a stream that goes may still be under way: what was tied to it belongs to the default stream from now on.
inline void untie_stream(std::int64_t stream)
{
    quiet keep_last_error;
    bool tied = thread_stream == stream;
    {
        stream_table& t = streams();
        std::lock_guard hold(t.lock);
        tied = std::erase_if(t.by_address, [stream](const auto& v) { return v.second.stream == stream; }) > 0 || tied;
    }
    if (thread_stream == stream) thread_stream = 0;
    if (tied) (void)cudaStreamSynchronize(stream_handle(stream));
}

// ---- streams that the default stream does not wait for ----

/// Waits for everything that was given to the current device, where the default stream would not.
inline void settle()
{
    if (has_independent_streams()) check(cudaDeviceSynchronize(), "waiting for the device");
}

/// Waits for the other devices of the program: they may be at work on managed memory, which has no device.
inline void settle_others()
{
    if (!several_devices()) return;
    const int here = this_device().device;
    for (int d = 0; d < 64; ++d) {
        if (d == here || !(used_devices >> d & 1)) continue;
        on_device_of other(d);
        check(cudaStreamSynchronize(nullptr), "waiting for a device");
    }
}

// ---- captures ----

/// The stream that this thread captures into a graph.
inline thread_local cudaStream_t captured_stream = nullptr;

/// The stream of a piece of work. In a captured one nothing runs, and nothing can be waited for.
struct queue {
    cudaStream_t stream;
    bool captured;
};

inline bool is_captured(cudaStream_t stream)
{
    if (stream == nullptr) return false;
    quiet keep_last_error;
    cudaStreamCaptureStatus status{};
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive;
}

inline queue queue_of(std::int64_t id)
{
    cudaStream_t stream = stream_handle(id);
    // The default stream takes no work while another is captured: what the statement does belongs to the graph.
    if (stream == nullptr) return {captured_stream, captured_stream != nullptr};
    return {stream, is_captured(stream)};
}

/// Waits for the work of a stream, if it runs.
inline cudaError_t wait_for(const queue& q) { return q.captured ? cudaSuccess : cudaStreamSynchronize(q.stream); }

/// Work in `later` comes after what is in `earlier` now.
inline cudaError_t order_after(cudaStream_t later, cudaStream_t earlier)
{
    if (later == earlier) return cudaSuccess;
    cudaEvent_t event = nullptr;
    cudaError_t code = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (code != cudaSuccess) return code;
    code = cudaEventRecord(event, earlier);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(later, event, 0);
    (void)cudaEventDestroy(event);
    return code;
}

}  // namespace cuf::rt
