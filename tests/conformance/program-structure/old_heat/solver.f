c     fixed form, implicit typing, statement functions, labels: as found
      subroutine setup(nn)
      use devdat
      implicit real*8 (a-h,o-z)
      n = nn
      nstep = 0
      dx = 1d0/nn
      dt = 0.25d0*dx*dx
      do 10 i = 0, nn
   10 u0(i) = 0d0
      u0(0) = tleft
      u0(nn) = trght
      if (allocated(u)) deallocate(u, unew)
      allocate(u(0:nn), unew(0:nn))
      u = u0(0:nn)
      unew = u
      ichg = 0
      do 20 i = 1, nmax
      work(i) = i*0.5d0
   20 q(i) = work(i)
      end

      subroutine sweep(ns, res)
      use devdat
      implicit real*8 (a-h,o-z)
c     statement functions: their dummies are variables of the common
c     blocks and of the unit elsewhere
      flux(a, b) = (b - a)*c1
      upd(n, dt, i) = n + dt*i
      rel(x) = upd(1, x, 2) + flux(x, 2d0*x)
      c1 = 0.25d0
      nu = n
      do 50 it = 1, ns
      res = 0d0
!$cuf kernel do <<<*,32>>>
      do 30 i = 1, nu - 1
        t = u(i) + flux(u(i), u(i+1)) - flux(u(i-1), u(i))
        res = max(res, abs(t - u(i)))
   30 unew(i) = t
c$cuf kernel do <<<*,32>>>
      do 40 i = 1, nu - 1
   40 u(i) = unew(i)
   50 nstep = nstep + 1
*$cuf kernel do <<<*,*>>>
      do 60 i = 1, nmax
      x = q(i)
      if (mod(i,2)) 55, 51, 55
   51 q(i) = rel(x)
      go to 60
   55 q(i) = upd(i, x, n)
   60 continue
      end

      subroutine fetch(v, k)
      use devdat
      implicit real*8 (a-h,o-z)
      dimension v(0:k)
c     transfers as the terminal statements of loops and as targets
      i = 0
  100 v(i) = u(i)
      i = i + 1
      if (i - k) 100, 100, 110
  110 do 120 i = 1, nmax
  120 work(i) = q(i)
      do 140 j = 1, 2
      do 140 i = 1, 2
      if (i .ne. j) go to 140
      v(0) = v(0) + 0*j
  140 ichg = i + 10*j
      end
