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
    function cuf_text_length(text) bind(c, name='strlen') result(length)
      use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function cuf_text_length
  end interface
  private :: cuf_error_name, cuf_error_string, cuf_text_length, cuf_text

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

  !> The text of C at an address.
  function cuf_text(address) result(text)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_char, c_f_pointer
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(address, letters, [cuf_text_length(address)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function cuf_text
