!> Associates the pointers of this module's device data with the symbols of the device code.
recursive subroutine {@ name @}() bind(C, name='')
  integer(8), save :: cuf_bound_for = -1
{%- if openmp %}
  !$omp threadprivate(cuf_bound_for)
{%- endif %}
  if (cuf_is_bound(cuf_bound_for, {@ name @})) return
{%- for d in data %}
{%- if d.extents.is_empty() %}
  call cuf_associate({@ d.address @}(), {@ d.name @})
{%- else %}
  call cuf_associate({@ d.address @}(), {@ d.name @}, [{@ d.extents @}])
{%- endif %}
{%- if !d.lower.is_empty() %}
  {@ d.name @}({@ d.lower @}) => {@ d.name @}
{%- endif %}
{%- if !d.described.is_empty() %}
  block
    type({@ d.described @}), save, target :: cuf_default
    call cuf_describe(cuf_loc({@ d.name @}), cuf_loc(cuf_default), storage_size(cuf_default)/8_8, {@ d.count @}_8)
  end block
{%- endif %}
{%- endfor %}
end subroutine {@ name @}
