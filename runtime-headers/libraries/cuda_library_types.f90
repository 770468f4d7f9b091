  ! What the libraries say in C.
  interface
    function cuf_text_length(text) bind(c, name='strlen') result(length)
      use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function cuf_text_length
  end interface
  private :: cuf_text_length

contains

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
