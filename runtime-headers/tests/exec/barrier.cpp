// Barriers: shared memory, several barriers, threads that returned, predicates, 3-D blocks.
#include "check.hpp"
#include "cpu/target.hpp"

namespace tests {
__global__ void reverse(int* a, int n)
{
    __shared__ int s[1024];
    const int t = int(threadIdx.x);
    const int first = int(blockIdx.x) * n;
    s[t] = a[first + t];
    __syncthreads();
    a[first + t] = s[n - 1 - t];
}
__global__ void ladder(int* a, int rounds)
{
    __shared__ int s[1024];
    const int t = int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)), n = int(blockDim.x * blockDim.y * blockDim.z);
    s[t] = t;
    for (int r = 0; r < rounds; ++r) {
        __syncthreads();
        const int v = s[(t + 1) % n];
        __syncthreads();
        s[t] = v;
    }
    a[t] = s[t];
}
__global__ void early(int* a)
{
    const int t = int(threadIdx.x);
    if (t % 3 == 0) return;
    a[t] = __syncthreads_count(t % 2);
    if (t % 3 == 1) return;
    a[t] += 1000 * __syncthreads_count(1) + 100000 * __syncthreads_and(t >= 0) + 200000 * (__syncthreads_or(t == 5) != 0);
}
}  // namespace tests

int main()
{
    int* a;
    cudaMalloc(&a, 64 * 1024 * sizeof *a);
    for (int n : {1, 2, 31, 256, 1024}) {
        for (int i = 0; i < 64 * n; ++i) a[i] = i;
        cuf::launch({{64, 1, 1}, {n, 1, 1}, 0, 0, 0}, tests::reverse, a, n);
        for (int b = 0; b < 64; ++b)
            for (int t = 0; t < n; ++t) CHECK(a[b * n + t] == b * n + n - 1 - t);
    }
    cuf::launch({{1, 1, 1}, {8, 4, 5}, 0, 0, 0}, tests::ladder, a, 100);
    for (int t = 0; t < 160; ++t) CHECK(a[t] == (t + 100) % 160);
    cuf::launch({{1, 1, 1}, {90, 1, 1}, 0, 0, 0}, tests::early, a);
    for (int t = 0; t < 90; ++t)
        if (t % 3 == 1) CHECK(a[t] == 30);
        else if (t % 3 == 2) CHECK(a[t] == 30 + 30000 + 300000);
    CHECK(cudaGetLastError() == cudaSuccess);
    return report("barrier");
}
