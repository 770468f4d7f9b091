! conformance: device-code/goto_and_data
! features: computed goto, arithmetic if, statement function, DATA in a kernel
! spec: guide 3.6
! needs: none
! expect: pass
c     legacy kernel: arithmetic if, goto, do-while by goto, data tables, statement function, equivalence
      module legacy
      contains
      attributes(global) subroutine kern(n, a, ic)
      implicit real*8 (a-h,o-z)
      integer, value :: n
      dimension a(n), ic(n)
      real*8 tab(5)
      data tab /1.d0,2.d0,3*4.d0/
      f(x,y) = x*x + y
      i = (blockidx%x-1)*blockdim%x + threadidx%x
      if (i.gt.n) goto 900
      k = 0
      s = 0.d0
   10 k = k + 1
      if (k.gt.5) go to 20
      if (mod(i+k,3)-1) 11, 12, 13
   11 s = s + tab(k)
      goto 10
   12 s = s - f(tab(k), 1.d0)
      goto 10
   13 s = s + dble(i)
      goto 10
   20 continue
      goto (30,40,50) mod(i,3)+1
   30 ic(i) = 30
      goto 60
   40 ic(i) = 40
      goto 60
   50 ic(i) = 50
   60 a(i) = s
  900 return
      end subroutine
      end module
      program t
      use legacy
      implicit real*8 (a-h,o-z)
      parameter (n=50)
      real*8, device :: ad(n)
      integer, device :: icd(n)
      dimension a(n), ic(n), tab(5)
      data tab /1.d0,2.d0,3*4.d0/
      call kern<<<(n+15)/16,16>>>(n, ad, icd)
      a = ad
      ic = icd
      nbad = 0
      do 100 i=1,n
        s=0
        do 90 k=1,5
          m = mod(i+k,3)-1
          if (m.lt.0) s = s+tab(k)
          if (m.eq.0) s = s-(tab(k)**2+1)
   90     if (m.gt.0) s = s+i
        if (a(i).ne.s) nbad=nbad+1
        if (ic(i).ne.30+10*mod(i,3)) nbad=nbad+1
  100 continue
      if (nbad.eq.0) print '(a)', 'PASS goto_and_data'
      if (nbad.ne.0) print *, 'FAIL goto_and_data',nbad
      if (nbad.ne.0) stop 1
      end
