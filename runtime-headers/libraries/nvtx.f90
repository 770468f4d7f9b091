  use iso_c_binding, only: c_int16_t, c_char, c_null_char, c_null_ptr
  integer(c_int), parameter, private :: cuf_text_bytes = 256
  ! Colours (ARGB) that the optional number of nvtxStartRange chooses from.
  integer(c_int), parameter, private :: cuf_colors(0:6) = (/65280, 255, 16776960, 16711935, 65535, 16711680, 16777215/)

  !> What is shown with a range or a mark. Without `message` it is the text.
  type, bind(C) :: nvtxEventAttributes
    integer(c_int16_t) :: version = 3_c_int16_t, size = 48_c_int16_t
    integer(c_int) :: category = 0
    integer(c_int) :: colorType = 1
    integer(c_int) :: color = 0
    integer(c_int) :: payloadType = 0
    integer(c_int) :: reserved0 = 0
    integer(c_int64_t) :: payload = 0
    integer(c_int) :: messageType = 1
    type(c_ptr) :: message = c_null_ptr
    character(c_char) :: cuf_text(256) = c_null_char
  end type nvtxEventAttributes
  type, bind(C) :: nvtxRangeId
    integer(c_int64_t) :: id = 0
  end type nvtxRangeId

  interface
    subroutine nvtxInitialize() bind(C, name='cuf_nvtx_initialize')
    end subroutine nvtxInitialize
    function cuf_nvtx_domain_create(name) bind(C, name='cuf_nvtx_domain_create') result(domain)
      import :: c_char, nvtxDomainHandle
      character(c_char), intent(in) :: name(*)
      type(nvtxDomainHandle) :: domain
    end function cuf_nvtx_domain_create
    subroutine cuf_nvtx_domain_destroy(domain) bind(C, name='cuf_nvtx_domain_destroy')
      import :: nvtxDomainHandle
      type(nvtxDomainHandle), value :: domain
    end subroutine cuf_nvtx_domain_destroy
    function cuf_nvtx_register_string(domain, text) bind(C, name='cuf_nvtx_register_string') result(string)
      import :: c_char, nvtxDomainHandle, nvtxStringHandle
      type(nvtxDomainHandle), value :: domain
      character(c_char), intent(in) :: text(*)
      type(nvtxStringHandle) :: string
    end function cuf_nvtx_register_string
    subroutine cuf_nvtx_name_category(domain, category, name) bind(C, name='cuf_nvtx_name_category')
      import :: c_char, c_int, nvtxDomainHandle
      type(nvtxDomainHandle), value :: domain
      integer(c_int), value :: category
      character(c_char), intent(in) :: name(*)
    end subroutine cuf_nvtx_name_category
    subroutine cuf_nvtx_name_thread(thread, name) bind(C, name='cuf_nvtx_name_thread')
      import :: c_char, c_int
      integer(c_int), value :: thread
      character(c_char), intent(in) :: name(*)
    end subroutine cuf_nvtx_name_thread
    function cuf_nvtx_push(domain, event) bind(C, name='cuf_nvtx_push') result(level)
      import :: c_int, nvtxDomainHandle, nvtxEventAttributes
      type(nvtxDomainHandle), value :: domain
      type(nvtxEventAttributes), intent(in) :: event
      integer(c_int) :: level
    end function cuf_nvtx_push
    function cuf_nvtx_pop(domain) bind(C, name='cuf_nvtx_pop') result(level)
      import :: c_int, nvtxDomainHandle
      type(nvtxDomainHandle), value :: domain
      integer(c_int) :: level
    end function cuf_nvtx_pop
    function cuf_nvtx_start(domain, event) bind(C, name='cuf_nvtx_start') result(range)
      import :: nvtxDomainHandle, nvtxEventAttributes, nvtxRangeId
      type(nvtxDomainHandle), value :: domain
      type(nvtxEventAttributes), intent(in) :: event
      type(nvtxRangeId) :: range
    end function cuf_nvtx_start
    subroutine cuf_nvtx_end(domain, range) bind(C, name='cuf_nvtx_end')
      import :: nvtxDomainHandle, nvtxRangeId
      type(nvtxDomainHandle), value :: domain
      type(nvtxRangeId), value :: range
    end subroutine cuf_nvtx_end
    subroutine cuf_nvtx_mark(domain, event) bind(C, name='cuf_nvtx_mark')
      import :: nvtxDomainHandle, nvtxEventAttributes
      type(nvtxDomainHandle), value :: domain
      type(nvtxEventAttributes), intent(in) :: event
    end subroutine cuf_nvtx_mark
  end interface
  interface nvtxEventAttributes
    procedure :: cuf_event, cuf_event_registered
  end interface nvtxEventAttributes
  interface nvtxRangePush
    procedure :: nvtxRangePushA, nvtxRangePushEx
  end interface nvtxRangePush
  interface nvtxRangeStart
    procedure :: nvtxRangeStartA, nvtxRangeStartEx
  end interface nvtxRangeStart
  interface nvtxMark
    procedure :: nvtxMarkA, nvtxMarkEx
  end interface nvtxMark
  private :: cuf_event, cuf_event_registered, cuf_text, cuf_default_domain

contains

  !> The text of a label for C, without the blanks at its end.
  function cuf_text(label) result(text)
    character(*), intent(in) :: label
    character(c_char) :: text(cuf_text_bytes)
    integer :: i, n
    n = min(len_trim(label), cuf_text_bytes - 1)
    text = c_null_char
    do i = 1, n
      text(i) = label(i:i)
    end do
  end function cuf_text

  function cuf_default_domain() result(domain)
    type(nvtxDomainHandle) :: domain
    domain%handle = c_null_ptr
  end function cuf_default_domain

  !> An event with a label and a colour (ARGB); without a colour the tool chooses one.
  function cuf_event(message, color) result(event)
    character(*), intent(in) :: message
    integer, intent(in), optional :: color
    type(nvtxEventAttributes) :: event
    event%colorType = 0
    if (present(color)) then
      event%colorType = 1
      event%color = color
    end if
    event%cuf_text = cuf_text(message)
  end function cuf_event

  function cuf_event_registered(message, color) result(event)
    type(nvtxStringHandle), intent(in) :: message
    integer, intent(in), optional :: color
    type(nvtxEventAttributes) :: event
    event%colorType = 0
    if (present(color)) then
      event%colorType = 1
      event%color = color
    end if
    event%messageType = 3
    event%message = message%handle
  end function cuf_event_registered

  subroutine nvtxStartRange(label, icolor)
    character(*), intent(in) :: label
    integer, intent(in), optional :: icolor
    type(nvtxEventAttributes) :: event
    integer(c_int) :: level
    event%colorType = 0
    if (present(icolor)) then
      event%colorType = 1
      event%color = cuf_colors(modulo(icolor, 7))
    end if
    event%cuf_text = cuf_text(label)
    level = cuf_nvtx_push(cuf_default_domain(), event)
  end subroutine nvtxStartRange

  subroutine nvtxEndRange()
    integer(c_int) :: level
    level = cuf_nvtx_pop(cuf_default_domain())
  end subroutine nvtxEndRange

  function nvtxRangePushA(label) result(level)
    character(*), intent(in) :: label
    integer :: level
    level = cuf_nvtx_push(cuf_default_domain(), cuf_event(label))
  end function nvtxRangePushA

  function nvtxRangePushEx(event) result(level)
    type(nvtxEventAttributes), intent(in) :: event
    integer :: level
    level = cuf_nvtx_push(cuf_default_domain(), event)
  end function nvtxRangePushEx

  function nvtxRangePop() result(level)
    integer :: level
    level = cuf_nvtx_pop(cuf_default_domain())
  end function nvtxRangePop

  function nvtxRangeStartA(label) result(range)
    character(*), intent(in) :: label
    type(nvtxRangeId) :: range
    range = cuf_nvtx_start(cuf_default_domain(), cuf_event(label))
  end function nvtxRangeStartA

  function nvtxRangeStartEx(event) result(range)
    type(nvtxEventAttributes), intent(in) :: event
    type(nvtxRangeId) :: range
    range = cuf_nvtx_start(cuf_default_domain(), event)
  end function nvtxRangeStartEx

  subroutine nvtxRangeEnd(range)
    type(nvtxRangeId), intent(in) :: range
    call cuf_nvtx_end(cuf_default_domain(), range)
  end subroutine nvtxRangeEnd

  subroutine nvtxMarkA(label)
    character(*), intent(in) :: label
    call cuf_nvtx_mark(cuf_default_domain(), cuf_event(label))
  end subroutine nvtxMarkA

  subroutine nvtxMarkEx(event)
    type(nvtxEventAttributes), intent(in) :: event
    call cuf_nvtx_mark(cuf_default_domain(), event)
  end subroutine nvtxMarkEx

  subroutine nvtxNameCategory(category, name)
    integer, intent(in) :: category
    character(*), intent(in) :: name
    call cuf_nvtx_name_category(cuf_default_domain(), category, cuf_text(name))
  end subroutine nvtxNameCategory

  subroutine nvtxNameOsThread(thread, name)
    integer, intent(in) :: thread
    character(*), intent(in) :: name
    call cuf_nvtx_name_thread(thread, cuf_text(name))
  end subroutine nvtxNameOsThread

  function nvtxDomainCreate(name) result(domain)
    character(*), intent(in) :: name
    type(nvtxDomainHandle) :: domain
    domain = cuf_nvtx_domain_create(cuf_text(name))
  end function nvtxDomainCreate

  subroutine nvtxDomainDestroy(domain)
    type(nvtxDomainHandle), intent(in) :: domain
    call cuf_nvtx_domain_destroy(domain)
  end subroutine nvtxDomainDestroy

  function nvtxDomainRegisterString(domain, string) result(handle)
    type(nvtxDomainHandle), intent(in) :: domain
    character(*), intent(in) :: string
    type(nvtxStringHandle) :: handle
    handle = cuf_nvtx_register_string(domain, cuf_text(string))
  end function nvtxDomainRegisterString

  subroutine nvtxDomainNameCategory(domain, category, name)
    type(nvtxDomainHandle), intent(in) :: domain
    integer, intent(in) :: category
    character(*), intent(in) :: name
    call cuf_nvtx_name_category(domain, category, cuf_text(name))
  end subroutine nvtxDomainNameCategory

  function nvtxDomainRangePushEx(domain, event) result(level)
    type(nvtxDomainHandle), intent(in) :: domain
    type(nvtxEventAttributes), intent(in) :: event
    integer :: level
    level = cuf_nvtx_push(domain, event)
  end function nvtxDomainRangePushEx

  function nvtxDomainRangePop(domain) result(level)
    type(nvtxDomainHandle), intent(in) :: domain
    integer :: level
    level = cuf_nvtx_pop(domain)
  end function nvtxDomainRangePop

  function nvtxDomainRangeStartEx(domain, event) result(range)
    type(nvtxDomainHandle), intent(in) :: domain
    type(nvtxEventAttributes), intent(in) :: event
    type(nvtxRangeId) :: range
    range = cuf_nvtx_start(domain, event)
  end function nvtxDomainRangeStartEx

  subroutine nvtxDomainRangeEnd(domain, range)
    type(nvtxDomainHandle), intent(in) :: domain
    type(nvtxRangeId), intent(in) :: range
    call cuf_nvtx_end(domain, range)
  end subroutine nvtxDomainRangeEnd

  subroutine nvtxDomainMarkEx(domain, event)
    type(nvtxDomainHandle), intent(in) :: domain
    type(nvtxEventAttributes), intent(in) :: event
    call cuf_nvtx_mark(domain, event)
  end subroutine nvtxDomainMarkEx
