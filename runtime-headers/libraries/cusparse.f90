  interface
    function cuf_error_name(status) bind(c, name='cusparseGetErrorName') result(text)
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function cuf_error_name
    function cuf_error_string(status) bind(c, name='cusparseGetErrorString') result(text)
      use, intrinsic :: iso_c_binding, only: c_int, c_ptr
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function cuf_error_string
  end interface
  private :: cuf_error_name, cuf_error_string

contains

  !> The name of a status.
  function cusparseGetErrorName(status) result(text)
    integer, intent(in) :: status
    character(:), allocatable :: text
    text = cuf_text(cuf_error_name(status))
  end function cusparseGetErrorName

  !> What a status means.
  function cusparseGetErrorString(status) result(text)
    integer, intent(in) :: status
    character(:), allocatable :: text
    text = cuf_text(cuf_error_string(status))
  end function cusparseGetErrorString
