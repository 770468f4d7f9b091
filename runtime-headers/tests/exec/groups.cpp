// Cooperative grids, clusters with distributed shared memory, launches by kernels, dynamic shared memory.
#include "check.hpp"
#include "cuf.cuh"
#include "device/cooperative.hpp"

namespace tests {
__global__ void rotate(int* a, int* b, int n, int rounds)
{
    const auto g = cuf::this_grid();
    for (int r = 0; r < rounds; ++r) {
        for (int i = g.rank - 1; i < n; i += g.size) b[i] = a[(i + 1) % n];
        g.sync();
        for (int i = g.rank - 1; i < n; i += g.size) a[i] = b[i];
        g.sync();
    }
}
__global__ void mirror(int* a, int* b)
{
    __shared__ int here[32];
    const auto c = cuf::this_cluster();
    const int t = int(threadIdx.x), g = int(blockIdx.x * blockDim.x) + t;
    int* dynamic = cuf::dynamic_shared<int>(64);
    here[t] = a[g];
    dynamic[t] = -a[g];
    c.sync();
    int* there = cuf::cluster_map_shared_rank(here, c.size + 1 - c.rank);
    b[g] = there[31 - t] + 1000000 * (cuf::cluster_map_shared_rank(dynamic, c.size + 1 - c.rank)[t] == -a[(int(blockIdx.x) ^ (c.size - 1)) * 32 + t]);
    c.sync();
    there[t] = 1000 * c.rank + t;
    c.sync();
    a[g] = here[t];
}
__global__ void child(int* a, int n, int tag)
{
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) a[i] = tag * 1000 + i;
}
__global__ void parent(int* a, int n, int m)
{
    const int j = int(threadIdx.x);
    if (j < m) cuf::launch_child({(n + 31) / 32, 32}, child, a + j * n, n - j, j);
}
__global__ void shape(int* a)
{
    if (threadIdx.x == 0 && blockIdx.x == 0 && blockIdx.y == 0) {
        a[0] = int(gridDim.x);
        a[1] = int(gridDim.y);
        a[2] = int(gridDim.z);
    }
}
}  // namespace tests

int main()
{
    constexpr int n = 3001;
    static int a[n], b[n];
    for (int blocks : {1, 2, 37, -1}) {
        for (int i = 0; i < n; ++i) a[i] = i;
        cuf::launch_cooperative({{blocks, 1, 1}, {64, 1, 1}, 0, 0, 0}, tests::rotate, a, b, n, 7);
        CHECK(cudaGetLastError() == cudaSuccess);
        for (int i = 0; i < n; ++i) CHECK(a[i] == (i + 7) % n);
    }
    cuf::launch_cooperative({{100000, 1, 1}, {64, 1, 1}, 0, 0, 0}, tests::rotate, a, b, n, 1);
    CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    for (int size : {2, 4, 1}) {
        for (int i = 0; i < 512; ++i) a[i] = 7 * i + 1;
        cuf::launch_cluster({{16, 1, 1}, {32, 1, 1}, 64 + 128, 0, 0}, {size, 1, 1}, tests::mirror, a, b);
        CHECK(cudaGetLastError() == cudaSuccess);
        for (int i = 0; i < 512; ++i) {
            const int other = (i / 32) ^ (size - 1), rank = (i / 32) % size + 1;
            CHECK(b[i] % 1000000 == 7 * (other * 32 + 31 - i % 32) + 1 && b[i] / 1000000 == 1);
            CHECK(a[i] == 1000 * (size + 1 - rank) + i % 32);
        }
    }
    cuf::launch_cluster({{3, 1, 1}, {32, 1, 1}, 0, 0, 0}, {2, 1, 1}, tests::mirror, a, b);
    CHECK(cudaGetLastError() != cudaSuccess);
    cuf::launch({{1, 1, 1}, {32, 1, 1}, 0, 0, 0}, tests::parent, a, 77, 5);
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 77 - j; ++i) CHECK(a[77 * j + i] == 1000 * j + i);
    cuf::launch({{1, 1, 1}, {64, 1, 1}, 0, 0, cuf::launch_star_grid}, tests::shape, a);
    CHECK(a[0] >= 1 && a[1] == 1 && a[2] == 1);
    cuf::launch({{2, -1, 1}, {32, 1, 1}, 0, 0, 0}, tests::shape, a);
    CHECK(a[0] == 2 && a[1] >= 1 && a[2] == 1);
    return report("groups");
}
