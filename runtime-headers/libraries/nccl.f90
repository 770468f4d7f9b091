  use iso_c_binding, only: c_char, c_f_pointer, c_size_t
  type(ncclResult), parameter :: ncclSuccess = ncclResult(0), ncclUnhandledCudaError = ncclResult(1)
  type(ncclResult), parameter :: ncclSystemError = ncclResult(2), ncclInternalError = ncclResult(3)
  type(ncclResult), parameter :: ncclInvalidArgument = ncclResult(4), ncclInvalidUsage = ncclResult(5)
  type(ncclResult), parameter :: ncclRemoteError = ncclResult(6), ncclInProgress = ncclResult(7), ncclNumResults = ncclResult(8)
  type(ncclDataType), parameter :: ncclInt8 = ncclDataType(0), ncclChar = ncclDataType(0), ncclUint8 = ncclDataType(1)
  type(ncclDataType), parameter :: ncclInt32 = ncclDataType(2), ncclInt = ncclDataType(2), ncclUint32 = ncclDataType(3)
  type(ncclDataType), parameter :: ncclInt64 = ncclDataType(4), ncclUint64 = ncclDataType(5)
  type(ncclDataType), parameter :: ncclFloat16 = ncclDataType(6), ncclHalf = ncclDataType(6)
  type(ncclDataType), parameter :: ncclFloat32 = ncclDataType(7), ncclFloat = ncclDataType(7)
  type(ncclDataType), parameter :: ncclFloat64 = ncclDataType(8), ncclDouble = ncclDataType(8)
  type(ncclDataType), parameter :: ncclBfloat16 = ncclDataType(9)
  type(ncclRedOp), parameter :: ncclSum = ncclRedOp(0), ncclProd = ncclRedOp(1), ncclMax = ncclRedOp(2), ncclMin = ncclRedOp(3)
  type(ncclRedOp), parameter :: ncclAvg = ncclRedOp(4)

  interface operator(==)
    procedure :: cuf_same_result, cuf_same_type, cuf_same_operation
  end interface operator(==)
  interface operator(/=)
    procedure :: cuf_other_result, cuf_other_type, cuf_other_operation
  end interface operator(/=)
  interface
    function cuf_error_string(code) bind(c, name='ncclGetErrorString') result(text)
      import :: c_ptr, ncclResult
      type(ncclResult), value :: code
      type(c_ptr) :: text
    end function cuf_error_string
    function cuf_text_length(text) bind(c, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function cuf_text_length
  end interface
  private :: cuf_same_result, cuf_same_type, cuf_same_operation, cuf_other_result, cuf_other_type, cuf_other_operation
  private :: cuf_error_string, cuf_text_length

contains

  elemental logical function cuf_same_result(a, b)
    type(ncclResult), intent(in) :: a, b
    cuf_same_result = a%member == b%member
  end function cuf_same_result

  elemental logical function cuf_other_result(a, b)
    type(ncclResult), intent(in) :: a, b
    cuf_other_result = a%member /= b%member
  end function cuf_other_result

  elemental logical function cuf_same_type(a, b)
    type(ncclDataType), intent(in) :: a, b
    cuf_same_type = a%member == b%member
  end function cuf_same_type

  elemental logical function cuf_other_type(a, b)
    type(ncclDataType), intent(in) :: a, b
    cuf_other_type = a%member /= b%member
  end function cuf_other_type

  elemental logical function cuf_same_operation(a, b)
    type(ncclRedOp), intent(in) :: a, b
    cuf_same_operation = a%member == b%member
  end function cuf_same_operation

  elemental logical function cuf_other_operation(a, b)
    type(ncclRedOp), intent(in) :: a, b
    cuf_other_operation = a%member /= b%member
  end function cuf_other_operation

  !> The text of a result.
  function ncclGetErrorString(ierr) result(text)
    type(ncclResult), intent(in) :: ierr
    character(:), allocatable :: text
    type(c_ptr) :: address
    character(c_char), pointer :: letters(:)
    integer :: i
    address = cuf_error_string(ierr)
    call c_f_pointer(address, letters, [cuf_text_length(address)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function ncclGetErrorString
