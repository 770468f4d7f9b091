// expect: cuf2cu: error: stack overflow in kernel tests::deep: a thread has 262144 bytes; set CUF_CPU_STACK to more
#include "cpu/target.hpp"

namespace tests {
__attribute__((noinline)) int sink(volatile char* p, int n)
{
    volatile char more[4096];
    for (int i = 0; i < 4096; i += 64) more[i] = char(n);
    return n == 0 ? p[0] : sink(more, n - 1) + more[64];
}
__global__ void deep(int* a, int n)
{
    volatile char p[1] = {};
    a[0] = sink(p, n);
}
}  // namespace tests

int main()
{
    static int a[1];
    cuf::launch({{1, 1, 1}, {1, 1, 1}, 0, 0, 0}, tests::deep, a, 100);
    return 0;
}
