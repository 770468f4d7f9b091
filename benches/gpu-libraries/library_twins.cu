// The calls of main.cuf as a CUDA C++ programmer would write them: the libraries, CUB, and two kernels.
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

namespace {

cublasHandle_t handle;
curandGenerator_t generator;

// Memory that CUB works in, kept from call to call.
struct workspace {
    void *data = nullptr;
    size_t size = 0;
    void reserve(size_t bytes)
    {
        if (bytes <= size) return;
        cudaFree(data);
        cudaMalloc(&data, bytes);
        size = bytes;
    }
};

workspace scratch, keys;
double *result;

constexpr int threads = 256;

__device__ double of_block(double sum)
{
    using reduce = cub::BlockReduce<double, threads>;
    __shared__ typename reduce::TempStorage room;
    return reduce(room).Sum(sum);
}

__global__ void masked(const double *__restrict__ x, const int *__restrict__ mask, int n, double *part)
{
    double sum = 0;
    const int step = gridDim.x * threads;
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += step)
        if (mask[i]) sum += x[i];
    sum = of_block(sum);
    if (threadIdx.x == 0) part[blockIdx.x] = sum;
}

__global__ void last(const double *part, int n, double *out)
{
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += threads) sum += part[i];
    sum = of_block(sum);
    if (threadIdx.x == 0) *out = sum;
}

__global__ void columns(const double *__restrict__ a, double *__restrict__ y, int n)
{
    const double *column = a + size_t(blockIdx.x) * n;
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += threads) sum += column[i];
    sum = of_block(sum);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// A block has 32 rows and 8 lanes along the other dimension.
__global__ void rows(const double *__restrict__ a, double *__restrict__ y, int n)
{
    __shared__ double part[8][33];
    const int row = blockIdx.x * 32 + threadIdx.x;
    double sum = 0;
    for (int j = threadIdx.y; j < n; j += 8) sum += a[row + size_t(j) * n];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int k = 1; k < 8; ++k) sum += part[k][threadIdx.x];
        y[row] = sum;
    }
}

}  // namespace

extern "C" {

void twin_create()
{
    cublasCreate(&handle);
    cudaMalloc(&result, 65536 * sizeof(double));
}

void twin_generator() { curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW); }

void twin_dgemm(const double *a, const double *b, double *c, int n)
{
    const double one = 1, zero = 0;
    cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
}

void twin_fft(int plan, cufftDoubleComplex *z) { cufftExecZ2Z(plan, z, z, CUFFT_FORWARD); }

void twin_random(double *x, int n) { curandGenerateUniformDouble(generator, x, n); }

void twin_total(const double *x, int n, double *total)
{
    size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, x, result, n);
    scratch.reserve(bytes);
    cub::DeviceReduce::Sum(scratch.data, bytes, x, result, n);
    cudaMemcpy(total, result, sizeof *total, cudaMemcpyDeviceToHost);
}

void twin_maxloc(const double *x, int n, int *at)
{
    auto *best = reinterpret_cast<cub::KeyValuePair<int, double> *>(result);
    size_t bytes = 0;
    cub::DeviceReduce::ArgMax(nullptr, bytes, x, best, n);
    scratch.reserve(bytes);
    cub::DeviceReduce::ArgMax(scratch.data, bytes, x, best, n);
    cub::KeyValuePair<int, double> found;
    cudaMemcpy(&found, best, sizeof found, cudaMemcpyDeviceToHost);
    *at = found.key + 1;
}

void twin_masked(const double *x, const int *mask, int n, double *total)
{
    const int blocks = 132 * 8;
    masked<<<blocks, threads>>>(x, mask, n, result + 1);
    last<<<1, threads>>>(result + 1, blocks, result);
    cudaMemcpy(total, result, sizeof *total, cudaMemcpyDeviceToHost);
}

void twin_columns(const double *a, double *y, int n) { columns<<<n, threads>>>(a, y, n); }

void twin_rows(const double *a, double *y, int n) { rows<<<n / 32, dim3(32, 8)>>>(a, y, n); }

void twin_sort(int *k, int n)
{
    keys.reserve(n * sizeof *k);
    cub::DoubleBuffer<int> both(k, static_cast<int *>(keys.data));
    size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(nullptr, bytes, both, n);
    scratch.reserve(bytes);
    cub::DeviceRadixSort::SortKeys(scratch.data, bytes, both, n);
    if (both.Current() != k) cudaMemcpyAsync(k, both.Current(), n * sizeof *k, cudaMemcpyDeviceToDevice);
}
}
