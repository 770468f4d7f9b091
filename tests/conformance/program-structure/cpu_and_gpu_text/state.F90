#include "config.h"
MODULE state
#if defined(USE_GPU)
  USE cudafor
#endif
  IMPLICIT NONE
  REAL(DP), ALLOCATABLE :: rho(:), vel(:,:)
  INTEGER, ALLOCATABLE :: idx(:)
#if defined(USE_GPU)
  ATTRIBUTES(DEVICE) :: rho, vel
#  if defined(USE_MANAGED)
  ATTRIBUTES(MANAGED) :: idx
#  else
  ATTRIBUTES(DEVICE) :: idx
#  endif
#endif
  TYPE grid_t
    INTEGER :: n = 0
    REAL(DP), ALLOCATABLE &
#if defined(USE_GPU)
      , DEVICE &
#endif
      :: w(:)
  END TYPE
  INTERFACE norm
    MODULE PROCEDURE norm_host
#if defined(USE_GPU)
    MODULE PROCEDURE norm_dev
#endif
  END INTERFACE
CONTAINS
  REAL(DP) FUNCTION norm_host(x)
    REAL(DP), INTENT(IN) :: x(:)
    norm_host = SUM(x**2)
  END FUNCTION
#if defined(USE_GPU)
  REAL(DP) FUNCTION norm_dev(x)
    REAL(DP), INTENT(IN), DEVICE :: x(:)
    INTEGER :: i
    norm_dev = 0
    !$cuf kernel do(1) <<<*, *>>>
    DO i = 1, SIZE(x)
      norm_dev = norm_dev + x(i)**2
    END DO
  END FUNCTION
#endif
  SUBROUTINE setup(n, g)
    INTEGER, INTENT(IN) :: n
    TYPE(grid_t), INTENT(OUT) :: g
    INTEGER :: i, j
    ALLOCATE(rho(n), vel(3,n), idx(n), g%w(n))
    g%n = n
!$cuf kernel do <<<*,*>>>
    DO i = 1, n
      rho(i) = i
      idx(i) = n + 1 - i
    END DO
!$cuf kernel do(2) <<<*,*>>>
    DO j = 1, n
      DO i = 1, 3
        vel(i,j) = i + ten*j
      END DO
    END DO
    g%w = rho
  END SUBROUTINE
  DEVSUB gather(y, n, i0)
    INTEGER, VALUE :: n, i0
    REAL(DP) :: y(n)
    INTEGER :: i
    LOOP_OVER(i, n)
      y(i) = rho(idx(i)) + vel(i0, i)
    END_LOOP
  END SUBROUTINE
END MODULE
