// Kernels whose threads never wait for each other, as loops over their threads that the compiler can vectorise. The translator says in
// heat.cu.lines which kernels are so; without that file they run thread by thread, as all others do (cpu/target.hpp).
#pragma once
#include "target.hpp"

// The turns of the loop that follows do not depend on each other. Without -fopenmp-simd, which CUF_CPU_SIMD stands for, fewer
// conditions become masks.
#if defined(CUF_CPU_SIMD) || defined(_OPENMP)
#define CUF_VECTOR_LOOP _Pragma("omp simd")
#else
#define CUF_VECTOR_LOOP _Pragma("GCC ivdep")
#endif

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

/// Threads along x in one go. The bounds let the compiler see that 32-bit subscripts do not wrap.
inline constexpr unsigned most_width = 1u << 16, most_first = 1u << 30;

/// `independent`: threads meet in no atomic operation, fence or volatile access, so that any number of them can be a step at a time.
template <auto kernel, bool independent>
struct plain_threads;

template <class... P, void (*kernel)(P...), bool independent>
struct plain_threads<kernel, independent> {
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
        if (width > most_width || blockIdx.x * blockDim.x > most_first || blockIdx.y * blockDim.y > most_first || blockIdx.z * blockDim.z > most_first)
            __builtin_unreachable();
        (plain_argument<P>::settle(values), ...);
        for (unsigned z = 0; z < depth; ++z) {
            threadIdx.z = z;
            for (unsigned y = 0; y < height; ++y) {
                threadIdx.y = y;
                if constexpr (independent) {
                    CUF_VECTOR_LOOP
                    for (unsigned x = 0; x < width; ++x) {
                        threadIdx.x = x;
                        kernel(values...);
                    }
                } else {
                    for (unsigned x = 0; x < width; ++x) {
                        threadIdx.x = x;
                        kernel(values...);
                    }
                }
            }
        }
    }
};

/// Makes a kernel known before the program starts.
template <auto kernel, bool independent, bool wide>
struct plain_entry {
    plain_kernel entry{reinterpret_cast<const void*>(kernel), wide, &plain_threads<kernel, independent>::fits, &plain_threads<kernel, independent>::run, nullptr, nullptr, plain_kernel::first};
    plain_entry() { plain_kernel::first = &entry; }
};

}  // namespace cuf::cpu

/// In heat.cu.lines: the threads of the kernel do not wait for each other.
#define CUF_PLAIN_KERNEL(independent, wide, ...) \
    static const ::cuf::cpu::plain_entry<__VA_ARGS__, independent, wide> CUF_CPU_JOIN(cuf_plain_kernel_, __COUNTER__)
