! conformance: program-structure/fixed_blanks
! features: fixed-form, blanks-inside-words, words-without-blanks
! spec: Fortran 2018 6.3.3.1; guide 2.14
! needs: none
! expect: pass
      MODULE STE PS
      IM PLICIT NONE
      CON TAINS
      ATTRIBUTES(GLOBAL) SUB ROUTINE ADD ONE(V, N)
      INTEGER, VALUE :: N
      INTEGER :: V(N), I
      I = (BLOCKIDX%X - 1)*BLOCKDIM%X + THREADIDX%X
      IF (I .L E. N) V(I) = V(I) + 1 0
      END SUB ROUTINE
      END MODULE

      PROGRAM FIXED BLANKS
      USESTEPS
      IMPLICIT NONE
      INTEGER N
      PARAMETER (N = 4 0)
      INTEGER, DEVICE :: V D(N)
      INTEGER H(N), TO TAL, K
      CHAR ACTER*8 WORD
      DO10K=1,N
   10 H(K) = K
      VD = H
      CALL ADDONE<<<2, 32>>>(VD, N)
      H = VD
      TO TAL = 0
      DO 20 K = 1 , N
        TOTAL = TOTAL + H(K)
   20 CON TINUE
      WORD = 'a  b
     & c'
      IF (TOTAL .NE. 1220) GO  TO 30
      IF (WORD(1:4) .NE. 'a  b') GOTO30
      PRI NT '(A)', 'PASS fixed_blanks'
      STOP
   30 PRINT'(A,I0)', 'FAIL fixed_blanks: ', TOTAL
      ERROR STOP 1
      END
