! An assignment whose shapes differ stops the program with a message.
program bad_shapes
  use cuf_runtime
  implicit none
  real, pointer :: a(:,:) => null()
  real :: h(3,4)
  h = 1
  call cuf_allocate(a, [3, 5])
  call cuf_h2d(a, h)
  print '(a)', 'unreached'
end program bad_shapes
