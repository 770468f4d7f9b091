!> Assignment of a {@ of.name @} that is not needed any more: its data changes hands.
{% if of.recursive %}recursive {% endif %}impure elemental subroutine {@ of.procedure @}(cuf_to, cuf_from)
  type({@ of.name @}), intent(inout) :: cuf_to, cuf_from
  call {@ release @}(cuf_to)
{%- for p in parts %}
{%- match p %}
{%- when Moved::Pointer { to, from } %}
  {@ to @} => {@ from @}
  nullify({@ from @})
{%- when Moved::Allocatable { to, from } %}
  call move_alloc({@ from @}, {@ to @})
{%- when Moved::Structure { to, from, procedure } %}
  call {@ procedure @}({@ to @}, {@ from @})
{%- when Moved::Target { to, from } %}
  {@ to @} => {@ from @}
{%- when Moved::Value { to, from } %}
  {@ to @} = {@ from @}
{%- when Moved::Statements(lines) %}
{%- for l in lines %}
  {@ l @}
{%- endfor %}
{%- endmatch %}
{%- endfor %}
end subroutine {@ of.procedure @}
