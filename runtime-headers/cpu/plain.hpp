// Kernels whose threads never wait for each other, as loops over their threads that the compiler can vectorise. The translator says in
// heat.cu.lines which kernels are so; without that file they run thread by thread, as all others do (cpu/target.hpp).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "target.hpp"

namespace cuf {
template <int R, class I>
struct layout;
}

namespace cuf::cpu {

/// What a loop over threads takes for granted of an argument, so that it need not be asked for each element.
template <class P>
struct plain_argument {
    static bool fits(const P&) { return true; }
    static void settle(P&) {}
};
/// The elements along the first dimension are neighbours.
template <int R, class I>
struct plain_argument<layout<R, I>> {
    static bool fits(const layout<R, I>& a) { return a.stride[0] == 1; }
    static void settle(layout<R, I>& a) { a.stride[0] = 1; }
};

/// Threads along x in one go, and before them.
inline constexpr unsigned most_width = 1u << 16, most_first = 1u << 30;

/// One thread after another: the compiler may take several at a time where it finds, or asks before the loop, that this is the same. It is
/// not told that threads are independent of each other (`omp simd`, `ivdep`): g++ then also moves loads of a thread over that thread's own stores.
///
/// `body` is what the threads do for which `inside` holds, neighbours along x; without one it is the kernel for all. The compiler then need not
/// mask each access. The bounds let it see that 32-bit subscripts do not wrap.
template <auto kernel, auto body = kernel, auto inside = nullptr>
struct plain_threads;

template <class... P, void (*kernel)(P...), auto body, auto inside>
struct plain_threads<kernel, body, inside> {
    static void run(const void* call, unsigned width)
    {
        std::apply([width](const P&... values) { block(width, values...); }, static_cast<const kernel_call<P...>*>(call)->values);
    }

    static bool fits(const void* call)
    {
        return std::apply([](const P&... values) { return (plain_argument<P>::fits(values) && ...); },
                          static_cast<const kernel_call<P...>*>(call)->values);
    }

    __attribute__((flatten)) static void block(unsigned width, P... values)
    {
        const unsigned depth = blockDim.z, height = blockDim.y;
        for (unsigned z = 0; z < depth; ++z) {
            threadIdx.z = z;
            for (unsigned y = 0; y < height; ++y) {
                threadIdx.y = y;
                unsigned first = 0, last = width;
                if constexpr (!std::is_same_v<decltype(inside), std::nullptr_t>) {
                    const auto asked = [&](unsigned x) {
                        threadIdx.x = x;
                        return inside(values...);
                    };
                    while (first < last && !asked(first)) ++first;
                    while (first < last && !asked(last - 1)) --last;
                }
                if (first < last) row(first, last, values...);
            }
        }
    }

    __attribute__((flatten, noinline)) static void row(unsigned first, unsigned last, P... values)
    {
        if (first > most_width || last > most_width) __builtin_unreachable();
        if (blockIdx.x * blockDim.x > most_first || blockIdx.y * blockDim.y > most_first || blockIdx.z * blockDim.z > most_first) __builtin_unreachable();
        (plain_argument<P>::settle(values), ...);
        for (unsigned x = first; x < last; ++x) {
            threadIdx.x = x;
            body(values...);
        }
    }
};

/// Makes a kernel known before the program starts.
template <auto kernel, bool wide, class threads = plain_threads<kernel>>
struct plain_entry {
    plain_kernel entry{reinterpret_cast<const void*>(kernel), wide, &threads::fits, &threads::run, nullptr, nullptr, plain_kernel::first};
    plain_entry() { plain_kernel::first = &entry; }
};

}  // namespace cuf::cpu

// In heat.cu.lines: the threads of the kernel do not wait for each other. Counts only where the build knows that heat.cu is as it was written.
#if defined(CUF_CPU_LOOPS)
#define CUF_PLAIN_KERNEL(wide, ...) \
    static const ::cuf::cpu::plain_entry<__VA_ARGS__, wide> CUF_CPU_JOIN(cuf_plain_kernel_, __COUNTER__)
#define CUF_GUARDED_KERNEL(wide, inside, body, ...)                                                               \
    static const ::cuf::cpu::plain_entry<__VA_ARGS__, wide, ::cuf::cpu::plain_threads<__VA_ARGS__, body, inside>> \
        CUF_CPU_JOIN(cuf_plain_kernel_, __COUNTER__)
#else
#define CUF_PLAIN_KERNEL(...) static_assert(true)
#define CUF_GUARDED_KERNEL(...) static_assert(true)
#endif
