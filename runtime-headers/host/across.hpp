// Copies between host and device: which of three ways is the fastest for a section, and the copy.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "transfer.hpp"
#include <bit>

namespace cuf::rt {

/// How a copy between host and device is done.
enum class way {
    rows,    // by the copy functions of the runtime API
    staged,  // by a kernel that reads or writes pinned memory of the host
    packed,  // by a kernel and one copy of device memory
};

#if defined(CUF_TARGET_CPU)
inline way way_across(const copy_shape& s, [[maybe_unused]] bool to_device, [[maybe_unused]] bool pinned)
{
    return s.axes.empty() || second_axis(s) != s.axes.size() ? way::rows : way::packed;
}
#else
/// The most bytes that are staged: above, the copy of the staged bytes on the host takes more time than it saves.
inline constexpr std::int64_t largest_staged = 1 << 20;

/// The faster way for this shape. One cudaMemcpy2D takes some nanoseconds a row, a kernel about two microseconds in all
/// (scripts/gpu-bench measures both on the machine at hand).
inline way way_across(const copy_shape& s, bool to_device, bool pinned)
{
    if (s.axes.empty()) return way::rows;
    const std::size_t second = second_axis(s);
    const bool found = second != s.axes.size();
    std::int64_t calls = 1;
    for (std::size_t d = 0; d < s.axes.size(); ++d)
        if (d != second) calls *= s.axes[d].extent;
    if (calls == 1) {
        const std::int64_t rows = s.axes[second].extent;
        if (pinned) {
            if (rows <= 1024 || s.run >= 256) return way::rows;
        } else if (to_device ? rows <= 256 || s.run >= 64 : rows <= 64) {
            return way::rows;
        }
    }
    if (pinned || s.bytes() <= largest_staged) return way::staged;
    if (calls == 1) return s.run >= 64 ? way::rows : way::packed;
    const std::int64_t each = s.run * s.axes[found ? second : 0].extent;
    return each >= (calls > 256 ? 1 << 16 : 4096) ? way::rows : way::packed;
}

/// Whether kernels reach this memory of the host at the host's address.
inline bool reached_by_kernels(const void* host)
{
    cudaPointerAttributes a{};
    return attributes_of(host, a) && a.type != cudaMemoryTypeUnregistered && a.devicePointer == host;
}

/// Pinned memory of this thread of the host, which kernels reach; null if there is none. It grows and is kept: an allocation
/// takes longer than most transfers.
inline char* staging(std::int64_t bytes)
{
    struct area {
        char* data = nullptr;
        std::int64_t size = 0;
        ~area() { release(); }
        void release()
        {
            // After cudaDeviceReset the memory is gone already.
            cudaPointerAttributes a{};
            if (data != nullptr && attributes_of(data, a) && a.type == cudaMemoryTypeHost) {
                quiet keep_last_error;
                (void)cudaFreeHost(data);
            }
            data = nullptr;
            size = 0;
        }
    };
    thread_local area mine;
    cudaPointerAttributes a{};
    if (bytes <= mine.size && attributes_of(mine.data, a) && a.type == cudaMemoryTypeHost) return mine.data;
    mine.release();
    std::int64_t size = 1 << 16;
    while (size < bytes) size *= 2;
    quiet keep_last_error;
    // Another thread may be capturing a stream, which an allocation would break off.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    void* p = nullptr;
    const cudaError_t code = cudaHostAlloc(&p, static_cast<std::size_t>(size), cudaHostAllocPortable | cudaHostAllocMapped);
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    if (code != cudaSuccess) return nullptr;
    mine.data = static_cast<char*>(p);
    mine.size = size;
    return mine.data;
}
#endif

inline bool pageable(const void* host)
{
    cudaPointerAttributes a{};
    return !attributes_of(host, a) || a.type == cudaMemoryTypeUnregistered;
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
#endif

/// Memory that kernels and copies alone reach; on the cpu target there is none.
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
    [[maybe_unused]] const desc& device = to_device ? to : from;
    const copy_shape s = between(to, from);
    bool pinned = false;
    way chosen = way::rows;
    if (!s.axes.empty()) {
#if !defined(CUF_TARGET_CPU)
        pinned = reached_by_kernels(host.base_addr);
#endif
        chosen = way_across(s, to_device, pinned);
    }
    cudaError_t code = cudaSuccess;
#if !defined(CUF_TARGET_CPU)
    if (chosen == way::staged) {
        char* area = pinned || !reachable(device.base_addr) ? nullptr : staging(s.bytes());
        if (pinned && reachable(device.base_addr)) {
            code = copy_on_device(s, stream);
        } else if (area == nullptr) {
            chosen = way::packed;
        } else if (to_device) {
            copy_on_host(against_packed(from, area, true));
            code = copy_on_device(against_packed(to, area, false), stream);
        } else {
            code = copy_on_device(against_packed(from, area, true), stream);
            if (code == cudaSuccess) code = cudaStreamSynchronize(stream);
            if (code == cudaSuccess) copy_on_host(against_packed(to, area, false));
            return code;
        }
    }
#endif
#if !defined(CUF_TARGET_CPU)
    // One call in place of two. It may return before the last bytes are on the device: the streams' order is enough then.
    const bool one_call = s.axes.empty() || (s.axes.size() == 1 && pitched(s, s.axes[0]));
    if (chosen == way::rows && one_call && stream == nullptr &&
        !(to_device && (order_of_streams_is_not_enough() || !only_on_device(device.base_addr)))) {
        const auto run = static_cast<std::size_t>(s.run);
        if (to_device) note_unwaited();
        if (s.axes.empty()) return cudaMemcpy(s.to, s.from, run, cudaMemcpyDefault);
        const axis& a = s.axes[0];
        return cudaMemcpy2D(s.to, static_cast<std::size_t>(a.to), s.from, static_cast<std::size_t>(a.from), run,
                            static_cast<std::size_t>(a.extent), cudaMemcpyDefault);
    }
#endif
    if (chosen == way::rows) code = copy_by_rows(s, stream);
    if (chosen == way::packed) {
        // The host's side of the one copy is contiguous, too.
        const std::unique_ptr<char[]> own = contiguous(host) ? nullptr : host_buffer(s.bytes());
        char* flat = own ? own.get() : static_cast<char*>(host.base_addr);
        device_buffer temporary(s.bytes(), q);
        if (to_device) {
            if (own) copy_on_host(against_packed(from, flat, true));
            code = copy_flat(temporary.data(), flat, s.bytes(), stream);
            if (code == cudaSuccess) code = copy_device(against_packed(to, temporary.data(), false), stream);
        } else {
            code = copy_device(against_packed(from, temporary.data(), true), stream);
            if (code == cudaSuccess) code = copy_flat(flat, temporary.data(), s.bytes(), stream);
            if (own && code == cudaSuccess) {
                code = cudaStreamSynchronize(stream);
                if (code == cudaSuccess) copy_on_host(against_packed(to, flat, false));
            }
        }
    }
    const cudaError_t waited = cudaStreamSynchronize(stream);
    return code != cudaSuccess ? code : waited;
}

/// Device array to contiguous host memory, complete on return.
inline cudaError_t gather(char* packed, const desc& from, const queue& q)
{
    return copy_across(packed_like(from, packed), from, false, q);
}

/// Contiguous host memory to device array, complete on return.
inline cudaError_t scatter(const desc& to, char* packed, const queue& q)
{
    return copy_across(to, packed_like(to, packed), true, q);
}

}  // namespace cuf::rt
