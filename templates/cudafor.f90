! Module cudafor of CUDA Fortran: the runtime API with the generic names, types and constants that programs use. Most
! procedures are C functions of cuf_runtime.cpp that take descriptors: one interface serves every type and rank, device
! memory is passed by address, integers may have any kind. cudadevice has nothing for the host.
module cudafor
  use cuf_runtime, only: dim3 => cuf_dim3, cuf_half
  ! c_loc is left out: gfortran 12 crashes on call f(c_loc(x)) with f(type(*), dimension(..)) if it comes through a module
  ! and c_ptr, which gfortran 12 takes to be ambiguous in some orders of USE (measured: cuf_runtime, iso_c_binding, cudafor).
  use, intrinsic :: iso_c_binding, only: c_devptr => c_ptr, c_null_ptr, c_null_devptr => c_null_ptr, &
    c_f_pointer, c_associated, c_int, c_int64_t, c_float, c_char
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  private :: cuf_half, c_int, c_int64_t, c_float, c_char, int8, int16, int32, int64, real32, real64

  integer, parameter :: cuda_count_kind = c_int64_t, cuda_stream_kind = c_int64_t, cuda_devptr_kind = c_int64_t

  ! error codes
  integer, parameter :: cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, &
    cudaErrorInitializationError = 3, cudaErrorCudartUnloading = 4, cudaErrorProfilerDisabled = 5, &
    cudaErrorProfilerNotInitialized = 6, cudaErrorProfilerAlreadyStarted = 7, cudaErrorProfilerAlreadyStopped = 8, &
    cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12, cudaErrorInvalidSymbol = 13, &
    cudaErrorInvalidHostPointer = 16, cudaErrorInvalidDevicePointer = 17, cudaErrorInvalidTexture = 18, &
    cudaErrorInvalidTextureBinding = 19, cudaErrorInvalidChannelDescriptor = 20, &
    cudaErrorInvalidMemcpyDirection = 21, cudaErrorAddressOfConstant = 22, cudaErrorTextureFetchFailed = 23, &
    cudaErrorTextureNotBound = 24, cudaErrorSynchronizationError = 25, cudaErrorInvalidFilterSetting = 26, &
    cudaErrorInvalidNormSetting = 27, cudaErrorMixedDeviceExecution = 28, cudaErrorNotYetImplemented = 31, &
    cudaErrorMemoryValueTooLarge = 32, cudaErrorStubLibrary = 34, cudaErrorInsufficientDriver = 35, &
    cudaErrorCallRequiresNewerDriver = 36, cudaErrorInvalidSurface = 37, cudaErrorDuplicateVariableName = 43, &
    cudaErrorDuplicateTextureName = 44, cudaErrorDuplicateSurfaceName = 45, cudaErrorDevicesUnavailable = 46, &
    cudaErrorIncompatibleDriverContext = 49, cudaErrorMissingConfiguration = 52, cudaErrorPriorLaunchFailure = 53, &
    cudaErrorLaunchMaxDepthExceeded = 65, cudaErrorLaunchFileScopedTex = 66, cudaErrorLaunchFileScopedSurf = 67, &
    cudaErrorSyncDepthExceeded = 68, cudaErrorLaunchPendingCountExceeded = 69, cudaErrorInvalidDeviceFunction = 98, &
    cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101, cudaErrorDeviceNotLicensed = 102, &
    cudaErrorSoftwareValidityNotEstablished = 103, cudaErrorStartupFailure = 127, cudaErrorInvalidKernelImage = 200, &
    cudaErrorDeviceUninitialized = 201, cudaErrorMapBufferObjectFailed = 205, cudaErrorUnmapBufferObjectFailed = 206, &
    cudaErrorArrayIsMapped = 207, cudaErrorAlreadyMapped = 208, cudaErrorNoKernelImageForDevice = 209, &
    cudaErrorAlreadyAcquired = 210, cudaErrorNotMapped = 211, cudaErrorNotMappedAsArray = 212, &
    cudaErrorNotMappedAsPointer = 213, cudaErrorECCUncorrectable = 214, cudaErrorUnsupportedLimit = 215, &
    cudaErrorDeviceAlreadyInUse = 216, cudaErrorPeerAccessUnsupported = 217, cudaErrorInvalidPtx = 218, &
    cudaErrorInvalidGraphicsContext = 219, cudaErrorNvlinkUncorrectable = 220, cudaErrorJitCompilerNotFound = 221, &
    cudaErrorUnsupportedPtxVersion = 222, cudaErrorJitCompilationDisabled = 223, &
    cudaErrorUnsupportedExecAffinity = 224, cudaErrorUnsupportedDevSideSync = 225, cudaErrorContained = 226, &
    cudaErrorInvalidSource = 300, cudaErrorFileNotFound = 301, cudaErrorSharedObjectSymbolNotFound = 302, &
    cudaErrorSharedObjectInitFailed = 303, cudaErrorOperatingSystem = 304, cudaErrorInvalidResourceHandle = 400, &
    cudaErrorIllegalState = 401, cudaErrorLossyQuery = 402, cudaErrorSymbolNotFound = 500, cudaErrorNotReady = 600, &
    cudaErrorIllegalAddress = 700, cudaErrorLaunchOutOfResources = 701, cudaErrorLaunchTimeout = 702, &
    cudaErrorLaunchIncompatibleTexturing = 703, cudaErrorPeerAccessAlreadyEnabled = 704, &
    cudaErrorPeerAccessNotEnabled = 705, cudaErrorSetOnActiveProcess = 708, cudaErrorContextIsDestroyed = 709, &
    cudaErrorAssert = 710, cudaErrorTooManyPeers = 711, cudaErrorHostMemoryAlreadyRegistered = 712, &
    cudaErrorHostMemoryNotRegistered = 713, cudaErrorHardwareStackError = 714, cudaErrorIllegalInstruction = 715, &
    cudaErrorMisalignedAddress = 716, cudaErrorInvalidAddressSpace = 717, cudaErrorInvalidPc = 718, &
    cudaErrorLaunchFailure = 719, cudaErrorCooperativeLaunchTooLarge = 720, cudaErrorTensorMemoryLeak = 721, &
    cudaErrorNotPermitted = 800, cudaErrorNotSupported = 801, cudaErrorSystemNotReady = 802, &
    cudaErrorSystemDriverMismatch = 803, cudaErrorCompatNotSupportedOnDevice = 804, &
    cudaErrorMpsConnectionFailed = 805, cudaErrorMpsRpcFailure = 806, cudaErrorMpsServerNotReady = 807, &
    cudaErrorMpsMaxClientsReached = 808, cudaErrorMpsMaxConnectionsReached = 809, cudaErrorMpsClientTerminated = 810, &
    cudaErrorCdpNotSupported = 811, cudaErrorCdpVersionMismatch = 812, cudaErrorStreamCaptureUnsupported = 900, &
    cudaErrorStreamCaptureInvalidated = 901, cudaErrorStreamCaptureMerge = 902, &
    cudaErrorStreamCaptureUnmatched = 903, cudaErrorStreamCaptureUnjoined = 904, &
    cudaErrorStreamCaptureIsolation = 905, cudaErrorStreamCaptureImplicit = 906, cudaErrorCapturedEvent = 907, &
    cudaErrorStreamCaptureWrongThread = 908, cudaErrorTimeout = 909, cudaErrorGraphExecUpdateFailure = 910, &
    cudaErrorExternalDevice = 911, cudaErrorInvalidClusterSize = 912, cudaErrorFunctionNotLoaded = 913, &
    cudaErrorInvalidResourceType = 914, cudaErrorInvalidResourceConfiguration = 915, cudaErrorUnknown = 999

  ! attributes of devices
  integer, parameter :: cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxBlockDimY = 3, &
    cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5, cudaDevAttrMaxGridDimY = 6, cudaDevAttrMaxGridDimZ = 7, &
    cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrTotalConstantMemory = 9, cudaDevAttrWarpSize = 10, &
    cudaDevAttrMaxPitch = 11, cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrClockRate = 13, &
    cudaDevAttrTextureAlignment = 14, cudaDevAttrGpuOverlap = 15, cudaDevAttrMultiProcessorCount = 16, &
    cudaDevAttrKernelExecTimeout = 17, cudaDevAttrIntegrated = 18, cudaDevAttrCanMapHostMemory = 19, &
    cudaDevAttrComputeMode = 20, cudaDevAttrMaxTexture1DWidth = 21, cudaDevAttrMaxTexture2DWidth = 22, &
    cudaDevAttrMaxTexture2DHeight = 23, cudaDevAttrMaxTexture3DWidth = 24, cudaDevAttrMaxTexture3DHeight = 25, &
    cudaDevAttrMaxTexture3DDepth = 26, cudaDevAttrMaxTexture2DLayeredWidth = 27, &
    cudaDevAttrMaxTexture2DLayeredHeight = 28, cudaDevAttrMaxTexture2DLayeredLayers = 29, &
    cudaDevAttrSurfaceAlignment = 30, cudaDevAttrConcurrentKernels = 31, cudaDevAttrEccEnabled = 32, &
    cudaDevAttrPciBusId = 33, cudaDevAttrPciDeviceId = 34, cudaDevAttrTccDriver = 35, &
    cudaDevAttrMemoryClockRate = 36, cudaDevAttrGlobalMemoryBusWidth = 37, cudaDevAttrL2CacheSize = 38, &
    cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrAsyncEngineCount = 40, cudaDevAttrUnifiedAddressing = 41, &
    cudaDevAttrMaxTexture1DLayeredWidth = 42, cudaDevAttrMaxTexture1DLayeredLayers = 43, &
    cudaDevAttrMaxTexture2DGatherWidth = 45, cudaDevAttrMaxTexture2DGatherHeight = 46, &
    cudaDevAttrMaxTexture3DWidthAlt = 47, cudaDevAttrMaxTexture3DHeightAlt = 48, &
    cudaDevAttrMaxTexture3DDepthAlt = 49, cudaDevAttrPciDomainId = 50, cudaDevAttrTexturePitchAlignment = 51, &
    cudaDevAttrMaxTextureCubemapWidth = 52, cudaDevAttrMaxTextureCubemapLayeredWidth = 53, &
    cudaDevAttrMaxTextureCubemapLayeredLayers = 54, cudaDevAttrMaxSurface1DWidth = 55, &
    cudaDevAttrMaxSurface2DWidth = 56, cudaDevAttrMaxSurface2DHeight = 57, cudaDevAttrMaxSurface3DWidth = 58, &
    cudaDevAttrMaxSurface3DHeight = 59, cudaDevAttrMaxSurface3DDepth = 60, cudaDevAttrMaxSurface1DLayeredWidth = 61, &
    cudaDevAttrMaxSurface1DLayeredLayers = 62, cudaDevAttrMaxSurface2DLayeredWidth = 63, &
    cudaDevAttrMaxSurface2DLayeredHeight = 64, cudaDevAttrMaxSurface2DLayeredLayers = 65, &
    cudaDevAttrMaxSurfaceCubemapWidth = 66, cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67, &
    cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68, cudaDevAttrMaxTexture1DLinearWidth = 69, &
    cudaDevAttrMaxTexture2DLinearWidth = 70, cudaDevAttrMaxTexture2DLinearHeight = 71, &
    cudaDevAttrMaxTexture2DLinearPitch = 72, cudaDevAttrMaxTexture2DMipmappedWidth = 73, &
    cudaDevAttrMaxTexture2DMipmappedHeight = 74, cudaDevAttrComputeCapabilityMajor = 75, &
    cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrMaxTexture1DMipmappedWidth = 77, &
    cudaDevAttrStreamPrioritiesSupported = 78, cudaDevAttrGlobalL1CacheSupported = 79, &
    cudaDevAttrLocalL1CacheSupported = 80, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, &
    cudaDevAttrMaxRegistersPerMultiprocessor = 82, cudaDevAttrManagedMemory = 83, cudaDevAttrIsMultiGpuBoard = 84, &
    cudaDevAttrMultiGpuBoardGroupID = 85, cudaDevAttrHostNativeAtomicSupported = 86, &
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87, cudaDevAttrPageableMemoryAccess = 88, &
    cudaDevAttrConcurrentManagedAccess = 89, cudaDevAttrComputePreemptionSupported = 90, &
    cudaDevAttrCanUseHostPointerForRegisteredMem = 91, cudaDevAttrCooperativeLaunch = 95, &
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrCanFlushRemoteWrites = 98, &
    cudaDevAttrHostRegisterSupported = 99, cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100, &
    cudaDevAttrDirectManagedMemAccessFromHost = 101, cudaDevAttrMaxBlocksPerMultiprocessor = 106, &
    cudaDevAttrMaxPersistingL2CacheSize = 108, cudaDevAttrMaxAccessPolicyWindowSize = 109, &
    cudaDevAttrReservedSharedMemoryPerBlock = 111, cudaDevAttrSparseCudaArraySupported = 112, &
    cudaDevAttrHostRegisterReadOnlySupported = 113, cudaDevAttrTimelineSemaphoreInteropSupported = 114, &
    cudaDevAttrMemoryPoolsSupported = 115, cudaDevAttrGPUDirectRDMASupported = 116, &
    cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117, cudaDevAttrGPUDirectRDMAWritesOrdering = 118, &
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119, cudaDevAttrClusterLaunch = 120, &
    cudaDevAttrDeferredMappingCudaArraySupported = 121, cudaDevAttrIpcEventSupport = 125, &
    cudaDevAttrMemSyncDomainCount = 126, cudaDevAttrNumaConfig = 130, cudaDevAttrNumaId = 131, &
    cudaDevAttrMpsEnabled = 133, cudaDevAttrHostNumaId = 134, cudaDevAttrD3D12CigSupported = 135, &
    cudaDevAttrVulkanCigSupported = 138, cudaDevAttrGpuPciDeviceId = 139, cudaDevAttrGpuPciSubsystemId = 140, &
    cudaDevAttrHostNumaMemoryPoolsSupported = 142, cudaDevAttrHostNumaMultinodeIpcSupported = 143, &
    cudaDevAttrHostMemoryPoolsSupported = 144, cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147

  ! types of data, for the libraries (library_types.h of the toolkit)
  integer, parameter :: CUDA_R_16F = 2, CUDA_C_16F = 6, CUDA_R_16BF = 14, CUDA_C_16BF = 15, CUDA_R_32F = 0, &
    CUDA_C_32F = 4, CUDA_R_64F = 1, CUDA_C_64F = 5, CUDA_R_4I = 16, CUDA_C_4I = 17, CUDA_R_4U = 18, CUDA_C_4U = 19, &
    CUDA_R_8I = 3, CUDA_C_8I = 7, CUDA_R_8U = 8, CUDA_C_8U = 9, CUDA_R_16I = 20, CUDA_C_16I = 21, CUDA_R_16U = 22, &
    CUDA_C_16U = 23, CUDA_R_32I = 10, CUDA_C_32I = 11, CUDA_R_32U = 12, CUDA_C_32U = 13, CUDA_R_64I = 24, &
    CUDA_C_64I = 25, CUDA_R_64U = 26, CUDA_C_64U = 27, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29

  ! directions of copies, kinds of memory
  integer, parameter :: cudaMemcpyHostToHost = 0, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, &
    cudaMemcpyDeviceToDevice = 3, cudaMemcpyDefault = 4
  integer, parameter :: cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2, &
    cudaMemoryTypeManaged = 3
  integer, parameter :: cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4
  integer, parameter :: cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly = 2, &
    cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseUnsetPreferredLocation = 4, cudaMemAdviseSetAccessedBy = 5, &
    cudaMemAdviseUnsetAccessedBy = 6
  integer, parameter :: cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2
  integer, parameter :: cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, &
    cudaHostAllocWriteCombined = 4
  integer, parameter :: cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2, &
    cudaHostRegisterIoMemory = 4, cudaHostRegisterReadOnly = 8

  ! devices, streams, events, kernels
  integer, parameter :: cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2, &
    cudaDeviceScheduleBlockingSync = 4, cudaDeviceBlockingSync = 4, cudaDeviceMapHost = 8, &
    cudaDeviceLmemResizeToMax = 16
  integer, parameter :: cudaComputeModeDefault = 0, cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2, &
    cudaComputeModeExclusiveProcess = 3
  integer, parameter :: cudaLimitStackSize = 0, cudaLimitPrintfSize = 1, cudaLimitPrintfFifoSize = 1, &
    cudaLimitMallocHeapSize = 2, cudaLimitDevRuntimeSyncDepth = 3, cudaLimitDevRuntimePendingLaunchCount = 4, &
    cudaLimitMaxL2FetchGranularity = 5, cudaLimitPersistingL2CacheSize = 6
  integer, parameter :: cudaFuncCachePreferNone = 0, cudaFuncCachePreferShared = 1, cudaFuncCachePreferL1 = 2, &
    cudaFuncCachePreferEqual = 3
  integer, parameter :: cudaSharedMemBankSizeDefault = 0, cudaSharedMemBankSizeFourByte = 1, &
    cudaSharedMemBankSizeEightByte = 2
  integer, parameter :: cudaFuncAttributeMaxDynamicSharedMemorySize = 8, &
    cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncAttributeClusterDimMustBeSet = 10, &
    cudaFuncAttributeRequiredClusterWidth = 11, cudaFuncAttributeRequiredClusterHeight = 12, &
    cudaFuncAttributeRequiredClusterDepth = 13, cudaFuncAttributeNonPortableClusterSizeAllowed = 14, &
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15
  integer(cuda_stream_kind), parameter :: cudaStreamLegacy = 1, cudaStreamPerThread = 2
  integer, parameter :: cudaStreamDefault = 0, cudaStreamNonBlocking = 1
  integer, parameter :: cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, &
    cudaEventInterprocess = 4
  integer, parameter :: cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1
  integer, parameter :: cudaStreamCaptureModeGlobal = 0, cudaStreamCaptureModeThreadLocal = 1, &
    cudaStreamCaptureModeRelaxed = 2
  integer, parameter :: cudaStreamCaptureStatusNone = 0, cudaStreamCaptureStatusActive = 1, &
    cudaStreamCaptureStatusInvalidated = 2
  integer, parameter :: cudaChannelFormatKindSigned = 0, cudaChannelFormatKindUnsigned = 1, &
    cudaChannelFormatKindFloat = 2, cudaChannelFormatKindNone = 3

  type, bind(C) :: cudaEvent
    type(c_devptr) :: event = c_null_ptr
  end type cudaEvent

  type, bind(C) :: cudaGraph
    type(c_devptr) :: graph = c_null_ptr
  end type cudaGraph

  type, bind(C) :: cudaGraphExec
    type(c_devptr) :: exec = c_null_ptr
  end type cudaGraphExec

  type, bind(C) :: cudaGraphNode
    type(c_devptr) :: node = c_null_ptr
  end type cudaGraphNode

  type, bind(C) :: cudaArrayPtr
    type(c_devptr) :: array = c_null_ptr
  end type cudaArrayPtr

  type, bind(C) :: cudaChannelFormatDesc
    integer(c_int) :: x = 0, y = 0, z = 0, w = 0, f = 0
  end type cudaChannelFormatDesc

  ! widths, x positions and pitches are bytes
  type, bind(C) :: cudaExtent
    integer(c_int64_t) :: width = 0, height = 0, depth = 0
  end type cudaExtent

  type, bind(C) :: cudaPos
    integer(c_int64_t) :: x = 0, y = 0, z = 0
  end type cudaPos

  type, bind(C) :: cudaPitchedPtr
    type(c_devptr) :: ptr = c_null_ptr
    integer(c_int64_t) :: pitch = 0, xsize = 0, ysize = 0
  end type cudaPitchedPtr

  type, bind(C) :: cudaMemcpy3DParms
    type(cudaArrayPtr) :: srcArray
    type(cudaPos) :: srcPos
    type(cudaPitchedPtr) :: srcPtr
    type(cudaArrayPtr) :: dstArray
    type(cudaPos) :: dstPos
    type(cudaPitchedPtr) :: dstPtr
    type(cudaExtent) :: extent
    integer(c_int) :: kind = 0
  end type cudaMemcpy3DParms

  type, bind(C) :: cudaPointerAttributes
    integer(c_int) :: memoryType = 0, device = 0
    type(c_devptr) :: devicePointer = c_null_ptr, hostPointer = c_null_ptr
    integer(c_int) :: isManaged = 0, type = 0
  end type cudaPointerAttributes

  type, bind(C) :: cudaFuncAttributes
    integer(c_int64_t) :: sharedSizeBytes = 0, constSizeBytes = 0, localSizeBytes = 0
    integer(c_int) :: maxThreadsPerBlock = 0, numRegs = 0, ptxVersion = 0, binaryVersion = 0, cacheModeCA = 0, &
      maxDynamicSharedSizeBytes = 0, preferredShmemCarveout = 0, clusterDimMustBeSet = 0, requiredClusterWidth = 0, &
      requiredClusterHeight = 0, requiredClusterDepth = 0, clusterSchedulingPolicyPreference = 0, &
      nonPortableClusterSizeAllowed = 0
  end type cudaFuncAttributes

  type, bind(C) :: cudaLaunchConfig
    type(dim3) :: gridDim, blockDim
    integer(c_int64_t) :: dynamicSmemBytes = 0, stream = 0
    type(dim3) :: clusterDim = dim3(0, 0, 0)
  end type cudaLaunchConfig

  ! the layout is that of cuf::rt::device_properties
  type :: cudaDeviceProp
    character(len=256) :: name
    integer(c_int64_t) :: totalGlobalMem, sharedMemPerBlock
    integer(c_int) :: regsPerBlock, warpSize
    integer(c_int64_t) :: memPitch
    integer(c_int) :: maxThreadsPerBlock, maxThreadsDim(3), maxGridSize(3), clockRate
    integer(c_int64_t) :: totalConstMem
    integer(c_int) :: major, minor
    integer(c_int64_t) :: textureAlignment, texturePitchAlignment
    integer(c_int) :: deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, &
      computeMode
    integer(c_int) :: maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D(2), maxTexture2DMipmap(2), &
      maxTexture2DLinear(3), maxTexture2DGather(2), maxTexture3D(3), maxTexture3DAlt(3), maxTextureCubemap, &
      maxTexture1DLayered(2), maxTexture2DLayered(3), maxTextureCubemapLayered(2)
    integer(c_int) :: maxSurface1D, maxSurface2D(2), maxSurface3D(3), maxSurface1DLayered(2), &
      maxSurface2DLayered(3), maxSurfaceCubemap, maxSurfaceCubemapLayered(2)
    integer(c_int64_t) :: surfaceAlignment
    integer(c_int) :: concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, &
      asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, &
      maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported
    integer(c_int64_t) :: sharedMemPerMultiprocessor
    integer(c_int) :: regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, &
      hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, &
      computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch
    integer(c_int64_t) :: sharedMemPerBlockOptin
    integer(c_int) :: pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, &
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize
    integer(c_int64_t) :: reservedSharedMemPerBlock
    integer(c_int) :: hostRegisterSupported, memoryPoolsSupported, clusterLaunch, ipcEventSupported
  end type cudaDeviceProp

  ! devices
  interface
    function cudaDeviceGetAttribute(val, attribute, devicenum) bind(C, name='cufapi_device_attribute')
      import :: c_int
      integer(c_int) :: val
      integer(c_int), value :: attribute, devicenum
      integer(c_int) :: cudaDeviceGetAttribute
    end function cudaDeviceGetAttribute

    function cudaDeviceGetCacheConfig(cacheconfig) bind(C, name='cufapi_get_cache_config')
      import :: c_int
      integer(c_int) :: cacheconfig
      integer(c_int) :: cudaDeviceGetCacheConfig
    end function cudaDeviceGetCacheConfig

    function cudaDeviceSetCacheConfig(cacheconfig) bind(C, name='cufapi_set_cache_config')
      import :: c_int
      integer(c_int), value :: cacheconfig
      integer(c_int) :: cudaDeviceSetCacheConfig
    end function cudaDeviceSetCacheConfig

    function cudaDeviceGetLimit(val, limit) bind(C, name='cufapi_get_limit')
      import :: c_int
      type(*), dimension(..) :: val
      integer(c_int), value :: limit
      integer(c_int) :: cudaDeviceGetLimit
    end function cudaDeviceGetLimit

    function cudaDeviceSetLimit(limit, val) bind(C, name='cufapi_set_limit')
      import :: c_int
      integer(c_int), value :: limit
      type(*), dimension(..) :: val
      integer(c_int) :: cudaDeviceSetLimit
    end function cudaDeviceSetLimit

    function cudaDeviceGetSharedMemConfig(config) bind(C, name='cufapi_get_shared_config')
      import :: c_int
      integer(c_int) :: config
      integer(c_int) :: cudaDeviceGetSharedMemConfig
    end function cudaDeviceGetSharedMemConfig

    function cudaDeviceSetSharedMemConfig(config) bind(C, name='cufapi_set_shared_config')
      import :: c_int
      integer(c_int), value :: config
      integer(c_int) :: cudaDeviceSetSharedMemConfig
    end function cudaDeviceSetSharedMemConfig

    function cudaDeviceGetStreamPriorityRange(leastpriority, greatestpriority) bind(C, name='cufapi_priority_range')
      import :: c_int
      integer(c_int) :: leastpriority, greatestpriority
      integer(c_int) :: cudaDeviceGetStreamPriorityRange
    end function cudaDeviceGetStreamPriorityRange

    function cudaDeviceReset() bind(C, name='cufapi_device_reset')
      import :: c_int
      integer(c_int) :: cudaDeviceReset
    end function cudaDeviceReset

    function cudaDeviceSynchronize() bind(C, name='cufapi_device_synchronize')
      import :: c_int
      integer(c_int) :: cudaDeviceSynchronize
    end function cudaDeviceSynchronize

    function cudaGetDevice(devnum) bind(C, name='cufapi_get_device')
      import :: c_int
      integer(c_int) :: devnum
      integer(c_int) :: cudaGetDevice
    end function cudaGetDevice

    function cudaGetDeviceCount(numdev) bind(C, name='cufapi_device_count')
      import :: c_int
      integer(c_int) :: numdev
      integer(c_int) :: cudaGetDeviceCount
    end function cudaGetDeviceCount

    function cudaSetDevice(devnum) bind(C, name='cufapi_set_device')
      import :: c_int
      integer(c_int), value :: devnum
      integer(c_int) :: cudaSetDevice
    end function cudaSetDevice

    function cudaSetDeviceFlags(flags) bind(C, name='cufapi_set_device_flags')
      import :: c_int
      integer(c_int), value :: flags
      integer(c_int) :: cudaSetDeviceFlags
    end function cudaSetDeviceFlags

    function cudaThreadExit() bind(C, name='cufapi_device_reset')
      import :: c_int
      integer(c_int) :: cudaThreadExit
    end function cudaThreadExit

    function cudaThreadSynchronize() bind(C, name='cufapi_device_synchronize')
      import :: c_int
      integer(c_int) :: cudaThreadSynchronize
    end function cudaThreadSynchronize

    function cudaDeviceCanAccessPeer(canAccessPeer, device, peerDevice) bind(C, name='cufapi_can_access_peer')
      import :: c_int
      type(*), dimension(..) :: canAccessPeer
      integer(c_int), value :: device, peerDevice
      integer(c_int) :: cudaDeviceCanAccessPeer
    end function cudaDeviceCanAccessPeer

    function cudaDeviceEnablePeerAccess(peerDevice, flags) bind(C, name='cufapi_enable_peer')
      import :: c_int
      integer(c_int), value :: peerDevice, flags
      integer(c_int) :: cudaDeviceEnablePeerAccess
    end function cudaDeviceEnablePeerAccess

    function cudaDeviceDisablePeerAccess(peerDevice) bind(C, name='cufapi_disable_peer')
      import :: c_int
      integer(c_int), value :: peerDevice
      integer(c_int) :: cudaDeviceDisablePeerAccess
    end function cudaDeviceDisablePeerAccess

    function cudaDriverGetVersion(iversion) bind(C, name='cufapi_driver_version')
      import :: c_int
      integer(c_int) :: iversion
      integer(c_int) :: cudaDriverGetVersion
    end function cudaDriverGetVersion

    function cudaRuntimeGetVersion(iversion) bind(C, name='cufapi_runtime_version')
      import :: c_int
      integer(c_int) :: iversion
      integer(c_int) :: cudaRuntimeGetVersion
    end function cudaRuntimeGetVersion

    function cudaProfilerStart() bind(C, name='cufapi_profiler_start')
      import :: c_int
      integer(c_int) :: cudaProfilerStart
    end function cudaProfilerStart

    function cudaProfilerStop() bind(C, name='cufapi_profiler_stop')
      import :: c_int
      integer(c_int) :: cudaProfilerStop
    end function cudaProfilerStop
  end interface

  ! errors
  interface
    function cudaGetLastError() bind(C, name='cufapi_last_error')
      import :: c_int
      integer(c_int) :: cudaGetLastError
    end function cudaGetLastError

    function cudaPeekAtLastError() bind(C, name='cufapi_peek_error')
      import :: c_int
      integer(c_int) :: cudaPeekAtLastError
    end function cudaPeekAtLastError
  end interface

  ! streams
  interface
    function cudaforSetDefaultStream(devptr, stream) bind(C, name='cufapi_set_default_stream')
      import :: c_int
      type(*), dimension(..), optional :: devptr, stream
      integer(c_int) :: cudaforSetDefaultStream
    end function cudaforSetDefaultStream

    function cudaStreamAttachMemAsync(stream, devptr, length, flags) bind(C, name='cufapi_stream_attach')
      import :: c_int
      type(*), dimension(..) :: stream, devptr
      type(*), dimension(..), optional :: length, flags
      integer(c_int) :: cudaStreamAttachMemAsync
    end function cudaStreamAttachMemAsync

    function cudaStreamCreate(stream) bind(C, name='cufapi_stream_create')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int) :: cudaStreamCreate
    end function cudaStreamCreate

    function cudaStreamCreateWithFlags(stream, flags) bind(C, name='cufapi_stream_create_flags')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int), value :: flags
      integer(c_int) :: cudaStreamCreateWithFlags
    end function cudaStreamCreateWithFlags

    function cudaStreamCreateWithPriority(stream, flags, priority) bind(C, name='cufapi_stream_create_priority')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int), value :: flags, priority
      integer(c_int) :: cudaStreamCreateWithPriority
    end function cudaStreamCreateWithPriority

    function cudaStreamDestroy(stream) bind(C, name='cufapi_stream_destroy')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int) :: cudaStreamDestroy
    end function cudaStreamDestroy

    function cudaStreamGetPriority(stream, priority) bind(C, name='cufapi_stream_priority')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int) :: priority
      integer(c_int) :: cudaStreamGetPriority
    end function cudaStreamGetPriority

    function cudaStreamQuery(stream) bind(C, name='cufapi_stream_query')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int) :: cudaStreamQuery
    end function cudaStreamQuery

    function cudaStreamSynchronize(stream) bind(C, name='cufapi_stream_synchronize')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int) :: cudaStreamSynchronize
    end function cudaStreamSynchronize

    function cudaStreamWaitEvent(stream, event, flags) bind(C, name='cufapi_stream_wait')
      import :: c_int, cudaEvent
      type(*), dimension(..) :: stream
      type(cudaEvent) :: event
      type(*), dimension(..), optional :: flags
      integer(c_int) :: cudaStreamWaitEvent
    end function cudaStreamWaitEvent
  end interface

  ! events
  interface
    function cudaEventCreate(event) bind(C, name='cufapi_event_create')
      import :: c_int, cudaEvent
      type(cudaEvent) :: event
      integer(c_int) :: cudaEventCreate
    end function cudaEventCreate

    function cudaEventCreateWithFlags(event, flags) bind(C, name='cufapi_event_create_flags')
      import :: c_int, cudaEvent
      type(cudaEvent) :: event
      integer(c_int), value :: flags
      integer(c_int) :: cudaEventCreateWithFlags
    end function cudaEventCreateWithFlags

    function cudaEventDestroy(event) bind(C, name='cufapi_event_destroy')
      import :: c_int, cudaEvent
      type(cudaEvent) :: event
      integer(c_int) :: cudaEventDestroy
    end function cudaEventDestroy

    function cudaEventElapsedTime(time, start, end) bind(C, name='cufapi_event_elapsed')
      import :: c_int, c_float, cudaEvent
      real(c_float) :: time
      type(cudaEvent) :: start, end
      integer(c_int) :: cudaEventElapsedTime
    end function cudaEventElapsedTime

    function cudaEventQuery(event) bind(C, name='cufapi_event_query')
      import :: c_int, cudaEvent
      type(cudaEvent) :: event
      integer(c_int) :: cudaEventQuery
    end function cudaEventQuery

    function cudaEventRecord(event, stream) bind(C, name='cufapi_event_record')
      import :: c_int, cudaEvent
      type(cudaEvent) :: event
      type(*), dimension(..), optional :: stream
      integer(c_int) :: cudaEventRecord
    end function cudaEventRecord

    function cudaEventSynchronize(event) bind(C, name='cufapi_event_synchronize')
      import :: c_int, cudaEvent
      type(cudaEvent) :: event
      integer(c_int) :: cudaEventSynchronize
    end function cudaEventSynchronize
  end interface

  ! kernels; `func` is the kernel's registered name
  interface
    function cudaFuncGetAttributes(attr, func) bind(C, name='cufapi_func_attributes')
      import :: c_int, cudaFuncAttributes
      type(cudaFuncAttributes) :: attr
      type(*), dimension(..) :: func
      integer(c_int) :: cudaFuncGetAttributes
    end function cudaFuncGetAttributes

    function cudaFuncSetAttribute(func, attribute, value) bind(C, name='cufapi_func_set_attribute')
      import :: c_int
      type(*), dimension(..) :: func
      integer(c_int), value :: attribute, value
      integer(c_int) :: cudaFuncSetAttribute
    end function cudaFuncSetAttribute

    function cudaFuncSetCacheConfig(func, cacheconfig) bind(C, name='cufapi_func_set_cache')
      import :: c_int
      type(*), dimension(..) :: func
      integer(c_int), value :: cacheconfig
      integer(c_int) :: cudaFuncSetCacheConfig
    end function cudaFuncSetCacheConfig

    function cudaFuncSetSharedMemConfig(func, cacheconfig) bind(C, name='cufapi_func_set_banks')
      import :: c_int
      type(*), dimension(..) :: func
      integer(c_int), value :: cacheconfig
      integer(c_int) :: cudaFuncSetSharedMemConfig
    end function cudaFuncSetSharedMemConfig

    function cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize) &
        bind(C, name='cufapi_occupancy')
      import :: c_int
      type(*), dimension(..) :: numBlocks, func, blockSize, dynamicSMemSize
      integer(c_int) :: cudaOccupancyMaxActiveBlocksPerMultiprocessor
    end function cudaOccupancyMaxActiveBlocksPerMultiprocessor

    function cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize, &
        flags) &
        bind(C, name='cufapi_occupancy_flags')
      import :: c_int
      type(*), dimension(..) :: numBlocks, func, blockSize, dynamicSMemSize, flags
      integer(c_int) :: cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
    end function cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags

    function cudaOccupancyMaxPotentialClusterSize(csize, func, config) bind(C, name='cufapi_cluster_size')
      import :: c_int, cudaLaunchConfig
      integer(c_int) :: csize
      type(*), dimension(..) :: func
      type(cudaLaunchConfig) :: config
      integer(c_int) :: cudaOccupancyMaxPotentialClusterSize
    end function cudaOccupancyMaxPotentialClusterSize

    function cudaOccupancyMaxActiveClusters(maxc, func, config) bind(C, name='cufapi_active_clusters')
      import :: c_int, cudaLaunchConfig
      integer(c_int) :: maxc
      type(*), dimension(..) :: func
      type(cudaLaunchConfig) :: config
      integer(c_int) :: cudaOccupancyMaxActiveClusters
    end function cudaOccupancyMaxActiveClusters
  end interface

  ! graphs
  interface
    function cudaGraphCreate(graph, flags) bind(C, name='cufapi_graph_create')
      import :: c_int, cudaGraph
      type(cudaGraph) :: graph
      type(*), dimension(..) :: flags
      integer(c_int) :: cudaGraphCreate
    end function cudaGraphCreate

    function cudaGraphDestroy(graph) bind(C, name='cufapi_graph_destroy')
      import :: c_int, cudaGraph
      type(cudaGraph) :: graph
      integer(c_int) :: cudaGraphDestroy
    end function cudaGraphDestroy

    function cudaGraphExecDestroy(graphExec) bind(C, name='cufapi_graph_exec_destroy')
      import :: c_int, cudaGraphExec
      type(cudaGraphExec) :: graphExec
      integer(c_int) :: cudaGraphExecDestroy
    end function cudaGraphExecDestroy

    function cudaGraphInstantiate(graphExec, graph, flags) bind(C, name='cufapi_graph_instantiate')
      import :: c_int, cudaGraphExec, cudaGraph
      type(cudaGraphExec) :: graphExec
      type(cudaGraph) :: graph
      type(*), dimension(..), optional :: flags
      integer(c_int) :: cudaGraphInstantiate
    end function cudaGraphInstantiate

    function cudaGraphLaunch(graphExec, stream) bind(C, name='cufapi_graph_launch')
      import :: c_int, cudaGraphExec
      type(cudaGraphExec) :: graphExec
      type(*), dimension(..) :: stream
      integer(c_int) :: cudaGraphLaunch
    end function cudaGraphLaunch

    function cudaStreamBeginCapture(stream, mode) bind(C, name='cufapi_begin_capture')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int), value :: mode
      integer(c_int) :: cudaStreamBeginCapture
    end function cudaStreamBeginCapture

    function cudaStreamEndCapture(stream, graph) bind(C, name='cufapi_end_capture')
      import :: c_int, cudaGraph
      type(*), dimension(..) :: stream
      type(cudaGraph) :: graph
      integer(c_int) :: cudaStreamEndCapture
    end function cudaStreamEndCapture

    function cudaStreamIsCapturing(stream, status) bind(C, name='cufapi_is_capturing')
      import :: c_int
      type(*), dimension(..) :: stream
      integer(c_int) :: status
      integer(c_int) :: cudaStreamIsCapturing
    end function cudaStreamIsCapturing
  end interface

  ! memory
  interface
    function cudaFreeHost(hostptr) bind(C, name='cufapi_free_host')
      import :: c_int, c_devptr
      type(c_devptr) :: hostptr
      integer(c_int) :: cudaFreeHost
    end function cudaFreeHost

    function cudaMallocHost(hostptr, size) bind(C, name='cufapi_malloc_host')
      import :: c_int, c_devptr
      type(c_devptr) :: hostptr
      type(*), dimension(..) :: size
      integer(c_int) :: cudaMallocHost
    end function cudaMallocHost

    function cudaHostAlloc(hostptr, size, flags) bind(C, name='cufapi_host_alloc')
      import :: c_int, c_devptr
      type(c_devptr) :: hostptr
      type(*), dimension(..) :: size
      type(*), dimension(..), optional :: flags
      integer(c_int) :: cudaHostAlloc
    end function cudaHostAlloc

    function cudaHostGetDevicePointer(devptr, hostptr, flags) bind(C, name='cufapi_host_device_pointer')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr, hostptr
      type(*), dimension(..), optional :: flags
      integer(c_int) :: cudaHostGetDevicePointer
    end function cudaHostGetDevicePointer

    function cudaHostGetFlags(flags, hostptr) bind(C, name='cufapi_host_flags')
      import :: c_int, c_devptr
      type(*), dimension(..) :: flags
      type(c_devptr) :: hostptr
      integer(c_int) :: cudaHostGetFlags
    end function cudaHostGetFlags

    function cudaHostRegister(hostptr, count, flags) bind(C, name='cufapi_host_register')
      import :: c_int, c_devptr
      type(c_devptr) :: hostptr
      type(*), dimension(..) :: count
      type(*), dimension(..), optional :: flags
      integer(c_int) :: cudaHostRegister
    end function cudaHostRegister

    function cudaHostUnregister(hostptr) bind(C, name='cufapi_host_unregister')
      import :: c_int, c_devptr
      type(c_devptr) :: hostptr
      integer(c_int) :: cudaHostUnregister
    end function cudaHostUnregister

    function cudaMemGetInfo(free, total) bind(C, name='cufapi_mem_info')
      import :: c_int
      type(*), dimension(..) :: free, total
      integer(c_int) :: cudaMemGetInfo
    end function cudaMemGetInfo

    function cudaPointerGetAttributes(attr, ptr) bind(C, name='cufapi_pointer_attributes')
      import :: c_int, cudaPointerAttributes
      type(cudaPointerAttributes) :: attr
      type(*), dimension(..) :: ptr
      integer(c_int) :: cudaPointerGetAttributes
    end function cudaPointerGetAttributes

    function cudaMemAdvise(devptr, count, advice, device) bind(C, name='cufapi_mem_advise')
      import :: c_int
      type(*), dimension(..) :: devptr, count, device
      integer(c_int), value :: advice
      integer(c_int) :: cudaMemAdvise
    end function cudaMemAdvise

    function cudaMemPrefetchAsync(devptr, count, device, stream) bind(C, name='cufapi_mem_prefetch')
      import :: c_int
      type(*), dimension(..) :: devptr, count, device
      type(*), dimension(..), optional :: stream
      integer(c_int) :: cudaMemPrefetchAsync
    end function cudaMemPrefetchAsync
  end interface

  ! copies; counts are elements, or bytes where an argument is a raw address
  interface
    function cudaMemcpy(dst, src, count, kdir) bind(C, name='cufapi_memcpy')
      import :: c_int
      type(*), dimension(..) :: dst, src, count
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpy
    end function cudaMemcpy

    function cudaMemcpyAsync(dst, src, count, kdir, stream) bind(C, name='cufapi_memcpy_async')
      import :: c_int
      type(*), dimension(..), target :: dst, src
      type(*), dimension(..) :: count
      type(*), dimension(..), optional :: kdir, stream
      integer(c_int) :: cudaMemcpyAsync
    end function cudaMemcpyAsync

    function cudaMemcpy2D(dst, dpitch, src, spitch, width, height, kdir) bind(C, name='cufapi_memcpy_2d')
      import :: c_int
      type(*), dimension(..) :: dst, dpitch, src, spitch, width, height
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpy2D
    end function cudaMemcpy2D

    function cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kdir, stream) &
        bind(C, name='cufapi_memcpy_2d_async')
      import :: c_int
      type(*), dimension(..), target :: dst, src
      type(*), dimension(..) :: dpitch, spitch, width, height
      type(*), dimension(..), optional :: kdir, stream
      integer(c_int) :: cudaMemcpy2DAsync
    end function cudaMemcpy2DAsync

    function cudaMemcpy3D(p) bind(C, name='cufapi_memcpy_3d')
      import :: c_int, cudaMemcpy3DParms
      type(cudaMemcpy3DParms) :: p
      integer(c_int) :: cudaMemcpy3D
    end function cudaMemcpy3D

    function cudaMemcpy3DAsync(p, stream) bind(C, name='cufapi_memcpy_3d_async')
      import :: c_int, cudaMemcpy3DParms
      type(cudaMemcpy3DParms) :: p
      type(*), dimension(..), optional :: stream
      integer(c_int) :: cudaMemcpy3DAsync
    end function cudaMemcpy3DAsync

    function cudaMemcpyPeer(dst, dstdev, src, srcdev, count) bind(C, name='cufapi_memcpy_peer')
      import :: c_int
      type(*), dimension(..) :: dst, src, count
      integer(c_int), value :: dstdev, srcdev
      integer(c_int) :: cudaMemcpyPeer
    end function cudaMemcpyPeer

    function cudaMemcpyPeerAsync(dst, dstdev, src, srcdev, count, stream) bind(C, name='cufapi_memcpy_peer_async')
      import :: c_int
      type(*), dimension(..) :: dst, src, count
      integer(c_int), value :: dstdev, srcdev
      type(*), dimension(..), optional :: stream
      integer(c_int) :: cudaMemcpyPeerAsync
    end function cudaMemcpyPeerAsync

    function cudaMemset(devptr, value, count) bind(C, name='cufapi_memset')
      import :: c_int
      type(*), dimension(..) :: devptr, value, count
      integer(c_int) :: cudaMemset
    end function cudaMemset

    function cudaMemsetAsync(devptr, value, count, stream) bind(C, name='cufapi_memset_async')
      import :: c_int
      type(*), dimension(..) :: devptr, value, count
      type(*), dimension(..), optional :: stream
      integer(c_int) :: cudaMemsetAsync
    end function cudaMemsetAsync

    function cudaMemset2D(devptr, pitch, value, width, height) bind(C, name='cufapi_memset_2d')
      import :: c_int
      type(*), dimension(..) :: devptr, pitch, value, width, height
      integer(c_int) :: cudaMemset2D
    end function cudaMemset2D

    function cudaMemset3D(pitchptr, value, cext) bind(C, name='cufapi_memset_3d')
      import :: c_int, cudaPitchedPtr, cudaExtent
      type(cudaPitchedPtr) :: pitchptr
      type(*), dimension(..) :: value
      type(cudaExtent) :: cext
      integer(c_int) :: cudaMemset3D
    end function cudaMemset3D
  end interface

  ! symbols: a device variable, or a name given as character value or through type(c_ptr)
  interface
    function cudaGetSymbolAddress(devptr, symbol) bind(C, name='cufapi_symbol_address')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr
      type(*), dimension(..) :: symbol
      integer(c_int) :: cudaGetSymbolAddress
    end function cudaGetSymbolAddress

    function cudaGetSymbolSize(size, symbol) bind(C, name='cufapi_symbol_size')
      import :: c_int
      type(*), dimension(..) :: size, symbol
      integer(c_int) :: cudaGetSymbolSize
    end function cudaGetSymbolSize

    function cudaMemcpyToSymbol(symbol, src, count, offset, kdir) bind(C, name='cufapi_to_symbol')
      import :: c_int
      type(*), dimension(..) :: symbol, src, count
      type(*), dimension(..), optional :: offset, kdir
      integer(c_int) :: cudaMemcpyToSymbol
    end function cudaMemcpyToSymbol

    function cudaMemcpyToSymbolAsync(symbol, src, count, offset, kdir, stream) bind(C, name='cufapi_to_symbol_async')
      import :: c_int
      type(*), dimension(..), target :: src
      type(*), dimension(..) :: symbol, count
      type(*), dimension(..), optional :: offset, kdir, stream
      integer(c_int) :: cudaMemcpyToSymbolAsync
    end function cudaMemcpyToSymbolAsync

    function cudaMemcpyFromSymbol(dst, symbol, count, offset, kdir, stream) bind(C, name='cufapi_from_symbol')
      import :: c_int
      type(*), dimension(..) :: dst, symbol, count
      type(*), dimension(..), optional :: offset, kdir, stream
      integer(c_int) :: cudaMemcpyFromSymbol
    end function cudaMemcpyFromSymbol

    function cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kdir, stream) &
        bind(C, name='cufapi_from_symbol_async')
      import :: c_int
      type(*), dimension(..), target :: dst
      type(*), dimension(..) :: symbol, count
      type(*), dimension(..), optional :: offset, kdir, stream
      integer(c_int) :: cudaMemcpyFromSymbolAsync
    end function cudaMemcpyFromSymbolAsync
  end interface

  ! CUDA arrays
  interface
    function cudaMallocArray(carray, cdesc, width, height) bind(C, name='cufapi_malloc_array')
      import :: c_int, cudaArrayPtr, cudaChannelFormatDesc
      type(cudaArrayPtr) :: carray
      type(cudaChannelFormatDesc) :: cdesc
      type(*), dimension(..) :: width
      type(*), dimension(..), optional :: height
      integer(c_int) :: cudaMallocArray
    end function cudaMallocArray

    function cudaMalloc3DArray(carray, cdesc, cext) bind(C, name='cufapi_malloc_array_3d')
      import :: c_int, cudaArrayPtr, cudaChannelFormatDesc, cudaExtent
      type(cudaArrayPtr) :: carray
      type(cudaChannelFormatDesc) :: cdesc
      type(cudaExtent) :: cext
      integer(c_int) :: cudaMalloc3DArray
    end function cudaMalloc3DArray

    function cudaFreeArray(carray) bind(C, name='cufapi_free_array')
      import :: c_int, cudaArrayPtr
      type(cudaArrayPtr) :: carray
      integer(c_int) :: cudaFreeArray
    end function cudaFreeArray

    function cudaMemcpyArrayToArray(dsta, dstx, dsty, srca, srcx, srcy, count, kdir) &
        bind(C, name='cufapi_array_to_array')
      import :: c_int, cudaArrayPtr
      type(cudaArrayPtr) :: dsta, srca
      integer(c_int), value :: dstx, dsty, srcx, srcy
      type(*), dimension(..) :: count
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpyArrayToArray
    end function cudaMemcpyArrayToArray

    function cudaMemcpy2DArrayToArray(dsta, dstx, dsty, srca, srcx, srcy, width, height, kdir) &
        bind(C, name='cufapi_array_to_array_2d')
      import :: c_int, cudaArrayPtr
      type(cudaArrayPtr) :: dsta, srca
      integer(c_int), value :: dstx, dsty, srcx, srcy
      type(*), dimension(..) :: width, height
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpy2DArrayToArray
    end function cudaMemcpy2DArrayToArray

    function cudaMemcpyToArray(dsta, dstx, dsty, src, count, kdir) bind(C, name='cufapi_to_array')
      import :: c_int, cudaArrayPtr
      type(cudaArrayPtr) :: dsta
      integer(c_int), value :: dstx, dsty
      type(*), dimension(..) :: src, count
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpyToArray
    end function cudaMemcpyToArray

    function cudaMemcpy2DToArray(dsta, dstx, dsty, src, spitch, width, height, kdir) &
        bind(C, name='cufapi_to_array_2d')
      import :: c_int, cudaArrayPtr
      type(cudaArrayPtr) :: dsta
      integer(c_int), value :: dstx, dsty
      type(*), dimension(..) :: src, spitch, width, height
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpy2DToArray
    end function cudaMemcpy2DToArray

    function cudaMemcpyFromArray(dst, srca, srcx, srcy, count, kdir) bind(C, name='cufapi_from_array')
      import :: c_int, cudaArrayPtr
      type(*), dimension(..) :: dst, count
      type(cudaArrayPtr) :: srca
      integer(c_int), value :: srcx, srcy
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpyFromArray
    end function cudaMemcpyFromArray

    function cudaMemcpy2DFromArray(dst, dpitch, srca, srcx, srcy, width, height, kdir) &
        bind(C, name='cufapi_from_array_2d')
      import :: c_int, cudaArrayPtr
      type(*), dimension(..) :: dst, dpitch, width, height
      type(cudaArrayPtr) :: srca
      integer(c_int), value :: srcx, srcy
      type(*), dimension(..), optional :: kdir
      integer(c_int) :: cudaMemcpy2DFromArray
    end function cudaMemcpy2DFromArray
  end interface

  ! allocation: pointers of intrinsic type, or raw addresses and bytes (module procedures in front of the bind(C) ones for
  ! the reason given in cuf_runtime)
  interface cudaMalloc
{%- for k in kinds %}
    module procedure :: cudaMalloc_{@ k.tag @}
{%- endfor %}
    function cudaMalloc_raw(devptr, count) result(code) bind(C, name='cufapi_malloc_raw')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr
      type(*), dimension(..) :: count
      integer(c_int) :: code
    end function
  end interface cudaMalloc

  interface cuf_api_malloc
{%- for k in kinds %}
    function cuf_api_malloc_{@ k.tag @}(devptr, count) result(code) bind(C, name='cufapi_malloc')
      import
      {@ k.decl @}, pointer, intent(inout) :: devptr(..)
      type(*), dimension(..) :: count
      integer(c_int) :: code
    end function
{%- endfor %}
  end interface cuf_api_malloc
  private :: cuf_api_malloc

  interface cudaMallocManaged
{%- for k in kinds %}
    module procedure :: cudaMallocManaged_{@ k.tag @}
{%- endfor %}
    function cudaMallocManaged_raw(devptr, count, flags) result(code) bind(C, name='cufapi_malloc_managed_raw')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr
      type(*), dimension(..) :: count
      type(*), dimension(..), optional :: flags
      integer(c_int) :: code
    end function
  end interface cudaMallocManaged

  interface cuf_api_malloc_managed
{%- for k in kinds %}
    function cuf_api_malloc_managed_{@ k.tag @}(devptr, count, flags) result(code) bind(C, name='cufapi_malloc_managed')
      import
      {@ k.decl @}, pointer, intent(inout) :: devptr(..)
      type(*), dimension(..) :: count
      type(*), dimension(..), optional :: flags
      integer(c_int) :: code
    end function
{%- endfor %}
  end interface cuf_api_malloc_managed
  private :: cuf_api_malloc_managed

  interface cudaMallocAsync
{%- for k in kinds %}
    module procedure :: cudaMallocAsync_{@ k.tag @}
{%- endfor %}
    function cudaMallocAsync_raw(devptr, count, stream) result(code) bind(C, name='cufapi_malloc_async_raw')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr
      type(*), dimension(..) :: count
      type(*), dimension(..), optional :: stream
      integer(c_int) :: code
    end function
  end interface cudaMallocAsync

  interface cuf_api_malloc_async
{%- for k in kinds %}
    function cuf_api_malloc_async_{@ k.tag @}(devptr, count, stream) result(code) bind(C, name='cufapi_malloc_async')
      import
      {@ k.decl @}, pointer, intent(inout) :: devptr(..)
      type(*), dimension(..) :: count
      type(*), dimension(..), optional :: stream
      integer(c_int) :: code
    end function
{%- endfor %}
  end interface cuf_api_malloc_async
  private :: cuf_api_malloc_async

  interface cudaMallocPitch
{%- for k in kinds %}
    module procedure :: cudaMallocPitch_{@ k.tag @}
{%- endfor %}
    function cudaMallocPitch_raw(devptr, pitch, width, height) result(code) bind(C, name='cufapi_malloc_pitch_raw')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr
      type(*), dimension(..) :: pitch, width, height
      integer(c_int) :: code
    end function
  end interface cudaMallocPitch

  interface cuf_api_malloc_pitch
{%- for k in kinds %}
    function cuf_api_malloc_pitch_{@ k.tag @}(devptr, pitch, width, height) result(code) bind(C, name='cufapi_malloc_pitch')
      import
      {@ k.decl @}, pointer, intent(inout) :: devptr(..)
      type(*), dimension(..) :: pitch, width, height
      integer(c_int) :: code
    end function
{%- endfor %}
  end interface cuf_api_malloc_pitch
  private :: cuf_api_malloc_pitch

  interface cudaFree
{%- for k in kinds %}
    module procedure :: cudaFree_{@ k.tag @}
{%- endfor %}
    function cudaFree_raw(devptr) result(code) bind(C, name='cufapi_free_raw')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr
      integer(c_int) :: code
    end function
  end interface cudaFree

  interface cuf_api_free
{%- for k in kinds %}
    function cuf_api_free_{@ k.tag @}(devptr) result(code) bind(C, name='cufapi_free')
      import
      {@ k.decl @}, pointer, intent(inout) :: devptr(..)
      integer(c_int) :: code
    end function
{%- endfor %}
  end interface cuf_api_free
  private :: cuf_api_free

  interface cudaFreeAsync
{%- for k in kinds %}
    module procedure :: cudaFreeAsync_{@ k.tag @}
{%- endfor %}
    function cudaFreeAsync_raw(devptr, stream) result(code) bind(C, name='cufapi_free_async_raw')
      import :: c_int, c_devptr
      type(c_devptr) :: devptr
      type(*), dimension(..), optional :: stream
      integer(c_int) :: code
    end function
  end interface cudaFreeAsync

  interface cuf_api_free_async
{%- for k in kinds %}
    function cuf_api_free_async_{@ k.tag @}(devptr, stream) result(code) bind(C, name='cufapi_free_async')
      import
      {@ k.decl @}, pointer, intent(inout) :: devptr(..)
      type(*), dimension(..), optional :: stream
      integer(c_int) :: code
    end function
{%- endfor %}
  end interface cuf_api_free_async
  private :: cuf_api_free_async

  interface cuf_api_malloc_3d
{%- for k in kinds %}
    function cuf_api_malloc_3d_{@ k.tag @}(pitchptr, cext) result(code) bind(C, name='cufapi_malloc_3d_array')
      import
      {@ k.decl @}, pointer, intent(inout) :: pitchptr(..)
      type(cudaExtent) :: cext
      integer(c_int) :: code
    end function
{%- endfor %}
  end interface cuf_api_malloc_3d
  private :: cuf_api_malloc_3d

  interface cudaMalloc3D
{%- for k in kinds %}
    module procedure :: cudaMalloc3D_{@ k.tag @}
{%- endfor %}
    function cudaMalloc3D_pitched(pitchptr, cext) result(code) bind(C, name='cufapi_malloc_3d')
      import :: c_int, cudaPitchedPtr, cudaExtent
      type(cudaPitchedPtr) :: pitchptr
      type(cudaExtent) :: cext
      integer(c_int) :: code
    end function
  end interface cudaMalloc3D

  interface
    function c_devloc(x) result(address) bind(C, name='cuf_rt_address')
      import :: c_devptr
      type(*), dimension(..) :: x
      type(c_devptr) :: address
    end function c_devloc

    function cudaforGetDefaultStream(devptr) result(stream) bind(C, name='cufapi_default_stream')
      import :: c_int64_t
      type(*), dimension(..), optional :: devptr
      integer(c_int64_t) :: stream
    end function cudaforGetDefaultStream

    function cuf_device_properties(prop, devnum) result(code) bind(C, name='cufapi_device_properties')
      import :: c_int
      type(*), dimension(..) :: prop
      integer(c_int), value :: devnum
      integer(c_int) :: code
    end function cuf_device_properties

    function cuf_choose_device(devnum, prop) result(code) bind(C, name='cufapi_choose_device')
      import :: c_int
      integer(c_int) :: devnum
      type(*), dimension(..) :: prop
      integer(c_int) :: code
    end function cuf_choose_device

    function cuf_set_valid_devices(devices, numdev) result(code) bind(C, name='cufapi_set_valid_devices')
      import :: c_int
      integer(c_int) :: devices(*)
      integer(c_int), value :: numdev
      integer(c_int) :: code
    end function cuf_set_valid_devices

    pure function cuf_error_length(code, name) result(length) bind(C, name='cufapi_error_length')
      import :: c_int
      integer(c_int), value :: code, name
      integer(c_int) :: length
    end function cuf_error_length

    subroutine cuf_error_text(code, name, text) bind(C, name='cufapi_error_text')
      import :: c_int, c_char
      integer(c_int), value :: code, name
      character(kind=c_char) :: text(*)
    end subroutine cuf_error_text

    function cuf_symbol_name(text) result(address) bind(C, name='cufapi_symbol_name')
      import :: c_devptr
      type(*), dimension(..) :: text
      type(c_devptr) :: address
    end function cuf_symbol_name
  end interface

contains

  !> The type of data of a number (library_types.h of the toolkit), which is an integer here.
  pure integer function cudaDataType(number) result(kind)
    integer, intent(in) :: number
    kind = number
  end function cudaDataType

  subroutine cuf_assign_symbol(symbol, name)
    type(c_devptr), intent(out) :: symbol
    character(len=*), intent(in) :: name
    symbol = cuf_symbol_name(name)
  end subroutine cuf_assign_symbol

  integer function cudaGetDeviceProperties(prop, devnum)
    type(cudaDeviceProp) :: prop
    integer, intent(in) :: devnum
    cudaGetDeviceProperties = cuf_device_properties(prop, devnum)
  end function cudaGetDeviceProperties

  integer function cudaChooseDevice(devnum, prop)
    integer, intent(out) :: devnum
    type(cudaDeviceProp), intent(in) :: prop
    cudaChooseDevice = cuf_choose_device(devnum, prop)
  end function cudaChooseDevice

  integer function cudaSetValidDevices(devices, numdev)
    integer :: devices(*), numdev
    cudaSetValidDevices = cuf_set_valid_devices(devices, numdev)
  end function cudaSetValidDevices

  function cudaGetErrorString(errcode) result(text)
    integer, intent(in) :: errcode
    character(len=cuf_error_length(errcode, 0)) :: text
    call cuf_error_text(errcode, 0, text)
  end function cudaGetErrorString

  function cudaGetErrorName(errcode) result(text)
    integer, intent(in) :: errcode
    character(len=cuf_error_length(errcode, 1)) :: text
    call cuf_error_text(errcode, 1, text)
  end function cudaGetErrorName

  ! for devices without double precision, which no longer exist
  integer function cudaSetDoubleForDevice(d)
    real(real64) :: d
    cudaSetDoubleForDevice = cudaSuccess
  end function cudaSetDoubleForDevice

  integer function cudaSetDoubleForHost(d)
    real(real64) :: d
    cudaSetDoubleForHost = cudaSuccess
  end function cudaSetDoubleForHost
{%- for k in kinds %}

  function cudaMalloc_{@ k.tag @}(devptr, count) result(code)
    {@ k.decl @}, pointer, intent(inout) :: devptr(..)
    type(*), dimension(..) :: count
    integer(c_int) :: code
    code = cuf_api_malloc(devptr, count)
  end function

  function cudaMallocManaged_{@ k.tag @}(devptr, count, flags) result(code)
    {@ k.decl @}, pointer, intent(inout) :: devptr(..)
    type(*), dimension(..) :: count
    type(*), dimension(..), optional :: flags
    integer(c_int) :: code
    code = cuf_api_malloc_managed(devptr, count, flags)
  end function

  function cudaMallocAsync_{@ k.tag @}(devptr, count, stream) result(code)
    {@ k.decl @}, pointer, intent(inout) :: devptr(..)
    type(*), dimension(..) :: count
    type(*), dimension(..), optional :: stream
    integer(c_int) :: code
    code = cuf_api_malloc_async(devptr, count, stream)
  end function

  function cudaMallocPitch_{@ k.tag @}(devptr, pitch, width, height) result(code)
    {@ k.decl @}, pointer, intent(inout) :: devptr(..)
    type(*), dimension(..) :: pitch, width, height
    integer(c_int) :: code
    code = cuf_api_malloc_pitch(devptr, pitch, width, height)
  end function

  function cudaFree_{@ k.tag @}(devptr) result(code)
    {@ k.decl @}, pointer, intent(inout) :: devptr(..)
    integer(c_int) :: code
    code = cuf_api_free(devptr)
  end function

  function cudaFreeAsync_{@ k.tag @}(devptr, stream) result(code)
    {@ k.decl @}, pointer, intent(inout) :: devptr(..)
    type(*), dimension(..), optional :: stream
    integer(c_int) :: code
    code = cuf_api_free_async(devptr, stream)
  end function

  function cudaMalloc3D_{@ k.tag @}(pitchptr, cext) result(code)
    {@ k.decl @}, pointer, intent(inout) :: pitchptr(..)
    type(cudaExtent) :: cext
    integer(c_int) :: code
    code = cuf_api_malloc_3d(pitchptr, cext)
  end function
{%- endfor %}
end module cudafor

! type(c_devptr) :: symbol;  symbol = 'name'. Apart, for gfortran takes it for assignment to CLASS(*), too.
module cuf_symbol_assignment
  use cudafor, only: cuf_assign_symbol
  interface assignment(=)
    procedure :: cuf_assign_symbol
  end interface
end module cuf_symbol_assignment

module cudadevice
  implicit none
end module cudadevice
