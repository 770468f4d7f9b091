// Memory of device code from the heap of the device: the one place where device code asks for it.
#pragma once

#include "base.hpp"
#include "stop.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <type_traits>

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
    char* memory = static_cast<char*>(malloc(head<T> + size_t(n) * sizeof(T)));
    if (!memory) return nullptr;
    if constexpr (head<T> != 0) *reinterpret_cast<int64_t*>(memory) = n;
    T* elements = reinterpret_cast<T*>(memory + head<T>);
    if constexpr (!std::is_trivially_default_constructible_v<T>)
        for (int64_t k = 0; k < n; ++k) new (elements + k) T;
    return elements;
}

/// As `create`, for a value that the program cannot go on without: where there is no memory it stops.
template <class T>
CUF_FN T* need(int64_t n)
{
    T* elements = create<T>(n);
#if defined(CUF_TARGET_CPU) || defined(__CUDA_ARCH__)
    if (!elements) {
        printf("cuf2cu: error: no memory left in the heap of the device (cudaLimitMallocHeapSize)\n");
        stop();
    }
#endif
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
    free(memory);
}

}  // namespace cuf::heap
