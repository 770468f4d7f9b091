// Hand-written CUDA C++ of the kernels in kernels.cuf and of the CUF loops in gpu.cuf: the same algorithms, launch
// configurations and types, as a CUDA C++ programmer would write them.
#include <cuda_runtime.h>

namespace {

constexpr int tile = 32, rows = 8, bins = 256, threads = 256;

__global__ void triad(double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, double s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] + s * c[i];
}

__global__ void copy(double *__restrict__ a, const double *__restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i];
}

__global__ void fill(double *a, double s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = s;
}

__global__ void transpose(float *__restrict__ b, const float *__restrict__ a, int n) {
    __shared__ float t[tile][tile + 1];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows) t[threadIdx.y + j][threadIdx.x] = a[x + (y + j) * n];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows) b[x + (y + j) * n] = t[threadIdx.x][threadIdx.y + j];
}

__global__ void stencil(float *__restrict__ b, const float *__restrict__ a, float w0, float w1, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || i > nx - 2 || j < 1 || j > ny - 2) return;
    int plane = nx * ny, at = i + j * nx + plane;
    for (int k = 1; k < nz - 1; k++, at += plane)
        b[at] = w0 * a[at]
              + w1 * (a[at - 1] + a[at + 1] + a[at - nx] + a[at + nx] + a[at - plane] + a[at + plane]);
}

__global__ void matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
    __shared__ float sa[tile][tile], sb[tile][tile];
    int i = blockIdx.x * tile + threadIdx.x, j = blockIdx.y * tile + threadIdx.y;
    float total = 0;
    for (int m = 0; m < n; m += tile) {
        sa[threadIdx.y][threadIdx.x] = a[i + (m + threadIdx.y) * n];
        sb[threadIdx.y][threadIdx.x] = b[m + threadIdx.x + j * n];
        __syncthreads();
        for (int k = 0; k < tile; k++) total += sa[k][threadIdx.x] * sb[threadIdx.y][k];
        __syncthreads();
    }
    c[i + j * n] = total;
}

__global__ void block_sums(double *__restrict__ partial, const double *__restrict__ x, int n) {
    __shared__ double s[threads];
    double total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) total += x[i];
    s[threadIdx.x] = total;
    __syncthreads();
    for (int half = threads / 2; half >= 1; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

__global__ void add_up(double *__restrict__ sum, const double *__restrict__ partial, int n) {
    __shared__ double s[threads];
    double total = 0;
    for (int i = threadIdx.x; i < n; i += threads) total += partial[i];
    s[threadIdx.x] = total;
    __syncthreads();
    for (int half = threads / 2; half >= 1; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *sum = s[0];
}

__global__ void dot_blocks(double *__restrict__ partial, const double *__restrict__ x, const double *__restrict__ y, int n) {
    __shared__ double s[threads];
    double total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) total += x[i] * y[i];
    s[threadIdx.x] = total;
    __syncthreads();
    for (int half = threads / 2; half >= 1; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

__global__ void histogram(int *__restrict__ counts, const int *__restrict__ keys, int n) {
    __shared__ int local[bins];
    for (int i = threadIdx.x; i < bins; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[keys[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&counts[i], local[i]);
}

__global__ void nbody(float *__restrict__ force, const float *__restrict__ p, int n) {
    __shared__ float s[threads][4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = p[4 * i], y = p[4 * i + 1], z = p[4 * i + 2], fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < n; first += threads) {
        for (int c = 0; c < 4; c++) s[threadIdx.x][c] = p[4 * (first + threadIdx.x) + c];
        __syncthreads();
        for (int j = 0; j < threads; j++) {
            float dx = s[j][0] - x, dy = s[j][1] - y, dz = s[j][2] - z;
            float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
            float f = s[j][3] / (r2 * sqrtf(r2));
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
        __syncthreads();
    }
    force[3 * i] = fx;
    force[3 * i + 1] = fy;
    force[3 * i + 2] = fz;
}

} // namespace

extern "C" {

void twin_triad(double *a, const double *b, const double *c, double s, int n) {
    triad<<<(n + 255) / 256, 256>>>(a, b, c, s, n);
}

void twin_copy(double *a, const double *b, int n) { copy<<<(n + 255) / 256, 256>>>(a, b, n); }

void twin_transpose(float *b, const float *a, int n) {
    transpose<<<dim3(n / tile, n / tile), dim3(tile, rows)>>>(b, a, n);
}

void twin_few(double *a, const double *b, int n) { cudaMemcpy(a, b, n * sizeof(double), cudaMemcpyDeviceToDevice); }

void twin_fill(double *a, double s, int n) { fill<<<(n + 255) / 256, 256>>>(a, s, n); }

void twin_stencil(float *b, const float *a, float w0, float w1, int n) {
    stencil<<<dim3(n / 32, n / 4), dim3(32, 4)>>>(b, a, w0, w1, n, n, n);
}

void twin_matmul(float *c, const float *a, const float *b, int n) {
    matmul<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(c, a, b, n);
}

void twin_block_sums(double *partial, const double *x, int n, int blocks) {
    block_sums<<<blocks, threads>>>(partial, x, n);
}

void twin_dot(double *sum, double *partial, const double *x, const double *y, int n, int blocks) {
    dot_blocks<<<blocks, threads>>>(partial, x, y, n);
    add_up<<<1, threads>>>(partial + blocks, partial, blocks);
    cudaMemcpy(sum, partial + blocks, sizeof(double), cudaMemcpyDeviceToHost);
}

void twin_histogram(int *counts, const int *keys, int n, int blocks) { histogram<<<blocks, threads>>>(counts, keys, n); }

void twin_nbody(float *force, const float *p, int n) { nbody<<<n / threads, threads>>>(force, p, n); }
}
