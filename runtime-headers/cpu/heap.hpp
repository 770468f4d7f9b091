// The heap of the emulated device: ordinary memory up to the limit that cudaDeviceSetLimit sets.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "checks.hpp"
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace cuf::cpu {

inline std::atomic<std::size_t> heap_limit{std::size_t{8} << 20}, heap_used{0};
inline constexpr std::size_t heap_header = 64;  // keeps the size, and the alignment of what follows

/// Null if the limit does not allow it.
inline void* heap_take(std::size_t bytes)
{
    const std::size_t limit = heap_limit.load(std::memory_order_relaxed);
    if (bytes > limit || heap_used.fetch_add(bytes, std::memory_order_relaxed) + bytes > limit) {
        if (bytes <= limit) heap_used.fetch_sub(bytes, std::memory_order_relaxed);
        return nullptr;
    }
    char* memory = static_cast<char*>(std::aligned_alloc(heap_header, (bytes + 2 * heap_header - 1) / heap_header * heap_header));
    if (memory == nullptr) {
        heap_used.fetch_sub(bytes, std::memory_order_relaxed);
        return nullptr;
    }
    *reinterpret_cast<std::size_t*>(memory) = bytes;
    check::begin_heap(memory + heap_header, bytes);
    return memory + heap_header;
}

inline void heap_give_back(const void* elements)
{
    if (elements == nullptr) return;
    char* memory = const_cast<char*>(static_cast<const char*>(elements)) - heap_header;
    heap_used.fetch_sub(*reinterpret_cast<std::size_t*>(memory), std::memory_order_relaxed);
    check::end_heap(elements, *reinterpret_cast<std::size_t*>(memory));
    std::free(memory);
}

}  // namespace cuf::cpu
