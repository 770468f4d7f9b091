// Copies between host and device: which of three ways is the fastest for a section, and the copy.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "transfer.hpp"
#include <optional>

namespace cuf::rt {

/// How a copy between host and device is done.
enum class way {
    rows,    // by the copy functions of the runtime API
    staged,  // by a kernel that reads or writes pinned memory of the host
    packed,  // by a kernel and one copy of device memory
};

/// The most bytes that are staged: above, the copy of the staged bytes on the host takes more time than it saves.
inline constexpr std::int64_t largest_staged = 1 << 20;

/// The faster way for a section with gaps. One cudaMemcpy2D takes some nanoseconds a row, a kernel about two microseconds in all
/// (scripts/gpu-bench measures both on the machine at hand). `pinned`: kernels reach the host's side.
inline way way_across(const copy_shape& s, [[maybe_unused]] bool to_device, [[maybe_unused]] bool pinned)
{
    const std::size_t second = second_axis(s);
    const bool found = second != s.axes.size();
#if defined(CUF_TARGET_CPU)
    return found ? way::rows : way::packed;
#else
    std::int64_t calls = 1;
    for (std::size_t d = 0; d < s.axes.size(); ++d)
        if (d != second) calls *= s.axes[d].extent;
    const std::int64_t rows = s.axes[found ? second : 0].extent;
    if (calls == 1 && (pinned ? rows <= 1024 || s.run >= 256 : to_device ? rows <= 256 || s.run >= 64 : rows <= 64)) return way::rows;
    if (pinned || s.bytes() <= largest_staged) return way::staged;
    if (calls == 1) return s.run >= 64 ? way::rows : way::packed;
    return s.run * rows >= (calls > 256 ? 1 << 16 : 4096) ? way::rows : way::packed;
#endif
}

inline bool pageable(const void* host)
{
    cudaPointerAttributes a{};
    return !attributes_of(host, a) || a.type == cudaMemoryTypeUnregistered;
}

/// Memory that kernels and copies alone reach. The cpu target does not have such memory.
inline bool only_on_device([[maybe_unused]] const void* p)
{
#if defined(CUF_TARGET_CPU)
    return false;
#else
    if (allocated_on(p) >= 0) return true;
    cudaPointerAttributes a{};
    return attributes_of(p, a) && a.type == cudaMemoryTypeDevice;
#endif
}

#if !defined(CUF_TARGET_CPU)
extern "C" __attribute__((weak)) int MPI_Init(int*, char***);
extern "C" __attribute__((weak)) void mpi_init_(int*);

/// Others than the device's streams may read its data: functions of MPI, streams beside the default stream, other devices; or the host may
/// not touch managed data while anything runs.
inline bool order_of_streams_is_not_enough()
{
    static const bool always = [] {
        quiet keep_last_error;
        int device = 0, concurrent = 0;
        const bool known = cudaGetDevice(&device) == cudaSuccess &&
                           cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device) == cudaSuccess;
        return MPI_Init != nullptr || mpi_init_ != nullptr || !known || concurrent == 0;
    }();
    return always || has_independent_streams() || std::popcount(used_devices.load()) > 1;
}

/// Whether kernels reach this memory of the host at the host's address.
inline bool reached_by_kernels(const void* host)
{
    cudaPointerAttributes a{};
    return attributes_of(host, a) && a.type != cudaMemoryTypeUnregistered && a.devicePointer == host;
}

/// Pinned memory of this thread of the host, which keeps it: most transfers are faster than an allocation. Null if that fails.
inline char* staging(std::int64_t bytes)
{
    // After cudaDeviceReset the memory is gone.
    const auto release = [](char* p) { if (quiet keep_last_error; reached_by_kernels(p)) (void)cudaFreeHost(p); };
    thread_local std::unique_ptr<char, decltype(release)> mine{nullptr, release};
    thread_local std::int64_t held = 0;
    if (bytes <= held && reached_by_kernels(mine.get())) return mine.get();
    mine.reset();
    held = 0;
    const auto size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 1 << 16))));
    quiet keep_last_error;
    // Another thread may be capturing a stream, which an allocation would break off.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    void* p = nullptr;
    if (cudaHostAlloc(&p, static_cast<std::size_t>(size), cudaHostAllocPortable | cudaHostAllocMapped) == cudaSuccess) {
        mine.reset(static_cast<char*>(p));
        held = size;
    }
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    return mine.get();
}
#endif

/// A contiguous array of the shape and type of `d` at another address.
inline desc packed_like(const desc& d, char* at)
{
    desc packed = copy_of(d);
    packed.base_addr = at;
    auto length = static_cast<std::ptrdiff_t>(d.elem_len);
    for (int i = 0; i < d.rank; ++i) {
        packed.dim[i] = {0, d.dim[i].extent, length};
        length *= d.dim[i].extent;
    }
    return packed;
}

/// Between arrays of host and device of one shape and type, complete on return.
inline cudaError_t copy_across(const desc& to, const desc& from, bool to_device, const queue& q)
{
    cudaStream_t stream = q.stream;
    const desc& host = to_device ? from : to;
    const copy_shape s = between(to, from);
    bool pinned = false;
#if !defined(CUF_TARGET_CPU)
    pinned = !s.axes.empty() && reached_by_kernels(host.base_addr);
#endif
    const way chosen = s.axes.empty() ? way::rows : way_across(s, to_device, pinned);
    const auto complete = [stream](cudaError_t code) {
        const cudaError_t waited = cudaStreamSynchronize(stream);
        return code != cudaSuccess ? code : waited;
    };
#if !defined(CUF_TARGET_CPU)
    const bool one_call = s.axes.empty() || (s.axes.size() == 1 && pitched(s, s.axes[0]));
    if (chosen == way::rows && one_call && stream == nullptr &&
        !(to_device && (order_of_streams_is_not_enough() || !only_on_device(to.base_addr)))) {
        const cudaError_t code = copy_by_rows(s, stream, true);
        if (to_device) note_unwaited();  // the last bytes may be under way
        return code;
    }
    if (chosen == way::staged && pinned) return complete(copy_device(s, stream));
#endif
    if (chosen == way::rows) return complete(copy_by_rows(s, stream));
    const std::int64_t bytes = s.bytes();
    if (!contiguous(host)) {
        const auto own = host_buffer(bytes);
        const desc packed = packed_like(host, own.get());
        if (to_device) copy_on_host(against_packed(host, own.get(), true));
        const cudaError_t code = to_device ? copy_across(to, packed, true, q) : copy_across(packed, from, false, q);
        if (!to_device && code == cudaSuccess) copy_on_host(against_packed(host, own.get(), false));
        return code;
    }
    char* area = nullptr;
#if !defined(CUF_TARGET_CPU)
    if (chosen == way::staged) area = staging(bytes);
#endif
    std::optional<device_buffer> buffer;
    if (area == nullptr) buffer.emplace(bytes, q);
    char* middle = area != nullptr ? area : buffer->data();
    const auto move = [&](char* there, const char* here) {
        if (area == nullptr) return copy_flat(there, here, bytes, stream);
        std::memcpy(there, here, static_cast<std::size_t>(bytes));
        return cudaSuccess;
    };
    char* flat = static_cast<char*>(host.base_addr);
    if (to_device) {
        const cudaError_t code = move(middle, flat);
        return complete(code != cudaSuccess ? code : copy_device(against_packed(to, middle, false), stream));
    }
    cudaError_t code = copy_device(against_packed(from, middle, true), stream);
    if (area != nullptr) code = complete(code);
    return complete(code != cudaSuccess ? code : move(flat, middle));
}

}  // namespace cuf::rt
