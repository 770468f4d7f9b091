! conformance: program-structure/branch_results
! features: fixed form; results that own device data in arithmetic IF, computed GOTO, alternate returns, ERR= and END=, bounds of DO
! spec: F2018 10.1.5, B.3
! needs: none
! expect: pass
      MODULE OWN
      USE CUDAFOR
      IMPLICIT NONE
      TYPE VEC
        INTEGER :: N = 0
        REAL, ALLOCATABLE, DEVICE :: X(:)
      END TYPE
      INTEGER :: MADE = 0
      CONTAINS
      FUNCTION MK(N, V) RESULT(R)
      INTEGER, INTENT(IN) :: N
      REAL, INTENT(IN) :: V
      TYPE(VEC) :: R
      INTEGER I
      R%N = N
      ALLOCATE(R%X(N))
!$CUF KERNEL DO <<<*,*>>>
      DO 10 I = 1, N
   10 R%X(I) = V*I
      MADE = MADE + 1
      END FUNCTION
      REAL FUNCTION SM(A)
      TYPE(VEC), INTENT(IN) :: A
      REAL, ALLOCATABLE :: H(:)
      H = [REAL ::]
      IF (A%N .GT. 0) THEN
        DEALLOCATE(H)
        ALLOCATE(H(A%N))
        H = A%X
      END IF
      SM = SUM(H)
      END FUNCTION
      SUBROUTINE ALT(A, K, *, *)
      TYPE(VEC), INTENT(IN) :: A
      INTEGER, INTENT(OUT) :: K
      K = NINT(SM(A))
      IF (K .GT. 10) RETURN 2
      IF (K .GT. 5) RETURN 1
      END SUBROUTINE
      END MODULE

      PROGRAM BRRES
      USE OWN
      IMPLICIT REAL (A-H, O-Z)
      CHARACTER(20) TEXT
      INTEGER TRACE, BASE
      TYPE(VEC) KEEP
      SF(Q) = Q*2 + 1
      TRACE = 0
      MADE = 0
C     arithmetic IF with a result
      IF (SM(MK(3, 1.)) - 6.) 10, 20, 30
   10 TRACE = TRACE + 1
   20 TRACE = TRACE + 10
   30 TRACE = TRACE + 100
      IF (SM(MK(3, 2.)) - 6.) 40, 40, 50
   40 TRACE = TRACE + 1000
C     computed GOTO
   50 GOTO (60, 70, 80), NINT(SM(MK(1, 2.)))
   60 TRACE = TRACE + 7
   70 TRACE = TRACE + 10000
   80 CONTINUE
      IF (TRACE .NE. 10110 .OR. MADE .NE. 3) GOTO 900
C     alternate returns with a result as the argument
      TRACE = 0
      DO 120 L = 1, 3
        CALL ALT(MK(L, 3.), K, *100, *110)
        TRACE = TRACE + 1
        GOTO 120
  100   TRACE = TRACE + 10
        GOTO 120
  110   TRACE = TRACE + 100
  120 CONTINUE
      IF (TRACE .NE. 111 .OR. MADE .NE. 6) GOTO 900
C     ERR= and END= of statements with results
      TRACE = 0
      WRITE (TEXT, '(F8.2)', ERR=900) SM(MK(2, 1.5))
      READ (TEXT, *, ERR=900, END=900) V
      IF (V .NE. 4.5) GOTO 900
      TEXT = 'abc'
      READ (TEXT, *, ERR=130) KEEP%N
      GOTO 900
  130 TEXT = ' '
      READ (TEXT(:NINT(SM(MK(1, 4.)))), *, END=140) V
      GOTO 900
  140 IF (MADE .NE. 8) GOTO 900
C     nested loops; bounds from results; a way out
      DO I = 1, NINT(SM(MK(2, 1.)))
        DO J = 1, NINT(SM(MK(I, 1.)))
          TRACE = TRACE + 1
          IF (I .EQ. 3 .AND. J .EQ. 4) GOTO 160
        END DO
      END DO
  160 IF (TRACE .NE. 1 + 3 + 4 .OR. MADE .NE. 12) GOTO 900
C     a statement function of a result, logical IF with assignment of one
      IF (SF(SM(MK(1, 2.))) .EQ. 5.) KEEP = MK(4, 1.)
      IF (SM(KEEP) .NE. 10. .OR. MADE .NE. 14) GOTO 900
      KEEP = MK(2, SM(KEEP))
      IF (SM(KEEP) .NE. 30.) GOTO 900
      IF (SM(MK(1, 1.)) .GT. 5.) THEN
        GOTO 900
      ELSE IF (SM(MK(1, 7.)) .GT. 5.) THEN
        BASE = MADE
      ELSE
        GOTO 900
      END IF
      IF (BASE .NE. 17) GOTO 900
      PRINT *, 'PASS branch_results'
      STOP
  900 PRINT *, 'FAIL branch_results', TRACE, MADE, K, V
      STOP 1
      END
