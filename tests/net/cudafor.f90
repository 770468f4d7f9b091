module cudafor
  integer, parameter :: cuda_stream_kind = 8
end module
