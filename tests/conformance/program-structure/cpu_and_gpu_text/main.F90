! conformance: program-structure/cpu_and_gpu_text
! features: one text with and without -DUSE_GPU: ATTRIBUTES statements, generic names by memory, components, loops and kernels under macros of a header
! spec: guide 2.13, 3.2.3; cpp -traditional-cpp
! needs: none
! flags: -D USE_GPU -D USE_MANAGED -D DP=4
! expect: pass
! files: state.F90 main.F90
#include "config.h"
#define NAME "cpu_and_gpu_text"
PROGRAM cpu_and_gpu_text
  USE state
  IMPLICIT NONE
  TYPE(grid_t) :: g
  REAL(DP), ALLOCATABLE :: y(:)
  REAL(DP) :: h(77), s, e
  INTEGER :: k(77), i
#if defined(USE_GPU)
  ATTRIBUTES(DEVICE) :: y
#endif
  CALL setup(77, g)
  ALLOCATE(y(77))
  RUN(gather, 77)(y, 77, 2)
  h = y; k = idx
  DO i = 1, 77
    IF (h(i) /= 78 - i + 2 + 10*i .OR. k(i) /= 78 - i) THEN
      PRINT *, 'FAIL ', NAME, i, h(i), k(i); ERROR STOP 1
    END IF
  END DO
  s = norm(y); e = norm(h)
  IF (ABS(s - e) > 1e-5*e) THEN
    PRINT *, 'FAIL ', NAME, ' norm', s, e; ERROR STOP 1
  END IF
  h = g%w
  IF (SUM(h) /= 77*78/2 .OR. KIND(s) /= DP) THEN
    PRINT *, 'FAIL ', NAME, ' w', SUM(h); ERROR STOP 1
  END IF
  PRINT '(2A)', 'PASS ', NAME
END PROGRAM
