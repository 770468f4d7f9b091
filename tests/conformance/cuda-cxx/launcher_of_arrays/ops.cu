#include "ops.cuh"

struct pair { double factor, summand; };

// Overloads, a structure by value, a null pointer.
__global__ void update(double* x, const double* by, int n, pair p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (by == nullptr) x[i] = x[i] * p.factor + p.summand;
    else x[i] += by[i];
}
__global__ void update(int* x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = -x[i];
}

extern "C" void update_arrays(double* x, double* y, int* k, int n)
{
    const dim3 block(32, 2), grid((n + 63) / 64);
    add<double, 3><<<grid.x, 64>>>(x, n, 0.5);
    update<<<(n + 63) / 64, 64>>>(x, 0, n, {2.0, 1.0});  // k<<<1, 1>>>(x): not in a comment
    update<<<(n + 63) / 64,
             64,
             0>>>(x, y,
                  n, pair{});
    if (n > 0) update<<<(n + 63) / 64, 64>>>(k, n); else add<int, 1><<<1, 1>>>(k, n, 0);
    (void)block;
}
