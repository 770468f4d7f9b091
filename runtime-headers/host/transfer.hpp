// Copies and fills between host and device: any rank, section and type.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocation.hpp"
#include "convert.hpp"
#include <memory>

namespace cuf::rt {

/// One dimension of a copy: extent and the distance in bytes on both sides.
struct axis {
    std::int64_t extent, to, from;
};

/// A copy of equal elements, reduced to as few dimensions as possible, first one fastest.
struct copy_shape {
    char* to;
    char* from;
    std::int64_t run;  // bytes that are contiguous on both sides
    std::vector<axis> axes;

    std::int64_t bytes() const
    {
        std::int64_t n = run;
        for (const axis& a : axes) n *= a.extent;
        return n;
    }
};

inline copy_shape reduce(char* to, char* from, std::int64_t length, std::vector<axis> axes)
{
    copy_shape s{to, from, length, {}};
    for (axis& a : axes) {
        if (a.extent == 1) continue;
        if (a.to < 0 && a.from < 0) {  // the same elements in the other order
            s.to += (a.extent - 1) * a.to;
            s.from += (a.extent - 1) * a.from;
            a.to = -a.to;
            a.from = -a.from;
        }
        if (s.axes.empty() && a.to == s.run && a.from == s.run) {
            s.run *= a.extent;
        } else if (!s.axes.empty() && a.to == s.axes.back().to * s.axes.back().extent &&
                   a.from == s.axes.back().from * s.axes.back().extent) {
            s.axes.back().extent *= a.extent;
        } else {
            s.axes.push_back(a);
        }
    }
    return s;
}

inline bool contiguous(const desc& d)
{
    auto expected = static_cast<std::ptrdiff_t>(d.elem_len);
    for (int i = 0; i < d.rank; ++i) {
        if (d.dim[i].extent != 1 && d.dim[i].sm != expected) return false;
        expected *= d.dim[i].extent;
    }
    return true;
}

/// Axes of a copy between an array and contiguous memory (`packed_to`: the contiguous side is the destination).
inline copy_shape against_packed(const desc& d, char* packed, bool packed_to)
{
    std::vector<axis> axes;
    auto at = static_cast<std::int64_t>(d.elem_len);
    for (int i = 0; i < d.rank; ++i) {
        std::int64_t sm = d.dim[i].sm;
        axes.push_back(packed_to ? axis{d.dim[i].extent, at, sm} : axis{d.dim[i].extent, sm, at});
        at *= d.dim[i].extent;
    }
    char* base = static_cast<char*>(d.base_addr);
    return packed_to ? reduce(packed, base, static_cast<std::int64_t>(d.elem_len), std::move(axes))
                     : reduce(base, packed, static_cast<std::int64_t>(d.elem_len), std::move(axes));
}

inline copy_shape between(const desc& to, const desc& from)
{
    if (to.elem_len == from.elem_len && contiguous(to) && contiguous(from)) {
        auto run = static_cast<std::int64_t>(to.elem_len);
        for (int i = 0; i < to.rank; ++i) run *= to.dim[i].extent;
        return {static_cast<char*>(to.base_addr), static_cast<char*>(from.base_addr), run, {}};
    }
    std::vector<axis> axes;
    for (int i = 0; i < to.rank; ++i) axes.push_back({to.dim[i].extent, to.dim[i].sm, from.dim[i].sm});
    return reduce(static_cast<char*>(to.base_addr), static_cast<char*>(from.base_addr),
                  static_cast<std::int64_t>(to.elem_len), std::move(axes));
}

/// Every element of `to` from one value.
inline copy_shape repeated(const desc& to, char* value)
{
    std::vector<axis> axes;
    for (int i = 0; i < to.rank; ++i) axes.push_back({to.dim[i].extent, to.dim[i].sm, 0});
    return reduce(static_cast<char*>(to.base_addr), value, static_cast<std::int64_t>(to.elem_len), std::move(axes));
}

/// First and last byte + 1 of an array.
inline std::pair<const char*, const char*> footprint(const desc& d)
{
    const char* low = static_cast<const char*>(d.base_addr);
    const char* high = low + d.elem_len;
    for (int i = 0; i < d.rank; ++i) {
        std::ptrdiff_t reach = (d.dim[i].extent - 1) * d.dim[i].sm;
        (reach < 0 ? low : high) += reach;
    }
    return {low, high};
}

inline bool overlap(const desc& a, const desc& b)
{
    auto [la, ha] = footprint(a);
    auto [lb, hb] = footprint(b);
    return la < hb && lb < ha;
}

// ---- device kernels (GPU only; the cpu target copies row by row) ----

struct device_axes {
    int rank;
    std::int64_t extent[8], to[8], from[8];

    void add(std::int64_t n, std::int64_t to_step, std::int64_t from_step)
    {
        extent[rank] = n;
        to[rank] = to_step;
        from[rank++] = from_step;
    }

    /// The k-th element in the order of the axes.
    CUF_RT_BOTH void walk(std::int64_t k, char*& to_at, const char*& from_at) const
    {
        for (int d = 0; d < rank; ++d) {
            std::int64_t i = d + 1 < rank ? k % extent[d] : k;
            if (d + 1 < rank) k /= extent[d];
            to_at += i * to[d];
            from_at += i * from[d];
        }
    }
};

/// Elements of two types; on the source's side the axes may stand still.
struct conversion {
    char* to;
    const char* from;
    element_type to_type, from_type;
    device_axes axes;
    std::int64_t total;

    CUF_RT_BOTH void element(std::int64_t k) const
    {
        char* t = to;
        const char* f = from;
        axes.walk(k, t, f);
        convert_element(t, to_type, f, from_type);
    }
};

#if !defined(CUF_TARGET_CPU)
}  // namespace cuf::rt
#include "copy_kernels.hpp"
namespace cuf::rt {
#endif

/// Converts within device memory, in stream order. The two sides have the same shape or `from` is a scalar, and do not overlap.
inline cudaError_t convert_on_device(const desc& to, const desc& from, cudaStream_t stream)
{
    conversion c{static_cast<char*>(to.base_addr), static_cast<const char*>(from.base_addr), type_of(to), type_of(from),
                 {0, {}, {}, {}}, element_count(to)};
    for (int i = 0; i < to.rank; ++i) c.axes.add(to.dim[i].extent, to.dim[i].sm, from.rank == 0 ? 0 : from.dim[i].sm);
#if defined(CUF_TARGET_CPU)
    const auto all = [](const void* data) {
        const conversion& each = *static_cast<const conversion*>(data);
        for (std::int64_t k = 0; k < each.total; ++k) each.element(k);
    };
    return cpu::in_stream(stream, all, &c, sizeof c);
#else
    void* args[] = {&c};
    return launch_elements(&convert_elements, args, c.total, stream);
#endif
}

/// Whether kernels of the current device can be given this memory.
inline bool reachable([[maybe_unused]] const void* p)
{
#if defined(CUF_TARGET_CPU)
    return false;
#else
    const int owner = allocated_on(p);
    if (owner >= 0 && !several_devices()) return true;
    quiet keep_last_error;
    int here = -1;
    if (cudaGetDevice(&here) != cudaSuccess) return false;
    if (owner >= 0) return owner == here;
    cudaPointerAttributes a{};
    if (cudaPointerGetAttributes(&a, p) != cudaSuccess) return false;
    return a.type != cudaMemoryTypeDevice || a.device == here;
#endif
}

/// Calls `body(to, from)` for every combination of the axes from `first` on, leaving out axis `except`.
template <typename Body>
cudaError_t for_each_row(const copy_shape& s, std::size_t first, std::size_t except, Body body)
{
    std::vector<std::int64_t> index(s.axes.size(), 0);
    char* to = s.to;
    char* from = s.from;
    for (;;) {
        cudaError_t code = body(to, from);
        if (code != cudaSuccess) return code;
        std::size_t d = first;
        for (; d < s.axes.size(); ++d) {
            if (d == except) continue;
            const axis& a = s.axes[d];
            to += a.to;
            from += a.from;
            if (++index[d] < a.extent) break;
            index[d] = 0;
            to -= a.extent * a.to;
            from -= a.extent * a.from;
        }
        if (d >= s.axes.size()) return cudaSuccess;
    }
}

inline bool pitched(const copy_shape& s, const axis& a) { return a.to >= s.run && a.from >= s.run; }

/// The axis that one cudaMemcpy2D takes along with the run: the longest possible; axes.size() if there is none.
inline std::size_t second_axis(const copy_shape& s)
{
    std::size_t best = s.axes.size();
    for (std::size_t d = 0; d < s.axes.size(); ++d)
        if (pitched(s, s.axes[d]) && (best == s.axes.size() || s.axes[d].extent > s.axes[best].extent)) best = d;
    return best;
}

/// Copies with the copy functions of the runtime API alone; `blocks`: with those that need no stream.
inline cudaError_t copy_by_rows(const copy_shape& s, cudaStream_t stream, bool blocks = false)
{
#if defined(CUF_TARGET_CPU)
    const cpu::open_device once;
#endif
    auto run = static_cast<std::size_t>(s.run);
    std::size_t second = second_axis(s);
    return for_each_row(s, 0, second, [&](char* to, const char* from) {
        if (second == s.axes.size())
            return blocks ? cudaMemcpy(to, from, run, cudaMemcpyDefault) : cudaMemcpyAsync(to, from, run, cudaMemcpyDefault, stream);
        const axis& a = s.axes[second];
        const auto to_pitch = static_cast<std::size_t>(a.to), from_pitch = static_cast<std::size_t>(a.from), rows = static_cast<std::size_t>(a.extent);
        return blocks ? cudaMemcpy2D(to, to_pitch, from, from_pitch, run, rows, cudaMemcpyDefault)
                      : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, run, rows, cudaMemcpyDefault, stream);
    });
}

/// Copies on the host.
inline void copy_on_host(const copy_shape& s)
{
    auto run = static_cast<std::size_t>(s.run);
    if (s.axes.empty()) {
        std::memcpy(s.to, s.from, run);
        return;
    }
    const axis inner = s.axes[0];
    (void)for_each_row(s, 1, s.axes.size(), [&](char* to, const char* from) {
        for (std::int64_t i = 0; i < inner.extent; ++i, to += inner.to, from += inner.from) {
            switch (run) {  // constant sizes become single moves
            case 4: std::memcpy(to, from, 4); break;
            case 8: std::memcpy(to, from, 8); break;
            default: std::memcpy(to, from, run);
            }
        }
        return cudaSuccess;
    });
}

/// Copies within device memory.
inline cudaError_t copy_device(const copy_shape& s, cudaStream_t stream)
{
#if !defined(CUF_TARGET_CPU)
    if (!s.axes.empty() && reachable(s.to) && reachable(s.from)) return copy_on_device(s, stream);
#endif
    return copy_by_rows(s, stream);
}

/// Temporary device memory of a stream, freed in its order; in a capture it belongs to the graph.
class device_buffer {
public:
    device_buffer(std::int64_t bytes, const queue& q) : queue_(q)
    {
        quiet keep_last_error;
        void* p = nullptr;
        auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
#if !defined(CUF_TARGET_CPU)
        if (!q.captured) keep_freed_memory();
#endif
        cudaError_t code = cudaMallocAsync(&p, size, q.stream);
        if (code == cudaErrorNotSupported && !q.captured) {
            ordered_ = false;
            code = cudaMalloc(&p, size);
        }
        check(code, "temporary device memory");
        data_ = static_cast<char*>(p);
    }
    ~device_buffer()
    {
        quiet keep_last_error;
        if (ordered_) {
            (void)cudaFreeAsync(data_, queue_.stream);
        } else {
            (void)cudaStreamSynchronize(queue_.stream);
            (void)cudaFree(data_);
        }
    }
    device_buffer(const device_buffer&) = delete;
    device_buffer& operator=(const device_buffer&) = delete;
    char* data() const { return data_; }

private:
#if !defined(CUF_TARGET_CPU)
    /// Without a threshold each synchronization gives the pool's memory back to the system, and the next allocation takes
    /// some 100 microseconds.
    static void keep_freed_memory()
    {
        int device = 0;
        cudaMemPool_t pool{};
        std::uint64_t threshold = 0;
        if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, device) != cudaSuccess) return;
        if (cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) != cudaSuccess || threshold != 0) return;
        threshold = 1 << 25;
        (void)cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    }
#endif

    char* data_;
    queue queue_;
    bool ordered_ = true;
};

inline std::unique_ptr<char[]> host_buffer(std::int64_t bytes)
{
    return std::unique_ptr<char[]>(new char[static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))]);
}

inline cudaError_t copy_flat(char* to, const char* from, std::int64_t bytes, cudaStream_t stream)
{
    return cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, stream);
}

// ---- fills ----

#if defined(CUF_TARGET_CPU)
/// Bytes of an element that a fill passes by value: the cpu target copies such a scalar just as well.
inline constexpr std::size_t largest_pattern = 0;
#endif

/// Sets every element of contiguous device memory to `element`, in stream order, without host memory in flight.
inline cudaError_t fill_flat(char* to, std::int64_t n, const char* element, std::size_t length, cudaStream_t stream)
{
    auto count = static_cast<std::size_t>(n);
    std::size_t total = count * length;
    if (std::all_of(element, element + length, [&](char c) { return c == element[0]; }))
        return cudaMemsetAsync(to, static_cast<unsigned char>(element[0]), total, stream);
    // the first elements byte plane by byte plane, then doubling
    std::size_t seed = std::min<std::size_t>(count, 512);
    for (std::size_t k = 0; k < length; ++k) {
        cudaError_t code =
            cudaMemset2DAsync(to + k, length, static_cast<unsigned char>(element[k]), 1, seed, stream);
        if (code != cudaSuccess) return code;
    }
    for (std::size_t done = seed * length; done < total;) {
        std::size_t more = std::min(done, total - done);
        cudaError_t code = cudaMemcpyAsync(to + done, to, more, cudaMemcpyDefault, stream);
        if (code != cudaSuccess) return code;
        done += more;
    }
    return cudaSuccess;
}

/// Sets every element of a device array; `element` has the array's type.
inline cudaError_t fill(const desc& to, const char* element, const queue& q)
{
    cudaStream_t stream = q.stream;
    std::int64_t n = element_count(to);
    if (n == 0) return cudaSuccess;
    char* base = static_cast<char*>(to.base_addr);
#if !defined(CUF_TARGET_CPU)
    bool one_byte = std::all_of(element, element + to.elem_len, [&](char c) { return c == element[0]; });
    if (to.elem_len <= largest_pattern && !(one_byte && contiguous(to)) && reachable(base)) {
        const auto length = static_cast<std::int64_t>(to.elem_len);
        if (contiguous(to) && length <= 8 && (length & (length - 1)) == 0 && reinterpret_cast<std::uintptr_t>(base) % to.elem_len == 0)
            return fill_words(base, element, length, n, stream);
        return copy_on_device(repeated(to, nullptr), stream, element);
    }
#endif
    if (contiguous(to)) return fill_flat(base, n, element, to.elem_len, stream);
    copy_shape s = against_packed(to, nullptr, false);
    device_buffer temporary(s.bytes(), q);
    cudaError_t code = fill_flat(temporary.data(), n, element, to.elem_len, stream);
    if (code != cudaSuccess) return code;
    return copy_device(against_packed(to, temporary.data(), false), stream);
}

}  // namespace cuf::rt
