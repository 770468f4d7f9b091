// The cpu target's part that is compiled once: scheduler, thread pool, CUDA runtime API.
#if !defined(CUF_TARGET_CPU)
#define CUF_TARGET_CPU 1
#endif
#include "cpu_pool.hpp"
#include "cpu_state.hpp"
#include "cpu_memory.hpp"
#include "cpu_streams.hpp"
#include "cpu_device.hpp"

thread_local constinit uint3 threadIdx{};
thread_local constinit uint3 blockIdx{};
thread_local constinit uint3 blockDim{};
thread_local constinit uint3 gridDim{};
namespace cuf::cpu {
thread_local constinit thread_state self{};
}
