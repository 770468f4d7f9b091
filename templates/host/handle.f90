public :: {@ name @}
interface {@ name @}
  procedure :: {@ specific @}
end interface
