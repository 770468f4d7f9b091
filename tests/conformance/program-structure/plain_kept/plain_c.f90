module plain_c ! café, form feed 
  implicit none
  character(*), parameter :: text = "call k<<<1, 1>>>(a) !$cuf kernel do"
contains
  subroutine syncthreads()
  end subroutine
  !$omp declare target(syncthreads)
  subroutine kernel(do, cuf)
    integer :: do, cuf
    do = cuf
  end subroutine
end module


