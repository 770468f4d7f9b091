// The memory mode "unified" (guide 2.15): device code gets the addresses of any host data, if the system lets it. Part of programs
// of that mode only.
#include "queue.hpp"

namespace {

using namespace cuf::rt;

#if !defined(CUF_TARGET_CPU)
/// Stops where the device does not reach the memory of the host: asked once for each device.
void require_unified_memory()
{
    static std::atomic<std::uint64_t> seen{0};
    const int device = cuf::this_device().device;
    const std::uint64_t bit = std::uint64_t{1} << (device & 63);
    if (seen & bit) return;
    quiet keep_last_error;
    int pageable = 1;
    if (cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device) == cudaSuccess && !pageable)
        fail("this program was built with --mem=unified, but device %d does not reach the memory of the host "
             "(cudaDevAttrPageableMemoryAccess is 0): that needs a system with heterogeneous memory management or a Grace processor",
             device);
    seen |= bit;
}

const bool launches_ask = [] {
    before_launch() = require_unified_memory;
    return true;
}();
#endif

}  // namespace
