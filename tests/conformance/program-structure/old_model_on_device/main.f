! conformance: program-structure/old_model_on_device
! features: COMMON in an INCLUDE file, EQUIVALENCE with it, BLOCK DATA, ENTRY, alternate returns, assigned GO TO, REAL*8, kernels of a module called from F77 code
! spec: F77; guide 3.2.1
! needs: none
! expect: pass
C files: devmod.cuf model.f main.f
      program old model
      use devmod
      include 'grid.inc'
      real*8 r(mx, my), s(mx, my)
      complex*16 z(3)
      integer*2 ih(12)
      logical l
      namelist /run/ n, l
      character*20 text(3)
      data text /' &run', ' n = 5, l = .true.', ' /'/
      if (iflag .ne. -1) stop 1
      call init(*10, 0)
      stop 2
   10 read (text, nml=run)
      call init(*20, n)
      call step
      if (iflag .ne. n .or. .not. l) stop 3
      call reset
      if (iflag .ne. 0) stop 4
      do j = 1, my
      do i = 1, mx
        r(i,j) = i*j
      end do
      end do
      s = r
      do k = 1, n
      do j = 2, my-1
      do i = 2, mx-1
        s(i,j) = r(i,j) + .125d0*(r(i-1,j) + r(i+1,j) + r(i,j-1) + r(i,j
     &+1) - 4*r(i,j))
      end do
      end do
      r = s
      end do
      l = ld
      z = zd
      ih = hd
      if (any(abs(v - r) .gt. 1d-12) .or. .not. l .or. ih(1) .ne. 3
     & .or. ih(2) .ne. 0 .or. z(2) .ne. conjg(z(1)) .or.
     & z(3) .ne. dcmplx(0d0, dreal(z(1)))) then
        print *, 'FAIL old_model_on_device:', maxval(abs(v - r)), l, ih(
     &1), z
        error stop 1
      end if
      print '(a)', 'PASS old_model_on_device'
      stop
   20 stop 5
      end
