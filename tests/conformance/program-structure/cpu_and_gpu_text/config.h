/* one text for both: don't edit */
#ifndef DP
#define DP 8
#endif
#define ten 10
#ifdef USE_GPU
#define DEVSUB attributes(global) subroutine
#define LOOP_OVER(i, n) i = threadIdx%x + (blockIdx%x - 1)*blockDim%x; if (i <= n) then
#define END_LOOP endif
#define RUN(k, n) CALL k<<<(n + 31)/32, 32>>>
#else
#define DEVSUB subroutine
#define LOOP_OVER(i, n) do i = 1, n
#define END_LOOP enddo
#define RUN(k, n) CALL k
#endif
