! conformance: attack-output/old_deck
! features: fixed form with COMMON, BLOCK DATA, EQUIVALENCE, DATA, statement functions, ASSIGN-less jumps, shared DO ends, Hollerith-like formats, names with blanks, comment cards in continuations, kernels in old style
! spec: Fortran 77; guide 3
! needs: none
! expect: pass
! flang: rejects (arithmetic IF, computed GO TO and statement functions in device code)
      module dk
      use cudafor
      implicit double precision (a-h, o-z)
      parameter (nx = 10, ny = 6)
      dimension u(nx, ny), w(nx*ny)
      attributes(device) u, w
      common /hst/ scal, nit
      contains
      attributes(global) subroutine smooth (a, b, nx, ny, wt)
      implicit double precision (a-h, o-z)
      integer, value :: nx, ny
      double precision, value :: wt
      dimension a(nx, *), b(nx, *), t(-1:1)
      sf(x, y) = wt*x + (1.d0 - wt)*y
      i = (blockidx%x - 1)*blockdim%x + threadidx%x
      j = (blockidx%y - 1)*blockdim%y + threadidx%y
      if (i - nx) 5, 5, 99
    5 if (j .gt. ny) goto 99
      k = 0
      do 10 l = -1, 1
      t(l) = 0.d0
      ii = i + l
      if (ii .lt. 1 .or. ii .gt. nx) go to 10
      t(l) = a(ii, j)
      k = k + 1
   10 continue
      s = 0
      do 20 l = -1, 1
   20 s = s + t(l)
      go to (30, 40, 50), k
   30 s = -1
      go to 60
   40 s = s*6
      goto 60
   50 s = s*4
   60 b(i, j) = sf(s, dble(i*j))
   99 return
      end subroutine
      subroutine driver(sum, n)
      implicit double precision (a-h, o-z)
      dimension h(nx, ny), g(nx*ny)
      equivalence (h(1, 1), g(1))
      data eps /1.d-3/, mm, nn /2*3/
      save eps
      logical lsmall
      lsmall(x) = x .lt. eps
      n = nit
      do 1 j = 1, ny
      do 1 i = 1, nx
    1 h(i, j) = i*j*scal
      u = h
      call smooth <<<dim3((nx + 3)/4, (ny + 3)/4, 1),
     1               dim3(4, 4, 1)>>> (u, w, nx, ny,
c       the weight
     2               .5 d0)
      g = w
      sum = 0
      do 2 j = 1, ny
      do 2 i = 1, nx
    2 sum = sum + h(i, j)*i
      if (lsmall(sum)) sum = -1
!$cuf kernel do <<<*, *>>>
      do 3 i = 1, nx*ny
      w(i) = w(i) - i
    3 continue
      g = w
      n = n + mm + nn + nint(g(7))
      end subroutine
      end module
      block data
      common /hst/ scal, nit
      double precision scal
      data scal, nit /2.d0, 4/
      end
      program olddeck
      use dk
      double precision s, e, h(0:nx + 1, ny), t
      call driver(s, n)
      h = 0
      do 1 j = 1, ny
      do 1 i = 1, nx
    1 h(i, j) = i*j*2.d0
      e = 0
      do 2 j = 1, ny
      do 2 i = 1, nx
      t = (h(i - 1, j) + h(i, j) + h(i + 1, j))*4
      if (i .eq. 1 .or. i .eq. nx) t = t*1.5d0
      t = .5d0*t + .5d0*i*j
      if (i .eq. 7 .and. j .eq. 1) m = nint(t - 7)
    2 e = e + t*i
      if (s .ne. e .or. n .ne. 10 + m) then
      write (*, 100) s, e, n, m
  100 format (' FAIL old_deck: ', 2f12.3,
     *2i6)
      error stop 1
      endif
      print '(a)', 'PASS old_deck'
      end
