#ifndef DEFS_H
#define DEFS_H
#ifdef _CUDA
#define DEV , device
#define MANAGED_ATTR , managed
#define GPU 1
#else
#define DEV
#define MANAGED_ATTR
#define GPU 0
#endif
#define IDX(n) (threadIdx%n + (blockIdx%n - 1)*blockDim%n)
#define CHECK(call) if ((call) /= 0) stop 'FAIL conditional_build: call'
#endif
