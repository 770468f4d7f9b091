! conformance: memory/common_habits
! features: fixed form, common, equivalence, implicit interfaces, assumed-size, entry, pinned and managed actuals
! spec: guide 3.2.4, 3.4.1
! needs: none
! expect: pass
      MODULE CHDEV
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (MAXN=5000)
      REAL*8, DEVICE, ALLOCATABLE :: DX(:), DY(:)
      REAL*8, DEVICE :: DW(MAXN)
      REAL*8, CONSTANT :: CC(3)
      CONTAINS
      SUBROUTINE TODEV(X, N, D)
      REAL*8 X(*)
      REAL*8, DEVICE :: D(N)
      D = X(1:N)
      END SUBROUTINE
      SUBROUTINE TOHOST(D, N, X)
      REAL*8, DEVICE :: D(*)
      REAL*8 X(N)
      X = D(1:N)
      END SUBROUTINE
      END MODULE CHDEV
      PROGRAM COMHAB
      USE CUDAFOR
      USE CHDEV
      IMPLICIT REAL*8 (A-H,O-Z)
      COMMON /WORK/ A(MAXN), B(MAXN)
      DIMENSION AB(2*MAXN), IA(2*MAXN)
      EQUIVALENCE (A(1), AB(1))
      EQUIVALENCE (IA(1), A(1))
      REAL*8, ALLOCATABLE, PINNED :: P(:)
      REAL*8, ALLOCATABLE, MANAGED :: S(:)
      REAL*8, ALLOCATABLE :: H(:)
      DO 100 ITURN = 1, 15
      N = MAXN - 10*ITURN
      ALLOCATE (DX(N), P(N))
      CALL FILL(P, N, DBLE(ITURN))
      DX = P
      CALL TOHOST(DX, N, A)
      CALL CHECK(A, N, DBLE(ITURN), 1)
      DEALLOCATE (P)
      ALLOCATE (S(N))
      S = DX
      ISTAT = CUDADEVICESYNCHRONIZE()
      CALL CHECK(S, N, DBLE(ITURN), 2)
      CALL FILL2(S, N, DBLE(ITURN)+1)
      CALL TODEV(S, N, DX)
      CALL TOHOST(DX, N, B)
      CALL CHECK(B, N, DBLE(ITURN)+1, 3)
      CALL TODEV(AB(MAXN+1), N, DW)
      DEALLOCATE (DX, S)
      ALLOCATE (H(N), DY(N))
      CALL FILL(H, N, 3D0)
      DY = H
      DY(1:N:2) = DW(1:N:2)
      H = DY
      CALL CHECK(H(2), 1, 3D0, 4)
      CALL CHECK(H(3), 1, DBLE(ITURN)+1, 5)
      CALL TOHOST(DY(2), 1, A(7))
      CALL CHECK(A(7), 1, 3D0, 6)
      CC = H(1:3)
      A(1:3) = CC
      CALL CHECK(A(2), 1, 3D0, 7)
      IA(1:3) = CC
      IF (IA(2).NE.3) CALL WRONG(8)
      DY(1:N) = IA(2)
      CALL TOHOST(DY, N, AB(MAXN))
      CALL CHECK(AB(MAXN), N, 3D0, 9)
      DEALLOCATE (H, DY)
  100 CONTINUE
      PRINT '(A)', 'PASS common_habits'
      END
      SUBROUTINE FILL(X, N, V)
      IMPLICIT REAL*8 (A-H,O-Z)
      DIMENSION X(*)
      GOTO 5
      ENTRY FILL2(X, N, V)
    5 DO 10 I = 1, N
   10 X(I) = V
      RETURN
      END
      SUBROUTINE CHECK(X, N, V, K)
      IMPLICIT REAL*8 (A-H,O-Z)
      DIMENSION X(N)
      DO 20 I = 1, N
      IF (X(I).NE.V) THEN
        PRINT *, K, I, X(I), V
        CALL WRONG(K)
      END IF
   20 CONTINUE
      END
      SUBROUTINE WRONG(K)
      PRINT *, 'FAIL common_habits: ', K
      STOP 1
      END
