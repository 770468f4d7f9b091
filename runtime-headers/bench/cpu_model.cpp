// Speed of the cpu target's execution model: barrier switches and barrier-free threads a second, on all cores.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cpu/target.hpp"
#include <chrono>
#include <cstdio>

namespace bench {
__global__ void barriers(int* a, int rounds)
{
    for (int r = 0; r < rounds; ++r) __syncthreads();
    if (threadIdx.x == 0) a[blockIdx.x] = rounds;
}
__global__ void triad(float* a, const float* b, const float* c, int n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < unsigned(n)) a[i] = b[i] + 2.0f * c[i];
}
__global__ void empty(int n)
{
    if (n < 0) __syncthreads();
}
__global__ void shuffles(int* a, int rounds)
{
    std::uint64_t v = threadIdx.x;
    for (int r = 0; r < rounds; ++r) v = cuf::cpu::warp_operate(cuf::cpu::warp_shuffle, ~0u, v, [r](int) { return r & 31; }, std::source_location::current());
    a[threadIdx.x] = int(v);
}
}  // namespace bench

template <class F>
double seconds(F run)
{
    double best = 1e30;
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        const double t = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = t < best ? t : best;
    }
    return best;
}

int main()
{
    constexpr int blocks = 64, rounds = 500, n = 1 << 12;
    int* a;
    float *x, *y, *z;
    cudaMalloc(&a, 4096 * sizeof *a);
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&y, n * sizeof *y);
    cudaMalloc(&z, n * sizeof *z);
    for (int i = 0; i < n; ++i) y[i] = z[i] = float(i);
    for (int threads : {32, 256, 1024}) {
        const double t = seconds([&] { cuf::launch({{blocks, 1, 1}, {threads, 1, 1}, 0, 0, 0}, bench::barriers, a, rounds); });
        std::printf("barrier switches, %4d threads a block: %8.1f million/s\n", threads, 1e-6 * blocks * rounds * threads / t);
    }
    const double w = seconds([&] { cuf::launch({{blocks, 1, 1}, {256, 1, 1}, 0, 0, 0}, bench::shuffles, a, rounds); });
    std::printf("warp shuffles: %8.1f million lanes/s\n", 1e-6 * blocks * rounds * 256 / w);
    const double e = seconds([&] { cuf::launch({{1 << 18, 1, 1}, {256, 1, 1}, 0, 0, 0}, bench::empty, 1); });
    std::printf("barrier-free threads, empty kernel: %8.1f million/s\n", 1e-6 * (1 << 18) * 256 / e);
    const double t = seconds([&] { for (int i = 0; i < 4000; ++i) cuf::launch({{n / 256, 1, 1}, {256, 1, 1}, 0, 0, 0}, bench::triad, x, y, z, n); });
    std::printf("barrier-free threads, triad in cache: %8.1f million/s, %.1f us a launch\n", 4e-3 * n / t, t / 4000 * 1e6);
}
