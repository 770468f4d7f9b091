// Hand-written CUDA C++ of kernels of public code: the same algorithms, as a CUDA C++ programmer would write them. For scripts/sass, which
// counts their instructions beside those of the translated kernels. The sizes are those of the programs.
#include <cuda_runtime.h>

namespace transpose {

constexpr int nx = 1024, ny = 1024, tile = 32, rows = 8;

__global__ void copy(float *__restrict__ out, const float *__restrict__ in) {
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows) out[x + nx * (y + j)] = in[x + nx * (y + j)];
}

__global__ void copysharedmem(float *out, const float *__restrict__ in) {
    __shared__ float t[tile][tile];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows) t[threadIdx.y + j][threadIdx.x] = in[x + nx * (y + j)];
    __syncthreads();
    for (int j = 0; j < tile; j += rows) out[x + nx * (y + j)] = t[threadIdx.y + j][threadIdx.x];
}

__global__ void transposenaive(float *__restrict__ out, const float *__restrict__ in) {
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows) out[y + j + ny * x] = in[x + nx * (y + j)];
}

template <int pad>
__device__ void transposed(float *out, const float *__restrict__ in) {
    __shared__ float t[tile][tile + pad];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows) t[threadIdx.y + j][threadIdx.x] = in[x + nx * (y + j)];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows) out[x + ny * (y + j)] = t[threadIdx.x][threadIdx.y + j];
}
__global__ void transposecoalesced(float *out, const float *__restrict__ in) { transposed<0>(out, in); }
__global__ void transposenobankconflicts(float *out, const float *__restrict__ in) { transposed<1>(out, in); }

} // namespace transpose

namespace finitedifference {

constexpr int mx = 64, my = 64, mz = 64, small = 4, large = 32;
__constant__ float ax, bx, cx, dx, ay, by, cy, dy, az, bz, cz, dz;

__global__ void derivative_x(const float *__restrict__ f, float *df) {
    __shared__ float s[small][mx + 8];
    int i = threadIdx.x, l = threadIdx.y, j = blockIdx.x * blockDim.y + l, at = i + mx * (j + my * blockIdx.y), c = i + 4;
    s[l][c] = f[at];
    __syncthreads();
    if (i < 4) {
        s[l][i] = s[l][mx + i - 1];
        s[l][mx + i + 4] = s[l][i + 5];
    }
    __syncthreads();
    df[at] = ax * (s[l][c + 1] - s[l][c - 1]) + bx * (s[l][c + 2] - s[l][c - 2]) + cx * (s[l][c + 3] - s[l][c - 3]) +
             dx * (s[l][c + 4] - s[l][c - 4]);
}

__global__ void derivative_x_lpencils(const float *__restrict__ f, float *df) {
    __shared__ float s[large][mx + 8];
    int i = threadIdx.x, first = blockIdx.x * large, k = blockIdx.y, c = i + 4;
    for (int l = threadIdx.y; l < large; l += blockDim.y) s[l][c] = f[i + mx * (first + l + my * k)];
    __syncthreads();
    if (i < 4) {
        for (int l = threadIdx.y; l < large; l += blockDim.y) {
            s[l][i] = s[l][mx + i - 1];
            s[l][mx + i + 4] = s[l][i + 5];
        }
    }
    __syncthreads();
    for (int l = threadIdx.y; l < large; l += blockDim.y) {
        df[i + mx * (first + l + my * k)] = ax * (s[l][c + 1] - s[l][c - 1]) + bx * (s[l][c + 2] - s[l][c - 2]) +
                                            cx * (s[l][c + 3] - s[l][c - 3]) + dx * (s[l][c + 4] - s[l][c - 4]);
    }
}

__global__ void derivative_y(const float *__restrict__ f, float *df) {
    __shared__ float s[my + 8][small];
    int l = threadIdx.x, i = blockIdx.x * blockDim.x + l, j = threadIdx.y, at = i + mx * (j + my * blockIdx.y), c = j + 4;
    s[c][l] = f[at];
    __syncthreads();
    if (j < 4) {
        s[j][l] = s[my + j - 1][l];
        s[my + j + 4][l] = s[j + 5][l];
    }
    __syncthreads();
    df[at] = ay * (s[c + 1][l] - s[c - 1][l]) + by * (s[c + 2][l] - s[c - 2][l]) + cy * (s[c + 3][l] - s[c - 3][l]) +
             dy * (s[c + 4][l] - s[c - 4][l]);
}

__global__ void derivative_y_lpencils(const float *__restrict__ f, float *df) {
    __shared__ float s[my + 8][large];
    int l = threadIdx.x, i = blockIdx.x * blockDim.x + l, k = blockIdx.y;
    for (int j = threadIdx.y; j < my; j += blockDim.y) s[j + 4][l] = f[i + mx * (j + my * k)];
    __syncthreads();
    int j = threadIdx.y;
    if (j < 4) {
        s[j][l] = s[my + j - 1][l];
        s[my + j + 4][l] = s[j + 5][l];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < my; j += blockDim.y) {
        int c = j + 4;
        df[i + mx * (j + my * k)] = ay * (s[c + 1][l] - s[c - 1][l]) + by * (s[c + 2][l] - s[c - 2][l]) + cy * (s[c + 3][l] - s[c - 3][l]) +
                                    dy * (s[c + 4][l] - s[c - 4][l]);
    }
}

__global__ void derivative_z(const float *__restrict__ f, float *df) {
    __shared__ float s[mz + 8][small];
    int l = threadIdx.x, i = blockIdx.x * blockDim.x + l, k = threadIdx.y, at = i + mx * (blockIdx.y + my * k), c = k + 4;
    s[c][l] = f[at];
    __syncthreads();
    if (k < 4) {
        s[k][l] = s[mz + k - 1][l];
        s[mz + k + 4][l] = s[k + 5][l];
    }
    __syncthreads();
    df[at] = az * (s[c + 1][l] - s[c - 1][l]) + bz * (s[c + 2][l] - s[c - 2][l]) + cz * (s[c + 3][l] - s[c - 3][l]) +
             dz * (s[c + 4][l] - s[c - 4][l]);
}

__global__ void derivative_z_lpencils(const float *__restrict__ f, float *df) {
    __shared__ float s[mz + 8][large];
    int l = threadIdx.x, i = blockIdx.x * blockDim.x + l, j = blockIdx.y;
    for (int k = threadIdx.y; k < mz; k += blockDim.y) s[k + 4][l] = f[i + mx * (j + my * k)];
    __syncthreads();
    int k = threadIdx.y;
    if (k < 4) {
        s[k][l] = s[mz + k - 1][l];
        s[mz + k + 4][l] = s[k + 5][l];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < mz; k += blockDim.y) {
        int c = k + 4;
        df[i + mx * (j + my * k)] = az * (s[c + 1][l] - s[c - 1][l]) + bz * (s[c + 2][l] - s[c - 2][l]) + cz * (s[c + 3][l] - s[c - 3][l]) +
                                    dz * (s[c + 4][l] - s[c - 4][l]);
    }
}

} // namespace finitedifference
