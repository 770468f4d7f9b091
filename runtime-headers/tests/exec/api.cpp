// The runtime API: launch errors, last error, memory, copies, streams, events, graphs, properties.
#include "check.hpp"
#include "cpu/target.hpp"
#include <cstring>
#include <thread>

namespace tests {
__global__ void add(int* a, int n, int c)
{
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) a[i] = 2 * a[i] + c;
}
int symbol[10];
}  // namespace tests

static cudaError_t launch_code(int gx, int gy, int gz, int bx, int by, int bz, int64_t bytes = 0)
{
    static int none;
    cuf::launch({{gx, gy, gz}, {bx, by, bz}, bytes, 0, 0}, tests::add, &none, 0, 0);
    return cudaGetLastError();
}

int main()
{
    CHECK(launch_code(1, 1, 1, 1024, 1, 1) == cudaSuccess && launch_code(1, 1, 1, 1, 1, 64, 232448) == cudaSuccess);
    CHECK(launch_code(0, 1, 1, 32, 1, 1) == cudaErrorInvalidConfiguration && launch_code(1, 1, 1, 0, 1, 1) == cudaErrorInvalidConfiguration);
    CHECK(launch_code(1, 1, 1, 1025, 1, 1) == 9 && launch_code(1, 1, 1, 32, 33, 1) == 9 && launch_code(1, 1, 1, 1, 1, 65) == 9);
    CHECK(launch_code(1, 65536, 1, 1, 1, 1) == 9 && launch_code(-2, 1, 1, 1, 1, 1) == 9 && launch_code(1, 1, 1, 1, 1, 1, 232449) == cudaErrorInvalidValue);
    // sticky until read, one for each host thread
    int* a;
    cuf::launch({{0, 1, 1}, {1, 1, 1}, 0, 0, 0}, tests::add, nullptr, 0, 0);
    CHECK(cudaMalloc(&a, 4000) == cudaSuccess && cudaPeekAtLastError() == 9);
    std::thread([] { CHECK(cudaGetLastError() == cudaSuccess); }).join();
    CHECK(cudaGetLastError() == 9 && cudaGetLastError() == cudaSuccess);
    CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") == 0);
    CHECK(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);

    int h[1000];
    CHECK(cudaMemset(a, 1, 4000) == cudaSuccess && a[999] == 0x01010101);
    for (int i = 0; i < 1000; ++i) h[i] = i;
    CHECK(cudaMemcpy(a, h, 4000, cudaMemcpyHostToDevice) == cudaSuccess && a[7] == 7);
    CHECK(cudaMemcpy(a, h, 4004, cudaMemcpyHostToDevice) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaMemcpy2D(h, 40, a + 3, 400, 20, 10, cudaMemcpyDeviceToHost) == cudaSuccess && h[0] == 3 && h[10] == 103 && h[94] == 907);
    CHECK(cudaMemcpyToSymbol(tests::symbol, a, 40, 0, cudaMemcpyDeviceToDevice) == cudaSuccess && tests::symbol[9] == 9);
    CHECK(cudaMemcpyFromSymbol(h, tests::symbol, 8, 32) == cudaSuccess && h[1] == 9);
    cudaPointerAttributes where;
    CHECK(cudaPointerGetAttributes(&where, a + 20) == cudaSuccess && where.type == cudaMemoryTypeDevice);
    CHECK(cudaPointerGetAttributes(&where, h) == cudaSuccess && where.type == cudaMemoryTypeUnregistered);
    void* p;
    CHECK(cudaMalloc(&p, std::size_t(1) << 60) == cudaErrorMemoryAllocation && cudaGetLastError() == 2);
    CHECK(cudaFree(h) == cudaErrorInvalidValue && cudaGetLastError() == 1 && cudaFree(nullptr) == cudaSuccess);
    CHECK(cudaMallocManaged(&p, 100) == cudaSuccess && cudaPointerGetAttributes(&where, p) == cudaSuccess && where.type == cudaMemoryTypeManaged);
    CHECK(cudaFree(p) == cudaSuccess && cudaMallocHost(&p, 100) == cudaSuccess && cudaFree(p) != cudaSuccess && cudaFreeHost(p) == cudaSuccess);
    (void)cudaGetLastError();

    cudaStream_t s;
    cudaEvent_t e0, e1;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamCreate(&s) == cudaSuccess && cudaEventCreate(&e0) == cudaSuccess && cudaEventCreate(&e1) == cudaSuccess);
    for (int i = 0; i < 1000; ++i) a[i] = 1;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaStreamIsCapturing(s, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive);
    const cuf::launch_config at{{8, 1, 1}, {128, 1, 1}, 0, reinterpret_cast<int64_t>(s), 0};
    cuf::launch(at, tests::add, a, 1000, 3);
    CHECK(cudaMemcpyAsync(h, a, 4000, cudaMemcpyDeviceToHost, s) == cudaSuccess && a[0] == 1);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaSuccess && cudaGraphInstantiate(&exec, graph) == cudaSuccess && a[0] == 1);
    CHECK(cudaGraphLaunch(exec, s) == cudaSuccess && a[999] == 5 && h[999] == 5 && cudaGraphLaunch(exec, s) == cudaSuccess && h[0] == 13);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, e0, e1) == cudaErrorInvalidResourceHandle);
    cudaEventRecord(e0, s);
    cuf::launch(at, tests::add, a, 1000, 3);
    cudaEventRecord(e1, s);
    CHECK(cudaEventSynchronize(e1) == cudaSuccess && cudaEventElapsedTime(&ms, e0, e1) == cudaSuccess && ms > 0);
    CHECK(cudaStreamDestroy(s) == cudaSuccess && cudaStreamDestroy(s) == cudaErrorInvalidResourceHandle);
    cudaDeviceProp prop;
    int v;
    CHECK(cudaGetDeviceProperties(&prop, 0) == cudaSuccess && prop.warpSize == 32 && cudaGetDeviceProperties(&prop, 1) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess && v == 1024);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, tests::add, 256, 0) == cudaSuccess && v == 8);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    return report("api");
}
