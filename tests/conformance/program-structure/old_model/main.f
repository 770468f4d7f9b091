! conformance: program-structure/old_model
! features: fixed form, COMMON, statement functions, DATA, ENTRY, computed GOTO, include, renames of generated names
! spec: guide 2.1, 2.9, 3.3
! needs: none
! expect: pass
      PROGRAM OLDMDL
      USE STATE, ONLY: U => UU_D, V_D, GET, PUT
      USE CUDAFOR
      IMPLICIT REAL*8 (A-H, O-Z)
      INCLUDE 'params.inc'
      DIMENSION HU(NX, NY), HV(NX, NY), RU(NX, NY), RV(NX, NY)
      INTEGER CUF_AT, CUF_STATUS, ISTAT, LAUNCH
      DATA CUF_AT, CUF_STATUS, LAUNCH /3, 4, 5/
      SQ(Z) = Z*Z + CUF_AT
      ALPHA = 0.25D0
      BETA = 2
      NSTEP = 3
      MODE = 1
      DO 10 J = 1, NY
      DO 10 I = 1, NX
        HU(I, J) = DBLE(MOD(I*J, 7))
   10   HV(I, J) = SQ(DBLE(I - J))
      RU = HU
      RV = HV
      CALL PUT(HU, HV, NX, NY)
      DO 40 K = 1, 3
        GOTO (20, 30, 20), K
   20   CALL STEP1(NX, NY)
        GOTO 40
   30   CALL STEP2(NX, NY, *50)
        GOTO 40
   50   CUF_STATUS = CUF_STATUS + 10
   40 CONTINUE
      CALL GET(HU, HV, NX, NY)
C     the same by the host
      DO 90 K = 1, 3
      IF (K .EQ. 2) THEN
        DO 60 J = 1, NY
        DO 60 I = 1, NX
   60     RV(I, J) = RV(I, J) - BETA*RU(NX + 1 - I, J)
      ELSE
        DO 70 J = 2, NY - 1
        DO 70 I = 2, NX - 1
   70     HU(I, J) = HU(I, J) + 0
        CALL HOST1(RU, RV, NX, NY)
      END IF
   90 CONTINUE
      NBAD = 0
      DO 100 J = 1, NY
      DO 100 I = 1, NX
        IF (ABS(HU(I, J) - RU(I, J)) .GT. 1D-9) NBAD = NBAD + 1
        IF (ABS(HV(I, J) - RV(I, J)) .GT. 1D-9) NBAD = NBAD + 1
  100 CONTINUE
      IF (CUF_AT .NE. 3 .OR. CUF_STATUS .NE. 14 .OR. LAUNCH .NE. 5)
     &  NBAD = NBAD + 1000
      ISTAT = CUDAGETLASTERROR()
      IF (NBAD .NE. 0 .OR. ISTAT .NE. 0) THEN
        PRINT *, 'FAIL old_model', NBAD, ISTAT
        STOP 1
      END IF
      PRINT *, 'PASS old_model'
      END

      SUBROUTINE HOST1(RU, RV, M, N)
      IMPLICIT REAL*8 (A-H, O-Z)
      INCLUDE 'params.inc'
      DIMENSION RU(M, N), RV(M, N), T(NX, NY)
      DO 10 J = 2, N - 1
      DO 10 I = 2, M - 1
   10   T(I, J) = RU(I, J) + ALPHA*(RV(I-1, J) + RV(I+1, J)
     &    + RV(I, J-1) + RV(I, J+1) - 4*RV(I, J))
      DO 20 J = 2, N - 1
      DO 20 I = 2, M - 1
   20   RU(I, J) = T(I, J)
      END

      SUBROUTINE STEP1(M, N)
      USE STATE
      USE KERNS
      INCLUDE 'params.inc'
      TYPE(DIM3) G, B
      B = DIM3(8, 4, 1)
      G = DIM3((M + 7)/8, (N + 3)/4, 1)
      CALL LAPL<<<G, B>>>(UU_D, V_D, M, N, ALPHA)
      RETURN
      ENTRY STEP2(M, N, *)
C$CUF KERNEL DO(2) <<<*, (8,4)>>>
      DO 10 J = 1, N
        DO 10 I = 1, M
   10     V_D(I, J) = V_D(I, J) - BETA*UU_D(M + 1 - I, J)
      RETURN 1
      END
