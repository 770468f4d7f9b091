!> Assignment of a {@ of.name @}: the device data is copied.
{% if of.recursive %}recursive {% endif %}impure elemental subroutine {@ of.procedure @}(cuf_to, cuf_from)
  type({@ of.name @}), intent(inout) :: cuf_to
  type({@ of.name @}), intent(in) :: cuf_from
  type({@ of.name @}) :: cuf_new
{%- for p in parts %}
{%- include "host/copied.f90" %}
{%- endfor %}
  call {@ release @}(cuf_to)
{%- for l in result %}
  {@ l @}
{%- endfor %}
end subroutine {@ of.procedure @}
