// Dynamic and static shared memory, barriers, shuffles, votes, atomics.
extern __shared__ double everywhere[];

__global__ void block_sums(const double* __restrict__ x, double* sums, int n)
{
    double* s = everywhere;
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0.0;
    __syncthreads();
#pragma unroll
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

template <class T>
__global__ void reverse(T* x)
{
    extern __shared__ __align__(16) unsigned char raw[];
    T* s = reinterpret_cast<T*>(raw);
    __shared__ T first;
    s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x == 0) first = s[0];
    __syncthreads();
    x[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + first;
}

__global__ void warp_sums(const int* x, int* total, int* most, unsigned* even)
{
    const int lane = threadIdx.x % warpSize;
    int v = x[threadIdx.x];
    const unsigned vote = __ballot_sync(0xffffffffu, v % 2 == 0);
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
    if (lane == 0) {
        atomicAdd(total, v);
        atomicMax(most, v);
        even[threadIdx.x / warpSize] = __popc(vote);
    }
}

extern "C" void sums_of(double* x, double* sums, int blocks, int n)
{
    block_sums<<<blocks, 64, 64 * sizeof(double)>>>(x, sums, n);
    reverse<double><<<blocks, 64, 64 * sizeof(double)>>>(x);
}
extern "C" void warps_of(int* x, int* total, int* most, unsigned* even) { warp_sums<<<1, 64>>>(x, total, most, even); }
