! Several OpenMP threads use the runtime at once, each with a default stream of its own.
program threads
  use cudafor
  use cuf_runtime
  implicit none
  integer :: wrong, t
  wrong = 0
  !$omp parallel do reduction(+:wrong) num_threads(4)
  do t = 1, 8
    call work(t, wrong)
  end do
  if (wrong > 0) error stop 1
  print '(a)', 'PASS threads'
contains
  subroutine work(t, wrong)
    integer, intent(in) :: t
    integer, intent(inout) :: wrong
    integer, pointer :: a(:), b(:)
    integer(cuda_stream_kind) :: s
    integer :: h(1000), i, round, istat
    istat = cudaStreamCreate(s)
    istat = cudaforSetDefaultStream(s)
    if (cudaforGetDefaultStream() /= s) wrong = wrong + 1
    do round = 1, 50
      nullify(a, b)
      call cuf_allocate(a, [1000])
      call cuf_allocate(b, [500])
      h = [(i*t, i = 1, 1000)]
      call cuf_h2d(a, h)
      call cuf_d2d(b, a(1000:1:-2))
      wrong = wrong + count(cuf_host(b) /= h(1000:1:-2))
      call cuf_release(a)
      call cuf_release(b)
    end do
    istat = cudaforSetDefaultStream(0_8)
    istat = cudaStreamDestroy(s)
  end subroutine work
end program threads
