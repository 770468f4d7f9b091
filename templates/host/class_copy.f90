!> Assignment of a value whose type is {@ of.name @} itself, found by its dynamic type.
{% if of.recursive %}recursive {% endif %}impure elemental subroutine {@ of.procedure @}(cuf_to, cuf_from)
  class({@ of.name @}), intent(inout) :: cuf_to
  class(*), intent(in) :: cuf_from
{%- if of.is_abstract %}
  associate (cuf_unused => cuf_to)
  end associate
  associate (cuf_unused => cuf_from)
  end associate
{%- else %}
  select type (cuf_to)
  type is ({@ of.name @})
    select type (cuf_from)
    type is ({@ of.name @})
{%- match copy %}
{%- when Some(procedure) %}
      call {@ procedure @}(cuf_to, cuf_from)
{%- when None %}
      cuf_to = cuf_from
{%- endmatch %}
    end select
  end select
{%- endif %}
end subroutine {@ of.procedure @}
