// The cpu target's part that is compiled once: scheduler, thread pool, CUDA runtime API.
// SPDX-License-Identifier: MIT OR Apache-2.0
#if !defined(CUF_TARGET_CPU)
#define CUF_TARGET_CPU 1
#endif
#include "pool.hpp"
#include "state.hpp"
#include "memory.hpp"
#include "streams.hpp"
#include "device.hpp"
#include "reduce.hpp"
#include "../host/device.hpp"
#if defined(CUF_CHECK)
#include "check/entry.hpp"
#endif

namespace cuf {
void limit_block(const void* kernel, int threads)
{
    if (threads > 0) cpu::block_limits()[kernel] = threads;
}
bool keep_initial_value(void* variable, std::size_t bytes, bool managed)
{
    cpu::allocations().add_variable(variable, bytes, managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice);
    cpu::initial_values().keep(variable, bytes);
#if defined(CUF_CHECK)
    check::add_device_variable(variable, bytes, managed);
#endif
    return true;
}
}  // namespace cuf
namespace cuf::cpu {
thread_local constinit thread_state self{};

block_values& values_of(const void* reduction)
{
    static thread_local std::vector<std::unique_ptr<block_values>> all;
    block_values* unused = nullptr;
    for (const auto& values : all) {
        if (values->count != 0 && values->reduction == reduction) return *values;
        if (values->count == 0 && !unused) unused = values.get();
    }
    if (!unused) {
        all.push_back(std::make_unique<block_values>());
        unused = all.back().get();
    }
    unused->reduction = reduction;
    return *unused;
}
}

namespace cuf::cpu {
/// With CUF2CU_LEAKS=1 in the environment, the end of the program says what device, managed and pinned memory was never freed.
[[maybe_unused]] static const bool reports_leaks = wished("CUF2CU_LEAKS") && std::atexit([] { allocations().report_leaks(); }) == 0;
}

/// Number of allocations that have not been freed. `where`: 0 device, 1 managed, 2 pinned memory, as in cuf::rt::space.
extern "C" long long cuf_rt_live_allocations(int where)
{
    return static_cast<long long>(allocations().count(where == 0 ? cudaMemoryTypeDevice : where == 1 ? cudaMemoryTypeManaged : cudaMemoryTypeHost));
}

/// Whether memory is allocated for calls of the runtime API by the program.
extern "C" void cuf_cpu_by_call(bool call) { cuf::cpu::allocation_table::by_call(call); }

/// The runtime keeps this memory; see allocation_table::keep.
extern "C" void cuf_cpu_keep(void* pointer) { allocations().keep(pointer); }
