! conformance: program-structure/cut_at_72
! features: fixed-form, tokens-over-lines, blanks-in-keywords, fixed-form-directive, computed-goto, blanks-in-tokens
! spec: F2018 6.3.3, guide 2.14
! needs: none
! expect: pass
c     split over lines at column 72, keywords and operators cut, sentinel forms
      module fix2
      integer, parameter :: n = 20
      integer, device :: a(n), b(n)
      contains
      attributes(global) subroutine relabel(x, y, m, verylongargumentnam
     &eone, verylongargumentnametwo)
      integer, value :: m, verylongargumentnameone, verylongargumentname
     *two
      integer :: x(m), y(m)
      integer i
      i = (blockidx%x - 1)*blockdim%x + threadidx%x
      if (i .le. m .and. i .gt. 0 .and. verylongargumentnameone .lt. 5 .
     +and. .not. (i .eq. 3 .or. i .e
     1q. 4)) then
      x(i) = y(i) + verylongargumentnameone*verylongargumentnametwo - 1 
     2 0
      e n d i f
      goto (1, 2, 3) mod(i, 3) + 1
      x(i) = 0
    1 x(i) = x(i) + 1000
      goto 4
    2 continue
      x(i) = x(i) + 2000
      g o t o 4
    3 x(i) = x(i) + 3000
    4 end subroutine
      end module
      program cut_at_72
      use fix2
      integer h(n), w(n)
      character*40 s
      b = (/ (10*i, i = 1, n) /)
      a = 0
      call relabel<<<1, n>>>(a, b, n, 2, 7)
      h = a
      do 10 i = 1, n
      w(i) = 0
      if (i .ne. 3 .and. i .ne. 4) w(i) = 10*i + 4
      w(i) = w(i) + 1000*(mod(i, 3) + 1)
      if (h(i) .ne. w(i)) then
      print *, 'FAIL cut_at_72: ', i, h(i), w(i)
      stop 1
      endif
   10 continue
      m = 0
c$cuf kernel do <<<*, *>>>
      do 20 i = 1, n
      if (a(i) .gt. 2000) m = m
     &                         + 1
   20 continue
      k = 0
*$cuf kernel do(1)
*$cuf&  <<<*, 32>>>
      do i = 1, n
      if (i .gt. 10) goto 30
      k = k + b(i)
   30 continue
      end do
      s = 'a string that goes on over the end of l
     &ine and   keeps its blanks'
      if (m .ne. count(w .gt. 2000) .or. k .ne. 550) then
      print *, 'FAIL cut_at_72: ', m, k
      stop 1
      endif
      if (s(1:9) .ne. 'a string ') stop 2
      d o i = 1, 3
      if (i .eq. 2) th en
      h(i) = 5
      e l s e i f (i .eq. 3) then
      h(i) = 6
      e n d if
      e n d d o
      do i = 1. 5
      do 40 i = 1, 5
   40 h(i) = i
      if (doi .ne. 1.5) stop 3
      print '(a)', 'PASS cut_at_72'
      end
