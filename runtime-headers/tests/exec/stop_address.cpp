// expect: cuf2cu: error: kernel tests::fault, block (2,1,1), thread (3,1,1): illegal memory access at 0x10
#include "cpu/target.hpp"

namespace tests {
__global__ void fault(volatile int* a, std::intptr_t n)
{
    if (blockIdx.x == 1 && threadIdx.x == 2) {
        *reinterpret_cast<volatile int*>(n) = 1;
    }
    a[1] = 2;
}
}  // namespace tests

int main()
{
    static int a[2];
    cuf::launch({{2, 1, 1}, {32, 1, 1}, 0, 0, 0}, tests::fault, a, 16);
    return 0;
}
