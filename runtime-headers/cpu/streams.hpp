// Streams, events, graphs and launches of the cpu target: work is complete when it has been submitted, unless its stream
// is being captured into a graph. Only cpu_runtime.cpp includes this.
#pragma once
#include "allocations.hpp"
#include "pool.hpp"
#include <chrono>
#include <functional>
#include <set>
#include <unordered_map>

struct CUgraph_st {
    std::vector<std::function<void()>> nodes;
};
struct CUgraphExec_st {
    std::vector<std::function<void()>> nodes;
};
struct CUstream_st {
    unsigned flags;
    int priority;
    cudaGraph_t capture;  // null: not capturing
};
struct CUevent_st {
    unsigned flags;
    bool recorded;
    std::chrono::steady_clock::time_point time;
};

namespace cuf::cpu {

template <class T>
class handle_table {
public:
    T* add(T value)
    {
        std::lock_guard lock(mutex_);
        auto* handle = new T(std::move(value));
        live_.insert(handle);
        return handle;
    }
    bool has(T* handle)
    {
        std::lock_guard lock(mutex_);
        return live_.count(handle) != 0;
    }
    bool remove(T* handle)
    {
        std::lock_guard lock(mutex_);
        if (live_.erase(handle) == 0) return false;
        delete handle;
        return true;
    }

private:
    std::mutex mutex_;
    std::set<T*> live_;
};

template <class T>
handle_table<T>& handles()
{
    static auto* table = new handle_table<T>;
    return *table;
}

inline bool is_builtin_stream(cudaStream_t stream)
{
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

inline bool valid_stream(cudaStream_t stream) { return is_builtin_stream(stream) || handles<CUstream_st>().has(stream); }

/// Does the work, or adds it to the graph that the stream is captured into. The work keeps its own copies of what it needs.
template <class Work>
cudaError_t submit(cudaStream_t stream, Work work)
{
    if (!valid_stream(stream)) return done(cudaErrorInvalidResourceHandle);
    if (!is_builtin_stream(stream) && stream->capture)
        stream->capture->nodes.emplace_back([work] {
            const device_access access;
            work();
        });
    else {
        const device_access access;
        work();
    }
    return cudaSuccess;
}

inline std::uint64_t resident_blocks(std::uint64_t threads, std::size_t bytes);

/// Puts the number of resident blocks in the component of the grid that is `*`.
inline void fill_star(const launch_config& at, std::int32_t (&grid)[3])
{
    int star = at.flags & launch_star_grid ? 0 : -1;
    for (int i = 0; i < 3; ++i)
        if (at.grid[i] == -1) star = i;
    if (star < 0) return;
    std::uint64_t threads = 1, others = 1;
    for (int i = 0; i < 3; ++i) {
        threads *= std::uint64_t(std::max(at.block[i], 0));
        if (i != star) others *= std::uint64_t(std::max(at.grid[i], 1));
    }
    grid[star] = std::int32_t(std::max<std::uint64_t>(resident_blocks(threads, std::size_t(std::max<std::int64_t>(at.bytes, 0))) / others, 1));
}

/// Kernels with launch_bounds and the most threads of their blocks; filled before the program starts.
inline std::unordered_map<const void*, int>& block_limits()
{
    static std::unordered_map<const void*, int> limits;
    return limits;
}

/// The checks that a launch on the hardware makes.
inline cudaError_t check_launch(const launch_config& at, const std::int32_t (&grid)[3], const erased_launch& what)
{
    std::int64_t threads = 1;
    for (int i = 0; i < 3; ++i) {
        if (grid[i] <= 0 || at.block[i] <= 0 || at.block[i] > (i == 2 ? limit::block_z : limit::block_threads)) return cudaErrorInvalidConfiguration;
        if (i > 0 && grid[i] > limit::grid_yz) return cudaErrorInvalidConfiguration;
        threads *= at.block[i];
    }
    if (threads > limit::block_threads) return cudaErrorInvalidConfiguration;
    const auto& bounds = block_limits();
    if (const auto most = bounds.find(what.kernel); most != bounds.end() && threads > most->second) return cudaErrorLaunchOutOfResources;
    if (at.bytes < 0 || at.bytes > limit::shared_optin) return cudaErrorInvalidValue;
    if (what.shape == shape_cluster) {
        const cluster_shape& c = what.cluster;
        if (c.x < 1 || c.y < 1 || c.z < 1 || std::int64_t(c.x) * c.y * c.z > limit::cluster) return cudaErrorInvalidClusterSize;
        if (grid[0] % c.x || grid[1] % c.y || grid[2] % c.z) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

inline void launch_kept(const kept_launch& launch_again);

inline cudaError_t execute(const launch_config& at, const erased_launch& what)
{
    std::int32_t grid[3] = {at.grid[0], at.grid[1], at.grid[2]};
    fill_star(at, grid);
    if (const cudaError_t code = check_launch(at, grid, what); code != cudaSuccess) return code;
    const device_access access;
    return run_grid(what, uint3{unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
                    uint3{unsigned(at.block[0]), unsigned(at.block[1]), unsigned(at.block[2])}, std::size_t(at.bytes), &launch_kept);
}

inline void launch_kept(const kept_launch& again) { done(execute(again.at, again.what)); }

void launch(const launch_config& at, const erased_launch& what)
{
    if (self.block) {  // by a kernel
        kept_launch kept(at, what);
        std::lock_guard lock(current_job->children_lock);
        current_job->children.push_back(std::move(kept));
        return;
    }
    prepare_device(at.stream);
    const auto stream = reinterpret_cast<cudaStream_t>(at.stream);
    if (!valid_stream(stream)) {
        last_launch = done(cudaErrorInvalidResourceHandle);
    } else if (!is_builtin_stream(stream) && stream->capture) {
        std::int32_t grid[3] = {at.grid[0], at.grid[1], at.grid[2]};
        fill_star(at, grid);
        last_launch = done(check_launch(at, grid, what));
        if (last_launch == cudaSuccess) stream->capture->nodes.emplace_back([kept = kept_launch(at, what)] { launch_kept(kept); });
    } else {
        last_launch = done(execute(at, what));
    }
}

cudaError_t in_stream(cudaStream_t stream, void (*work)(const void* data), const void* data, std::size_t bytes)
{
    const auto* first = static_cast<const char*>(data);
    return submit(stream, [work, kept = std::vector<char>(first, first + bytes)] { work(kept.data()); });
}

}  // namespace cuf::cpu

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority)
{
    if (!stream || flags > cudaStreamNonBlocking) return cuf::cpu::done(cudaErrorInvalidValue);
    *stream = cuf::cpu::handles<CUstream_st>().add({flags, std::clamp(priority, -5, 0), nullptr});
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) { return cudaStreamCreateWithPriority(stream, flags, 0); }
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (cuf::cpu::is_builtin_stream(stream) || !cuf::cpu::handles<CUstream_st>().remove(stream))
        return cuf::cpu::done(cudaErrorInvalidResourceHandle);
    return cudaSuccess;
}

namespace cuf::cpu {
inline cudaError_t on_stream(cudaStream_t stream) { return valid_stream(stream) ? cudaSuccess : done(cudaErrorInvalidResourceHandle); }
/// For calls that a capture forbids.
inline cudaError_t on_running_stream(cudaStream_t stream)
{
    if (on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    return !is_builtin_stream(stream) && stream->capture ? done(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}
}  // namespace cuf::cpu

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags)
{
    if (!flags) return cuf::cpu::done(cudaErrorInvalidValue);
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    *flags = cuf::cpu::is_builtin_stream(stream) ? 0 : stream->flags;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority)
{
    if (!priority) return cuf::cpu::done(cudaErrorInvalidValue);
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    *priority = cuf::cpu::is_builtin_stream(stream) ? 0 : stream->priority;
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cuf::cpu::on_running_stream(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return cuf::cpu::on_running_stream(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int)
{
    if (!cuf::cpu::handles<CUevent_st>().has(event)) return cuf::cpu::done(cudaErrorInvalidResourceHandle);
    return cuf::cpu::on_stream(stream);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t, unsigned int)
{
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    const auto found = cuf::cpu::allocations().find(pointer);
    return found.size && found.type == cudaMemoryTypeManaged ? cudaSuccess : cuf::cpu::done(cudaErrorInvalidValue);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int)
{
    return cuf::cpu::submit(stream, [=] { callback(stream, cudaSuccess, data); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data)
{
    return cuf::cpu::submit(stream, [=] { function(data); });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    if (cuf::cpu::is_builtin_stream(stream)) return cuf::cpu::done(cudaErrorStreamCaptureUnsupported);
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    if (stream->capture) return cuf::cpu::done(cudaErrorStreamCaptureUnsupported);
    stream->capture = cuf::cpu::handles<CUgraph_st>().add({});
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    if (!graph) return cuf::cpu::done(cudaErrorInvalidValue);
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    if (cuf::cpu::is_builtin_stream(stream) || !stream->capture) return cuf::cpu::done(cudaErrorStreamCaptureUnmatched);
    *graph = stream->capture;
    stream->capture = nullptr;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
{
    if (!status) return cuf::cpu::done(cudaErrorInvalidValue);
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    const bool capturing = !cuf::cpu::is_builtin_stream(stream) && stream->capture;
    *status = capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int)
{
    if (!graph) return cuf::cpu::done(cudaErrorInvalidValue);
    *graph = cuf::cpu::handles<CUgraph_st>().add({});
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return cuf::cpu::handles<CUgraph_st>().remove(graph) ? cudaSuccess : cuf::cpu::done(cudaErrorInvalidValue);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long)
{
    if (!exec || !cuf::cpu::handles<CUgraph_st>().has(graph)) return cuf::cpu::done(cudaErrorInvalidValue);
    *exec = cuf::cpu::handles<CUgraphExec_st>().add({graph->nodes});
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return cuf::cpu::handles<CUgraphExec_st>().remove(exec) ? cudaSuccess : cuf::cpu::done(cudaErrorInvalidValue);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (!cuf::cpu::handles<CUgraphExec_st>().has(exec)) return cuf::cpu::done(cudaErrorInvalidValue);
    return cuf::cpu::submit(stream, [nodes = exec->nodes] {
        for (const auto& node : nodes) node();
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags)
{
    if (!event) return cuf::cpu::done(cudaErrorInvalidValue);
    *event = cuf::cpu::handles<CUevent_st>().add({flags, false, {}});
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return cuf::cpu::handles<CUevent_st>().remove(event) ? cudaSuccess : cuf::cpu::done(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!cuf::cpu::handles<CUevent_st>().has(event)) return cuf::cpu::done(cudaErrorInvalidResourceHandle);
    return cuf::cpu::submit(stream, [event] {
        event->time = std::chrono::steady_clock::now();
        event->recorded = true;
    });
}
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cuf::cpu::handles<CUevent_st>().has(event) ? cudaSuccess : cuf::cpu::done(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cudaEventQuery(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    auto& events = cuf::cpu::handles<CUevent_st>();
    if (!milliseconds) return cuf::cpu::done(cudaErrorInvalidValue);
    if (!events.has(start) || !events.has(end) || !start->recorded || !end->recorded || ((start->flags | end->flags) & cudaEventDisableTiming))
        return cuf::cpu::done(cudaErrorInvalidResourceHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}
