// Streams, events, graphs and launches of the cpu target: work is complete when it has been submitted, unless its stream
// is being captured into a graph. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocations.hpp"
#include "pool.hpp"
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

struct CUgraph_st {
    std::vector<std::function<void()>> nodes;
};
struct CUgraphExec_st {
    std::vector<std::function<void()>> nodes;
};

namespace cuf::cpu {

/// For each stream of a capture how much of its work comes before.
using captured_order = std::map<cudaStream_t, std::size_t>;

/// A capture, which begins with one stream; others join it when they wait for an event of it. Its graph has the nodes in the order
/// in which they were captured, which agrees with all dependences.
struct capture {
    cudaStream_t origin;
    cudaGraph_t graph;
    std::set<cudaStream_t> streams;
    bool active = true;
};

}  // namespace cuf::cpu

struct CUstream_st {
    unsigned flags;
    int priority;
    std::shared_ptr<cuf::cpu::capture> capture;  // null: not capturing
    cuf::cpu::captured_order before;             // its own work included
};
struct CUevent_st {
    unsigned flags;
    bool recorded;
    std::chrono::steady_clock::time_point time;
    std::shared_ptr<cuf::cpu::capture> capture;  // the one it was last recorded in
    cuf::cpu::captured_order before;
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

inline bool captured(cudaStream_t stream) { return !is_builtin_stream(stream) && stream->capture; }

/// Adds work to the graph that the stream is captured into.
template <class Work>
void capture_node(cudaStream_t stream, Work work)
{
    stream->capture->graph->nodes.emplace_back(std::move(work));
    ++stream->before[stream];
}

inline void enter_capture(cudaStream_t stream, const std::shared_ptr<capture>& into)
{
    stream->capture = into;
    into->streams.insert(stream);
    stream->before = {{stream, 1}};
}

/// Does the work, or adds it to the graph that the stream is captured into. The work keeps its own copies of what it needs.
template <class Work>
cudaError_t submit(cudaStream_t stream, Work work)
{
    if (!valid_stream(stream)) return done(cudaErrorInvalidResourceHandle);
    if (captured(stream))
        capture_node(stream, [work] {
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
    const watched seen{{work::launch, what.kernel, 0, at.stream, &at}};
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
    } else if (captured(stream)) {
        std::int32_t grid[3] = {at.grid[0], at.grid[1], at.grid[2]};
        fill_star(at, grid);
        last_launch = done(check_launch(at, grid, what));
        if (last_launch == cudaSuccess) capture_node(stream, [kept = kept_launch(at, what)] { launch_kept(kept); });
    } else {
        last_launch = done(execute(at, what));
    }
    if (last_launch != cudaSuccess) check::failed_launch(what.kernel, cudaGetErrorString(last_launch));
}

open_device::open_device() { allocations().open(); }
open_device::~open_device() { allocations().close(); }

void let_host_in(bool in)
{
    in ? allocations().open() : allocations().close();
    if (!in) check::wrote_anything();
}

cudaError_t in_stream(cudaStream_t stream, void (*work)(const void* data), const void* data, std::size_t bytes)
{
    const auto* first = static_cast<const char*>(data);
    return submit(stream, [work, kept = std::vector<char>(first, first + bytes)] {
        work(kept.data());
        check::wrote_anything();
    });
}

/// For the emulations of the libraries, which libraries/library.hpp declares it to.
cudaError_t submit_work(cudaStream_t stream, const std::function<void()>& work) 
{
    return submit(stream, [work] {
        work();
        check::wrote_anything();
    });
}

}  // namespace cuf::cpu

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority)
{
    if (!stream || flags > cudaStreamNonBlocking) return cuf::cpu::done(cudaErrorInvalidValue);
    *stream = cuf::cpu::handles<CUstream_st>().add({flags, std::clamp(priority, -5, 0), nullptr, {}});
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
    return captured(stream) ? done(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
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
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    const auto& of = event->capture;
    if (!of) return cuf::cpu::captured(stream) ? cuf::cpu::done(cudaErrorStreamCaptureIsolation) : cudaSuccess;
    if (!of->active) return cuf::cpu::done(cudaErrorCapturedEvent);
    if (cuf::cpu::is_builtin_stream(stream)) return cuf::cpu::done(cudaErrorStreamCaptureImplicit);
    if (!stream->capture) cuf::cpu::enter_capture(stream, of);
    if (stream->capture != of) return cuf::cpu::done(cudaErrorStreamCaptureMerge);
    for (const auto& [other, work] : event->before) stream->before[other] = std::max(stream->before[other], work);
    return cudaSuccess;
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
    cuf::cpu::capture begun{stream, cuf::cpu::handles<CUgraph_st>().add({}), {}};
    cuf::cpu::enter_capture(stream, std::make_shared<cuf::cpu::capture>(std::move(begun)));
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    if (!graph) return cuf::cpu::done(cudaErrorInvalidValue);
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    if (!cuf::cpu::captured(stream) || stream->capture->origin != stream) return cuf::cpu::done(cudaErrorStreamCaptureUnmatched);
    const auto ended = stream->capture;
    ended->active = false;
    bool joined = true;
    for (cudaStream_t each : ended->streams) {
        if (!cuf::cpu::handles<CUstream_st>().has(each)) continue;
        joined &= stream->before[each] == each->before[each];
        each->capture = nullptr;
    }
    *graph = joined ? ended->graph : nullptr;
    if (joined) return cudaSuccess;
    cuf::cpu::handles<CUgraph_st>().remove(ended->graph);
    return cuf::cpu::done(cudaErrorStreamCaptureUnjoined);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
{
    if (!status) return cuf::cpu::done(cudaErrorInvalidValue);
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    *status = cuf::cpu::captured(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
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
    *event = cuf::cpu::handles<CUevent_st>().add({flags, false, {}, nullptr, {}});
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
    if (cuf::cpu::on_stream(stream) != cudaSuccess) return cudaErrorInvalidResourceHandle;
    // In a capture the event stands for a dependence, and for nothing when the graph runs.
    const bool capturing = cuf::cpu::captured(stream);
    event->capture = capturing ? stream->capture : nullptr;
    event->before = capturing ? stream->before : cuf::cpu::captured_order();
    event->recorded = !capturing;
    event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (!cuf::cpu::handles<CUevent_st>().has(event)) return cuf::cpu::done(cudaErrorInvalidResourceHandle);
    return event->capture ? cuf::cpu::done(cudaErrorCapturedEvent) : cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cudaEventQuery(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    auto& events = cuf::cpu::handles<CUevent_st>();
    if (!milliseconds) return cuf::cpu::done(cudaErrorInvalidValue);
    if (events.has(start) && events.has(end) && (start->capture || end->capture)) return cuf::cpu::done(cudaErrorCapturedEvent);
    if (!events.has(start) || !events.has(end) || !start->recorded || !end->recorded || ((start->flags | end->flags) & cudaEventDisableTiming))
        return cuf::cpu::done(cudaErrorInvalidResourceHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}
