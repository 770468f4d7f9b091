      integer mx, my
      parameter (mx = 12, my = 7)
      real dxy
      parameter (dxy = 0.5)
