// expect: kernel tests::few, block (1,1,1), thread (1,1,1): the mask z'0000ffff' of a warp operation names lanes that do not exist
#include "cpu/target.hpp"
#include "device/warp.hpp"

namespace tests {
__global__ void few(int* a)
{
    a[threadIdx.x] = cuf::ballot_sync(0xffff, true);
}
}  // namespace tests

int main()
{
    static int a[64];
    cuf::launch({{1, 1, 1}, {8, 1, 1}, 0, 0, 0}, tests::few, a);
    return 0;
}
