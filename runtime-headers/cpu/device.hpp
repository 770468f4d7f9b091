// Device queries, limits, functions and occupancy of the cpu target. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocations.hpp"
#include "heap.hpp"
#include "pool.hpp"

namespace cuf::cpu {

/// Blocks of that size that a multiprocessor of the emulated device holds.
inline int blocks_per_sm(std::uint64_t threads, std::size_t bytes)
{
    if (threads == 0 || threads > limit::block_threads || bytes > std::size_t(limit::shared_optin)) return 0;
    const auto warps = (threads + 31) / 32;
    auto blocks = std::min<std::uint64_t>(limit::sm_blocks, limit::sm_threads / 32 / warps);
    blocks = std::min<std::uint64_t>(blocks, limit::shared_sm / (bytes + limit::shared_reserved));
    return int(blocks);
}

inline std::uint64_t resident_blocks(std::uint64_t threads, std::size_t bytes)
{
    return std::uint64_t(blocks_per_sm(threads, bytes)) * worker_count();
}

struct function_state {
    int max_dynamic = limit::shared, carveout = -1;
};
inline std::mutex function_lock;
inline std::map<const void*, function_state>& functions()
{
    static auto* table = new std::map<const void*, function_state>;
    return *table;
}

inline std::size_t device_limits[] = {1024, std::size_t{7} << 20, std::size_t{8} << 20, 0, 2048, 128, 0};
inline cudaFuncCache cache_config = cudaFuncCachePreferNone;
inline unsigned device_flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;

/// The values with which device variables begin, and have again after a reset. Nothing is kept of those that begin with zeros.
class initial_value_table {
public:
    void keep(void* variable, std::size_t bytes)
    {
        const auto* first = static_cast<const char*>(variable);
        const bool zero = std::all_of(first, first + bytes, [](char c) { return c == 0; });
        std::lock_guard lock(mutex_);
        table_[variable] = {bytes, zero ? std::string() : std::string(first, bytes)};
    }
    void restore()
    {
        std::lock_guard lock(mutex_);
        for (const auto& [variable, value] : table_) {
            if (value.initial.empty())
                std::memset(variable, 0, value.bytes);
            else
                std::memcpy(variable, value.initial.data(), value.bytes);
        }
    }

private:
    struct value {
        std::size_t bytes;
        std::string initial;
    };
    std::mutex mutex_;
    std::map<void*, value> table_;
};
inline initial_value_table& initial_values()
{
    static auto* table = new initial_value_table;  // used before and after the program's own static objects
    return *table;
}

inline cudaError_t on_device(int device) { return device == 0 ? cudaSuccess : done(cudaErrorInvalidDevice); }

inline cudaDeviceProp properties()
{
    cudaDeviceProp p{};
    std::strcpy(p.name, "cuf2cu cpu target");
    p.totalGlobalMem = total_memory();
    p.sharedMemPerBlock = limit::shared;
    p.regsPerBlock = limit::registers;
    p.warpSize = 32;
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = limit::block_threads;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = limit::block_threads;
    p.maxThreadsDim[2] = limit::block_z;
    p.maxGridSize[0] = int(limit::grid_x);
    p.maxGridSize[1] = p.maxGridSize[2] = limit::grid_yz;
    p.totalConstMem = 65536;
    p.major = 9;
    p.minor = 0;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.multiProcessorCount = int(worker_count());
    p.integrated = 1;
    p.canMapHostMemory = 1;
    p.maxTexture1D = 131072;
    p.maxTexture2D[0] = 131072;
    p.maxTexture2D[1] = 65536;
    for (int& n : p.maxTexture3D) n = 16384;
    p.surfaceAlignment = 512;
    p.concurrentKernels = 1;
    p.asyncEngineCount = 1;
    p.unifiedAddressing = 1;
    p.memoryBusWidth = 64;
    p.l2CacheSize = 1 << 20;
    p.maxThreadsPerMultiProcessor = limit::sm_threads;
    p.streamPrioritiesSupported = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.sharedMemPerMultiprocessor = limit::shared_sm;
    p.regsPerMultiprocessor = limit::registers;
    p.managedMemory = 1;
    p.hostNativeAtomicSupported = 1;
    p.pageableMemoryAccess = 1;
    p.concurrentManagedAccess = 1;
    p.computePreemptionSupported = 1;
    p.canUseHostPointerForRegisteredMem = 1;
    p.cooperativeLaunch = 1;
    p.sharedMemPerBlockOptin = limit::shared_optin;
    p.pageableMemoryAccessUsesHostPageTables = 1;
    p.directManagedMemAccessFromHost = 1;
    p.maxBlocksPerMultiProcessor = limit::sm_blocks;
    p.reservedSharedMemPerBlock = limit::shared_reserved;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 1;
    p.clusterLaunch = 1;
    return p;
}

inline bool attribute_value(cudaDeviceAttr attribute, int& value)
{
    const cudaDeviceProp p = properties();
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: value = p.maxThreadsPerBlock; return true;
    case cudaDevAttrMaxBlockDimX: value = p.maxThreadsDim[0]; return true;
    case cudaDevAttrMaxBlockDimY: value = p.maxThreadsDim[1]; return true;
    case cudaDevAttrMaxBlockDimZ: value = p.maxThreadsDim[2]; return true;
    case cudaDevAttrMaxGridDimX: value = p.maxGridSize[0]; return true;
    case cudaDevAttrMaxGridDimY: value = p.maxGridSize[1]; return true;
    case cudaDevAttrMaxGridDimZ: value = p.maxGridSize[2]; return true;
    case cudaDevAttrMaxSharedMemoryPerBlock: value = int(p.sharedMemPerBlock); return true;
    case cudaDevAttrTotalConstantMemory: value = int(p.totalConstMem); return true;
    case cudaDevAttrWarpSize: value = p.warpSize; return true;
    case cudaDevAttrMaxPitch: value = int(p.memPitch); return true;
    case cudaDevAttrMaxRegistersPerBlock: value = p.regsPerBlock; return true;
    case cudaDevAttrClockRate: value = 1000000; return true;
    case cudaDevAttrMemoryClockRate: value = 1000000; return true;
    case cudaDevAttrTextureAlignment: value = int(p.textureAlignment); return true;
    case cudaDevAttrGpuOverlap: value = 1; return true;
    case cudaDevAttrMultiProcessorCount: value = p.multiProcessorCount; return true;
    case cudaDevAttrIntegrated: value = p.integrated; return true;
    case cudaDevAttrCanMapHostMemory: value = p.canMapHostMemory; return true;
    case cudaDevAttrConcurrentKernels: value = p.concurrentKernels; return true;
    case cudaDevAttrGlobalMemoryBusWidth: value = p.memoryBusWidth; return true;
    case cudaDevAttrL2CacheSize: value = p.l2CacheSize; return true;
    case cudaDevAttrMaxThreadsPerMultiProcessor: value = p.maxThreadsPerMultiProcessor; return true;
    case cudaDevAttrAsyncEngineCount: value = p.asyncEngineCount; return true;
    case cudaDevAttrUnifiedAddressing: value = p.unifiedAddressing; return true;
    case cudaDevAttrComputeCapabilityMajor: value = p.major; return true;
    case cudaDevAttrComputeCapabilityMinor: value = p.minor; return true;
    case cudaDevAttrStreamPrioritiesSupported: value = p.streamPrioritiesSupported; return true;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: value = int(p.sharedMemPerMultiprocessor); return true;
    case cudaDevAttrMaxRegistersPerMultiprocessor: value = p.regsPerMultiprocessor; return true;
    case cudaDevAttrManagedMemory: value = p.managedMemory; return true;
    case cudaDevAttrHostNativeAtomicSupported: value = p.hostNativeAtomicSupported; return true;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: value = 2; return true;
    case cudaDevAttrPageableMemoryAccess: value = p.pageableMemoryAccess; return true;
    case cudaDevAttrConcurrentManagedAccess: value = p.concurrentManagedAccess; return true;
    case cudaDevAttrComputePreemptionSupported: value = p.computePreemptionSupported; return true;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: value = p.canUseHostPointerForRegisteredMem; return true;
    case cudaDevAttrCooperativeLaunch: value = p.cooperativeLaunch; return true;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: value = int(p.sharedMemPerBlockOptin); return true;
    case cudaDevAttrHostRegisterSupported: value = p.hostRegisterSupported; return true;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables: value = p.pageableMemoryAccessUsesHostPageTables; return true;
    case cudaDevAttrDirectManagedMemAccessFromHost: value = p.directManagedMemAccessFromHost; return true;
    case cudaDevAttrMaxBlocksPerMultiprocessor: value = p.maxBlocksPerMultiProcessor; return true;
    case cudaDevAttrReservedSharedMemoryPerBlock: value = int(p.reservedSharedMemPerBlock); return true;
    case cudaDevAttrMemoryPoolsSupported: value = p.memoryPoolsSupported; return true;
    case cudaDevAttrClusterLaunch: value = p.clusterLaunch; return true;
    default:
        value = 0;
        return attribute >= 1 && attribute <= 147;  // a device without that feature
    }
}

}  // namespace cuf::cpu

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
cudaError_t cudaRuntimeGetVersion(int* version)
{
    if (!version) return done(cudaErrorInvalidValue);
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count)
{
    if (!count) return done(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device)
{
    if (!device) return done(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return cuf::cpu::on_device(device); }
cudaError_t cudaSetValidDevices(int* devices, int count)
{
    for (int i = 0; i < count; ++i)
        if (!devices || devices[i] != 0) return done(cudaErrorInvalidDevice);
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    if (flags & ~0x1fu) return done(cudaErrorInvalidValue);
    cuf::cpu::device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags)
{
    if (!flags) return done(cudaErrorInvalidValue);
    *flags = cuf::cpu::device_flags;
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    if (!properties) return done(cudaErrorInvalidValue);
    if (cuf::cpu::on_device(device) != cudaSuccess) return cudaErrorInvalidDevice;
    *properties = cuf::cpu::properties();
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    if (cuf::cpu::on_device(device) != cudaSuccess) return cudaErrorInvalidDevice;
    return value && cuf::cpu::attribute_value(attribute, *value) ? cudaSuccess : done(cudaErrorInvalidValue);
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceReset()
{
    allocations().reset();
    cuf::cpu::initial_values().restore();
    cuf::cpu::last_error = cudaSuccess;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit)
{
    if (!value) return done(cudaErrorInvalidValue);
    if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize) return done(cudaErrorUnsupportedLimit);
    *value = cuf::cpu::device_limits[limit];
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value)
{
    if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize) return done(cudaErrorUnsupportedLimit);
    cuf::cpu::device_limits[limit] = value;
    if (limit == cudaLimitMallocHeapSize) cuf::cpu::heap_limit = value;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config)
{
    if (!config) return done(cudaErrorInvalidValue);
    *config = cuf::cpu::cache_config;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config)
{
    cuf::cpu::cache_config = config;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config)
{
    if (!config) return done(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer)
{
    if (!can) return done(cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return done(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return done(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int peer) { return done(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device)
{
    if (cuf::cpu::on_device(device) != cudaSuccess) return cudaErrorInvalidDevice;
    if (!id || length < 13) return done(cudaErrorInvalidValue);
    std::strcpy(id, "0000:00:00.0");
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id)
{
    if (!device || !id || std::strcmp(id, "0000:00:00.0") != 0) return done(cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function)
{
    if (!attributes) return done(cudaErrorInvalidValue);
    if (!function) return done(cudaErrorInvalidDeviceFunction);
    std::lock_guard lock(cuf::cpu::function_lock);
    const auto& state = cuf::cpu::functions()[function];
    *attributes = {0, 0, 0, cuf::cpu::limit::block_threads, 32, 90, 90, 0, state.max_dynamic, state.carveout};
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value)
{
    if (!function) return done(cudaErrorInvalidDeviceFunction);
    std::lock_guard lock(cuf::cpu::function_lock);
    auto& state = cuf::cpu::functions()[function];
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || value > cuf::cpu::limit::shared_optin) return done(cudaErrorInvalidValue);
        state.max_dynamic = value;
    } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100) return done(cudaErrorInvalidValue);
        state.carveout = value;
    }
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) { return function ? cudaSuccess : done(cudaErrorInvalidDeviceFunction); }
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig)
{
    return function ? cudaSuccess : done(cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size, std::size_t bytes)
{
    if (!blocks || block_size <= 0) return done(cudaErrorInvalidValue);
    if (!function) return done(cudaErrorInvalidDeviceFunction);
    *blocks = cuf::cpu::blocks_per_sm(std::uint64_t(block_size), bytes);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_size, std::size_t bytes, unsigned int)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, bytes);
}
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, const void* function, std::size_t bytes, int limit)
{
    if (!min_grid || !block_size) return done(cudaErrorInvalidValue);
    if (!function) return done(cudaErrorInvalidDeviceFunction);
    *block_size = limit > 0 && limit < cuf::cpu::limit::block_threads ? limit : cuf::cpu::limit::block_threads;
    *min_grid = int(cuf::cpu::resident_blocks(std::uint64_t(*block_size), bytes));
    return cudaSuccess;
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int block_size)
{
    if (!bytes || blocks <= 0 || block_size <= 0) return done(cudaErrorInvalidValue);
    if (!function) return done(cudaErrorInvalidDeviceFunction);
    const int share = cuf::cpu::limit::shared_sm / blocks - cuf::cpu::limit::shared_reserved;
    *bytes = std::size_t(std::clamp(share, 0, cuf::cpu::limit::shared));
    return cudaSuccess;
}
