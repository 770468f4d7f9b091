  real, device :: table(N)
