! conformance: program-structure/card_deck
! features: fixed-form, blanks-in-tokens, common, equivalence, statement-functions, arithmetic-if, computed-goto, shared-do-terminations, implicit-typing
! spec: F2018 6.3.3, guide 2.14
! needs: none
! expect: pass
C     a particle code of the old school: every line has 72 columns at most                              column 73 on is ignored
      module deck
      parameter (nmax = 64, ktypes = 3)
      real, device, allocatable :: xd(:), vd(:), fd(:)
      integer, device :: kd(nmax)
      real, constant :: cmass(ktypes)
      contains
      attributes(global) subroutine force(x, f, k, n, eps)
      real x(n), f(n)
      integer k(n)
      integer, value :: n
      real, value :: eps
      sq(a) = a*a
      pair(d, q) = q*d/(sq(d) + eps)
      i = (blockidx%x - 1)*blockdim%x + threadidx%x
      if (i - n) 10, 10, 900
   10 sum = 0.
      do 100 j = 1, n
      if (j .eq. i) go to 100
      go to (20, 30, 40), k(j)
      go to 100
   20 w = 1.
      go to 50
   30 w = 2.
      go to 50
   40 w = -1
     1.5
   50 sum = sum + pair(x(i) - x(j), w)
  100 continue
      f(i) = s u m * cmass (k (i) )
  900 r e t u r n
      end subroutine
      attributes(global) subroutine table(a, n, m)
      integer, value :: n, m
      integer a(n, m)
      if (threadidx%x .gt. 1) return
      do 10 i = 1, n
      do 10 j = 1, m
      if (mod(i + j, 2)) 10, 5, 10
    5 a(i, j) = i*100 + j
   10 continue
      do 20 i = 1, n, 2
      do 20 j = m, 1, -1
   20 a(i, j) = a(i, j) + 1
      end subroutine
      end module deck

      program carddeck
      use deck
      parameter (n = 40)
      common /parts/ x(n), v(n), f(n), kind(n)
      common /ctl/ eps, dt, nstep
      dimension both(2*n), ia(5, 4)
      integer, device :: iad(5, 4)
      equivalence (both(1), x(1)), (kind(1), first)
      external init
      logical ok
      data ia /20*0/
      call init
      allo c a te (xd(n), vd(n), fd(n))
      cmass = (/1.0, 0.5, 2.0/)
      xd = x
      vd = both(n+1:2*n)
      kd(1:n) = kind
      do 300 is = 1, nstep
      call force<<<(n + 31)/32, 32>>>(xd, fd, kd, n,
     &                                eps)
!$cuf kernel do <<<*, *>>>
      do 200 i = 1, n
      vd(i) = vd(i) + dt*fd(i)
  200 xd(i) = xd(i) + dt*vd(i)
  300 continue
      call host
      ok = .true.
      f = xd
      do 400 i = 1, n
      if (abs(f(i) - x(i)) .gt. 1.e-3*abs(x(i)) + 1.e-4) then
      ok = .false.
      print *, 'FAIL card_deck: particle', i, f(i), x(i)
      endif
  400 continue
      iad = ia
      call table<<<1, 32>>>(iad, 5, 4)
      ia = iad
      do 500 j = 1, 4
      do 500 i = 1, 5
      iw = 0
      if (mod(i + j, 2) .eq. 0) iw = 100*i + j
      if (mod(i, 2) .eq. 1) iw = iw + 1
      if (ia(i, j) .ne. iw) then
      ok = .false.
      print *, 'FAIL card_deck: table', i, j, ia(i, j), iw
      endif
  500 continue
      if (.not. ok) s t o p 1
      write (*, 600)
  600 format ('PASS card', '_deck')
      end

      subroutine init
      parameter (n = 40)
      common /parts/ x(n), v(n), f(n), kind(n)
      common /ctl/ eps, dt, nstep
      eps = 0.5
      dt = 1.e-2
      nstep = 5
      do 1 0 i = 1, n
      x(i) = i*1.5 + mod(7*i, 5)*0.1
      v(i) = -0.1*mod(i, 3)
   10 kind(i) = mod(i, 4)
      do 20 i = 4, n, 4
   20 kind(i) = 2
      end

      subroutine host
      parameter (n = 40)
      common /parts/ x(n), v(n), f(n), kind(n)
      common /ctl/ eps, dt, nstep
      dimension w(3), cm(3)
      data w /1., 2., -1.5/, cm /1., 0.5, 2./
      do 50 is = 1, nstep
      do 20 i = 1, n
      f(i) = 0.
      do 10 j = 1, n
      if (i .eq. j) goto 10
      d = x(i) - x(j)
      f(i) = f(i) + w(kind(j))*d/(d*d + eps)
   10 continue
   20 f(i) = f(i)*cm(kind(i))
      do 30 i = 1, n
      v(i) = v(i) + dt*f(i)
   30 x(i) = x(i) + dt*v(i)
   50 continue
      end
