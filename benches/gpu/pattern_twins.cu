// Hand-written CUDA C++ of the kernels in patterns.cuf: the same algorithms and launch configurations, as a CUDA C++ programmer would
// write them.
#include <cuda_runtime.h>

namespace {

constexpr int lane = 256, side = 16;

__global__ void derivative(const float *__restrict__ f, float *__restrict__ df, int nx, int ny, float c1, float c2) {
    extern __shared__ float s[];
    const float *line = f + nx * (blockIdx.x + ny * blockIdx.y);
    float *out = df + nx * (blockIdx.x + ny * blockIdx.y);
    for (int i = threadIdx.x; i < nx; i += blockDim.x) s[i + 2] = line[i];
    __syncthreads();
    if (threadIdx.x < 2) {
        s[threadIdx.x] = s[nx + threadIdx.x];
        s[nx + 2 + threadIdx.x] = s[2 + threadIdx.x];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < nx; i += blockDim.x) out[i] = c1 * (s[i + 3] - s[i + 1]) + c2 * (s[i + 4] - s[i]);
}

__global__ void saxpy(const float *__restrict__ x, float *__restrict__ y, float a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] += a * x[i];
}

__global__ void yee(float *__restrict__ ex, float *__restrict__ ey, float *__restrict__ ez, const float *__restrict__ hx,
                    const float *__restrict__ hy, const float *__restrict__ hz, int nx, int ny, int nz, float c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < 1 || j < 1 || k < 1 || i >= nx || j >= ny || k >= nz) return;
    int at_ex = i + nx * (j + (ny + 1) * k), at_ey = i + (nx + 1) * (j + ny * k), at_ez = i + (nx + 1) * (j + (ny + 1) * k);
    int at_hx = i + (nx + 1) * (j + ny * k), at_hy = i + nx * (j + (ny + 1) * k), at_hz = i + nx * (j + ny * k);
    ex[at_ex] += c * (hz[at_hz] - hz[at_hz - nx] - hy[at_hy] + hy[at_hy - nx * (ny + 1)]);
    ey[at_ey] += c * (hx[at_hx] - hx[at_hx - (nx + 1) * ny] - hz[at_hz] + hz[at_hz - 1]);
    ez[at_ez] += c * (hy[at_hy] - hy[at_hy - 1] - hx[at_hx] + hx[at_hx - (nx + 1)]);
}

__device__ float wrapped(float x) {
    if (x < 0) x += side;
    if (x >= side) x -= side;
    return x;
}

__global__ void push(float *__restrict__ part, const float *__restrict__ field, float *__restrict__ charge, int np, int tiles_x, int nx,
                     int ny, float dt) {
    constexpr int w = side + 1;
    __shared__ float e[2 * w * w], q[w * w];
    int tile = blockIdx.x, left = tile % tiles_x * side, low = tile / tiles_x * side;
    for (int l = threadIdx.x; l < w * w; l += blockDim.x) {
        int j = l / w, i = l - w * j;
        int at = 2 * (min(left + i, nx - 1) + nx * min(low + j, ny - 1));
        e[2 * l] = field[at];
        e[2 * l + 1] = field[at + 1];
        q[l] = 0;
    }
    __syncthreads();
    float *mine = part + 4 * np * tile;
    for (int p = threadIdx.x; p < np; p += blockDim.x) {
        float x = mine[p], y = mine[p + np];
        int n = int(x), m = int(y);
        float dx = x - n, dy = y - m;
        int c = n + w * m;
        float fx = (1 - dy) * ((1 - dx) * e[2 * c] + dx * e[2 * c + 2]) + dy * ((1 - dx) * e[2 * (c + w)] + dx * e[2 * (c + w) + 2]);
        float fy = (1 - dy) * ((1 - dx) * e[2 * c + 1] + dx * e[2 * c + 3]) + dy * ((1 - dx) * e[2 * (c + w) + 1] + dx * e[2 * (c + w) + 3]);
        float u = mine[p + 2 * np] + dt * fx, v = mine[p + 3 * np] + dt * fy;
        mine[p + 2 * np] = u;
        mine[p + 3 * np] = v;
        mine[p] = wrapped(x + dt * u);
        mine[p + np] = wrapped(y + dt * v);
        atomicAdd(&q[c], (1 - dx) * (1 - dy));
        atomicAdd(&q[c + 1], dx * (1 - dy));
        atomicAdd(&q[c + w], (1 - dx) * dy);
        atomicAdd(&q[c + w + 1], dx * dy);
    }
    __syncthreads();
    for (int l = threadIdx.x; l < w * w; l += blockDim.x) {
        int j = l / w, i = l - w * j;
        if (left + i < nx && low + j < ny) atomicAdd(&charge[left + i + nx * (low + j)], q[l]);
    }
}

__global__ void tridiagonal(const double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c,
                            const double *__restrict__ d, double *__restrict__ x, double *__restrict__ w, int systems, int n) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    w[s] = c[s] / b[s];
    x[s] = d[s] / b[s];
    for (int k = 1; k < n; k++) {
        int at = s + k * systems;
        double r = 1 / (b[at] - a[at] * w[at - systems]);
        w[at] = c[at] * r;
        x[at] = (d[at] - a[at] * x[at - systems]) * r;
    }
    for (int k = n - 2; k >= 0; k--) x[s + k * systems] -= w[s + k * systems] * x[s + (k + 1) * systems];
}

} // namespace

extern "C" {

void twin_derivative(const float *f, float *df, int nx, int ny, int nz, float c1, float c2) {
    derivative<<<dim3(ny, nz), lane, (nx + 4) * sizeof(float)>>>(f, df, nx, ny, c1, c2);
}

void twin_saxpy(const float *x, float *y, float a, int n, int blocks) { saxpy<<<blocks, lane>>>(x, y, a, n); }

void twin_yee(float *ex, float *ey, float *ez, const float *hx, const float *hy, const float *hz, int nx, int ny, int nz, float c) {
    yee<<<dim3(nx / 32, ny / 4, nz / 2), dim3(32, 4, 2)>>>(ex, ey, ez, hx, hy, hz, nx, ny, nz, c);
}

void twin_push(float *part, const float *field, float *charge, int np, int tiles_x, int tiles, int nx, int ny, float dt) {
    push<<<tiles, lane>>>(part, field, charge, np, tiles_x, nx, ny, dt);
}

void twin_tridiagonal(const double *a, const double *b, const double *c, const double *d, double *x, double *w, int systems, int n) {
    tridiagonal<<<systems / lane, lane>>>(a, b, c, d, x, w, systems, n);
}
}
