// expect: kernel tests::mixed, block (1,1,1), thread (32,1,1): the mask z'ffffffff' of a warp operation is used by different warp operations at the same time
#include "cpu/target.hpp"
#include "device/warp.hpp"

namespace tests {
__global__ void mixed(int* a)
{
    if (threadIdx.x < 16)
        a[threadIdx.x] = cuf::ballot(true);
    else
        cuf::syncwarp();
}
}  // namespace tests

int main()
{
    static int a[64];
    cuf::launch({{1, 1, 1}, {32, 1, 1}, 0, 0, 0}, tests::mixed, a);
    return 0;
}
