! conformance: program-structure/fixed_cuda
! features: fixed-form, continued-launch, sentinel
! spec: guide 2.14, 2.13
! needs: none
! expect: pass
      MODULE M
      IMPLICIT NONE
      REAL, CONSTANT :: COEF(3)
      CONTAINS
      ATTRIBUTES(GLOBAL) SUBROUTINE
     1  SWEEP(A,
C     a comment between
     2        N)
      INTEGER, VALUE :: N
      REAL, DEVICE :: A(N)
      INTEGER I
      REAL, SHARED :: S(*)
      I = THREADIDX%X + (BLOCKIDX%X - 1)
     &    * BLOCKDIM%X
      IF (I .GT. N) GO TO 100
      S(THREADIDX%X) = A(I)
      A(I) = COEF(1) + S(THREADIDX%X)*COEF(2)
 100  CONTINUE
      END SUBROUTINE
      ATTRIBUTES(DEVICE) INTEGER FUNCTION TW(K)
      INTEGER, VALUE :: K
      TW = K * 2
      RETURN
      END
      END MODULE
      PROGRAM FIXED
!@cuf use cudafor
      USE M
      IMPLICIT NONE
      INTEGER N, I, J
      PARAMETER (N = 70)
      REAL, DEVICE :: A(N), B(5, 6)
      REAL H(N), HB(5, 6), S
      COEF = (/ 1., 2., 3. /)
      A = (/ (REAL(I), I = 1, N) /)
      CALL SWEEP<<<(N + 31)/32,
     &  32, 4*32
     & >>>(A,
     &     N)
      IF (N .GT. 1) CALL SWEEP <<< 3, 32, 128 >>> (A, N)
      H = A
      DO 10 I = 1, N
      IF (H(I) .NE. 3. + 4.*I) STOP 1
 10   CONTINUE
!$CUF KERNEL DO(2)
!$CUF& <<< *, (8, 8) >>>
      DO 30 J = 1, 6
      DO 20 I = 1, 5
      B(I, J) = I + 10
     & * J
 20   CONTINUE
 30   CONTINUE
      HB = B
      S = 0.
C$CUF KERNEL DO <<< *, * >>>
      DO 40 I = 1, N
 40   S = S + A(I)
      IF (S .NE. 3.*N + 4.*N*(N+1)/2) STOP 2
*$cuf kernel do <<< 1, 32 >>>
      do i = 1, n
      if (i .eq. 3) goto 50
      a(i) = tw(i)
 50   continue
      end do
      h = a
      if (h(3) .ne. 15. .or. h(70) .ne. 140.) stop 3
      IF (HB(5, 6) .NE. 65.) STOP 4
      PRINT '(A)', 'PASS fixed_cuda'
      END
