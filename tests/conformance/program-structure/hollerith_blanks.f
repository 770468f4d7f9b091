! conformance: program-structure/hollerith_blanks
! features: fixed-form, blanks-in-tokens, hollerith, format, data
! spec: F2018 6.3.3; FORTRAN 77 appendix C
! needs: none
! expect: pass
      program holbla
      implicit none
      integer, device :: k
      integer h, bad
      character*24 s
      k = 3
      h = 4
      bad = 0
  600 format (9hPASS card, i3, 1h', 5h a b , 2x, 3hx h)
      write (s, 600) 7
      if (s .ne. 'PASS card  7'' a b   x h') bad = b a d + 1
      write (s, 610) h
  610 format (5hdon't, i2,
     1 3hh !)
      if (s .ne. 'don''t 4h !') bad = bad + 10
      h = k
      if (h .ne. 3) bad = bad + 100
      if (bad .ne. 0) then
        print *, 'FAIL hollerith_blanks: ', bad, s
        s t o p 1
      endif
      print '(a)', 'PASS hollerith_blanks'
      end
