#include <cuda_runtime.h>

__constant__ float weights[3];
__device__ int calls = 100, *pointer;
namespace inner {
__device__ float offset = 0.25f;
}

__global__ void weigh(float* x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * weights[i % 3] + inner::offset;
    if (i == 0) atomicAdd(&calls, 1);
}

// 0, or what went wrong.
extern "C" int weigh_in_stream(float* x, int n, const float* w, cudaStream_t stream, int* count)
{
    cudaEvent_t start, stop;
    float elapsed = -1;
    if (cudaMemcpyToSymbol(weights, w, sizeof weights) != cudaSuccess) return 1;
    if (cudaMemcpyToSymbol(weights, w, 4 * sizeof(float)) == cudaSuccess) return 2;
    (void)cudaGetLastError();
    if (cudaEventCreate(&start) != cudaSuccess || cudaEventCreate(&stop) != cudaSuccess) return 3;
    cudaEventRecord(start, stream);
    weigh<<<dim3((n + 31) / 32), dim3(32), 0, stream>>>(x, n);
    cudaEventRecord(stop, stream);
    if (cudaEventSynchronize(stop) != cudaSuccess) return 4;
    if (cudaEventElapsedTime(&elapsed, start, stop) != cudaSuccess || elapsed < 0) return 5;
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    if (cudaMemcpyFromSymbol(count, calls, sizeof calls) != cudaSuccess) return 6;
    weigh<<<0, 32>>>(x, n);
    // CUDA 13 says another error than those before.
    const cudaError_t wrong = cudaGetLastError();
    if (wrong != cudaErrorInvalidConfiguration && wrong != cudaErrorInvalidValue) return 7;
    return 0;
}
