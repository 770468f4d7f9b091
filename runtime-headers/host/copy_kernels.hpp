// Kernels that copy, convert, and fill elements anywhere in memory that the device reaches.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "transfer.hpp"

namespace cuf::rt {

/// Bytes of an element that a fill passes by value.
inline constexpr std::size_t largest_pattern = 32;

struct element_bytes {
    alignas(8) char bytes[largest_pattern];
};

static __global__ void convert_elements(conversion c)
{
    std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < c.total; k += step) c.element(k);
}

/// From memory, or from one value.
template <typename Word, bool fills>
__global__ void copy_words(char* to, const char* from, element_bytes value, device_axes axes, std::int64_t total)
{
    std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < total; k += step) {
        char* t = to;
        const char* f = fills ? value.bytes : from;
        axes.walk(k, t, f);
        *reinterpret_cast<Word*>(t) = *reinterpret_cast<const Word*>(f);
    }
}

template <typename Word>
__global__ void fill_run(Word* to, Word value, std::int64_t total)
{
    std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < total; k += step) to[k] = value;
}

/// With cudaLaunchKernel, which returns the error: the last error of the program is not asked.
template <typename Kernel>
cudaError_t launch_elements(Kernel* kernel, void** args, std::int64_t total, cudaStream_t stream)
{
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((total + 255) / 256, 1 << 20));
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(256), args, 0, stream);
}

/// Calls `work` with a zero of the words of 8, 4, 2, or 1 bytes.
template <typename Work>
cudaError_t in_words(std::int64_t word, Work work)
{
    switch (word) {
    case 8: return work(std::uint64_t{});
    case 4: return work(std::uint32_t{});
    case 2: return work(std::uint16_t{});
    default: return work(std::uint8_t{});
    }
}

/// Copies in the largest words that every address and stride allows; from `value`, if there is one, which the shape's source stands for.
inline cudaError_t copy_on_device(const copy_shape& s, cudaStream_t stream, const char* value = nullptr)
{
    std::uint64_t bits = reinterpret_cast<std::uint64_t>(s.to) | static_cast<std::uint64_t>(s.run);
    if (value == nullptr) bits |= reinterpret_cast<std::uint64_t>(s.from);
    for (const axis& a : s.axes) bits |= static_cast<std::uint64_t>(a.to) | static_cast<std::uint64_t>(a.from);
    const std::int64_t word = bits % 8 == 0 ? 8 : bits % 4 == 0 ? 4 : bits % 2 == 0 ? 2 : 1;
    device_axes axes{0, {}, {}, {}};
    if (s.run != word || s.axes.empty()) axes.add(s.run / word, word, word);
    for (const axis& a : s.axes) axes.add(a.extent, a.to, a.from);
    std::int64_t total = s.bytes() / word;
    char* to = s.to;
    const char* from = s.from;
    element_bytes element{};
    if (value != nullptr) std::memcpy(element.bytes, value, static_cast<std::size_t>(s.run));
    void* args[] = {&to, &from, &element, &axes, &total};
    return in_words(word, [&](auto zero) {
        using word_type = decltype(zero);
        return launch_elements(value != nullptr ? &copy_words<word_type, true> : &copy_words<word_type, false>, args, total, stream);
    });
}

/// Elements side by side that are words.
inline cudaError_t fill_words(char* to, const char* element, std::int64_t length, std::int64_t total, cudaStream_t stream)
{
    return in_words(length, [&](auto value) {
        std::memcpy(&value, element, sizeof value);
        void* args[] = {&to, &value, &total};
        return launch_elements(&fill_run<decltype(value)>, args, total, stream);
    });
}

}  // namespace cuf::rt
