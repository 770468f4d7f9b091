#define KERNEL extern "C" __global__ void
#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x
#define LAUNCH(kernel, n, ...)                     \
    do {                                           \
        kernel<<<((n) + 63) / 64, 64>>>(__VA_ARGS__); \
    } while (0)

KERNEL scale_all(float* x, int n, float by)
{
    INDEX;
    if (i < n) x[i] *= by;
}

KERNEL turn_all(float* x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// A kernel of another file.
extern "C" __global__ void lift_all(float* x, int n, float by);

extern "C" void scale_and_lift(float* x, int n)
{
    void (*chosen)(float*, int, float) = n > 0 ? scale_all : nullptr;
    LAUNCH(scale_all, n, x, n, 3.0f);
    (*chosen)<<<(n + 63) / 64, 64>>>(x, n, 0.5f);
    lift_all<<<(n + 63) / 64, 64>>>(x, n, 7);
}
