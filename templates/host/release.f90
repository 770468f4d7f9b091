!> Frees the device data of a {@ of.name @}{% if !of.is_abstract %} and gives it its initial value{% endif %}.
{% if of.recursive %}recursive {% endif %}impure elemental subroutine {@ of.procedure @}(cuf_x)
  {@ of.word() @}({@ of.name @}), intent(inout) :: cuf_x
{%- if let Value::Fresh = value %}
  type({@ of.name @}) :: cuf_fresh
{%- endif %}
{%- for p in parts %}
{%- match p %}
{%- when Freed::By { procedure, object, allocatable } %}
  {% if *allocatable %}if (allocated({@ object @})) {% endif %}call {@ procedure @}({@ object @})
{%- when Freed::Statements(lines) %}
{%- for l in lines %}
  {@ l @}
{%- endfor %}
{%- endmatch %}
{%- endfor %}
{%- match value %}
{%- when Value::Fresh %}
  cuf_x = cuf_fresh
{%- when Value::Reset(procedure) %}
  call {@ procedure @}(cuf_x)
{%- when Value::OfExtension %}
{%- if parts.is_empty() %}
  associate (cuf_unused => cuf_x)
  end associate
{%- endif %}
{%- endmatch %}
end subroutine {@ of.procedure @}
