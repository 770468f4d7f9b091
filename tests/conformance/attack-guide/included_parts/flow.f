      module flow
      implicit none
      include 'sizes.inc'
      include 'dcom.inc'
      contains
      attributes(global) subroutine step
      include 'index.inc'
      if (i .gt. 1 .and. i .lt. nx .and. j .gt. 1 .and. j .lt. ny) then
        v(i,j) = u(i,j) + dt/dx**2*(u(i+1,j) + u(i-1,j) + u(i,j+1)
     &         + u(i,j-1) - 4*u(i,j))
      else if (i .le. nx .and. j .le. ny) then
        v(i,j) = u(i,j)
      endif
      end subroutine
      end module
