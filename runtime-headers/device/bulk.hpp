// Barriers in shared memory and bulk copies between global and shared memory (module cudadevice: barrier_*, tma_bulk_*).
// From compute capability 9.0 on they are the hardware's. Elsewhere, and for what the hardware cannot copy (addresses or sizes
// that are no multiples of 16 bytes, other memory), the calling thread copies, and a word is the barrier: a program that waits
// as it has to sees no difference.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"
#include "warp.hpp"
#include "atomics.hpp"

namespace cuf {

namespace detail {

template <class Unit>
CUF_WARP void copy_units(char* to, const char* from, int bytes)
{
    for (int at = 0; at < bytes; at += int(sizeof(Unit))) memcpy(__builtin_assume_aligned(to + at, sizeof(Unit)), __builtin_assume_aligned(from + at, sizeof(Unit)), sizeof(Unit));
}

/// Copies in the largest units that both addresses and the size allow.
CUF_WARP void copy_bytes(void* to, const void* from, int bytes)
{
    char* const t = static_cast<char*>(to);
    const char* const f = static_cast<const char*>(from);
    const std::uintptr_t all = reinterpret_cast<std::uintptr_t>(t) | reinterpret_cast<std::uintptr_t>(f) | std::uintptr_t(unsigned(bytes));
    if (all % 8 == 0) {
        copy_units<std::uint64_t>(t, f, bytes);
    } else if (all % 4 == 0) {
        copy_units<std::uint32_t>(t, f, bytes);
    } else {
        copy_units<char>(t, f, bytes);
    }
}

}  // namespace detail

#if !defined(CUF_TARGET_CPU) && __CUDA_ARCH__ >= 900

namespace detail {

CUF_WARP unsigned shared_address(const void* p)
{
    return unsigned(__cvta_generic_to_shared(p));
}

/// What the copy engine takes.
CUF_WARP bool is_bulk(const void* global, const void* shared, int bytes)
{
    const std::uintptr_t all = reinterpret_cast<std::uintptr_t>(global) | shared_address(shared) | unsigned(bytes);
    return bytes > 0 && __isGlobal(global) && __isShared(shared) && all % 16 == 0;
}

CUF_WARP void expect_bytes(std::int64_t& barrier, int bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes) : "memory");
}

CUF_WARP void begin_load(void* to, std::int64_t& barrier, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(&barrier))
                 : "memory");
}

}  // namespace detail

/// Each phase of the barrier ends when `count` threads have arrived and the bytes expected in it are there.
CUF_WARP void barrier_init(std::int64_t& barrier, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(detail::shared_address(&barrier)), "r"(count) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// The result says which phase it was.
CUF_WARP std::int64_t barrier_arrive(std::int64_t& barrier)
{
    std::int64_t token;
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(detail::shared_address(&barrier)) : "memory");
    return token;
}

/// The phase waits for `bytes` more to come.
CUF_WARP std::int64_t barrier_arrive(std::int64_t& barrier, int bytes)
{
    std::int64_t token;
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(token)
                 : "r"(detail::shared_address(&barrier)), "r"(bytes)
                 : "memory");
    return token;
}

/// Whether the phase has ended: 1 or 0, after at most about `nanoseconds`.
CUF_WARP int barrier_try_wait_sleep(std::int64_t& barrier, std::int64_t token, int nanoseconds)
{
    int done;
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2, %3;\n"
        "selp.b32 %0, 1, 0, p;\n"
        "}"
        : "=r"(done)
        : "r"(detail::shared_address(&barrier)), "l"(token), "r"(nanoseconds)
        : "memory");
    return done;
}

/// Writes of the thread to shared memory come before bulk copies that follow.
CUF_WARP void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Copies `bytes`, which a thread announces by the barrier_arrive of its own.
template <class T, class F>
CUF_WARP void tma_bulk_g2s(T* to, std::int64_t& barrier, const F* from, int bytes)
{
    if (bytes <= 0) return;
    if (detail::is_bulk(from, to, bytes)) {
        detail::begin_load(to, barrier, from, bytes);
        return;
    }
    detail::copy_bytes(to, from, bytes);
    __threadfence_block();
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(detail::shared_address(&barrier)), "r"(bytes) : "memory");
}

/// Copies elements; the barrier's phase waits for them.
template <class T>
CUF_WARP void tma_bulk_load(T* to, std::int64_t& barrier, const T* from, int elements)
{
    const int bytes = elements * int(sizeof(T));
    if (detail::is_bulk(from, to, bytes)) {
        detail::expect_bytes(barrier, bytes);
        detail::begin_load(to, barrier, from, bytes);
    } else {
        detail::copy_bytes(to, from, bytes);
    }
}

CUF_WARP void tma_bulk_commit_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// The thread's copies to global memory are there.
CUF_WARP void tma_bulk_wait_group()
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/// Copies and waits: nvfortran's stores do so.
template <class T, class F>
CUF_WARP void tma_bulk_s2g(T* to, const F* from, int bytes)
{
    if (!detail::is_bulk(to, from, bytes)) return detail::copy_bytes(to, from, bytes);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                 "r"(detail::shared_address(from)), "r"(bytes)
                 : "memory");
    tma_bulk_commit_group();
    tma_bulk_wait_group();
}

#else

namespace detail {

/// A barrier as a word: the phase's parity, threads to come, threads of a phase, bytes to come (with an offset, for they may be
/// there before they are expected).
struct barrier_word {
    static constexpr std::uint64_t none = std::uint64_t(1) << 22;
    std::uint64_t bits;

    static CUF_WARP barrier_word of(std::uint64_t parity, std::uint64_t to_come, std::uint64_t threads, std::uint64_t bytes)
    {
        return {parity << 63 | to_come << 43 | threads << 23 | bytes};
    }
    CUF_WARP std::uint64_t parity() const { return bits >> 63; }
    CUF_WARP std::uint64_t to_come() const { return bits >> 43 & 0xfffff; }
    CUF_WARP std::uint64_t threads() const { return bits >> 23 & 0xfffff; }
    CUF_WARP std::uint64_t bytes() const { return bits & 0x7fffff; }

    /// The word after threads have arrived and bytes were expected (or came, where negative).
    CUF_WARP barrier_word after(unsigned arrived, int expected) const
    {
        const std::uint64_t left = to_come() - arrived, rest = bytes() + std::uint64_t(std::int64_t(expected));
        if (left == 0 && rest == none) return of(parity() ^ 1, threads(), threads(), none);
        return of(parity(), left, threads(), rest);
    }
};

/// Changes the barrier in one step; the result is the word before.
CUF_WARP std::int64_t change_barrier(std::int64_t& barrier, unsigned arrived, int expected)
{
    for (;;) {
        const std::uint64_t before = cas_bits(barrier, 0, 0);
        const barrier_word after = barrier_word{before}.after(arrived, expected);
        if (cas_bits(barrier, before, after.bits) == before) return std::int64_t(before);
    }
}

CUF_WARP void fence_block()
{
#if defined(CUF_TARGET_CPU)
    std::atomic_thread_fence(std::memory_order_seq_cst);
#else
    __threadfence_block();
#endif
}

}  // namespace detail

CUF_WARP void barrier_init(std::int64_t& barrier, int count)
{
    const auto threads = std::uint64_t(unsigned(count));
    barrier = std::int64_t(detail::barrier_word::of(0, threads, threads, detail::barrier_word::none).bits);
    detail::fence_block();
}

CUF_WARP std::int64_t barrier_arrive(std::int64_t& barrier, int bytes = 0)
{
    detail::fence_block();
    return detail::change_barrier(barrier, 1, bytes);
}

CUF_WARP int barrier_try_wait_sleep(std::int64_t& barrier, std::int64_t token, int)
{
    const detail::barrier_word now{detail::cas_bits(barrier, 0, 0)};
    if (now.parity() == detail::barrier_word{std::uint64_t(token)}.parity()) {
#if defined(CUF_TARGET_CPU)
        cpu::yield();
#endif
        return 0;
    }
    detail::fence_block();
    return 1;
}

CUF_WARP void fence_proxy_async() {}

template <class T, class F>
CUF_WARP void tma_bulk_g2s(T* to, std::int64_t& barrier, const F* from, int bytes)
{
    if (bytes <= 0) return;
    detail::copy_bytes(to, from, bytes);
    detail::fence_block();
    detail::change_barrier(barrier, 0, -bytes);
}

template <class T>
CUF_WARP void tma_bulk_load(T* to, std::int64_t&, const T* from, int elements)
{
    detail::copy_bytes(to, from, elements * int(sizeof(T)));
}

CUF_WARP void tma_bulk_commit_group() {}

CUF_WARP void tma_bulk_wait_group() {}

template <class T, class F>
CUF_WARP void tma_bulk_s2g(T* to, const F* from, int bytes)
{
    detail::copy_bytes(to, from, bytes);
}

#endif

/// Waits for the end of the phase.
CUF_WARP int barrier_try_wait(std::int64_t& barrier, std::int64_t token)
{
    while (barrier_try_wait_sleep(barrier, token, 1000000) == 0) {
    }
    return 1;
}

template <class T>
CUF_WARP void tma_bulk_store(T* to, const T* from, int elements)
{
    tma_bulk_s2g(to, from, elements * int(sizeof(T)));
}

}  // namespace cuf
