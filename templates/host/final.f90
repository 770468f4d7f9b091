!> Finalises a {@ of.name @}.
{% if of.recursive %}recursive {% endif %}{% if elemental %}impure elemental {% endif %}subroutine {@ of.procedure @}(cuf_x)
  {@ of.word() @}({@ of.name @}), intent(inout) :: cuf_x{@ shape @}
{%- if let Some(procedure) = own %}
  call {@ procedure @}(cuf_x)
{%- endif %}
{%- for l in parts %}
  {@ l @}
{%- endfor %}
{%- if let Some((procedure, object)) = parent %}
  call {@ procedure @}({@ object @})
{%- endif %}
{%- if own.is_none() && parts.is_empty() && parent.is_none() %}
  associate (cuf_unused => cuf_x)
  end associate
{%- endif %}
end subroutine {@ of.procedure @}
