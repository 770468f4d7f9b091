!> {@ variable @} for kernels of other modules that reach it through procedures of this one.
function {@ name @}() result(data)
  type({@ of @}) :: data
  data = {@ value @}
end function {@ name @}
