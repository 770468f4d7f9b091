!> Of an extension of {@ of.name @} that was assigned: the device data is copied.
{% if of.recursive %}recursive {% endif %}impure elemental subroutine {@ of.procedure @}(cuf_to, cuf_from)
  class({@ of.name @}), intent(inout) :: cuf_to
  class({@ of.name @}), intent(in) :: cuf_from
{%- for p in parts %}
{%- include "host/copied.f90" %}
{%- else %}
  associate (cuf_unused => cuf_to)
  end associate
  associate (cuf_unused => cuf_from)
  end associate
{%- endfor %}
end subroutine {@ of.procedure @}
