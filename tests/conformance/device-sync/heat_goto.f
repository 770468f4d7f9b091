! conformance: device-sync/heat_goto
! features: fixed-form, goto-iteration, barrier-in-goto-loop, syncthreads-or, statement-function, common-on-host
! spec: guide 3.6.4
! needs: none
! expect: pass
! flang: rejects (statement function in device code)
C     Heat conduction in a rod, one block, iterated with GO TO until
C     nothing moves by more than tol.  Points are updated in place, so
C     every thread rereads what its neighbours stored before a barrier.
      module rod
      integer nt
      parameter (nt = 64)
      real*8, device :: bnd(2)
      contains
      attributes(global) subroutine relax(u, n, mxit, tol, nit)
      integer, value :: n, mxit
      real*8, value :: tol
      real*8 u(0:n+1)
      integer nit
      real*8 unew, ave, p, q
      ave(p, q) = 0.5d0*(p + q)
      i = threadidx%x
      it = 0
   10 continue
      it = it + 1
      unew = ave(u(i-1), u(i+1))
      moved = 0
      if (dabs(unew - u(i)) .gt. tol) moved = 1
      call syncthreads()
      u(i) = unew
      if (i .eq. 1) u(0) = bnd(1)
      if (i .eq. n) u(n+1) = bnd(2)
      if (it .ge. mxit) go to 20
      if (syncthreads_or(moved) .ne. 0) go to 10
   20 if (i .eq. 1) nit = it
      return
      end subroutine relax
      end module rod

      program heat_goto
      use rod
      implicit real*8 (a-h, o-z)
      common /rodst/ h(0:nt+1), g(0:nt+1)
      real*8, device :: u(0:nt+1)
      integer, device :: nit
      dimension b(2)
      data b /10.0d0, -3.0d0/
      do 100 mxit = 1, 2001, 400
      do 30 i = 0, nt + 1
        h(i) = mod(7*i, 13)
   30 continue
      u = h
      bnd = b
      nit = 0
      call relax<<<1, nt>>>(u, nt, mxit, 1.0d-3, nit)
      it = nit
      g = u
C     the same by hand, from a copy of the old level
      call byhand(h, nt, mxit, 1.0d-3, b, its)
      if (it .ne. its) then
        print *, 'FAIL heat_goto: steps', mxit, ', got', it,
     &           ', expected', its
        stop 1
      end if
      do 40 i = 0, nt + 1
        if (g(i) .ne. h(i)) then
          print *, 'FAIL heat_goto: u', mxit, i, ', got', g(i),
     &             ', expected', h(i)
          stop 1
        end if
   40 continue
  100 continue
      print '(a)', 'PASS heat_goto'
      end

      subroutine byhand(h, n, mxit, tol, b, its)
      implicit real*8 (a-h, o-z)
      dimension h(0:n+1), b(2), o(0:1000)
      its = 0
    5 its = its + 1
      do 6 i = 0, n + 1
    6 o(i) = h(i)
      moved = 0
      do 7 i = 1, n
        h(i) = 0.5d0*(o(i-1) + o(i+1))
        if (abs(h(i) - o(i)) .gt. tol) moved = 1
    7 continue
      h(0) = b(1)
      h(n+1) = b(2)
      if (its .lt. mxit .and. moved .ne. 0) go to 5
      end
