! A matrix product and a transform on the GPU from standard Fortran: no kernel, no CUDA Fortran. See docs/libraries.md.
program libraries_from_gfortran
  use, intrinsic :: iso_c_binding, only: c_f_pointer
  use cudafor
  use cublas
  use cufft
  implicit none
  integer, parameter :: n = 64
  real(8) :: a(n,n), b(n,n), c(n,n)
  complex(8) :: z(n), back(n)
  ! Pointers whose targets lie on the device: to pass, not to look into.
  real(8), pointer :: a_d(:,:), b_d(:,:), c_d(:,:)
  complex(8), pointer :: z_d(:)
  type(c_devptr) :: place
  type(cublasHandle) :: handle
  integer :: status, plan, i
  call random_number(a)
  call random_number(b)
  z = [(cmplx(i, -i, 8), i = 1, n)]
  status = cudaMalloc(place, 8*n*n); call c_f_pointer(place, a_d, [n, n])
  status = cudaMalloc(place, 8*n*n); call c_f_pointer(place, b_d, [n, n])
  status = cudaMalloc(place, 8*n*n); call c_f_pointer(place, c_d, [n, n])
  status = cudaMalloc(place, 16*n); call c_f_pointer(place, z_d, [n])
  status = cudaMemcpy(a_d, a, n*n)
  status = cudaMemcpy(b_d, b, n*n)
  status = cudaMemcpy(z_d, z, n)

  status = cublasCreate(handle)
  status = cublasDgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, 1d0, a_d, n, b_d, n, 0d0, c_d, n)
  if (status /= CUBLAS_STATUS_SUCCESS) error stop 'cublasDgemm'
  status = cudaMemcpy(c, c_d, n*n)
  if (maxval(abs(c - matmul(a, b))) > 1d-12) error stop 'the product is wrong'

  status = cufftPlan1d(plan, n, CUFFT_Z2Z, 1)
  status = cufftExecZ2Z(plan, z_d, z_d, CUFFT_FORWARD)
  status = cufftExecZ2Z(plan, z_d, z_d, CUFFT_INVERSE)
  if (status /= CUFFT_SUCCESS) error stop 'cufftExecZ2Z'
  status = cudaMemcpy(back, z_d, n)
  if (maxval(abs(back/n - z)) > 1d-12) error stop 'the transform is wrong'
  print '(a)', 'PASS libraries_from_gfortran'
end program libraries_from_gfortran
