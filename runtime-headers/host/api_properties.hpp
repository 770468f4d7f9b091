// Entry points of module cudafor: properties of devices.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "core.hpp"

namespace cuf::rt {

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

}  // namespace cuf::rt

extern "C" {

using cuf::rt::desc;

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

}  // extern "C"
