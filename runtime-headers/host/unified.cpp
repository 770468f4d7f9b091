// The memory mode "unified" (guide 2.15): device code gets the addresses of any host data, if the system lets it. Part of programs
// of that mode only.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "queue.hpp"

namespace {

using namespace cuf::rt;

#if !defined(CUF_TARGET_CPU)
[[noreturn]] void not_reached(int device)
{
    fail("this program was built with --mem=unified, but device %d does not reach the memory of the host "
         "(cudaDevAttrPageableMemoryAccess is 0): that needs a system with heterogeneous memory management or a Grace processor",
         device);
}

/// Stops a launch where the device does not reach the memory of the host: asked once for each device.
void require_unified_memory()
{
    static std::atomic<std::uint64_t> seen{0};
    const int device = cuf::this_device().device;
    const std::uint64_t bit = std::uint64_t{1} << (device & 63);
    if (seen & bit) return;
    quiet keep_last_error;
    int pageable = 1;
    if (cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device) == cudaSuccess && !pageable)
        not_reached(device);
    seen |= bit;
}

/// Stops at the start where no device reaches the memory of the host. Copies and library calls take host data without a launch of the
/// program's own, and would end in an illegal access. No context is made; without a device nothing is said.
void require_some_device()
{
    quiet keep_last_error;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return;
    for (int device = 0; device < devices; ++device) {
        int pageable = 1;
        if (cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device) != cudaSuccess || pageable) return;
    }
    not_reached(0);
}

#endif

const bool asked = [] {
    shares_host_memory() = true;
#if !defined(CUF_TARGET_CPU)
    before_launch() = require_unified_memory;
    require_some_device();
#endif
    return true;
}();

}  // namespace
