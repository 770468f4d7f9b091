! conformance: attack-aliasing/old_loops
! features: fixed-form, cuf-loops-on-pieces-of-one-array, pointer-swap-between-loops, sums-into-elements, in-place-recurrence-by-colours, common-habits
! spec: guide 2.11.2; F2018 10.2.2
! needs: none
! expect: pass
C     RELAXATION BY COLOURS AND BY PING-PONG, IN LOOPS OVER POINTERS
      MODULE OLDL
      IMPLICIT NONE
      INTEGER, DEVICE, ALLOCATABLE, TARGET :: U1(:), U2(:)
      INTEGER, DEVICE, POINTER :: NEW(:), OLD(:), HOLD(:)
      CONTAINS
      SUBROUTINE COLOUR(X, RED, BLACK, N)
      INTEGER N, I
      INTEGER, DEVICE, TARGET :: X(:), RED(:), BLACK(:)
!$CUF KERNEL DO <<<*, *>>>
      DO 10 I = 2, N/2
        RED(I) = RED(I) + BLACK(I-1) + X(2*I)
   10 CONTINUE
!$CUF KERNEL DO <<<*, *>>>
      DO 20 I = 1, N/2 - 1
        BLACK(I) = BLACK(I) - RED(I) - X(2*I+1)
        X(2*I) = X(2*I)*2
   20 CONTINUE
      END SUBROUTINE
      SUBROUTINE SWAPS(N, M)
      INTEGER N, M, I, K
      DO 40 K = 1, M
!$CUF KERNEL DO <<<*, 32>>>
        DO 30 I = 2, N - 1
          NEW(I) = IAND(OLD(I-1) + OLD(I) + OLD(I+1), 511)
   30   CONTINUE
        HOLD => NEW
        NEW => OLD
        OLD => HOLD
   40 CONTINUE
      END SUBROUTINE
      END MODULE
      PROGRAM OLD_LOOPS
      USE OLDL
      IMPLICIT NONE
      INTEGER, PARAMETER :: N = 80
      INTEGER W(N), H(N), I, K, S, R(N)
      ALLOCATE(U1(N), U2(N))
      DO I = 1, N
        W(I) = MOD(I*I, 37)
      END DO
      U1 = W
      CALL COLOUR(U1, U1(1:N:2), U1(2:N:2), N)
      DO I = 2, N/2
        W(2*I-1) = W(2*I-1) + W(2*I-2) + W(2*I)
      END DO
      DO I = 1, N/2 - 1
        W(2*I) = 2*(W(2*I) - W(2*I-1) - W(2*I+1))
      END DO
      H = U1
      IF (ANY(H .NE. W)) GO TO 900
      U1 = IAND(W, 255)
      U2 = IAND(W, 255)
      W = IAND(W, 255)
      OLD => U1
      NEW => U2
      CALL SWAPS(N, 7)
      DO K = 1, 7
        R = W
        DO I = 2, N - 1
          W(I) = IAND(R(I-1) + R(I) + R(I+1), 511)
        END DO
      END DO
      H = OLD
      IF (ANY(H .NE. W)) GO TO 900
C     BOTH ENDS OF ONE ARRAY, FROM OUTSIDE TO THE MIDDLE
      NEW => U1(1:N/2)
      OLD => U1(N:N/2+1:-1)
      U1 = W
      S = 0
!$CUF KERNEL DO <<<*, *>>>
      DO I = 1, N/2
        NEW(I) = NEW(I) + OLD(I)
        U1(N+1-I) = NEW(I)*2
        U1(I) = U1(I) + OLD(I)
        S = S + NEW(I) + U1(N+1-I)
      END DO
      DO I = 1, N/2
        W(I) = W(I) + W(N+1-I)
        W(N+1-I) = 2*W(I)
        W(I) = W(I) + W(N+1-I)
      END DO
      H = U1
      IF (ANY(H .NE. W)) GO TO 900
      IF (S .NE. SUM(W)) GO TO 900
      PRINT '(A)', 'PASS old_loops'
      STOP
  900 PRINT *, 'FAIL old_loops'
      STOP 1
      END PROGRAM
