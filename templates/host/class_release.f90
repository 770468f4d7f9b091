!> {% if finalises %}Finalises and frees{% else %}Frees{% endif %} a value whose type is {@ of.name @} itself, found by its dynamic type.
{% if of.recursive %}recursive {% endif %}{% if elemental %}impure elemental {% endif %}subroutine {@ of.procedure @}(cuf_x)
  class({@ of.name @}), intent(inout) :: cuf_x
{%- if of.is_abstract %}
  associate (cuf_unused => cuf_x)
  end associate
{%- else %}
{%- if release.is_none() %}
  type({@ of.name @}) :: cuf_fresh
{%- endif %}
  select type (cuf_x)
  type is ({@ of.name @})
{%- if let Some(procedure) = finalise %}
    call {@ procedure @}(cuf_x)
{%- endif %}
{%- match release %}
{%- when Some(procedure) %}
    call {@ procedure @}(cuf_x)
{%- when None %}
    cuf_x = cuf_fresh
{%- endmatch %}
  end select
{%- endif %}
end subroutine {@ of.procedure @}
