// Copies between host and device as one writes them by hand: a section with gaps by cudaMemcpy2D, or by a kernel that packs it and one copy.
#include <algorithm>
#include <cstdint>
#include <cuda_runtime.h>

namespace {

struct section {
    std::int64_t run, n1, stride1, n2, stride2;  // bytes side by side; n1 of them every stride1 bytes; n2 of those every stride2 bytes
    std::int64_t bytes() const { return run * n1 * n2; }
};

template <typename Word>
__global__ void pack(Word* packed, char* data, section s, bool out)
{
    std::int64_t words = s.run / sizeof(Word), total = words * s.n1 * s.n2, step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t k = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < total; k += step) {
        std::int64_t row = k / words;
        Word& element = *reinterpret_cast<Word*>(data + row % s.n1 * s.stride1 + row / s.n1 * s.stride2 + k % words * sizeof(Word));
        if (out)
            packed[k] = element;
        else
            element = packed[k];
    }
}

void launch_pack(char* packed, char* data, section s, bool out)
{
    const bool wide = s.run % 8 == 0;
    const std::int64_t total = s.bytes() / (wide ? 8 : 4);
    const unsigned blocks = unsigned(std::min<std::int64_t>((total + 255) / 256, 1 << 20));
    if (wide)
        pack<<<blocks, 256>>>(reinterpret_cast<std::uint64_t*>(packed), data, s, out);
    else
        pack<<<blocks, 256>>>(reinterpret_cast<std::uint32_t*>(packed), data, s, out);
}

char* buffer = nullptr;

}  // namespace

extern "C" {

void twin_rows(char* host, char* device, section s, bool out)
{
    for (std::int64_t k = 0; k < s.n2; ++k, host += s.run * s.n1, device += s.stride2) {
        if (out)
            cudaMemcpy2D(host, s.run, device, s.stride1, s.run, s.n1, cudaMemcpyDeviceToHost);
        else
            cudaMemcpy2D(device, s.stride1, host, s.run, s.run, s.n1, cudaMemcpyHostToDevice);
    }
}

void twin_packed(char* host, char* device, section s, bool out)
{
    if (buffer == nullptr) cudaMalloc(&buffer, 1 << 24);
    if (out) {
        launch_pack(buffer, device, s, true);
        cudaMemcpy(host, buffer, s.bytes(), cudaMemcpyDeviceToHost);
    } else {
        cudaMemcpy(buffer, host, s.bytes(), cudaMemcpyHostToDevice);
        launch_pack(buffer, device, s, false);
        cudaStreamSynchronize(nullptr);
    }
}

void twin_flat(char* host, char* device, std::int64_t bytes, bool out)
{
    if (out)
        cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    else
        cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}

__global__ void sum_kernel(double* total, const double* a, int n)
{
    __shared__ double part[8];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i];
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned k = 1; k < blockDim.x / 32; ++k) sum += part[k];
        atomicAdd(total, sum);
    }
}

double twin_sum(const double* a, int n)
{
    static double* total = nullptr;
    if (total == nullptr) cudaMalloc(&total, sizeof(double));
    cudaMemsetAsync(total, 0, sizeof(double));
    sum_kernel<<<(n + 255) / 256, 256>>>(total, a, n);
    double result;
    cudaMemcpy(&result, total, sizeof(double), cudaMemcpyDeviceToHost);
    return result;
}
}
