! conformance: program-structure/old_heat
! features: fixed-form, implicit-typing, common, include, statement-function, labelled-transfers, shared-terminal-label
! spec: F2018 15.6.4, 11.1.7.4.1; guide 2.11, 3.4.1
! needs: none
! expect: pass
! flang: rejects (statement functions, arithmetic IF and GOTO in device code)
! files: devdat.f solver.f main.f
      program oldht
      use devdat
      implicit real*8 (a-h,o-z)
      dimension v(0:nmax), ref(0:nmax), rnew(0:nmax), w(nmax)
      tleft = 1d0
      trght = 3d0
      nbad = 0
      do 300 nn = 16, 48, 16
      call setup(nn)
      call sweep(7, res)
      call fetch(v, nn)
      do 10 i = 0, nn
   10 ref(i) = 0d0
      ref(0) = 1d0
      ref(nn) = 3d0
      do 30 it = 1, 7
      rref = 0d0
      do 20 i = 1, nn - 1
      rnew(i) = ref(i) + (ref(i+1) - ref(i))*0.25d0
     &        - (ref(i) - ref(i-1))*0.25d0
   20 rref = max(rref, abs(rnew(i) - ref(i)))
      do 30 i = 1, nn - 1
   30 ref(i) = rnew(i)
      do 40 i = 0, nn
      if (abs(v(i) - ref(i)) .gt. 1d-12) nbad = nbad + 1
   40 continue
      if (abs(res - rref) .gt. 1d-12) then
        print *, 'FAIL old_heat: res, got ', res, ', expected ', rref
        nbad = nbad + 1
      end if
      do 50 i = 1, nmax
      x = i*0.5d0
      if (mod(i,2) .eq. 0) then
        w(i) = (1 + x*2) + x*0.25d0
      else
        w(i) = i + x*nn
      end if
      if (work(i) .ne. w(i)) nbad = nbad + 1
   50 continue
      k = ichg
      if (k .ne. 22) nbad = nbad + 1
      if (nstep .ne. 7 .or. n .ne. nn) nbad = nbad + 1
  300 continue
      if (nbad .gt. 0) then
        print *, 'FAIL old_heat: mismatches, got ', nbad, ', expected 0'
        stop 1
      end if
      print '(a)', 'PASS old_heat'
      end
