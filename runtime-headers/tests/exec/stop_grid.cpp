// expect: the kernel synchronises the grid, but was not launched as a grid_global kernel
#include "device/cooperative.hpp"
#include "cpu/target.hpp"

namespace tests {
__global__ void whole(int* a)
{
    cuf::this_grid().sync();
    a[0] = 1;
}
}  // namespace tests

int main()
{
    static int a[1];
    cuf::launch({{2, 1, 1}, {32, 1, 1}, 0, 0, 0}, tests::whole, a);
    return 0;
}
