      subroutine legacy(a, n, s)
      integer n
      real a(n), s
      common /ctl/ lim, fac
      s = 0
      do 10 i = 1, min(n, lim)
   10 s = s + fac*a(i)
      end
      block data ctldat
      common /ctl/ lim, fac
      data lim, fac /8, 0.5/
      end
