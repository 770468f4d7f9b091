// The cpu target's part that is compiled once: scheduler, thread pool, CUDA runtime API.
#if !defined(CUF_TARGET_CPU)
#define CUF_TARGET_CPU 1
#endif
#include "cpu_pool.hpp"
#include "cpu_state.hpp"
#include "cpu_memory.hpp"
#include "cpu_streams.hpp"
#include "cpu_device.hpp"
#include "cpu_reduce.hpp"

thread_local constinit uint3 threadIdx{};
thread_local constinit uint3 blockIdx{};
thread_local constinit uint3 blockDim{};
thread_local constinit uint3 gridDim{};
namespace cuf {
void limit_block(const void* kernel, int threads)
{
    if (threads > 0) cpu::block_limits()[kernel] = threads;
}
}  // namespace cuf
namespace cuf::cpu {
thread_local constinit thread_state self{};

block_values& values_of(const void* reduction)
{
    static thread_local std::vector<std::unique_ptr<block_values>> all;
    block_values* unused = nullptr;
    for (const auto& values : all) {
        if (values->count != 0 && values->reduction == reduction) return *values;
        if (values->count == 0 && !unused) unused = values.get();
    }
    if (!unused) {
        all.push_back(std::make_unique<block_values>());
        unused = all.back().get();
    }
    unused->reduction = reduction;
    return *unused;
}
}
