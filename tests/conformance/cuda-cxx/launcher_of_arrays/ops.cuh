#pragma once
// Functions for both sides, and a kernel for any type.
template <class T>
__host__ __device__ inline T twice(T x) { return x + x; }

template <class T, int By>
__global__ void add(T* x, int n, T v)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = twice(x[i]) + By * v;
}
