// Entry points of module cudafor: devices, errors, streams, events, kernels, graphs. host/api_memory.hpp has the rest.
#pragma once
#include "../device/launch_error.hpp"
#include "bind.hpp"
#include "symbols.hpp"
#include "assign.hpp"

#if !defined(CUF_TARGET_CPU)
extern "C" cudaError_t cudaProfilerStart(void);
extern "C" cudaError_t cudaProfilerStop(void);
#endif

namespace cuf::rt {

inline cudaEvent_t event_of(void* const* e) { return static_cast<cudaEvent_t>(*e); }

/// type(cudaDeviceProp): the fields CUDA has and those it once had.
struct device_properties {
    char name[256];  // blank padded
    std::int64_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    std::int64_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    std::int64_t totalConstMem;
    int major, minor;
    std::int64_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2],
        maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap,
        maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3],
        maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    std::int64_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
        unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
        maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    std::int64_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
        singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,
        canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
    std::int64_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
        accessPolicyMaxWindowSize;
    std::int64_t reservedSharedMemPerBlock;
    int hostRegisterSupported, memoryPoolsSupported, clusterLaunch, ipcEventSupported;
};

inline void pad_name(device_properties& p, const char* name)
{
    std::size_t n = std::min(std::strlen(name), sizeof p.name);
    std::memcpy(p.name, name, n);
    std::memset(p.name + n, ' ', sizeof p.name - n);
}

template <typename T, std::size_t N, typename U>
void copy_values(T (&to)[N], const U (&from)[N])
{
    std::copy(from, from + N, to);
}

inline void fill_properties(device_properties& p, const cudaDeviceProp& c, int device)
{
    p = device_properties{};
    pad_name(p, c.name);
    p.totalGlobalMem = static_cast<std::int64_t>(c.totalGlobalMem);
    p.sharedMemPerBlock = static_cast<std::int64_t>(c.sharedMemPerBlock);
    p.regsPerBlock = c.regsPerBlock;
    p.warpSize = c.warpSize;
    p.memPitch = static_cast<std::int64_t>(c.memPitch);
    p.maxThreadsPerBlock = c.maxThreadsPerBlock;
    copy_values(p.maxThreadsDim, c.maxThreadsDim);
    copy_values(p.maxGridSize, c.maxGridSize);
    p.totalConstMem = static_cast<std::int64_t>(c.totalConstMem);
    p.major = c.major;
    p.minor = c.minor;
    p.multiProcessorCount = c.multiProcessorCount;
    p.integrated = c.integrated;
    p.canMapHostMemory = c.canMapHostMemory;
    p.concurrentKernels = c.concurrentKernels;
    p.ECCEnabled = c.ECCEnabled;
    p.asyncEngineCount = c.asyncEngineCount;
    p.unifiedAddressing = c.unifiedAddressing;
    p.memoryBusWidth = c.memoryBusWidth;
    p.l2CacheSize = c.l2CacheSize;
    p.maxThreadsPerMultiProcessor = c.maxThreadsPerMultiProcessor;
    p.sharedMemPerMultiprocessor = static_cast<std::int64_t>(c.sharedMemPerMultiprocessor);
    p.regsPerMultiprocessor = c.regsPerMultiprocessor;
    p.managedMemory = c.managedMemory;
    p.concurrentManagedAccess = c.concurrentManagedAccess;
    p.pageableMemoryAccess = c.pageableMemoryAccess;
    p.cooperativeLaunch = c.cooperativeLaunch;
    p.sharedMemPerBlockOptin = static_cast<std::int64_t>(c.sharedMemPerBlockOptin);
    p.streamPrioritiesSupported = c.streamPrioritiesSupported;
    p.globalL1CacheSupported = c.globalL1CacheSupported;
    p.localL1CacheSupported = c.localL1CacheSupported;
    p.isMultiGpuBoard = c.isMultiGpuBoard;
    p.multiGpuBoardGroupID = c.multiGpuBoardGroupID;
    p.hostNativeAtomicSupported = c.hostNativeAtomicSupported;
    p.computePreemptionSupported = c.computePreemptionSupported;
    p.canUseHostPointerForRegisteredMem = c.canUseHostPointerForRegisteredMem;
    p.pageableMemoryAccessUsesHostPageTables = c.pageableMemoryAccessUsesHostPageTables;
    p.directManagedMemAccessFromHost = c.directManagedMemAccessFromHost;
    p.maxBlocksPerMultiProcessor = c.maxBlocksPerMultiProcessor;
    p.accessPolicyMaxWindowSize = c.accessPolicyMaxWindowSize;
    p.hostRegisterSupported = c.hostRegisterSupported;
    p.memoryPoolsSupported = c.memoryPoolsSupported;
    p.clusterLaunch = c.clusterLaunch;
    p.pciBusID = c.pciBusID;
    p.pciDeviceID = c.pciDeviceID;
    p.pciDomainID = c.pciDomainID;
    p.tccDriver = c.tccDriver;
    p.persistingL2CacheMaxSize = c.persistingL2CacheMaxSize;
    p.maxTexture1D = c.maxTexture1D;
    p.textureAlignment = static_cast<std::int64_t>(c.textureAlignment);
    p.texturePitchAlignment = static_cast<std::int64_t>(c.texturePitchAlignment);
    p.surfaceAlignment = static_cast<std::int64_t>(c.surfaceAlignment);
    p.reservedSharedMemPerBlock = static_cast<std::int64_t>(c.reservedSharedMemPerBlock);
    copy_values(p.maxTexture2D, c.maxTexture2D);
    copy_values(p.maxTexture3D, c.maxTexture3D);
#if !defined(CUF_TARGET_CPU)
    p.maxTexture1DMipmap = c.maxTexture1DMipmap;
    copy_values(p.maxTexture2DMipmap, c.maxTexture2DMipmap);
    copy_values(p.maxTexture2DLinear, c.maxTexture2DLinear);
    copy_values(p.maxTexture2DGather, c.maxTexture2DGather);
    copy_values(p.maxTexture3DAlt, c.maxTexture3DAlt);
    p.maxTextureCubemap = c.maxTextureCubemap;
    copy_values(p.maxTexture1DLayered, c.maxTexture1DLayered);
    copy_values(p.maxTexture2DLayered, c.maxTexture2DLayered);
    copy_values(p.maxTextureCubemapLayered, c.maxTextureCubemapLayered);
    p.maxSurface1D = c.maxSurface1D;
    copy_values(p.maxSurface2D, c.maxSurface2D);
    copy_values(p.maxSurface3D, c.maxSurface3D);
    copy_values(p.maxSurface1DLayered, c.maxSurface1DLayered);
    copy_values(p.maxSurface2DLayered, c.maxSurface2DLayered);
    p.maxSurfaceCubemap = c.maxSurfaceCubemap;
    copy_values(p.maxSurfaceCubemapLayered, c.maxSurfaceCubemapLayered);
    p.ipcEventSupported = c.ipcEventSupported;
#endif
    // fields that CUDA 13 dropped from the structure but still answers as attributes
    auto ask = [device](cudaDeviceAttr attribute) {
        int value = 0;
        return cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess ? value : 0;
    };
    p.clockRate = ask(cudaDevAttrClockRate);
    p.deviceOverlap = ask(cudaDevAttrGpuOverlap);
    p.kernelExecTimeoutEnabled = ask(cudaDevAttrKernelExecTimeout);
    p.computeMode = ask(cudaDevAttrComputeMode);
    p.memoryClockRate = ask(cudaDevAttrMemoryClockRate);
    p.singleToDoublePrecisionPerfRatio = ask(cudaDevAttrSingleToDoublePrecisionPerfRatio);
}

/// type(cudaFuncAttributes)
struct function_attributes {
    std::int64_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
        preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight,
        requiredClusterDepth, clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
};

inline function_attributes function_attributes_of(const cudaFuncAttributes& a)
{
    function_attributes f{};
    f.sharedSizeBytes = static_cast<std::int64_t>(a.sharedSizeBytes);
    f.constSizeBytes = static_cast<std::int64_t>(a.constSizeBytes);
    f.localSizeBytes = static_cast<std::int64_t>(a.localSizeBytes);
    f.maxThreadsPerBlock = a.maxThreadsPerBlock;
    f.numRegs = a.numRegs;
    f.ptxVersion = a.ptxVersion;
    f.binaryVersion = a.binaryVersion;
    f.cacheModeCA = a.cacheModeCA;
    f.maxDynamicSharedSizeBytes = a.maxDynamicSharedSizeBytes;
    f.preferredShmemCarveout = a.preferredShmemCarveout;
#if !defined(CUF_TARGET_CPU)
    f.clusterDimMustBeSet = a.clusterDimMustBeSet;
    f.requiredClusterWidth = a.requiredClusterWidth;
    f.requiredClusterHeight = a.requiredClusterHeight;
    f.requiredClusterDepth = a.requiredClusterDepth;
    f.clusterSchedulingPolicyPreference = a.clusterSchedulingPolicyPreference;
    f.nonPortableClusterSizeAllowed = a.nonPortableClusterSizeAllowed;
#endif
    return f;
}

/// type(cudaLaunchConfig)
struct launch_config_type {
    int gridDim[3], blockDim[3];
    std::int64_t dynamicSmemBytes, stream;
    int clusterDim[3];
};

// Bank sizes cannot be configured since CUDA 13: the program reads back what it set.
inline int shared_memory_config = 0;

}  // namespace cuf::rt

extern "C" {

using cuf::rt::desc;

// ---- devices ----

int cufapi_choose_device(int* device, const desc* prop)
{
    const auto* p = static_cast<const cuf::rt::device_properties*>(prop->base_addr);
    cudaDeviceProp c{};
    c.major = p->major;
    c.minor = p->minor;
    c.multiProcessorCount = p->multiProcessorCount;
    c.totalGlobalMem = static_cast<std::size_t>(p->totalGlobalMem);
    return cudaChooseDevice(device, &c);
}

int cufapi_device_properties(const desc* prop, int device)
{
    if (prop->elem_len != sizeof(cuf::rt::device_properties)) return cudaErrorInvalidValue;
    cudaDeviceProp c{};
    cudaError_t code = cudaGetDeviceProperties(&c, device);
    if (code == cudaSuccess)
        cuf::rt::fill_properties(*static_cast<cuf::rt::device_properties*>(prop->base_addr), c, device);
    return code;
}

int cufapi_device_attribute(int* value, int attribute, int device)
{
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
}

int cufapi_get_cache_config(int* config)
{
    cudaFuncCache c{};
    cudaError_t code = cudaDeviceGetCacheConfig(&c);
    *config = c;
    return code;
}

int cufapi_set_cache_config(int config)
{
    return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config));
}

int cufapi_get_limit(const desc* value, int limit)
{
    std::size_t v = 0;
    cudaError_t code = cudaDeviceGetLimit(&v, static_cast<cudaLimit>(limit));
    if (code == cudaSuccess) cuf::rt::store(value, static_cast<std::int64_t>(v));
    return code;
}

int cufapi_set_limit(int limit, const desc* value)
{
    cudaError_t code =
        cudaDeviceSetLimit(static_cast<cudaLimit>(limit), static_cast<std::size_t>(cuf::rt::integer(value)));
    if (code == cudaSuccess) cuf::limit_chosen(limit);
    return code;
}

int cufapi_get_shared_config(int* config)
{
    *config = cuf::rt::shared_memory_config;
    return cudaSuccess;
}

int cufapi_set_shared_config(int config)
{
    if (config < 0 || config > 2) return cudaErrorInvalidValue;
    cuf::rt::shared_memory_config = config;
    return cudaSuccess;
}

int cufapi_priority_range(int* least, int* greatest) { return cudaDeviceGetStreamPriorityRange(least, greatest); }

int cufapi_device_reset(void)
{
    int device = 0;
    cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess) code = cudaDeviceReset();
    if (code != cudaSuccess) return code;
    cuf::count_reset(device);
    cuf::rt::forget_device(device);
    cuf::rt::unbind();
    return code;
}

int cufapi_device_synchronize(void) { return cudaDeviceSynchronize(); }
int cufapi_get_device(int* device) { return cudaGetDevice(device); }
int cufapi_device_count(int* count)
{
    int n = 0;
    cudaError_t code = cudaGetDeviceCount(&n);
    if (code == cudaSuccess) *count = n;  // unchanged on failure
    return code;
}
int cufapi_set_device(int device)
{
    cudaError_t code = cudaSetDevice(device);
    if (code != cudaSuccess) return code;
    cuf::rt::note_device(device);
    cuf::rt::bind_again();
    return code;
}
int cufapi_set_device_flags(int flags) { return cudaSetDeviceFlags(static_cast<unsigned>(flags)); }

int cufapi_set_valid_devices(int* devices, int count)
{
    return cudaSetValidDevices(devices, count);
}

int cufapi_can_access_peer(const desc* can, int device, int peer)
{
    int v = 0;
    cudaError_t code = cudaDeviceCanAccessPeer(&v, device, peer);
    if (code == cudaSuccess) cuf::rt::store(can, v);
    return code;
}
int cufapi_enable_peer(int peer, int flags) { return cudaDeviceEnablePeerAccess(peer, static_cast<unsigned>(flags)); }
int cufapi_disable_peer(int peer) { return cudaDeviceDisablePeerAccess(peer); }
int cufapi_driver_version(int* version) { return cudaDriverGetVersion(version); }
int cufapi_runtime_version(int* version) { return cudaRuntimeGetVersion(version); }

int cufapi_profiler_start(void) { return cudaProfilerStart(); }
int cufapi_profiler_stop(void) { return cudaProfilerStop(); }

// ---- errors ----

int cufapi_last_error(void) { return cuf::last_error(true); }
int cufapi_peek_error(void) { return cuf::last_error(false); }

int cufapi_error_length(int code, int name)
{
    auto e = static_cast<cudaError_t>(code);
    return static_cast<int>(std::strlen(name ? cudaGetErrorName(e) : cudaGetErrorString(e)));
}

void cufapi_error_text(int code, int name, char* text)
{
    auto e = static_cast<cudaError_t>(code);
    const char* from = name ? cudaGetErrorName(e) : cudaGetErrorString(e);
    std::memcpy(text, from, std::strlen(from));
}

// ---- streams ----

std::int64_t cufapi_default_stream(const desc* variable)
{
    if (variable == nullptr) return cuf::rt::thread_stream;
    return cuf::rt::tied_stream(cuf::rt::address(*variable));
}

/// (variable, stream) ties a variable; a stream alone, in either place, ties this thread.
int cufapi_set_default_stream(const desc* variable, const desc* stream)
{
    if (variable == nullptr || stream == nullptr) {
        cuf::rt::thread_stream = cuf::rt::integer(variable ? variable : stream);
        cuf::note_stream(cuf::rt::thread_stream);
        return cudaSuccess;
    }
    if (cuf::rt::address(*variable) == nullptr) return cudaErrorInvalidValue;
    cuf::note_stream(cuf::rt::integer(stream));
    cuf::rt::tie_stream(cuf::rt::address(*variable),
                        cuf::rt::unit(*variable) * static_cast<std::size_t>(cuf::rt::element_count(*variable)),
                        cuf::rt::integer(stream));
    return cudaSuccess;
}

int cufapi_stream_attach(const desc* stream, const desc* p, const desc* length,
                         const desc* flags)
{
    if (cuf::rt::integer(length) != 0) return cudaErrorInvalidValue;
    return cudaStreamAttachMemAsync(cuf::rt::stream_arg(stream), cuf::rt::address(*p), 0,
                                    static_cast<unsigned>(cuf::rt::integer(flags, cudaMemAttachSingle)));
}

static std::int64_t stream_number(cudaStream_t s)
{
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(s));
}

static cudaError_t created(cudaError_t code, cudaStream_t s, std::int64_t* stream)
{
    if (code != cudaSuccess) return code;
    *stream = stream_number(s);
    cuf::note_stream(*stream, true);
    return code;
}

int cufapi_stream_create_flags(std::int64_t* stream, int flags)
{
    cudaStream_t s = nullptr;
    cudaError_t code = cudaStreamCreateWithFlags(&s, static_cast<unsigned>(flags));
    return created(code, s, stream);
}
int cufapi_stream_create(std::int64_t* stream) { return cufapi_stream_create_flags(stream, cudaStreamDefault); }
int cufapi_stream_create_priority(std::int64_t* stream, int flags, int priority)
{
    cudaStream_t s = nullptr;
    cudaError_t code = cudaStreamCreateWithPriority(&s, static_cast<unsigned>(flags), priority);
    return created(code, s, stream);
}

int cufapi_stream_destroy(const desc* stream)
{
    if (cuf::rt::integer(stream) != 0) cuf::rt::untie_stream(cuf::rt::integer(stream));
    return cudaStreamDestroy(cuf::rt::stream_arg(stream));
}
int cufapi_stream_priority(const desc* stream, int* priority)
{
    return cudaStreamGetPriority(cuf::rt::stream_arg(stream), priority);
}
int cufapi_stream_query(const desc* stream) { return cudaStreamQuery(cuf::rt::stream_arg(stream)); }
int cufapi_stream_synchronize(const desc* stream) { return cudaStreamSynchronize(cuf::rt::stream_arg(stream)); }
int cufapi_stream_wait(const desc* stream, void* const* event, const desc* flags)
{
    return cudaStreamWaitEvent(cuf::rt::stream_arg(stream), cuf::rt::event_of(event),
                               static_cast<unsigned>(cuf::rt::integer(flags)));
}

// ---- events ----

int cufapi_event_create_flags(void** event, int flags)
{
    cudaEvent_t e = nullptr;
    cudaError_t code = cudaEventCreateWithFlags(&e, static_cast<unsigned>(flags));
    if (code == cudaSuccess) *event = e;
    return code;
}
int cufapi_event_create(void** event) { return cufapi_event_create_flags(event, cudaEventDefault); }
int cufapi_event_destroy(void* const* event) { return cudaEventDestroy(cuf::rt::event_of(event)); }
int cufapi_event_elapsed(float* time, void* const* start, void* const* end)
{
    return cudaEventElapsedTime(time, cuf::rt::event_of(start), cuf::rt::event_of(end));
}
int cufapi_event_query(void* const* event) { return cudaEventQuery(cuf::rt::event_of(event)); }
int cufapi_event_record(void* const* event, const desc* stream)
{
    return cudaEventRecord(cuf::rt::event_of(event), cuf::rt::stream_arg(stream));
}
int cufapi_event_synchronize(void* const* event) { return cudaEventSynchronize(cuf::rt::event_of(event)); }

// ---- kernels ----

int cufapi_func_attributes(cuf::rt::function_attributes* to, const desc* func)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    cudaFuncAttributes a{};
    cudaError_t code = cudaFuncGetAttributes(&a, kernel);
    if (code != cudaSuccess) return code;
    *to = cuf::rt::function_attributes_of(a);
    return cudaSuccess;
}

int cufapi_func_set_attribute(const desc* func, int attribute, int value)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const auto which = static_cast<cudaFuncAttribute>(attribute);
    const cudaError_t code = cudaFuncSetAttribute(kernel, which, value);
    const void* wide = cuf::wide_version(kernel);
    return code != cudaSuccess || wide == nullptr ? code : cudaFuncSetAttribute(wide, which, value);
}

int cufapi_func_set_cache(const desc* func, int config)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const cudaError_t code = cudaFuncSetCacheConfig(kernel, static_cast<cudaFuncCache>(config));
    const void* wide = cuf::wide_version(kernel);
    return code != cudaSuccess || wide == nullptr ? code : cudaFuncSetCacheConfig(wide, static_cast<cudaFuncCache>(config));
}

int cufapi_func_set_banks(const desc* func, int config)
{
    if (cuf::rt::kernel_of(func) == nullptr) return cudaErrorInvalidDeviceFunction;
    return config < 0 || config > 2 ? cudaErrorInvalidValue : cudaSuccess;
}

int cufapi_occupancy_flags(const desc* blocks, const desc* func, const desc* threads, const desc* bytes,
                     const desc* flags)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    int n = 0;
    auto block = static_cast<int>(cuf::rt::integer(threads));
    auto shared = static_cast<std::size_t>(cuf::rt::integer(bytes));
    cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &n, kernel, block, shared, static_cast<unsigned>(cuf::rt::integer(flags)));
    if (code != cudaSuccess) return code;
    cuf::rt::store(blocks, n);
    return cudaSuccess;
}

int cufapi_occupancy(const desc* blocks, const desc* func, const desc* threads, const desc* bytes)
{
    return cufapi_occupancy_flags(blocks, func, threads, bytes, nullptr);
}

static int occupancy_cluster([[maybe_unused]] int* result, const desc* func,
                             [[maybe_unused]] const cuf::rt::launch_config_type* config, [[maybe_unused]] int active)
{
    const void* kernel = cuf::rt::kernel_of(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
#if defined(CUF_TARGET_CPU)
    return cudaErrorNotSupported;
#else
    auto dims = [](const int (&d)[3]) {
        return dim3(static_cast<unsigned>(d[0]), static_cast<unsigned>(d[1]), static_cast<unsigned>(d[2]));
    };
    cudaLaunchConfig_t c{};
    c.gridDim = dims(config->gridDim);
    c.blockDim = dims(config->blockDim);
    c.dynamicSmemBytes = static_cast<std::size_t>(config->dynamicSmemBytes);
    c.stream = cuf::rt::stream_handle(config->stream);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(config->clusterDim[0]),
                              static_cast<unsigned>(config->clusterDim[1]),
                              static_cast<unsigned>(config->clusterDim[2])};
    if (config->clusterDim[0] > 0) {
        c.attrs = &cluster;
        c.numAttrs = 1;
    }
    return active ? cudaOccupancyMaxActiveClusters(result, kernel, &c)
                  : cudaOccupancyMaxPotentialClusterSize(result, kernel, &c);
#endif
}

int cufapi_cluster_size(int* size, const desc* func, const cuf::rt::launch_config_type* config)
{
    return occupancy_cluster(size, func, config, 0);
}
int cufapi_active_clusters(int* count, const desc* func, const cuf::rt::launch_config_type* config)
{
    return occupancy_cluster(count, func, config, 1);
}

// ---- graphs ----

int cufapi_graph_create(void** graph, const desc* flags)
{
    return cudaGraphCreate(reinterpret_cast<cudaGraph_t*>(graph), static_cast<unsigned>(cuf::rt::integer(flags)));
}
int cufapi_graph_destroy(void* const* graph) { return cudaGraphDestroy(static_cast<cudaGraph_t>(*graph)); }
int cufapi_graph_exec_destroy(void* const* exec) { return cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(*exec)); }
int cufapi_graph_instantiate(void** exec, void* const* graph, const desc* flags)
{
    return cudaGraphInstantiate(reinterpret_cast<cudaGraphExec_t*>(exec), static_cast<cudaGraph_t>(*graph),
                                static_cast<unsigned long long>(cuf::rt::integer(flags)));
}
int cufapi_graph_launch(void* const* exec, const desc* stream)
{
    return cudaGraphLaunch(static_cast<cudaGraphExec_t>(*exec), cuf::rt::stream_arg(stream));
}
int cufapi_begin_capture(const desc* stream, int mode)
{
    cuf::note_stream(reinterpret_cast<std::int64_t>(cuf::rt::stream_arg(stream)));
    cuf::prepare_capture();
    cudaError_t code = cudaStreamBeginCapture(cuf::rt::stream_arg(stream), static_cast<cudaStreamCaptureMode>(mode));
    if (code == cudaSuccess) cuf::rt::captured_stream = cuf::rt::stream_arg(stream);
    return code;
}
int cufapi_end_capture(const desc* stream, void** graph)
{
    if (cuf::rt::captured_stream == cuf::rt::stream_arg(stream)) cuf::rt::captured_stream = nullptr;
    return cudaStreamEndCapture(cuf::rt::stream_arg(stream), reinterpret_cast<cudaGraph_t*>(graph));
}
int cufapi_is_capturing(const desc* stream, int* status)
{
    cudaStreamCaptureStatus s{};
    cudaError_t code = cudaStreamIsCapturing(cuf::rt::stream_arg(stream), &s);
    if (code == cudaSuccess) *status = s;
    return code;
}

}  // extern "C"
