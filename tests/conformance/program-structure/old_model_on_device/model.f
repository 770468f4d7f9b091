      subroutine init(*, n)
      include 'grid.inc'
      dimension w(mx*my), iw(2*mx*my)
      real*8 w
      equivalence (w(1), iw(1))
      equivalence (u(1,1), w(1))
      integer n
      if (n .le. 0) return 1
      do 10 j = 1, my
      do 10 i = 1, mx
   10 u(i,j) = i*j
      v(:,:) = w(1)*0
      nstep = n
      entry reset
      iflag = 0
      return
      end

      subroutine step
      use devmod
      use cudafor
      include 'grid.inc'
      integer k, assigned
      ud = u
      vd = u
      hd = 0
      cc = 0.125d0
      assign 100 to assigned
      do 50 k = 1, nstep
      if (mod(k, 2)) 20, 30, 20
   20 call diffuse<<<1, b_of(mx-2, my-2)>>>(ud, vd, mx, my)
      goto 40
   30 call diffuse<<<1, b_of(mx-2, my-2)>>>
     1 (vd, ud, mx, my)
   40 iflag = iflag + 1
   50 continue
      goto assigned, (100, 200)
  200 stop 'not here'
  100 if (mod(nstep, 2) .eq. 1) then
         v = vd
      else
         v = ud
      endif
      contains
      type(dim3) function b_of(i, j)
      integer i, j
      b_of = dim3(i, j, 1)
      end function
      end

      block data
      include 'grid.inc'
      data nstep, iflag /0, -1/
      data ((u(i,j), i = 1, mx), j = 1, my) /108*0d0/
      end
