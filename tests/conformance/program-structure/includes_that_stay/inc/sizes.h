#define N 13
