// expect: cuf2cu: error: barrier divergence in kernel tests::diverge, block (2,1,1): of 64 running threads 48 wait at syncthreads, line 10 of stop_barrier.cpp (first: thread (1,1,1)), 16 wait at a warp operation with mask z'ffffffff', line 12 of stop_barrier.cpp (first: thread (33,1,1))
#include "cpu/target.hpp"
#include "device/warp.hpp"

namespace tests {
__global__ void diverge(int* a)
{
    if (blockIdx.x != 1) return;
    if (threadIdx.x < 32 || threadIdx.x >= 48)
        __syncthreads();
    else
        a[threadIdx.x] = cuf::ballot(true);
}
}  // namespace tests

int main()
{
    static int a[64];
    cuf::launch({{3, 1, 1}, {64, 1, 1}, 0, 0, 0}, tests::diverge, a);
    return 0;
}
