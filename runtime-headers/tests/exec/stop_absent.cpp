// expect: 16 wait at a warp operation with mask z'000fffff', line 8 of stop_absent.cpp (first: thread (1,1,1))
#include "cpu/target.hpp"
#include "device/warp.hpp"

namespace tests {
__global__ void absent(int* a)
{
    if (threadIdx.x < 16) a[threadIdx.x] = cuf::ballot_sync(0xfffff, true);
    __syncthreads();
}
}  // namespace tests

int main()
{
    static int a[64];
    cuf::launch({{1, 1, 1}, {32, 1, 1}, 0, 0, 0}, tests::absent, a);
    return 0;
}
