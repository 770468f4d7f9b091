! ALLOCATE of an allocated variable without STAT= stops the program.
program bad_allocate
  use cuf_runtime
  implicit none
  real, pointer :: a(:) => null()
  call cuf_allocate(a, [3])
  call cuf_allocate(a, [3])
  print '(a)', 'unreached'
end program bad_allocate
