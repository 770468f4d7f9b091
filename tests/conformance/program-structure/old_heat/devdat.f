c     device data of the solver: one module, the only new thing in it
      module devdat
      implicit real*8 (a-h,o-z)
      include 'heatcm.inc'
      real*8, device, allocatable :: u(:), unew(:)
      real*8, device :: q(nmax)
      integer, device :: ichg
      end module devdat
