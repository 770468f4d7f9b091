#define LIFT(name, type)                                           \
    extern "C" __global__ void name(type* x, int n, type by)       \
    {                                                              \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;       \
        if (i < n) x[i] += by;                                     \
    }
LIFT(lift_all, float)
