// Operations of host code on whole arrays of the device: operands, positions, where results go, memory to work in.
//
// An operation is a structure that cuf2cu writes: its operands, and parts (`value`, `mask`, ...) that are functions of a position,
// from 1 in each dimension. All operands have the operation's rank, seen through strides where the source transposes or spreads them.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "array.hpp"
#include "device_state.hpp"
#include "execution.hpp"
#include "launch_config.hpp"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#if defined(CUF_TARGET_CPU)
/// The runtime keeps this memory to the end of the program.
extern "C" void cuf_cpu_keep(void*);
#endif

/// The operands of an operation that are arrays: `group(f)` calls f with them. (Operands have no names that end in an underscore.)
#define CUF_OPERANDS(group, ...)     \
    template <class F_>              \
    void group(const F_& f_) const   \
    {                                \
        f_(__VA_ARGS__);             \
    }
/// Parts of an operation, by what computes them at a position: a function of its namespace.
#define CUF_PART(part, function)          \
    template <class... I_>                \
    CUF_INLINE auto part(I_... i_) const  \
    {                                     \
        return function(*this, i_...);    \
    }
/// The element of an operand.
#define CUF_ELEMENT(part, array)                              \
    template <class... I_>                                    \
    CUF_INLINE auto part(I_... i_) const                      \
    {                                                         \
        return array(i_...);                                  \
    }                                                         \
    const auto& part##_array() const                          \
    {                                                         \
        return array;                                         \
    }
/// What the runtime has computed for the position, unchanged.
#define CUF_RESULT(part)                                      \
    static constexpr bool part##_is_result = true;            \
    template <class T_, class... I_>                          \
    CUF_INLINE T_ part(const T_& result_, I_...) const        \
    {                                                         \
        return result_;                                       \
    }

namespace cuf {

/// Where the target of an array statement lies.
enum class memory { device, managed, host };

namespace arrays {

/// The type in which values are added and multiplied: integers wrap.
template <class T, bool wraps = std::is_integral_v<T> && !std::is_same_v<T, bool>>
struct wrapping {
    using type = T;
};
template <class T>
struct wrapping<T, true> {
    using type = std::make_unsigned_t<T>;
};
template <class T>
using sum_type = typename wrapping<T>::type;

// ---- shapes and positions ----

template <int R>
struct extents {
    int64_t n[R];

    CUF_INLINE int64_t count() const
    {
        int64_t all = 1;
        for (int d = 0; d < R; ++d) all *= n[d];
        return all;
    }
};

[[noreturn]] inline void stop(const char* place, const char* what)
{
    std::fprintf(stderr, "cuf2cu: error: %s: %s\n", place, what);
    std::exit(1);
}

template <class V>
extents<V::rank> shape_of(const V& v)
{
    extents<V::rank> e;
    for (int d = 0; d < V::rank; ++d) e.n[d] = v.size(d + 1);
    return e;
}

template <int R, class V>
bool conforms(const extents<R>& e, const V& v)
{
    static_assert(V::rank == R);
    for (int d = 0; d < R; ++d)
        if (v.size(d + 1) != e.n[d]) return false;
    return true;
}

template <int R, class V>
void conform(const char* place, const extents<R>& e, const V& v)
{
    if (!conforms(e, v)) stop(place, "the arrays of this statement differ in shape");
}

/// Calls f with each array of an operation; optional ones may be absent.
template <class O, class F>
void each_array(const O& o, const F& f)
{
    o.arrays([&](const auto&... v) { (f(v), ...); });
    if constexpr (requires { o.optional_arrays(f); })
        o.optional_arrays([&](const auto& v) {
            if (v.data() != nullptr) f(v);
        });
}

/// The shape that all operands of an operation have.
template <class O>
extents<O::rank> operand_shape(const char* place, const O& o)
{
    extents<O::rank> e{};
    bool known = false;
    const auto one = [&](const auto& v) {
        if (known) return conform(place, e, v);
        e = shape_of(v);
        known = true;
    };
    each_array(o, one);
    return e;
}

/// The same positions in fewer dimensions: those that all arrays run through evenly become one. The subscripts leave their bounds
/// then, and checks see the dimensions as they are.
template <class O, class... V>
extents<O::rank> joined(extents<O::rank> e, const O& o, const V&... more)
{
    if (detail::checks_subscripts) return e;
    int first = 0;
    for (int d = 1; d < O::rank; ++d) {
        const auto even = [&](const auto& v) { return v.stride(d + 1) == v.stride(first + 1) * e.n[first]; };
        bool all = (even(more) && ...);
        each_array(o, [&](const auto& v) { all = all && even(v); });
        if (all || e.n[d] == 1) {
            e.n[first] *= e.n[d];
            e.n[d] = 1;
        } else {
            first = d;
        }
    }
    return e;
}

/// Only the first dimension is left: positions need no division.
template <int R>
bool is_flat(const extents<R>& e)
{
    for (int d = 1; d < R; ++d)
        if (e.n[d] != 1) return false;
    return true;
}

/// A position from 1 in each dimension.
template <int R>
struct position {
    int64_t i[R];

    template <class F>
    CUF_INLINE auto operator()(const F& f) const
    {
        return call(f, std::make_integer_sequence<int, R>());
    }

private:
    template <class F, int... D>
    CUF_INLINE auto call(const F& f, std::integer_sequence<int, D...>) const
    {
        return f(i[D]...);
    }
};

/// What is left of k after the multiples of n, which become the new k. Most numbers are small, and 64-bit division is slow.
CUF_INLINE int64_t take_rest(int64_t& k, int64_t n)
{
    if (((uint64_t(k) | uint64_t(n)) >> 32) == 0) {
        const uint32_t quotient = uint32_t(k) / uint32_t(n), rest = uint32_t(k) - quotient * uint32_t(n);
        k = quotient;
        return rest;
    }
    const int64_t quotient = k / n, rest = k - quotient * n;
    k = quotient;
    return rest;
}

/// The position of element k, from 0, in array element order.
template <bool flat, int R>
CUF_INLINE position<R> position_of(const extents<R>& e, int64_t k)
{
    position<R> at;
    if constexpr (flat || R == 1) {
        at.i[0] = k + 1;
        for (int d = 1; d < R; ++d) at.i[d] = 1;
    } else {
        for (int d = 0; d < R - 1; ++d) at.i[d] = take_rest(k, e.n[d]) + 1;
        at.i[R - 1] = k + 1;
    }
    return at;
}

template <int R, class O>
CUF_INLINE auto value_at(const O& o, const position<R>& at)
{
    return at([&](auto... i) { return o.value(i...); });
}

/// Without a mask all elements count.
template <int R, class O>
CUF_INLINE bool mask_at(const O& o, const position<R>& at)
{
    if constexpr (O::masked)
        return static_cast<bool>(at([&](auto... i) { return o.mask(i...); }));
    else
        return true;
}

// ---- launches ----

#if defined(CUF_TARGET_CPU)
inline constexpr unsigned block_threads = 32;
inline int64_t most_blocks() { return 4; }
#else
inline constexpr unsigned block_threads = 256;
/// Enough to keep the loads of all multiprocessors under way.
inline int64_t most_blocks()
{
    static thread_local struct {
        device_key device;
        int count;
    } known{{}, 0};
    const device_key here = this_device();
    if (!(known.device == here)) {
        int count = 0;
        if (cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, here.device) != cudaSuccess || count < 1) count = 1;
        known = {here, count};
    }
    return int64_t(known.count) * 4;
}
#endif

inline launch_config grid_of(const launch_config& at, int64_t blocks, int64_t rows = 1)
{
    const int64_t most = 0x7fffffff;
    return {{int32_t(blocks < 1 ? 1 : blocks > most ? most : blocks), int32_t(rows < 1 ? 1 : rows), 1},
            {int32_t(block_threads), 1, 1},
            0,
            at.stream,
            0};
}

/// Blocks for so many elements, of which each thread of a block takes `each` at a time.
inline int64_t blocks_for(int64_t count, int64_t each, int64_t most)
{
    const int64_t tile = int64_t(block_threads) * each, all = (count + tile - 1) / tile;
    return all < most ? all : most;
}

inline cudaStream_t stream_of(const launch_config& at) { return reinterpret_cast<cudaStream_t>(at.stream); }

template <class... P, class... A>
void run(const char* place, const launch_config& at, void (*kernel)(P...), const A&... args)
{
    launch(at, kernel, args...);
    require_loop(place, last_launch_result());
}

inline void wait(const char* place, const launch_config& at) { require_loop(place, cudaStreamSynchronize(stream_of(at))); }

/// While an operation is given to a stream: the device that has the data is the current one, and work in streams that the default
/// stream does not wait for is done.
class begun {
public:
    begun(const char* place, const launch_config& at, const void* data)
    {
        static const bool several = [] {
            int n = 0;
            return cudaGetDeviceCount(&n) == cudaSuccess && n > 1;
        }();
        cudaPointerAttributes a{};
        int here = -1;
        if (several && data && cudaPointerGetAttributes(&a, data) == cudaSuccess && a.type == cudaMemoryTypeDevice &&
            cudaGetDevice(&here) == cudaSuccess && here != a.device && cudaSetDevice(a.device) == cudaSuccess)
            before_ = here;
        if (at.stream == 0 && has_independent_streams()) require_loop(place, cudaDeviceSynchronize());
    }
    template <class O>
        requires requires { O::rank; }
    begun(const char* place, const launch_config& at, const O& o) : begun(place, at, first_of(o))
    {
    }
    begun(const begun&) = delete;
    begun& operator=(const begun&) = delete;
    ~begun()
    {
        if (before_ >= 0) (void)cudaSetDevice(before_);
    }

private:
    template <class O>
    static const void* first_of(const O& o)
    {
        const void* data = nullptr;
        const auto one = [&](const auto& v) { data = data ? data : v.data(); };
        if constexpr (requires { O::left_rank; })
            o.left_arrays([&](const auto&... v) { (one(v), ...); });
        else
            o.arrays([&](const auto&... v) { (one(v), ...); });
        return data;
    }
    int before_ = -1;
};

/// The host does not wait for what was given to the stream: streams that the default stream does not wait for must not pass it.
inline void leave_running(const char* place, const launch_config& at)
{
    if (at.stream != 0) return;
    if (has_independent_streams())
        wait(place, at);
    else
        note_unwaited();
}

// ---- memory ----

/// What memory of the calling thread is for. Nothing of it is in use after an operation has returned, for those that use it wait.
enum class room { result, partials, elements, copy };

/// Memory that the calling thread keeps for a device: of the host for results, else of the device.
inline void* take(const char* place, room what, std::size_t bytes)
{
    struct kept {
        device_key device;
        room what;
        void* memory;
        std::size_t bytes;
    };
    static thread_local std::vector<kept> all;
    const device_key here = this_device();
    const bool host = what == room::result;
    for (kept& k : all) {
        if (!(k.device == here) || k.what != what) continue;
        if (k.bytes >= bytes) return k.memory;
        (void)(host ? cudaFreeHost(k.memory) : cudaFree(k.memory));
        k = all.back();
        all.pop_back();
        break;
    }
    bytes = (bytes + 4095) / 4096 * 4096;
    void* memory = nullptr;
    require_loop(place, host ? cudaMallocHost(&memory, bytes) : cudaMalloc(&memory, bytes));
#if defined(CUF_TARGET_CPU)
    cuf_cpu_keep(memory);
#endif
    all.push_back({here, what, memory, bytes});
    return memory;
}

template <class T>
T* take_array(const char* place, room what, int64_t count)
{
    return static_cast<T*>(take(place, what, std::size_t(count) * sizeof(T)));
}

// ---- targets ----

struct bytes {
    const char *first, *last;
    friend bool operator&(const bytes& a, const bytes& b) { return a.first <= b.last && b.first <= a.last; }
};

/// The bytes from an array's first element in memory to its last.
template <class V>
bytes bytes_of(const V& v)
{
    int64_t low = 0, high = 0;
    for (int d = 1; d <= V::rank; ++d) {
        const int64_t reach = (v.size(d) - 1) * v.stride(d);
        (reach < 0 ? low : high) += reach;
    }
    const char* base = reinterpret_cast<const char*>(v.data());
    const int64_t size = int64_t(sizeof(typename V::element));
    return {base + low * size, base + (high + 1) * size - 1};
}

template <class V, class W>
bool same_elements(const V& v, const W& w)
{
    if constexpr (V::rank != W::rank || sizeof(typename V::element) != sizeof(typename W::element)) {
        return false;
    } else {
        if (static_cast<const void*>(v.data()) != static_cast<const void*>(w.data())) return false;
        for (int d = 1; d <= V::rank; ++d)
            if (v.size(d) > 1 && v.stride(d) != w.stride(d)) return false;
        return true;
    }
}

/// Scalars that the operation reads from memory are elements of the target.
template <class V, class O>
bool overwrites_scalars(const V& to, const O& o)
{
    bool found = false;
    if constexpr (requires { o.scalars([](const auto&...) {}); }) {
        const bytes all = bytes_of(to);
        const auto one = [&](const auto* p) {
            const char* first = reinterpret_cast<const char*>(p);
            found = found || all & bytes{first, first + sizeof *p - 1};
        };
        o.scalars([&](const auto*... p) { (one(p), ...); });
    }
    return found;
}

/// Elements that the operation still reads would be overwritten: an operand is a part of the target, and (where `in_place`, elements
/// are read and written at the same position) not the same part.
template <class V, class O>
bool disturbs(const V& to, const O& o, bool in_place)
{
    bool found = false;
    const auto one = [&](const auto& v) {
        if (!(bytes_of(to) & bytes_of(v))) return;
        found = found || !in_place || !same_elements(to, v);
    };
    each_array(o, one);
    return found || overwrites_scalars(to, o);
}

template <class T, int R>
view<T, R> dense(T* memory, const extents<R>& e)
{
    int64_t lower[R], stride[R], step = 1;
    for (int d = 0; d < R; ++d) {
        lower[d] = 1;
        stride[d] = step;
        step *= e.n[d];
    }
    return {memory, lower, e.n, stride};
}

template <bool flat, int R, class O, class V>
__global__ void set_elements(O o, extents<R> e, int64_t count, V to)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step) {
        const auto at = position_of<flat>(e, k);
        at([&](auto... i) { to(i...) = typename V::element(o.value(i...)); });
    }
}

/// to(i) = o.value(i) for all positions.
template <class O, class V>
void set_all(const char* place, const launch_config& at, const O& o, const V& to)
{
    const auto e = joined(shape_of(to), o, to);
    const int64_t count = e.count();
    if (count == 0) return;
    const launch_config config = grid_of(at, blocks_for(count, 1, int64_t(1) << 30));
    if (is_flat(e))
        run(place, config, set_elements<true, O::rank, O, V>, o, e, count, to);
    else if constexpr (O::rank > 1)
        run(place, config, set_elements<false, O::rank, O, V>, o, e, count, to);
}

template <class T, int R>
struct copied {
    static constexpr int rank = R;
    static constexpr bool masked = false, valued = true, nested = false;
    view<const T, R> from;
    template <class... I>
    CUF_INLINE const T& value(I... i) const
    {
        return from(i...);
    }
    CUF_OPERANDS(arrays, from)
};

/// Where the elements of a statement's target are written: in place, or first to memory of the device. `finish` brings them home.
template <memory M, class T, int R>
class target {
public:
    target(const char* place, const launch_config& at, const view<T, R>& to, bool disturbed)
        : place_(place), at_(at), to_(to), written_(to), apart_(M == memory::host || disturbed)
    {
        if (apart_ && to.size() > 0) written_ = dense(take_array<T>(place, room::copy, to.size()), shape_of(to));
    }
    const view<T, R>& elements() const { return written_; }

    void finish() const
    {
        if (apart_ && to_.size() > 0) {
            if constexpr (M == memory::host)
                to_host();
            else
                set_all(place_, at_, copied<T, R>{written_}, to_);
        }
        if (apart_ || M != memory::device)
            wait(place_, at_);
        else
            leave_running(place_, at_);
    }

private:
    void to_host() const
    {
        const std::size_t size = std::size_t(to_.size()) * sizeof(T);
        const auto copy = [&](void* into) {
            require_loop(place_, cudaMemcpyAsync(into, written_.data(), size, cudaMemcpyDeviceToHost, stream_of(at_)));
            wait(place_, at_);
            watch_result(place_, *static_cast<const T*>(into), to_.size());
        };
        if (to_.contiguous()) return copy(to_.data());
        std::vector<unsigned char> room(size);
        copy(room.data());
        const T* from = reinterpret_cast<const T*>(room.data());
        const auto e = shape_of(to_);
        for (int64_t k = 0; k < to_.size(); ++k) {
            const position<R> at = position_of<false>(e, k);
            int64_t offset = 0;
            for (int d = 0; d < R; ++d) offset += (at.i[d] - 1) * to_.stride(d + 1);
            to_.data()[offset] = from[k];
        }
    }

    const char* place_;
    const launch_config& at_;
    view<T, R> to_, written_;
    bool apart_;
};

// ---- values of the threads of a block ----

/// Combines the values of a block's threads, in a fixed order; all get the result. `merge(a, b)`: b comes into a.
template <class S, class F>
__device__ S combined(const S& own, const F& merge)
{
    __shared__ __align__(16) unsigned char storage[block_threads * sizeof(S)];
    S* all = reinterpret_cast<S*>(storage);
    const unsigned t = threadIdx.x;
    all[t] = own;
    __syncthreads();
    for (unsigned d = block_threads / 2; d > 0; d /= 2) {
        if (t < d) merge(all[t], all[t + d]);
        __syncthreads();
    }
    const S result = all[0];
    __syncthreads();
    return result;
}

/// The sum of the values of the threads before the calling one; `total` gets that of all.
template <class S>
__device__ S sum_before(const S& own, S& total)
{
    __shared__ __align__(16) unsigned char storage[block_threads * sizeof(S)];
    S* all = reinterpret_cast<S*>(storage);
    const unsigned t = threadIdx.x;
    all[t] = own;
    __syncthreads();
    for (unsigned d = 1; d < block_threads; d *= 2) {
        const S before = t >= d ? all[t - d] : S(0);
        __syncthreads();
        if (t >= d) all[t] = before + all[t];
        __syncthreads();
    }
    total = all[block_threads - 1];
    const S result = t > 0 ? all[t - 1] : S(0);
    __syncthreads();
    return result;
}

}  // namespace arrays

/// Each element of `to` becomes the operation's value at its position. False if nothing was done, for `to` has another shape, which
/// `fixed` does not allow.
template <memory M, class O, class T, int R>
bool assign_array(const launch_config& at, const char* place, const O& o, const view<T, R>& to, bool fixed)
{
    using namespace arrays;
    const begun now(place, at, o);
    const auto shape = operand_shape(place, o);
    if (!fixed && (to.data() == nullptr || !conforms(shape, to))) return false;
    conform(place, shape, to);
    const target<M, T, R> t(place, at, to, disturbs(to, o, true));
    set_all(place, at, o, t.elements());
    t.finish();
    return true;
}

}  // namespace cuf
