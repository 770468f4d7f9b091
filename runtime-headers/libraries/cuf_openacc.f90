  use iso_c_binding, only: c_intptr_t
  !> An object that the Fortran compiler gives no C descriptor of, for any of the procedures below.
  type, bind(C) :: cuf_acc_range
    integer(c_int64_t) :: mark(2) = 0
    integer(c_intptr_t) :: address = 0
    integer(c_int64_t) :: bytes = 0
  end type cuf_acc_range

  interface
    ! Structured data: the beginning of a region, and below its end.
    subroutine cuf_acc_copy(a, at, async) bind(C, name='cuf_rt_acc_copy')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_copy
    ! Static data, which is present until the program ends.
    subroutine cuf_acc_declare_create(a, at) bind(C, name='cuf_rt_acc_declare_create')
      import
      type(*), dimension(..), target :: a
      type(*), dimension(..), intent(in) :: at
    end subroutine cuf_acc_declare_create
    subroutine cuf_acc_declare_copyin(a, at) bind(C, name='cuf_rt_acc_declare_copyin')
      import
      type(*), dimension(..), target :: a
      type(*), dimension(..), intent(in) :: at
    end subroutine cuf_acc_declare_copyin
    ! Declared allocatables: after what may allocate them, and before they are deallocated under another name.
    subroutine cuf_acc_declare_follow(a, name, at) bind(C, name='cuf_rt_acc_declare_follow')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: name, at
    end subroutine cuf_acc_declare_follow
    subroutine cuf_acc_declare_followed() bind(C, name='cuf_rt_acc_declare_followed')
    end subroutine cuf_acc_declare_followed
    subroutine cuf_acc_declare_release(a) bind(C, name='cuf_rt_acc_declare_release')
      import
      type(*), dimension(..), target, optional :: a
    end subroutine cuf_acc_declare_release
    subroutine cuf_acc_copyin(a, at, async) bind(C, name='cuf_rt_acc_copyin')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_copyin
    subroutine cuf_acc_copyout(a, at, async) bind(C, name='cuf_rt_acc_copyout')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_copyout
    subroutine cuf_acc_copyout_zero(a, at, async) bind(C, name='cuf_rt_acc_copyout_zero')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_copyout_zero
    subroutine cuf_acc_create(a, at, async) bind(C, name='cuf_rt_acc_create')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_create
    subroutine cuf_acc_create_zero(a, at, async) bind(C, name='cuf_rt_acc_create_zero')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_create_zero
    subroutine cuf_acc_present(a, at, async) bind(C, name='cuf_rt_acc_present')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_present
    ! The part of an array that a compute construct uses, which is present.
    subroutine cuf_acc_part(a, at) bind(C, name='cuf_rt_acc_part')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
    end subroutine cuf_acc_part
    subroutine cuf_acc_end_part(a, at) bind(C, name='cuf_rt_acc_end_part')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
    end subroutine cuf_acc_end_part
    subroutine cuf_acc_no_create(a, at, async) bind(C, name='cuf_rt_acc_no_create')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_no_create
    subroutine cuf_acc_end_copy(a, at, async) bind(C, name='cuf_rt_acc_end_copy')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_end_copy
    subroutine cuf_acc_end_copyin(a, at, async) bind(C, name='cuf_rt_acc_end_copyin')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_end_copyin
    subroutine cuf_acc_end_copyout(a, at, async) bind(C, name='cuf_rt_acc_end_copyout')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_end_copyout
    subroutine cuf_acc_end_create(a, at, async) bind(C, name='cuf_rt_acc_end_create')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_end_create
    subroutine cuf_acc_end_present(a, at, async) bind(C, name='cuf_rt_acc_end_present')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_end_present
    subroutine cuf_acc_end_no_create(a, at, async) bind(C, name='cuf_rt_acc_end_no_create')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_end_no_create
    ! Data that stays until it is left.
    subroutine cuf_acc_enter_copyin(a, at, async) bind(C, name='cuf_rt_acc_enter_copyin')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_enter_copyin
    subroutine cuf_acc_enter_create(a, at, async) bind(C, name='cuf_rt_acc_enter_create')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_enter_create
    subroutine cuf_acc_enter_create_zero(a, at, async) bind(C, name='cuf_rt_acc_enter_create_zero')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_enter_create_zero
    subroutine cuf_acc_exit_copyout(a, at, async, finalize) bind(C, name='cuf_rt_acc_exit_copyout')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
      type(*), dimension(..), intent(in), optional :: finalize
    end subroutine cuf_acc_exit_copyout
    subroutine cuf_acc_exit_delete(a, at, async, finalize) bind(C, name='cuf_rt_acc_exit_delete')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
      type(*), dimension(..), intent(in), optional :: finalize
    end subroutine cuf_acc_exit_delete
    ! The data `a` of a component of `parent`: its address in the device's copy of `parent`.
    subroutine cuf_acc_attach(parent, a, at, async) bind(C, name='cuf_rt_acc_attach')
      import
      type(*), dimension(..), target, optional :: parent
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_attach
    subroutine cuf_acc_detach(parent, a, at, finalize, async) bind(C, name='cuf_rt_acc_detach')
      import
      type(*), dimension(..), target, optional :: parent
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: finalize
      type(*), dimension(..), intent(in), optional :: async
    end subroutine cuf_acc_detach
    ! Elements of data that is present; a section need not be contiguous.
    subroutine cuf_acc_update_self(a, at, async, if_present) bind(C, name='cuf_rt_acc_update_self')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
      type(*), dimension(..), intent(in), optional :: if_present
    end subroutine cuf_acc_update_self
    subroutine cuf_acc_update_device(a, at, async, if_present) bind(C, name='cuf_rt_acc_update_device')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: async
      type(*), dimension(..), intent(in), optional :: if_present
    end subroutine cuf_acc_update_device
    subroutine cuf_acc_wait(queue) bind(C, name='cuf_rt_acc_wait')
      import
      type(*), dimension(..), intent(in) :: queue
    end subroutine cuf_acc_wait
    subroutine cuf_acc_wait_all() bind(C, name='cuf_rt_acc_wait_all')
      import
    end subroutine cuf_acc_wait_all
    subroutine cuf_acc_wait_async(queue, async) bind(C, name='cuf_rt_acc_wait_async')
      import
      type(*), dimension(..), intent(in) :: queue
      type(*), dimension(..), intent(in) :: async
    end subroutine cuf_acc_wait_async
    subroutine cuf_acc_wait_all_async(async) bind(C, name='cuf_rt_acc_wait_all_async')
      import
      type(*), dimension(..), intent(in) :: async
    end subroutine cuf_acc_wait_all_async
    ! The stream of a queue.
    ! An integer where it is now: on the device, if it is present there.
    function cuf_acc_integer(a, async) bind(C, name='cuf_rt_acc_integer') result(value)
      import
      type(*), dimension(..), target :: a
      type(*), dimension(..), intent(in), optional :: async
      integer(c_int64_t) :: value
    end function cuf_acc_integer
    function cuf_acc_stream(async) bind(C, name='cuf_rt_acc_stream')
      import
      type(*), dimension(..), intent(in), optional :: async
      integer(c_int64_t) :: cuf_acc_stream
    end function cuf_acc_stream
    ! The device's address of the first element.
    function cuf_acc_device(a, at, if_present, when) bind(C, name='cuf_rt_acc_device')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), intent(in) :: at
      type(*), dimension(..), intent(in), optional :: if_present, when
      type(c_ptr) :: cuf_acc_device
    end function cuf_acc_device
    ! A variable of a module and its twin on the device.
    subroutine cuf_acc_declare(a, device) bind(C, name='cuf_rt_acc_declare')
      import
      type(*), dimension(..), target, optional :: a
      type(*), dimension(..), device, intent(in) :: device
    end subroutine cuf_acc_declare
    subroutine cuf_acc_undeclare(a) bind(C, name='cuf_rt_acc_undeclare')
      import
      type(*), dimension(..), target, optional :: a
    end subroutine cuf_acc_undeclare
  end interface

  private :: cuf_acc_range_of

contains

  function cuf_acc_range_of(address, bytes) result(range)
    integer(c_intptr_t), intent(in) :: address
    integer(c_int64_t), intent(in) :: bytes
    type(cuf_acc_range) :: range
    range%mark = [int(z'6375665F6163635F', c_int64_t), int(z'72616E67655F6F66', c_int64_t)]
    range%address = address
    range%bytes = bytes
  end function cuf_acc_range_of

  !> A polymorphic object as a whole.
  function cuf_acc_object(a) result(range)
    class(*), intent(in), optional, target :: a
    type(cuf_acc_range) :: range
    range = cuf_acc_range_of(0_c_intptr_t, 0_c_int64_t)
    if (present(a)) range = cuf_acc_range_of(int(loc(a), c_intptr_t), int(storage_size(a)/8, c_int64_t))
  end function cuf_acc_object

  !> A polymorphic array as a whole.
  function cuf_acc_objects(a) result(range)
    class(*), intent(in), optional, contiguous, target :: a(:)
    type(cuf_acc_range) :: range
    range = cuf_acc_range_of(0_c_intptr_t, 0_c_int64_t)
    if (.not. present(a)) return
    if (size(a) > 0) range = cuf_acc_range_of(int(loc(a), c_intptr_t), int(storage_size(a)/8, c_int64_t)*size(a))
  end function cuf_acc_objects
