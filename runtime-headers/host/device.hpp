// State kept for each device. Compiled once: by host/runtime.cpp, on the cpu target by cpu_runtime.cpp.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/device_state.hpp"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace cuf {

namespace rt {

inline constexpr int most_devices = 64;

/// Bytes of the heap for every thread that a device can hold, and the least for the device.
inline constexpr std::size_t heap_per_thread = 4096, least_heap = std::size_t{256} << 20;
inline constexpr std::size_t recursive_stack = 8192;

/// Partial results of a reduction that nobody uses now.
struct held_partials : partials_buffer { std::int64_t bytes; bool used; };

struct device_record {
    device_key key;
    bool heap_ready = false, stack_ready = false;
    bool heap_chosen = false, stack_chosen = false;  // by the program
    std::vector<held_partials> partials;
    std::map<const void*, int> largest_block;
};

struct device_table {
    std::mutex lock;
    std::array<device_record, most_devices> records;
};
inline device_table& devices()
{
    static device_table* t = new device_table;  // outlives static destructors
    return *t;
}

inline std::atomic<unsigned> resets[most_devices];
inline std::atomic<bool> heap_wanted{false}, recursion_wanted{false}, independent_streams{false}, unwaited{false};

/// The record of a device, emptied if the device was reset since. The table is locked.
inline device_record& record_of(const device_key& key)
{
    device_record& r = devices().records[std::size_t(std::clamp(key.device, 0, most_devices - 1))];
    if (!(r.key == key)) {
        r = device_record{};
        r.key = key;
    }
    return r;
}

inline thread_local bool no_addresses = false;

inline bool is_capturing(cudaStream_t stream)
{
    cudaStreamCaptureStatus status{};
    return stream != nullptr && cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

/// Raises a limit; a failure leaves no error behind.
inline void raise_limit(cudaLimit limit, std::size_t wanted)
{
    const cudaError_t before = cudaPeekAtLastError();
    std::size_t now = 0;
    const bool failed = cudaDeviceGetLimit(&now, limit) != cudaSuccess ||
                        (now < wanted && cudaDeviceSetLimit(limit, wanted) != cudaSuccess);
    if (failed && before == cudaSuccess) (void)cudaGetLastError();
}

/// Room for what the threads of a full device allocate, at most a quarter of the memory that is free.
inline std::size_t heap_for(int device)
{
    int multiprocessors = 0, threads = 0;
    std::size_t free = 0, total = 0;
    if (cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess ||
        cudaMemGetInfo(&free, &total) != cudaSuccess)
        return 0;
    return std::min(std::max(std::size_t(multiprocessors) * std::size_t(threads) * heap_per_thread, least_heap), free / 4);
}

[[noreturn]] inline void stop_program()
{
    std::fflush(stdout);
    std::exit(1);
}

}  // namespace rt

device_key this_device()
{
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess || device < 0 || device >= rt::most_devices) return {};
    return {device, rt::resets[device].load(std::memory_order_relaxed)};
}

void count_reset(int device)
{
    if (device >= 0 && device < rt::most_devices) ++rt::resets[device];
}

void limit_chosen(int limit)
{
    const device_key here = this_device();
    std::lock_guard hold(rt::devices().lock);
    rt::device_record& r = rt::record_of(here);
    if (limit == cudaLimitMallocHeapSize) r.heap_chosen = true;
    if (limit == cudaLimitStackSize) r.stack_chosen = true;
}

bool addresses_gone() { return rt::no_addresses; }
void addresses_gone(bool gone) { rt::no_addresses = gone; }

bool register_need(need what)
{
    (what == need::heap ? rt::heap_wanted : rt::recursion_wanted) = true;
    return true;
}

void note_stream(std::int64_t stream, bool created)
{
    static thread_local std::int64_t last = 0;
    // A stream that is captured is known since the capture began; asking for its flags would break the capture (measured).
    if ((stream == last && !created) || rt::is_capturing(reinterpret_cast<cudaStream_t>(stream))) return;
    last = stream;
    const cudaError_t before = cudaPeekAtLastError();
    unsigned flags = 0;
    if (stream != 0 && cudaStreamGetFlags(reinterpret_cast<cudaStream_t>(stream), &flags) == cudaSuccess) {
        if ((flags & cudaStreamNonBlocking) && !rt::independent_streams.exchange(true)) wait_for_unwaited();
    } else if (before == cudaSuccess) {
        (void)cudaGetLastError();
    }
}

bool has_independent_streams() { return rt::independent_streams; }
void note_unwaited() { rt::unwaited = true; }

void wait_for_unwaited()
{
    if (!rt::unwaited) return;
    // While a stream that the default stream waits for is captured, nothing can be waited for.
    const cudaError_t before = cudaPeekAtLastError();
    cudaStreamCaptureStatus status{};
    if (cudaStreamIsCapturing(nullptr, &status) == cudaSuccess)
        (void)cudaStreamSynchronize(nullptr);
    else if (before == cudaSuccess)
        (void)cudaGetLastError();
}

void prepare_device(std::int64_t stream)
{
    note_stream(stream);
    if (!rt::heap_wanted.load(std::memory_order_relaxed)) return;
    static thread_local device_key ready;
    const device_key here = this_device();
    if (ready == here || rt::is_capturing(reinterpret_cast<cudaStream_t>(stream))) return;
    ready = here;
    std::lock_guard hold(rt::devices().lock);
    rt::device_record& r = rt::record_of(here);
    if (r.heap_ready) return;
    r.heap_ready = true;
    if (!r.heap_chosen) rt::raise_limit(cudaLimitMallocHeapSize, rt::heap_for(here.device));
}

void recursion_stack(const launch_config& at)
{
    static thread_local device_key ready;
    const device_key here = this_device();
    if (ready == here || rt::is_capturing(reinterpret_cast<cudaStream_t>(at.stream))) return;
    ready = here;
    std::lock_guard hold(rt::devices().lock);
    rt::device_record& r = rt::record_of(here);
    if (r.stack_ready) return;
    r.stack_ready = true;
    if (!r.stack_chosen) rt::raise_limit(cudaLimitStackSize, rt::recursive_stack);
}

void prepare_capture()
{
    prepare_device(0);
    if (rt::recursion_wanted) recursion_stack({});
}

partials_buffer take_partials(std::int64_t bytes)
{
    const device_key here = this_device();
    std::lock_guard hold(rt::devices().lock);
    rt::device_record& r = rt::record_of(here);
    for (rt::held_partials& b : r.partials) {
        if (b.used || b.bytes < bytes) continue;
        b.used = true;
        return b;
    }
    partials_buffer taken;
    bytes = std::max<std::int64_t>(bytes, 65536);
    // The largest type of a result has 16 bytes.
    if (cudaMalloc(&taken.memory, std::size_t(bytes)) != cudaSuccess || cudaMallocHost(&taken.result, 16) != cudaSuccess) {
        std::fprintf(stderr, "cuf2cu runtime: no device memory for the partial results of a reduction (%lld bytes): %s\n",
                     static_cast<long long>(bytes), cudaGetErrorString(cudaGetLastError()));
        rt::stop_program();
    }
    r.partials.push_back({taken, bytes, true});
    return taken;
}

void give_back_partials(const partials_buffer& partials)
{
    const device_key here = this_device();
    std::lock_guard hold(rt::devices().lock);
    for (rt::held_partials& b : rt::record_of(here).partials)
        if (b.memory == partials.memory) b.used = false;
}

int largest_block(const void* kernel)
{
    const device_key here = this_device();
    std::lock_guard hold(rt::devices().lock);
    rt::device_record& r = rt::record_of(here);
    if (const auto known = r.largest_block.find(kernel); known != r.largest_block.end()) return known->second;
    const cudaError_t before = cudaPeekAtLastError();
    cudaFuncAttributes attributes{};
    const bool known = cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess;
    if (!known && before == cudaSuccess) (void)cudaGetLastError();
    const int most = known ? attributes.maxThreadsPerBlock : 1024;
    if (known) r.largest_block[kernel] = most;
    return most;
}

void require_loop(const char* loop, cudaError_t code)
{
    if (code == cudaSuccess) return;
    // Errors of a launch itself; all others are left by kernels and copies before it.
    constexpr cudaError_t own[] = {cudaErrorInvalidValue,          cudaErrorMemoryAllocation,      cudaErrorInvalidConfiguration,
                                   cudaErrorInvalidDeviceFunction, cudaErrorInvalidResourceHandle, cudaErrorLaunchOutOfResources,
                                   cudaErrorNotPermitted,          cudaErrorNotSupported};
    const bool mine = std::find(std::begin(own), std::end(own), code) != std::end(own) || (code >= 900 && code < 999);
    std::fflush(stdout);
    std::fprintf(stderr, "cuf2cu runtime: CUF loop %s: %s: %s (%s)\n", loop,
                 mine ? "it could not be launched" : "an error of it or of device work before it", cudaGetErrorString(code),
                 cudaGetErrorName(code));
    rt::stop_program();
}

}  // namespace cuf
