!mod$ v1 sum:91de8c36c8714e1f
!need$ 8f3c0cd7c2f4184a i __cuda_builtins
!need$ b3394a34bdb8f77e i cudadevice
module m
contains
attributes(global) subroutine k(a,n)
real(4)::a(1_8:*)
attributes(device) a
integer(4),value::n
end
end
