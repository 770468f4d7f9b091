! conformance: program-structure/sentinel_of_fixed_form
! features: !@cuf lines in fixed form: declarations, statements, continuation
! spec: guide 2.13
! needs: none
! expect: pass
      program sentinel_of_fixed_form
      implicit none
      integer, device :: d(40)
!@cuf integer, device :: e(40)
      integer h(40), i, k
      k = 1
!@cuf k = 2
      d = 3
!@cuf e = 4
!@cuf d = e
      h = d
      if (k .ne. 2 .or. h(7) .ne. 4) then
        print *, 'FAIL sentinel_of_fixed_form:', k, h(7)
        error stop 1
      end if
      print '(a)', 'PASS sentinel_of_fixed_form'
      end
