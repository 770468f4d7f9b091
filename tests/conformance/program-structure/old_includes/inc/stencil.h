#define LAP(f,i,j) (f(i-1,j) + f(i+1,j) + f(i,j-1) + f(i,j+1) - 4*f(i,j))
#define LOOP2(i,j,n,m) do j = 2, m - 1; do i = 2, n - 1
#define END_LOOP2 end do; end do
#define CAT(a,b) a/**/b
#define STR "a,b(c"
#define ATTR(x) attributes(x)
#define N_OF(f) size(f, 1)
#define Q(x) 'x'
