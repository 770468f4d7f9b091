// What is remembered about a device, and what it needs before it runs the program's kernels. host/device.hpp has the definitions, which
// are compiled once, into the runtime.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "watch.hpp"
#if defined(CUF_TARGET_CPU)
#include "../cpu/api.hpp"
#else
#include <cuda_runtime.h>
#endif

namespace cuf {

/// A device between two resets. Every address, setting and buffer that is kept for a device is kept for one of these: cudaDeviceReset
/// leaves none of them valid.
struct device_key {
    int device = -1;
    unsigned resets = 0;
    friend bool operator==(const device_key&, const device_key&) = default;
};

/// The calling thread's current device.
device_key this_device();
/// After cudaDeviceReset.
void count_reset(int device);
/// The program has set this limit (a cudaLimit) of the current device itself.
void limit_chosen(int limit);

/// While a reset is told to the program, symbols have no addresses.
bool addresses_gone();
void addresses_gone(bool gone);

/// What device code of this program needs of a device; said at start-up (`CUF_NEEDS`).
enum class need { heap, recursion };
bool register_need(need what);

/// The program works with a stream: the default stream does not wait for it if it was created non-blocking.
void note_stream(std::int64_t stream, bool created = false);
/// The program has such streams.
bool has_independent_streams();
/// Work that the host did not wait for was given to the default stream: it is waited for when the first of such streams turns up, and
/// when the program goes to another device.
void note_unwaited();
void wait_for_unwaited();

/// Before a launch in this stream: sets the limits that the program's kernels need, once for a device, and not within a capture, which
/// forbids it. Limits that the program has set stay.
void prepare_device(std::int64_t stream);

/// Room for procedures that call themselves, of which the compiler does not know how deep: 8 KB for a thread instead of CUDA's 1 KB.
void recursion_stack(const launch_config& at);

/// Before a capture begins: sets all limits, for that is forbidden within it.
void prepare_capture();

/// Device memory for the partial results of a reduction, nobody else's until it is given back. Stops the program if there is none.
/// Device memory for partial results, and memory of the host for the result of them.
struct partials_buffer {
    void *memory = nullptr, *result = nullptr;
};
partials_buffer take_partials(std::int64_t bytes);
void give_back_partials(const partials_buffer& partials);

/// Most threads of a block of this kernel on the current device; it depends on its registers.
int largest_block(const void* kernel);

/// Stops the program if a CUF loop did not run: nobody asks for the errors of a loop. `loop`: its place and name.
void require_loop(const char* loop, cudaError_t code);

}  // namespace cuf
