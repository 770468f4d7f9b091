  use cudafor, only: c_devptr
  interface
    ! Devices.
    function acc_get_num_devices(dev_type) bind(C, name='cuf_rt_acc_get_num_devices')
      import
      integer(c_int), value :: dev_type
      integer(c_int) :: acc_get_num_devices
    end function acc_get_num_devices
    subroutine acc_set_device_type(dev_type) bind(C, name='cuf_rt_acc_set_device_type')
      import
      integer(c_int), value :: dev_type
    end subroutine acc_set_device_type
    function acc_get_device_type() bind(C, name='cuf_rt_acc_get_device_type')
      import
      integer(c_int) :: acc_get_device_type
    end function acc_get_device_type
    subroutine acc_set_device_num(dev_num, dev_type) bind(C, name='cuf_rt_acc_set_device_num')
      import
      integer(c_int), value :: dev_num
      integer(c_int), value :: dev_type
    end subroutine acc_set_device_num
    function acc_get_device_num(dev_type) bind(C, name='cuf_rt_acc_get_device_num')
      import
      integer(c_int), value :: dev_type
      integer(c_int) :: acc_get_device_num
    end function acc_get_device_num
    function acc_get_property(dev_num, dev_type, property) bind(C, name='cuf_rt_acc_get_property')
      import
      integer(c_int), value :: dev_num
      integer(c_int), value :: dev_type
      integer(c_int), value :: property
      integer(c_int64_t) :: acc_get_property
    end function acc_get_property
    subroutine acc_get_property_string(dev_num, dev_type, property, string) bind(C, name='cuf_rt_acc_get_property_string')
      import
      integer(c_int), value :: dev_num
      integer(c_int), value :: dev_type
      integer(c_int), value :: property
      type(*), dimension(..) :: string
    end subroutine acc_get_property_string
    subroutine acc_init(dev_type) bind(C, name='cuf_rt_acc_init')
      import
      integer(c_int), value :: dev_type
    end subroutine acc_init
    subroutine acc_init_device(dev_num, dev_type) bind(C, name='cuf_rt_acc_init_device')
      import
      integer(c_int), value :: dev_num
      integer(c_int), value :: dev_type
    end subroutine acc_init_device
    subroutine acc_shutdown(dev_type) bind(C, name='cuf_rt_acc_shutdown')
      import
      integer(c_int), value :: dev_type
    end subroutine acc_shutdown
    subroutine acc_shutdown_device(dev_num, dev_type) bind(C, name='cuf_rt_acc_shutdown_device')
      import
      integer(c_int), value :: dev_num
      integer(c_int), value :: dev_type
    end subroutine acc_shutdown_device
    function acc_on_device(dev_type) bind(C, name='cuf_rt_acc_on_device')
      import
      integer(c_int), value :: dev_type
      logical(4) :: acc_on_device
    end function acc_on_device
    ! Queues.
    subroutine acc_wait(wait_arg) bind(C, name='cuf_rt_acc_wait')
      import
      type(*), dimension(..), intent(in) :: wait_arg
    end subroutine acc_wait
    subroutine acc_async_wait(wait_arg) bind(C, name='cuf_rt_acc_wait')
      import
      type(*), dimension(..), intent(in) :: wait_arg
    end subroutine acc_async_wait
    subroutine acc_wait_all() bind(C, name='cuf_rt_acc_wait_all')
      import
    end subroutine acc_wait_all
    subroutine acc_async_wait_all() bind(C, name='cuf_rt_acc_wait_all')
      import
    end subroutine acc_async_wait_all
    subroutine acc_wait_async(wait_arg, async_arg) bind(C, name='cuf_rt_acc_wait_async')
      import
      type(*), dimension(..), intent(in) :: wait_arg
      type(*), dimension(..), intent(in) :: async_arg
    end subroutine acc_wait_async
    subroutine acc_wait_all_async(async_arg) bind(C, name='cuf_rt_acc_wait_all_async')
      import
      type(*), dimension(..), intent(in) :: async_arg
    end subroutine acc_wait_all_async
    subroutine acc_wait_device(wait_arg, dev_num) bind(C, name='cuf_rt_acc_wait_device')
      import
      type(*), dimension(..), intent(in) :: wait_arg
      integer(c_int), value :: dev_num
    end subroutine acc_wait_device
    subroutine acc_wait_all_device(dev_num) bind(C, name='cuf_rt_acc_wait_all_device')
      import
      integer(c_int), value :: dev_num
    end subroutine acc_wait_all_device
    function acc_async_test(wait_arg) bind(C, name='cuf_rt_acc_async_test')
      import
      type(*), dimension(..), intent(in) :: wait_arg
      logical(4) :: acc_async_test
    end function acc_async_test
    function acc_async_test_all() bind(C, name='cuf_rt_acc_async_test_all')
      import
      logical(4) :: acc_async_test_all
    end function acc_async_test_all
    function acc_async_test_device(wait_arg, dev_num) bind(C, name='cuf_rt_acc_async_test_device')
      import
      type(*), dimension(..), intent(in) :: wait_arg
      integer(c_int), value :: dev_num
      logical(4) :: acc_async_test_device
    end function acc_async_test_device
    function acc_async_test_all_device(dev_num) bind(C, name='cuf_rt_acc_async_test_all_device')
      import
      integer(c_int), value :: dev_num
      logical(4) :: acc_async_test_all_device
    end function acc_async_test_all_device
    subroutine acc_set_default_async(async_arg) bind(C, name='cuf_rt_acc_set_default_async')
      import
      type(*), dimension(..), intent(in) :: async_arg
    end subroutine acc_set_default_async
    function acc_get_default_async() bind(C, name='cuf_rt_acc_get_default_async')
      import
      integer(c_int) :: acc_get_default_async
    end function acc_get_default_async
    function acc_get_cuda_stream(async_arg) bind(C, name='cuf_rt_acc_stream')
      import
      type(*), dimension(..), intent(in) :: async_arg
      integer(c_int64_t) :: acc_get_cuda_stream
    end function acc_get_cuda_stream
    subroutine acc_set_cuda_stream(async_arg, stream) bind(C, name='cuf_rt_acc_set_cuda_stream')
      import
      type(*), dimension(..), intent(in) :: async_arg
      type(*), dimension(..), intent(in) :: stream
    end subroutine acc_set_cuda_stream
    ! Data: `bytes` from the first element on, or all of it. Without `bytes` the second argument of `_async` is the queue.
    subroutine acc_copyin(data_arg, bytes) bind(C, name='cuf_rt_accapi_copyin')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_copyin
    subroutine acc_copyin_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_copyin_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_copyin_async
    subroutine acc_present_or_copyin(data_arg, bytes) bind(C, name='cuf_rt_accapi_copyin')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_present_or_copyin
    subroutine acc_pcopyin(data_arg, bytes) bind(C, name='cuf_rt_accapi_copyin')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_pcopyin
    subroutine acc_create(data_arg, bytes) bind(C, name='cuf_rt_accapi_create')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_create
    subroutine acc_create_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_create_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_create_async
    subroutine acc_present_or_create(data_arg, bytes) bind(C, name='cuf_rt_accapi_create')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_present_or_create
    subroutine acc_pcreate(data_arg, bytes) bind(C, name='cuf_rt_accapi_create')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_pcreate
    subroutine acc_copyout(data_arg, bytes) bind(C, name='cuf_rt_accapi_copyout')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_copyout
    subroutine acc_copyout_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_copyout_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_copyout_async
    subroutine acc_delete(data_arg, bytes) bind(C, name='cuf_rt_accapi_delete')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_delete
    subroutine acc_delete_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_delete_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_delete_async
    subroutine acc_update_device(data_arg, bytes) bind(C, name='cuf_rt_accapi_update_device')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_update_device
    subroutine acc_update_device_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_update_device_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_update_device_async
    subroutine acc_update_self(data_arg, bytes) bind(C, name='cuf_rt_accapi_update_self')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_update_self
    subroutine acc_update_self_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_update_self_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_update_self_async
    subroutine acc_update_host(data_arg, bytes) bind(C, name='cuf_rt_accapi_update_self')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_update_host
    subroutine acc_update_host_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_update_self_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_update_host_async
    subroutine acc_copyout_finalize(data_arg, bytes) bind(C, name='cuf_rt_accapi_copyout_finalize')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_copyout_finalize
    subroutine acc_copyout_finalize_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_copyout_finalize_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_copyout_finalize_async
    subroutine acc_delete_finalize(data_arg, bytes) bind(C, name='cuf_rt_accapi_delete_finalize')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
    end subroutine acc_delete_finalize
    subroutine acc_delete_finalize_async(data_arg, bytes, async_arg) bind(C, name='cuf_rt_accapi_delete_finalize_async')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      type(*), dimension(..), intent(in), optional :: async_arg
    end subroutine acc_delete_finalize_async
    function acc_is_present(data_arg, bytes) bind(C, name='cuf_rt_acc_is_present')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(*), dimension(..), intent(in), optional :: bytes
      logical(4) :: acc_is_present
    end function acc_is_present
    subroutine acc_attach(ptr_addr) bind(C, name='cuf_rt_accapi_attach')
      import
      type(*), dimension(..), target, optional :: ptr_addr
    end subroutine acc_attach
    subroutine acc_attach_async(ptr_addr, async_arg) bind(C, name='cuf_rt_accapi_attach_async')
      import
      type(*), dimension(..), target, optional :: ptr_addr
      type(*), dimension(..), intent(in) :: async_arg
    end subroutine acc_attach_async
    subroutine acc_detach(ptr_addr) bind(C, name='cuf_rt_accapi_detach')
      import
      type(*), dimension(..), target, optional :: ptr_addr
    end subroutine acc_detach
    subroutine acc_detach_async(ptr_addr, async_arg) bind(C, name='cuf_rt_accapi_detach_async')
      import
      type(*), dimension(..), target, optional :: ptr_addr
      type(*), dimension(..), intent(in) :: async_arg
    end subroutine acc_detach_async
    subroutine acc_detach_finalize(ptr_addr) bind(C, name='cuf_rt_accapi_detach_finalize')
      import
      type(*), dimension(..), target, optional :: ptr_addr
    end subroutine acc_detach_finalize
    subroutine acc_detach_finalize_async(ptr_addr, async_arg) bind(C, name='cuf_rt_accapi_detach_finalize_async')
      import
      type(*), dimension(..), target, optional :: ptr_addr
      type(*), dimension(..), intent(in) :: async_arg
    end subroutine acc_detach_finalize_async
    ! Addresses.
    function acc_deviceptr(data_arg) bind(C, name='cuf_rt_acc_deviceptr')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(c_devptr) :: acc_deviceptr
    end function acc_deviceptr
    function acc_hostptr(data_dev) bind(C, name='cuf_rt_acc_hostptr')
      import
      type(c_devptr), value :: data_dev
      !dir$ ignore_tkr (t) data_dev
      type(c_ptr) :: acc_hostptr
    end function acc_hostptr
    function acc_malloc(bytes) bind(C, name='cuf_rt_acc_malloc')
      import
      type(*), dimension(..), intent(in) :: bytes
      type(c_devptr) :: acc_malloc
    end function acc_malloc
    subroutine acc_free(data_dev) bind(C, name='cuf_rt_acc_free')
      import
      type(c_devptr), value :: data_dev
      !dir$ ignore_tkr (t) data_dev
    end subroutine acc_free
    subroutine acc_map_data(data_arg, data_dev, bytes) bind(C, name='cuf_rt_acc_map_data')
      import
      type(*), dimension(..), target, optional :: data_arg
      type(c_devptr), value :: data_dev
      type(*), dimension(..), intent(in), optional :: bytes
      !dir$ ignore_tkr (t) data_dev
    end subroutine acc_map_data
    subroutine acc_unmap_data(data_arg) bind(C, name='cuf_rt_acc_unmap_data')
      import
      type(*), dimension(..), target, optional :: data_arg
    end subroutine acc_unmap_data
    subroutine acc_memcpy_to_device(data_dev_dest, data_host_src, bytes) bind(C, name='cuf_rt_acc_memcpy_to_device')
      import
      type(c_devptr), value :: data_dev_dest
      type(*), dimension(..), target :: data_host_src
      type(*), dimension(..), intent(in) :: bytes
      !dir$ ignore_tkr (t) data_dev_dest
    end subroutine acc_memcpy_to_device
    subroutine acc_memcpy_from_device(data_host_dest, data_dev_src, bytes) bind(C, name='cuf_rt_acc_memcpy_from_device')
      import
      type(*), dimension(..), target :: data_host_dest
      type(c_devptr), value :: data_dev_src
      type(*), dimension(..), intent(in) :: bytes
      !dir$ ignore_tkr (t) data_dev_src
    end subroutine acc_memcpy_from_device
    subroutine acc_memcpy_device(data_dev_dest, data_dev_src, bytes) bind(C, name='cuf_rt_acc_memcpy_device')
      import
      type(c_devptr), value :: data_dev_dest
      type(c_devptr), value :: data_dev_src
      type(*), dimension(..), intent(in) :: bytes
      !dir$ ignore_tkr (t) data_dev_dest, (t) data_dev_src
    end subroutine acc_memcpy_device
    subroutine acc_memcpy_to_device_async(data_dev_dest, data_host_src, bytes, async_arg) bind(C, name='cuf_rt_acc_memcpy_to_device_async')
      import
      type(c_devptr), value :: data_dev_dest
      type(*), dimension(..), target :: data_host_src
      type(*), dimension(..), intent(in) :: bytes
      type(*), dimension(..), intent(in) :: async_arg
      !dir$ ignore_tkr (t) data_dev_dest
    end subroutine acc_memcpy_to_device_async
    subroutine acc_memcpy_from_device_async(data_host_dest, data_dev_src, bytes, async_arg) bind(C, name='cuf_rt_acc_memcpy_from_device_async')
      import
      type(*), dimension(..), target :: data_host_dest
      type(c_devptr), value :: data_dev_src
      type(*), dimension(..), intent(in) :: bytes
      type(*), dimension(..), intent(in) :: async_arg
      !dir$ ignore_tkr (t) data_dev_src
    end subroutine acc_memcpy_from_device_async
    subroutine acc_memcpy_device_async(data_dev_dest, data_dev_src, bytes, async_arg) bind(C, name='cuf_rt_acc_memcpy_device_async')
      import
      type(c_devptr), value :: data_dev_dest
      type(c_devptr), value :: data_dev_src
      type(*), dimension(..), intent(in) :: bytes
      type(*), dimension(..), intent(in) :: async_arg
      !dir$ ignore_tkr (t) data_dev_dest, (t) data_dev_src
    end subroutine acc_memcpy_device_async
  end interface
