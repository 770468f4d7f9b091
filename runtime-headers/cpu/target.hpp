// Execution model of the cpu target: CUDA's keywords and built-in variables, launches, barriers, warp rendezvous.
//
// A block runs on one operating-system thread. Its threads run one after another in a fiber; a thread that has to wait
// (barrier, warp operation) keeps that fiber and another fiber goes on with the next thread. See cpu/block.hpp.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "api.hpp"
#include "checks.hpp"
#include "../device/device_state.hpp"
#include "../device/launch_config.hpp"
#include <atomic>
#include <chrono>
#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))

// The place of a call in which threads wait, for messages: a last parameter, and the argument that passes it on.
#define CUF_AT_ONLY std::source_location at = std::source_location::current()
#define CUF_AT , CUF_AT_ONLY
#define CUF_PASS_AT , at

#define CUF_CPU_TLS __attribute__((tls_model("initial-exec")))

// One variable of a thread of the operating system for all files, which the compiler takes for each file's own: no pointer reaches
// what is static and has no address, so that such variables stay in registers over stores to arrays. Calls may change them.
#define CUF_CPU_OWN(type, name)                                                                          \
    static thread_local constinit type name __asm__("cuf_cpu_" #name) __attribute__((used)) CUF_CPU_TLS{}; \
    __asm__(".weak cuf_cpu_" #name)

inline constexpr int warpSize = 32;
CUF_CPU_OWN(uint3, threadIdx);
CUF_CPU_OWN(uint3, blockIdx);
CUF_CPU_OWN(uint3, blockDim);
CUF_CPU_OWN(uint3, gridDim);

namespace cuf::cpu {

/// Where the statements of a generated file stand in the Fortran source.
struct source_lines {
    std::string file;
    const char* source;
    std::vector<std::pair<unsigned, unsigned>> lines;
    source_lines* next;
    std::uint64_t hash = 0;  // of the generated file as it was translated; 0: not known
#if defined(CUF_CPU_LOOPS)
    bool unchanged = true;  // the build has just translated it
#else
    bool unchanged = false;
#endif

    source_lines(const char* file_, const char* source_, std::initializer_list<std::pair<unsigned, unsigned>> lines_)
        : file(file_), source(source_), lines(lines_), next(first)
    {
        // The table stands in heat.cu.lines, which heat.cu includes from its own folder.
        const std::string_view beside = ".lines";
        if (std::string_view(file).ends_with(beside)) file.erase(file.size() - beside.size());
        first = this;
    }
    inline static source_lines* first = nullptr;
};

/// The hash of a generated file, for the table before it.
struct source_hash {
    source_hash(const char* file, std::uint64_t hash)
    {
        if (source_lines* table = source_lines::first; table && std::string_view(file).starts_with(table->file)) table->hash = hash;
    }
};

struct ring_state;

/// What a running block keeps per operating-system thread besides the built-in variables.
struct thread_state {
    bool forked;         // some thread of the block has had to wait: its threads are fibers now
    int spin_budget;     // atomics and fences until other threads of the block get a turn
    bool moved;          // the block has done something other than to wait for other blocks since it was last asked
    unsigned char* dynamic_shared;
    void* block;         // the running block, null outside kernels
    uint3 cluster_index;  // of the block in its cluster
    uint3 cluster_dim;
    int shape;           // launch_shape
    ring_state* block_ring;  // that the running thread is in, at most one of the two (cpu/ring.hpp)
    ring_state* warp_ring;
    unsigned undefined;  // why the last shuffle of the thread gave a value that no lane has (check/hooks.hpp); 0: it did not
};
extern thread_local constinit thread_state self CUF_CPU_TLS;

enum launch_shape { shape_plain, shape_cooperative, shape_cluster };

/// Runs threads of the current block from the next one that was not started until none is left.
using run_function = void (*)(const void* call);

/// A launch with its kernel and argument values, without their types.
struct erased_launch {
    const void* kernel;
    run_function run;
    const void* call;
    void* (*clone)(const void* call);  // for launches that are kept: graphs, launches by kernels
    void (*destroy)(void* call);
    launch_shape shape;
    cluster_shape cluster;
};

void launch(const launch_config& at, const erased_launch& what);

// Called by kernels; cpu/block.hpp has the definitions.
bool start_thread();                // takes the next thread of the block; false if none is left
void finish_thread();
int barrier(int predicate, int operation, std::source_location at);
void plain_barrier(std::source_location at);
void yield();
void grid_barrier(std::source_location at);
void cluster_barrier(std::source_location at);
enum barrier_operation { barrier_plain, barrier_count, barrier_and, barrier_or };

enum warp_operation { warp_sync, warp_shuffle, warp_ballot, warp_match_any, warp_match_all, warp_active };
/// Waits for the lanes of mask. Result: the value of the lane `source`, or the mask of lanes that the operation selects.
std::uint64_t warp_rendezvous(warp_operation operation, unsigned mask, std::uint64_t value, int source, std::source_location at);
unsigned active_lanes(const void* site);
unsigned existing_lanes();          // lanes of the calling thread's warp
/// Of the calling thread, 0 to 31.
inline int lane() { return int(((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31); }
void* map_shared_rank(void* shared, int rank);
/// Waits until it is the turn of the thread to access volatile data that other threads reach.
void volatile_access(void* place, std::size_t bytes, bool store, std::source_location at);
[[noreturn]] void fail(const char* what);

/// The turns of a loop with volatile accesses, while a thread is in it.
struct loop_turns {
    explicit loop_turns(CUF_AT_ONLY);
    ~loop_turns();
    loop_turns(const loop_turns&) = delete;
    loop_turns& operator=(const loop_turns&) = delete;
    void next() { ++turn; }

    std::source_location at;
    std::uint64_t turn = 0;
    loop_turns** innermost;  // of the thread; null in host code
    loop_turns* outer;
};

/// Lets other threads run now and then, so that a loop that waits for another thread's write ends.
inline void spin_point()
{
    if (--self.spin_budget < 0) [[unlikely]]
        yield();
}
/// Of an atomic operation: a thread that only waits changes nothing by them.
inline void note_change(bool changed) { self.moved |= changed; }

}  // namespace cuf::cpu

#include "ring.hpp"

namespace cuf::cpu {

/// A kernel whose threads never wait for each other (heat.cu.lines says so): compiled once more, as a loop over them. See cpu/plain.hpp.
struct plain_kernel {
    const void* kernel;
    bool wide;  // its blocks are known by their first thread's and their thread's number along x alone: neighbours are one block
    bool (*fits)(const void* call);  // the arguments are what the loops take for granted
    /// Runs the block blockIdx with `width` threads along x.
    void (*run)(const void* call, unsigned width);
    /// Of a CUF loop: how many pieces the launch has; and runs one.
    std::uint64_t (*pieces)(const void* call, uint3 grid, uint3 block, unsigned workers);
    void (*run_piece)(const void* call, std::uint64_t piece, unsigned workers);
    const plain_kernel* next;

    inline static const plain_kernel* first = nullptr;
};

template <class... P>
struct kernel_call {
    void (*kernel)(P...);
    std::tuple<P...> values;

    static void run(const void* call)
    {
        const auto& self_call = *static_cast<const kernel_call*>(call);
        const auto kernel = self_call.kernel;
        std::apply([kernel](const P&... values) { run_threads(kernel, values...); }, self_call.values);
    }
    // The arguments are copied to the fiber's stack, so that the compiler keeps them in registers over the loop.
    static void run_threads(void (*kernel)(P...), P... values)
    {
        thread_state& state = self;
        if (!state.forked) {
            const uint3 block{blockDim.x, blockDim.y, blockDim.z};
            for (unsigned z = 0; z < block.z; ++z)
                for (unsigned y = 0; y < block.y; ++y)
                    for (unsigned x = 0; x < block.x; ++x) {
                        threadIdx.x = x;
                        threadIdx.y = y;
                        threadIdx.z = z;
                        kernel(values...);
                        if (state.forked) [[unlikely]]
                            goto forked;
                    }
            return;
        forked:
            finish_thread();
        }
        while (start_thread()) {
            kernel(values...);
            finish_thread();
        }
    }
    static void* clone(const void* call) { return new kernel_call(*static_cast<const kernel_call*>(call)); }
    static void destroy(void* call) { delete static_cast<kernel_call*>(call); }
};

template <class... P, class... A>
void launch_as(launch_shape shape, cluster_shape cluster, const launch_config& at, void (*kernel)(P...), A&&... args)
{
    static_assert(sizeof...(P) == sizeof...(A), "as many arguments as the kernel has parameters");
    const kernel_call<P...> call{kernel, std::tuple<P...>(static_cast<P>(std::forward<A>(args))...)};
    launch(at, {reinterpret_cast<const void*>(kernel), &kernel_call<P...>::run, &call, &kernel_call<P...>::clone,
                &kernel_call<P...>::destroy, shape, cluster});
}

}  // namespace cuf::cpu

namespace cuf {

/// kernel<<<...>>>(args...). Errors are left for cudaGetLastError.
template <class... P, class... A>
void launch(const launch_config& at, void (*kernel)(P...), A&&... args)
{
    cpu::launch_as(cpu::shape_plain, {}, at, kernel, std::forward<A>(args)...);
}

/// For kernels that synchronise the whole grid: all blocks are resident together.
template <class... P, class... A>
void launch_cooperative(const launch_config& at, void (*kernel)(P...), A&&... args)
{
    cpu::launch_as(cpu::shape_cooperative, {}, at, kernel, std::forward<A>(args)...);
}

/// For kernels with cluster_dims.
template <class... P, class... A>
void launch_cluster(const launch_config& at, cluster_shape cluster, void (*kernel)(P...), A&&... args)
{
    cpu::launch_as(cpu::shape_cluster, cluster, at, kernel, std::forward<A>(args)...);
}

/// Configuration of a launch by device code.
struct child_config {
    dim3 grid, block;
    std::int64_t bytes = 0, stream = 0;
};

/// A launch by a thread of a kernel; it runs after the launching grid and before that launch is complete.
template <class... P, class... A>
void launch_child(const child_config& at, void (*kernel)(P...), A&&... args)
{
    const auto n = [](unsigned v) { return std::int32_t(v); };
    launch({{n(at.grid.x), n(at.grid.y), n(at.grid.z)}, {n(at.block.x), n(at.block.y), n(at.block.z)}, at.bytes, at.stream, 0}, kernel,
           std::forward<A>(args)...);
}

/// Result of the last launch of this host thread (the last error may be older).
cudaError_t last_launch_result();

/// The dynamic shared block of the launch.
template <class T>
T* dynamic_shared(std::int64_t byte_offset = 0)
{
    return reinterpret_cast<T*>(cpu::self.dynamic_shared + byte_offset);
}

/// A device variable, which a reset gives its initial value. Returns true, so that it can initialise a variable.
bool keep_initial_value(void* variable, std::size_t bytes, bool managed);

/// A variable whose initial value was kept before the program began.
template <bool managed, auto& symbol>
struct device_variable {
    static void* address() { return const_cast<void*>(static_cast<const volatile void*>(&symbol)); }
    static inline const bool kept = keep_initial_value(address(), sizeof symbol, managed);
};

/// Device address of a __device__, __constant__ or __managed__ variable.
template <bool managed, auto& symbol>
void* address_of()
{
    using variable = device_variable<managed, symbol>;
    return addresses_gone() || !variable::kept ? nullptr : variable::address();
}
#if defined(CUF_CHECK)
/// The address that host code has of a variable that it must not touch, and the variable's name for messages.
template <auto& symbol>
void* closed_address(const char* name)
{
    void* address = address_of<false, symbol>();
    return address ? check::host_address(address, sizeof symbol, name) : nullptr;
}
#define CUF_ADDRESS_OF(...) ::cuf::closed_address<__VA_ARGS__>(#__VA_ARGS__)
#else
#define CUF_ADDRESS_OF(...) ::cuf::address_of<false, __VA_ARGS__>()
#endif
#define CUF_MANAGED_ADDRESS_OF(...) CUF_WATCHED_ADDRESS((::cuf::address_of<true, __VA_ARGS__>()), __VA_ARGS__)

/// Nanoseconds of a clock that all threads of the device share.
inline std::int64_t globaltimer()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace cuf

inline void __syncthreads(CUF_AT_ONLY)
{
    if (!cuf::cpu::barrier_in_ring(at)) cuf::cpu::plain_barrier(at);
}
inline int __syncthreads_count(int predicate CUF_AT) { return cuf::cpu::barrier(predicate, cuf::cpu::barrier_count CUF_PASS_AT); }
inline int __syncthreads_and(int predicate CUF_AT) { return cuf::cpu::barrier(predicate, cuf::cpu::barrier_and CUF_PASS_AT); }
inline int __syncthreads_or(int predicate CUF_AT) { return cuf::cpu::barrier(predicate, cuf::cpu::barrier_or CUF_PASS_AT); }
inline void __syncwarp(unsigned mask = 0xffffffffu CUF_AT) 
{
    cuf::cpu::warp_operate(cuf::cpu::warp_sync, mask, 0, [](int lane) { return lane; } CUF_PASS_AT);
}

#define CUF_CPU_JOIN_(a, b) a##b
#define CUF_CPU_JOIN(a, b) CUF_CPU_JOIN_(a, b)
/// `CUF_SOURCE_LINES("heat.cuf", {57, 31}, ...)`: in heat.cu.lines: line 57 of heat.cu comes from line 31 of heat.cuf.
#define CUF_SOURCE_LINES(source, ...) \
    static const ::cuf::cpu::source_lines CUF_CPU_JOIN(cuf_source_lines_, __COUNTER__) { __FILE__, source, {__VA_ARGS__} }
/// `CUF_SOURCE_HASH(0x...)`: behind the table, of heat.cu as it was translated; after an edit the table no longer holds.
#define CUF_SOURCE_HASH(hash) static const ::cuf::cpu::source_hash CUF_CPU_JOIN(cuf_source_hash_, __COUNTER__) { __FILE__, hash }

inline void __threadfence()
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
    cuf::cpu::spin_point();
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { cuf::cpu::yield(); }
