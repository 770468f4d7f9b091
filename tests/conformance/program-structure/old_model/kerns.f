      MODULE KERNS
      CONTAINS
      ATTRIBUTES(GLOBAL) SUBROUTINE LAPL(U, V, M, N, A)
      IMPLICIT REAL*8 (A-H, O-Z)
      INTEGER, VALUE :: M, N
      REAL*8, VALUE :: A
      DIMENSION U(M, N), V(M, N)
      I = (BLOCKIDX%X - 1)*BLOCKDIM%X + THREADIDX%X
      J = (BLOCKIDX%Y - 1)*BLOCKDIM%Y + THREADIDX%Y
      IF (I .LT. 2 .OR. I .GT. M - 1) GOTO 99
      IF (J .LT. 2 .OR. J .GT. N - 1) GO TO 99
      U(I, J) = U(I, J) + A*(V(I-1, J) + V(I+1, J)
     1  + V(I, J-1) + V(I, J+1)
     2  - 4*V(I, J))
   99 END
      END MODULE
