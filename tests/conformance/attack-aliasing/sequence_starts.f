! conformance: attack-aliasing/sequence_starts
! features: sequence-association, work-array-in-pieces, fixed-form, disjoint-pieces-with-barriers, same-piece-read-twice
! spec: F2018 15.5.2.11, 15.5.2.13
! needs: none
! expect: pass
C     ONE WORK ARRAY, CUT IN PIECES BY THE CALLER AS FORTRAN 77 DID
      MODULE WORK
      IMPLICIT NONE
      CONTAINS
      ATTRIBUTES(GLOBAL) SUBROUTINE SMOOTH(A, B, C, N, LDC)
      INTEGER, VALUE :: N, LDC
      INTEGER A(N), B(*), C(LDC,*)
      INTEGER I, K
      I = THREADIDX%X
      DO 20 K = 1, 3
        IF (I .LE. N) B(I) = A(I) + A(MOD(I, N) + 1)
        CALL SYNCTHREADS()
        IF (I .LE. N) A(I) = IAND(B(I) + B(MOD(I + 1, N) + 1), 255)
        IF (I .LE. N) C(K, I) = A(I)
        CALL SYNCTHREADS()
   20 CONTINUE
      END SUBROUTINE
      ATTRIBUTES(GLOBAL) SUBROUTINE CROSS(X, Y, Z, N)
      INTEGER, VALUE :: N
      INTEGER X(*), Y(*), Z(*)
      INTEGER I
      I = THREADIDX%X
      IF (I .LE. N) Z(I) = X(I)*Y(N+1-I) - X(N+1-I)
      END SUBROUTINE
      SUBROUTINE DRIVER(W, N, LW)
      INTEGER N, LW
      INTEGER, DEVICE :: W(LW)
      INTEGER IA, IB, IC
      IA = 1
      IB = IA + N
      IC = IB + N
      CALL SMOOTH<<<1, 64>>>(W(IA), W(IB), W(IC), N, 3)
      CALL CROSS<<<1, 64>>>(W(IA), W(IA), W(IB), N)
      CALL CROSS<<<1, 64>>>(W(IA), W(IA+1), W(IB), N-1)
      END SUBROUTINE
      END MODULE
      PROGRAM SEQUENCE_STARTS
      USE WORK
      IMPLICIT NONE
      INTEGER, PARAMETER :: N = 41, LW = 5*N
      INTEGER, DEVICE :: W(LW), D2(N,5)
      INTEGER H(LW), A(N), B(N), C(3,N), E(LW), I, K, G(N,5)
      DO I = 1, LW
        E(I) = MOD(I*17, 29)
      END DO
      W = E
      CALL DRIVER(W, N, LW)
      A = E(1:N)
      DO K = 1, 3
        B = A + CSHIFT(A, 1)
        A = IAND(B + CSHIFT(B, 2), 255)
        C(K,:) = A
      END DO
      DO I = 1, N
        B(I) = A(I)*A(N+1-I) - A(N+1-I)
      END DO
      DO I = 1, N - 1
        B(I) = A(I)*A(N+1-I) - A(N-I)
      END DO
      H = W
      E(1:N) = A
      E(N+1:2*N) = B
      E(2*N+1:) = RESHAPE(C, [3*N])
      IF (ANY(H .NE. E)) THEN
        PRINT *, 'FAIL sequence_starts: work'
        STOP 1
      END IF
      G = RESHAPE(H, [N, 5])
      D2 = G
      CALL DRIVER(D2(1,1), N, LW)
      CALL CROSS<<<1, 64>>>(D2(2,4), D2(1,4), D2(1,5), N-1)
      G = D2
      H = RESHAPE(G, [LW])
      A = E(1:N)
      DO K = 1, 3
        B = A + CSHIFT(A, 1)
        A = IAND(B + CSHIFT(B, 2), 255)
        C(K,:) = A
      END DO
      DO I = 1, N
        B(I) = A(I)*A(N+1-I) - A(N+1-I)
      END DO
      DO I = 1, N - 1
        B(I) = A(I)*A(N+1-I) - A(N-I)
      END DO
      E(1:N) = A
      E(N+1:2*N) = B
      E(2*N+1:) = RESHAPE(C, [3*N])
      DO I = 1, N - 1
        E(4*N+I) = E(3*N+1+I)*E(3*N+N-I) - E(3*N+1+N-I)
      END DO
      IF (ANY(H .NE. E)) THEN
        PRINT *, 'FAIL sequence_starts: two dimensions'
        STOP 1
      END IF
      PRINT '(A)', 'PASS sequence_starts'
      END PROGRAM
