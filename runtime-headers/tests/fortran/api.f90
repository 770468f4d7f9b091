! Module cudafor as programs call it: element and byte counts, optional arguments, keywords, integer kinds.
program api
  use cudafor
  use cuf_symbol_assignment
  use cuf_runtime, only: cuf_h2d, cuf_d2h, cuf_host, cuf_allocate, cuf_release, cuf_pinned
  use iso_c_binding
  implicit none
  integer :: failures = 0
  call devices
  call errors
  call copies
  call memsets
  call raw_addresses
  call pitches
  call volumes
  call streams_and_events
  call default_streams
  call host_memory
  call attributes_of_pointers
  call symbols
  if (failures > 0) error stop 1
  print '(a)', 'PASS api'
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (ok) return
    print '(2a)', 'FAIL ', what
    failures = failures + 1
  end subroutine check

  subroutine devices
    type(cudaDeviceProp) :: prop
    integer :: n, d, istat, v
    integer(cuda_count_kind) :: free, total, limit
    n = -1
    istat = cudaGetDeviceCount(n)
    call check(istat == cudaSuccess .and. n >= 1, 'device count')
    istat = cudaSetDevice(0) + cudaGetDevice(devnum=d)
    call check(istat == 0 .and. d == 0, 'current device')
    istat = cudaGetDeviceProperties(prop, 0)
    call check(istat == 0 .and. prop%warpSize == 32 .and. len_trim(prop%name) > 0, 'properties')
    call check(index(prop%name, char(0)) == 0 .and. all(prop%maxThreadsDim > 0), 'name and sizes')
    call check(prop%maxThreadsPerMultiprocessor >= 32 .and. prop%memoryBusWidth >= 0, 'more properties')
    istat = cudaDeviceGetAttribute(v, cudaDevAttrMaxThreadsPerBlock, 0)
    call check(istat == 0 .and. v == prop%maxThreadsPerBlock, 'attribute')
    istat = cudaMemGetInfo(free, total)
    call check(istat == 0 .and. free > 0 .and. total >= free, 'memory')
    istat = cudaDeviceGetLimit(limit, cudaLimitStackSize)
    call check(istat == 0 .and. limit > 0, 'limit')
    istat = cudaDriverGetVersion(v)
    call check(istat == 0 .and. mod(v, 10) == 0, 'driver version')
    call check(cudaThreadSynchronize() + cudaDeviceSynchronize() == 0, 'synchronize')
    istat = cudaGetDeviceProperties(prop, -1)
    call check(istat /= 0 .and. cudaGetLastError() == istat .and. cudaGetLastError() == 0, 'bad device')
  end subroutine devices

  subroutine errors
    character(len=80) :: line
    write (line, '(3a)') '[', cudaGetErrorString(0), ']'
    call check(line == '[no error]', 'error text')
    call check(len(cudaGetErrorString(cudaErrorInvalidValue)) == len_trim(cudaGetErrorString(cudaErrorInvalidValue)), &
      'length of an error text')
    call check(cudaGetErrorName(cudaErrorMemoryAllocation) == 'cudaErrorMemoryAllocation', 'error name')
    call check(cudaPeekAtLastError() == 0, 'no error')
  end subroutine errors

  subroutine copies
    real(8), pointer, contiguous :: r(:) => null()
    complex, pointer :: z(:) => null()
    integer(1), pointer :: b(:) => null()
    real(8) :: h(20), g(20)
    complex :: c(5)
    integer :: istat, i
    h = [(i*1.5d0, i = 1, 20)]
    istat = cudaMalloc(r, 20)
    call check(istat == 0 .and. size(r) == 20 .and. lbound(r, 1) == 1, 'cudaMalloc')
    istat = cudaMalloc(z, 5_8) + cudaMalloc(b, 300)
    istat = cudaMemcpy(r(3), h(2), 10)
    istat = cudaMemcpy(r, h, 2_8, cudaMemcpyHostToDevice)
    istat = cudaMemcpy(dst=r(13), src=h, count=8, kdir=cudaMemcpyHostToDevice)
    g = 0
    istat = cudaMemcpy(g, r, 20)
    call check(all(g == [h(1:2), h(2:11), h(1:8)]), 'cudaMemcpy')
    c = (1., -1.)
    istat = cudaMemcpy(z, c, 5)
    call check(all(cuf_host(z) == c), 'complex')
    call check(cudaMemcpy(g, r, -1) == cudaErrorInvalidValue, 'negative count')
    call check(cudaFree(r) + cudaFree(z) + cudaFree(b) == 0 .and. .not. associated(r), 'cudaFree')
    istat = cudaMallocManaged(r, 4, cudaMemAttachGlobal)
    r = 2
    call check(sum(r) == 8, 'cudaMallocManaged')
    istat = cudaFree(r)
    istat = cudaGetLastError()
  end subroutine copies

  subroutine memsets
    real, pointer :: r(:) => null(), m(:,:) => null()
    integer, pointer :: k(:) => null()
    type(c_devptr) :: p
    integer :: istat
    istat = cudaMalloc(r, 2000) + cudaMalloc(k, 12)
    istat = cudaMemset(r, 1.5, 2000)
    istat = cudaMemset(r(4), -2.0, 3)
    call check(count(cuf_host(r) == 1.5) == 1997 .and. all(cuf_host(r(4:6)) == -2), 'cudaMemset')
    istat = cudaMemset(k, 123456, 12)
    p = c_devloc(k)
    istat = cudaMemset(p, 257, 4*5)
    call check(all(cuf_host(k(:5)) == 16843009) .and. all(cuf_host(k(6:)) == 123456), 'bytes')
    istat = cudaMemsetAsync(k(2), 0, 3)
    call check(all(cuf_host(k(2:4)) == 0), 'cudaMemsetAsync')
    call cuf_allocate(m, [6, 5])
    istat = cudaMemset2D(m, 6, -1.0, 6, 5)
    istat = cudaMemset2D(m(2,2), 6, 9.25, 3, 4)
    call check(count(cuf_host(m) == 9.25) == 12 .and. all(cuf_host(m(2:4, 2:5)) == 9.25), 'cudaMemset2D')
    call cuf_release(m)
    istat = cudaFree(r) + cudaFree(k)
    call check(istat == 0, 'freed')
  end subroutine memsets

  subroutine raw_addresses
    type(c_devptr) :: p
    real, pointer :: m(:,:)
    real, target :: h(6), g(6)
    integer(cuda_stream_kind) :: s
    integer :: istat, i
    h = [(real(i), i = 1, 6)]
    istat = cudaMalloc(p, 4*6)
    istat = cudaMemcpy(p, [c_loc(h)], 24, cudaMemcpyHostToDevice)
    call c_f_pointer(p, m, [2, 3])
    call check(all(cuf_host(m) == reshape(h, [2, 3])), 'c_f_pointer of device memory')
    g = 0
    istat = cudaMemcpy([c_loc(g)], [c_devloc(m(1,2))], 4*2, cudaMemcpyDeviceToHost)
    call check(all(g == [3., 4., 0., 0., 0., 0.]), 'address of an element')
    istat = cudaFree(p)
    istat = cudaStreamCreate(s)
    istat = cudaMallocAsync(p, 16_8, s) + cudaFreeAsync(p, s) + cudaStreamDestroy(s)
    call check(istat == 0, 'stream-ordered memory')
    istat = cudaMalloc(p, 2_8**60)
    call check(istat == cudaErrorMemoryAllocation .and. cudaGetLastError() == istat, 'out of memory')
  end subroutine raw_addresses

  subroutine pitches
    real, pointer :: a(:,:) => null()
    real :: h(37,11), g(37,11)
    integer(cuda_count_kind) :: pitch
    integer :: istat, i
    h = reshape([(real(i), i = 1, size(h))], shape(h))
    istat = cudaMallocPitch(devptr=a, pitch=pitch, width=37, height=11)
    call check(istat == 0 .and. pitch >= 37 .and. size(a, 1) == pitch .and. size(a, 2) == 11, 'cudaMallocPitch')
    istat = cudaMemcpy2D(a, pitch, h, 37, 37, 11)
    g = 0
    istat = cudaMemcpy2DAsync(g, 37, a, int(pitch), 37, 11, cudaMemcpyDeviceToHost, 0)
    call check(istat == 0 .and. all(g == h), 'cudaMemcpy2D')
    istat = cudaMemcpy2DAsync(g, 37, a(2,2), pitch, 36, 10, stream=0_8)
    call check(all(g(1:36,1:10) == h(2:37,2:11)), 'cudaMemcpy2DAsync')
    istat = cudaFree(a)
  end subroutine pitches

  subroutine volumes
    real(8), pointer :: a(:,:,:) => null(), b(:,:,:) => null()
    type(cudaMemcpy3DParms) :: p
    type(cudaPitchedPtr) :: raw
    real(8) :: h(9,7,5), g(4,3,6)
    integer :: istat, i
    call cuf_allocate(a, [9, 7, 5])
    call cuf_allocate(b, [4, 3, 6])
    h = reshape([(real(i, 8), i = 1, size(h))], shape(h))
    call cuf_h2d(a, h)
    call cuf_h2d(b, -1)
    p%srcPtr = cudaPitchedPtr(c_devloc(a), 72, 72, 7)
    p%dstPtr = cudaPitchedPtr(c_devloc(b), 32, 32, 3)
    p%srcPos = cudaPos(32, 3, 1)
    p%dstPos = cudaPos(8, 1, 2)
    p%extent = cudaExtent(24, 2, 4)
    p%kind = cudaMemcpyDeviceToDevice
    istat = cudaMemcpy3D(p)
    g = -1
    g(2:4, 2:3, 3:6) = h(5:7, 4:5, 2:5)
    call check(istat == 0 .and. all(cuf_host(b) == g), 'cudaMemcpy3D')
    call cuf_release(a)
    call cuf_release(b)
    istat = cudaMalloc3D(raw, cudaExtent(40, 3, 2))
    call check(istat == 0 .and. raw%pitch >= 40, 'cudaMalloc3D')
    istat = cudaMemset3D(raw, 0, cudaExtent(40, 3, 2)) + cudaFree(raw%ptr)
    call check(istat == 0, 'cudaMemset3D')
  end subroutine volumes

  subroutine streams_and_events
    integer(cuda_stream_kind) :: s, t
    type(cudaEvent) :: start, finish
    real, pointer :: a(:) => null(), h(:) => null()
    integer :: istat, flag
    real :: ms
    istat = cudaStreamCreate(s)
    istat = cudaStreamCreateWithFlags(stream=t, flags=cudaStreamNonBlocking)
    call check(istat == 0 .and. s /= 0 .and. t /= s, 'streams')
    istat = cudaEventCreate(start) + cudaEventCreateWithFlags(finish, cudaEventDefault)
    istat = cudaEventElapsedTime(ms, start, finish)
    call check(istat /= 0 .and. cudaGetLastError() == istat, 'events not recorded')
    call cuf_allocate(h, [100], space=cuf_pinned)
    istat = cudaMalloc(a, 100)
    h = 4
    istat = cudaEventRecord(start, 0)
    istat = cudaMemcpyAsync(a, h, 100, s)
    h = 0
    istat = cudaMemcpyAsync(a(1), a(2), 0, stream=s)
    istat = cudaStreamSynchronize(s)
    istat = cudaMemcpyAsync(h, a, 100, cudaMemcpyDeviceToHost, s)
    istat = cudaEventRecord(finish, s) + cudaStreamWaitEvent(t, finish, 0)
    istat = cudaStreamSynchronize(stream=s) + cudaEventSynchronize(finish) + cudaEventQuery(finish)
    call check(istat == 0, 'waits')
    istat = cudaEventElapsedTime(time=ms, start=start, end=finish)
    call check(istat == 0 .and. ms >= 0, 'elapsed time')
    call check(cudaStreamQuery(s) == 0, 'query')
    istat = cudaStreamIsCapturing(s, flag)
    call check(istat == 0 .and. flag == 0, 'capturing')
    istat = cudaEventDestroy(start) + cudaEventDestroy(finish) + cudaStreamDestroy(s) + cudaStreamDestroy(t)
    call check(istat == 0 .and. cudaFree(a) == 0, 'destroyed')
    call cuf_release(h)
  end subroutine streams_and_events

  subroutine default_streams
    real, pointer :: a(:) => null(), b(:) => null()
    integer(cuda_stream_kind) :: s
    integer :: istat
    call cuf_allocate(a, [10])
    call cuf_allocate(b, [10])
    istat = cudaStreamCreate(s)
    call check(cudaforGetDefaultStream() == 0, 'stream of the thread')
    istat = cudaforSetDefaultStream(devptr=a, stream=s)
    call check(cudaforGetDefaultStream(a) == s .and. cudaforGetDefaultStream(b) == 0, 'stream of a variable')
    call cuf_h2d(a, 5)
    call check(all(cuf_host(a) == 5), 'assignment in a stream')
    istat = cudaforSetDefaultStream(s)
    call check(cudaforGetDefaultStream() == s, 'stream of the thread, set')
    istat = cudaforSetDefaultStream(stream=0_8)
    call check(cudaforGetDefaultStream() == 0, 'stream of the thread, reset')
    call cuf_release(a)
    call cuf_allocate(a, [10])
    call check(cudaforGetDefaultStream(a) == 0, 'freed memory has no stream')
    call cuf_release(a)
    call cuf_release(b)
    istat = cudaStreamDestroy(s)
  end subroutine default_streams

  subroutine host_memory
    type(c_ptr) :: hp
    type(c_devptr) :: dp
    integer, pointer :: h(:), d(:)
    integer, target :: x(100)
    integer :: istat, flags
    istat = cudaHostAlloc(hp, 10*c_sizeof(1_c_int), cudaHostAllocMapped)
    call c_f_pointer(hp, h, [10])
    istat = istat + cudaHostGetDevicePointer(dp, hp, 0)
    call c_f_pointer(dp, d, [10])
    h = 3
    call check(istat == 0 .and. all(cuf_host(d) == 3), 'mapped memory')
    istat = cudaHostGetFlags(flags, hp)
    call check(istat == 0 .and. iand(flags, cudaHostAllocMapped) /= 0, 'flags')
    call check(cudaFreeHost(hp) == 0, 'cudaFreeHost')
    istat = cudaHostRegister(c_loc(x), 400, cudaHostRegisterMapped) + cudaHostUnregister(c_loc(x))
    call check(istat == 0, 'registered memory')
  end subroutine host_memory

  subroutine attributes_of_pointers
    type(cudaPointerAttributes) :: a
    real, pointer :: d(:) => null()
    real :: h(3)
    integer :: istat
    call cuf_allocate(d, [10])
    istat = cudaPointerGetAttributes(a, d(7))
    call check(istat == 0 .and. a%memoryType == cudaMemoryTypeDevice .and. a%device == 0, 'device memory')
    istat = cudaPointerGetAttributes(attr=a, ptr=[c_devloc(d)])
    call check(istat == 0 .and. a%memoryType == cudaMemoryTypeDevice, 'c_devptr')
    istat = cudaPointerGetAttributes(a, h)
    call check(istat == 0 .and. a%memoryType == cudaMemoryTypeUnregistered, 'host memory')
    call cuf_release(d)
  end subroutine attributes_of_pointers

  subroutine symbols
    type(c_ptr) :: name
    type(c_devptr) :: p
    type(cudaFuncAttributes) :: attributes
    integer :: istat
    name = 'no_such_variable'
    istat = cudaGetSymbolAddress(p, name)
    call check(istat == cudaErrorInvalidSymbol, 'unknown symbol')
    istat = cudaFuncGetAttributes(attributes, 'm_no_such_kernel')
    call check(istat == cudaErrorInvalidDeviceFunction, 'unknown kernel')
    istat = cudaFuncSetCacheConfig(func='no_such_kernel', cacheconfig=cudaFuncCachePreferL1)
    call check(istat == cudaErrorInvalidDeviceFunction, 'unknown kernel, cache')
    istat = cudaGetLastError()
  end subroutine symbols
end program api
