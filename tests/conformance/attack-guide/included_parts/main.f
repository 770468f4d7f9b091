! conformance: attack-guide/included_parts
! features: blanks-in-tokens, INCLUDE lines for sizes, device declarations and executable statements of kernels in fixed form, beside COMMON of the host with the same include, CUF loops in fixed form with continued directives
! spec: guide 2.14, 3.2.1
! needs: none
! expect: pass
! files: flow.f main.f
      program included parts
      use flow
      use cudafor
      implicit none
      integer i, j, it
      real hu(nx,ny), hv(nx,ny), s, t
      real old(nxy)
      common /field/ hu, hv
      equivalence (hu(1,1), old(1))
      type(dim3) grid, tb
      dt = 0.25
      dx = 1.0
      do 10 j = 1, ny
      do 10 i = 1, nx
   10 hu(i,j) = mod(i*j, 8)
      u = hu
      tb = dim3(8, 4, 1)
      grid = dim3((nx+7)/8, (ny+3)/4, 1)
      do it = 1, 4
        call step<<<grid, tb>>>
        u = v
        hv = hu
        do 20 j = 2, ny - 1
        do 20 i = 2, nx - 1
   20   hv(i,j) = hu(i,j) + 0.25*(hu(i+1,j) + hu(i-1,j) + hu(i,j+1)
     1          + hu(i,j-1) - 4*hu(i,j))
        hu = hv
      end do
      s = 0
!$cuf kernel do(2) <<< (*,*),
!$cuf+ (8,4) >>>
      do j = 1, ny
        do i = 1, nx
          s = s + u(i,j)
        end do
      end do
      t = 0
      do i = 1, nxy
        t = t + old(i)
      end do
      if (abs(s - t) .gt. 1e-3) then
        print *, 'FAIL included_parts: ', s, t
        error stop 1
      end if
      hv = u
      if (maxval(abs(hv - hu)) .gt. 1e-5) stop 2
      print '(a)', 'PASS included_parts'
      end
