  use cudafor, only: cudaGetDevice
  ! The handles of the forms without one: for each thread of OpenMP one for each device.
  integer, parameter, private :: cuf_devices = 64
  type(cublasHandle), save, private :: cuf_handles(0:cuf_devices - 1)
  logical, save, private :: cuf_created(0:cuf_devices - 1) = .false.
  !$omp threadprivate(cuf_handles, cuf_created)

  interface
    function cuf_status_name(status) bind(c, name='cublasGetStatusName') result(text)
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function cuf_status_name
    function cuf_status_string(status) bind(c, name='cublasGetStatusString') result(text)
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function cuf_status_string
  end interface
  interface cublasGetHandle
    procedure :: cuf_get_handle, cuf_get_handle_argument
  end interface cublasGetHandle
  private :: cuf_status_name, cuf_status_string, cuf_get_handle, cuf_get_handle_argument

contains

  !> The handle of the forms without one, for this thread and the current device.
  function cuf_handle() result(h)
    type(cublasHandle) :: h
    integer :: device, status
    status = cudaGetDevice(device)
    device = max(0, min(device, cuf_devices - 1))
    if (.not. cuf_created(device)) then
      status = cublasCreate(cuf_handles(device))
      if (status /= CUBLAS_STATUS_SUCCESS) error stop 'cublas: the handle of the calls without one cannot be made'
      cuf_created(device) = .true.
    end if
    h = cuf_handles(device)
  end function cuf_handle

  function cuf_get_handle() result(h)
    type(cublasHandle) :: h
    h = cuf_handle()
  end function cuf_get_handle

  integer function cuf_get_handle_argument(h) result(status)
    type(cublasHandle), intent(out) :: h
    h = cuf_handle()
    status = CUBLAS_STATUS_SUCCESS
  end function cuf_get_handle_argument

  !> The name of a status.
  function cublasGetStatusName(status) result(text)
    integer, intent(in) :: status
    character(:), allocatable :: text
    text = cuf_text(cuf_status_name(status))
  end function cublasGetStatusName

  !> What a status means.
  function cublasGetStatusString(status) result(text)
    integer, intent(in) :: status
    character(:), allocatable :: text
    text = cuf_text(cuf_status_string(status))
  end function cublasGetStatusString

  !> Of the first version of the library: the handle of the forms without one is made when it is first needed.
  integer function cublasInit() result(status)
    type(cublasHandle) :: h
    h = cuf_handle()
    status = CUBLAS_STATUS_SUCCESS
  end function cublasInit

  integer function cublasShutdown() result(status)
    status = CUBLAS_STATUS_SUCCESS
  end function cublasShutdown

  !> The stream of the forms without a handle.
  integer function cublasSetKernelStream(stream) result(status)
    integer(8), intent(in) :: stream
    status = cublasSetStream(cuf_handle(), stream)
  end function cublasSetKernelStream
