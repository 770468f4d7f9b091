      MODULE STATE
      USE CUDAFOR
      IMPLICIT NONE
      REAL*8, DEVICE, ALLOCATABLE, DIMENSION(:, :) :: UU_D, V_D
      PRIVATE STORE
      CONTAINS
      SUBROUTINE STORE(A, B, M, N, IN)
      INTEGER M, N
      LOGICAL IN
      REAL*8 A(M, N), B(M, N)
      IF (IN) THEN
        IF (.NOT. ALLOCATED(UU_D)) ALLOCATE(UU_D(M, N), V_D(M, N))
        UU_D = A
        V_D = B
      ELSE
        A = UU_D
        B = V_D
        DEALLOCATE(UU_D, V_D)
      ENDIF
      END SUBROUTINE
      SUBROUTINE PUT(A, B, M, N)
      INTEGER M, N
      REAL*8 A(M, N), B(M, N)
      CALL STORE(A, B, M, N, .TRUE.)
      END SUBROUTINE
      SUBROUTINE GET(A, B, M, N)
      INTEGER M, N
      REAL*8 A(M, N), B(M, N)
      CALL STORE(A, B, M, N, .FALSE.)
      END SUBROUTINE
      END MODULE
