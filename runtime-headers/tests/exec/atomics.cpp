// Atomics under contention, waiting loops between threads and blocks, last block, locks.
#include "check.hpp"
#include "cuf.cuh"

namespace tests {
__global__ void count(int* i, int64_t* l, float* f, double* d, cuf::half* h)
{
    const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
    cuf::atomic_add(i[0], 1);
    cuf::atomic_sub(i[1], 2);
    cuf::atomic_max(i[2], t);
    cuf::atomic_min(i[3], -t);
    cuf::atomic_or_(i[4], 1 << (t % 31));
    cuf::atomic_and_(i[5], ~(1 << (t % 31)));
    cuf::atomic_xor_(i[6], 1 << (t % 8));
    cuf::atomic_inc(i[7], 99);
    cuf::atomic_dec(i[8], 99);
    cuf::atomic_add(l[0], int64_t(1) << 33);
    cuf::atomic_add(f[0], 1.0f);
    cuf::atomic_max(f[1], float(t));
    cuf::atomic_sub(d[0], 0.5);
    cuf::atomic_min(d[1], -double(t));
    if (t < 512) cuf::atomic_add(h[0], cuf::half(1.0f));
}
__global__ void last_block(int* a, int* done, int* sum)
{
    __shared__ int last;
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = cuf::atomic_inc(*done, int(gridDim.x) - 1) == int(gridDim.x) - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int s = 0;
        for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) s += a[i];
        *sum = s;
    }
}
__global__ void locked(int* lock, int* value)
{
    for (;;) {
        if (cuf::atomic_cas(*lock, 0, 1) != 0) continue;
        *value += 1;
        __threadfence();
        cuf::atomic_exch(*lock, 0);
        break;
    }
}
/// Thread 0 waits for the last thread of its block, and every block for the blocks after it.
__global__ void wait(int* flags, int* grid_flags)
{
    if (threadIdx.x == 0) {
        while (cuf::atomic_add(flags[blockIdx.x], 0) == 0) {
        }
        if (blockIdx.x + 1 < gridDim.x)
            while (cuf::atomic_add(grid_flags[blockIdx.x + 1], 0) == 0) {
            }
        cuf::atomic_exch(grid_flags[blockIdx.x], 1);
    }
    if (threadIdx.x == blockDim.x - 1) cuf::atomic_exch(flags[blockIdx.x], 1);
}
}  // namespace tests

int main()
{
    static int i[9] = {0, 0, 0, 0, 0, -1, 0, 0, 0};
    static int64_t l[1];
    static float f[2];
    static double d[2];
    static cuf::half h[1] = {cuf::half(0)};
    constexpr int blocks = 200, threads = 256, n = blocks * threads;
    cuf::launch({{blocks, 1, 1}, {threads, 1, 1}, 0, 0, 0}, tests::count, i, l, f, d, h);
    CHECK(i[0] == n && i[1] == -2 * n && i[2] == n - 1 && i[3] == 1 - n && i[4] == 0x7fffffff && i[5] == int(0x80000000) && i[6] == 0);
    CHECK(i[7] == n % 100 && i[8] == (100 - n % 100) % 100);
    CHECK(l[0] == (int64_t(n) << 33) && f[0] == n && f[1] == n - 1 && d[0] == -0.5 * n && d[1] == 1 - n && float(h[0]) == 512.0f);
    int one = 5;
    CHECK(cuf::atomic_dec(one, 3) == 5 && one == 3 && cuf::atomic_inc(one, 3) == 3 && one == 0 && cuf::atomic_dec(one, 7) == 0 && one == 7);
    double x = 0.0;
    CHECK(cuf::atomic_cas(x, -0.0, 1.0) == 0.0 && x == 0.0 && cuf::atomic_cas(x, 0.0, 1.0) == 0.0 && x == 1.0);
    CHECK(atomicAdd(&one, 3) == 7 && one == 10);

    static int a[64 * 100], done, sum;
    cuf::launch({{100, 1, 1}, {64, 1, 1}, 0, 0, 0}, tests::last_block, a, &done, &sum);
    CHECK(sum == 6400 && done == 0);
    static int lock, value;
    cuf::launch({{20, 1, 1}, {100, 1, 1}, 0, 0, 0}, tests::locked, &lock, &value);
    CHECK(value == 2000);
    static int flags[40], grid_flags[40];
    cuf::launch({{40, 1, 1}, {200, 1, 1}, 0, 0, 0}, tests::wait, flags, grid_flags);
    CHECK(flags[39] == 1 && grid_flags[0] == 1);
    return report("atomics");
}
