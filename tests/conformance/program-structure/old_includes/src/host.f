      subroutine hostadvance(n)
      implicit none
      include '../inc/sizes.h'
      include '../inc/state.inc'
      integer n, k, i, j
      do 30 k = 1, n
      do 10 j = 2, my - 1
      do 10 i = 2, mx - 1
   10 v(i,j) = u(i,j) + 0.1*(u(i-1,j) + u(i+1,j) + u(i,j-1)
     & + u(i,j+1) - 4*u(i,j))
      do 20 j = 1, my
      do 20 i = 1, mx
   20 u(i,j) = v(i,j)
   30 continue
      end
