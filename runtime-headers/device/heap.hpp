// Memory of device code from the heap of the device: the one place where device code asks for it.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"
#include "stop.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <type_traits>
#if defined(CUF_TARGET_CPU)
#include "../cpu/heap.hpp"
#endif

namespace cuf::heap {

/// In front of elements with a destructor stands their number.
template <class T>
inline constexpr size_t head = std::is_trivially_destructible_v<T> ? 0 : 16;

/// n elements (at least one), default-initialised; null if there is no memory. Not `new T[n]`: nvcc 13.0 stores the number of
/// elements in front of the memory, in the heap's own data, where T has a constructor and no destructor (measured, compute-sanitizer).
template <class T>
CUF_FN T* create(int64_t n)
{
    static_assert(alignof(T) <= 16);
    if (n < 1) n = 1;
    if (uint64_t(n) > (uint64_t(1) << 62) / sizeof(T)) return nullptr;
#if defined(CUF_TARGET_CPU)
    char* memory = static_cast<char*>(cpu::heap_take(head<T> + size_t(n) * sizeof(T)));
#else
    char* memory = static_cast<char*>(malloc(head<T> + size_t(n) * sizeof(T)));
#endif
    if (!memory) return nullptr;
    if constexpr (head<T> != 0) *reinterpret_cast<int64_t*>(memory) = n;
    T* elements = reinterpret_cast<T*>(memory + head<T>);
    if constexpr (!std::is_trivially_default_constructible_v<T>)
        for (int64_t k = 0; k < n; ++k) new (elements + k) T;
    return elements;
}

/// Gives back what `create` gave; null is left alone.
template <class T>
CUF_FN void destroy(T* elements)
{
    if (!elements) return;
    char* memory = const_cast<char*>(reinterpret_cast<const volatile char*>(elements)) - head<T>;
    if constexpr (head<T> != 0)
        for (int64_t k = *reinterpret_cast<int64_t*>(memory); k > 0; --k) elements[k - 1].~T();
#if defined(CUF_TARGET_CPU)
    cpu::heap_give_back(memory);
#else
    free(memory);
#endif
}

/// Ends the program: a statement of device code, which stands at `place` in the Fortran source, could not be done.
CUF_FN inline void stop_at(const char* place, const char* why)
{
#if defined(__CUDA_ARCH__)
    printf("cuf2cu: error: %s: %s\n", place, why);
    stop();
#else
    std::fflush(stdout);
    std::fprintf(stderr, "cuf2cu: error: %s: %s\n", place, why);
    std::exit(1);
#endif
}

#define CUF_HEAP_IS_FULL "no memory is left on the heap of the device (cudaLimitMallocHeapSize)"

/// As `create`, for a value that the program cannot go on without: where there is no memory it stops.
template <class T>
CUF_FN T* need(const char* place, int64_t n)
{
    T* elements = create<T>(n);
    if (!elements) stop_at(place, CUF_HEAP_IS_FULL);
    return elements;
}

/// Few elements lie in the object itself: that is faster and takes nothing from the heap.
template <class T>
struct near_elements {
    static constexpr int64_t most = std::is_trivially_destructible_v<T> ? 256 / int64_t(sizeof(T)) : 0;

    CUF_FN T* data() { return reinterpret_cast<T*>(bytes_); }

private:
    alignas(T) unsigned char bytes_[most > 0 ? most * sizeof(T) : 1];
};

}  // namespace cuf::heap
