{%- match p %}
{%- when Copied::Pointer { to, from, allocate, copy } %}
  nullify({@ to @})
  if (associated({@ from @})) then
    {@ allocate @}
    {@ copy @}
  end if
{%- when Copied::Anew { to, from, start, copy, allocatable } %}
{%- let inside = self::if_allocatable(allocatable) %}
{%- if *allocatable %}
  if (allocated({@ from @})) then
{%- endif %}
{%- match start %}
{%- when Start::Reset(procedure) %}
  {@ inside @}call {@ procedure @}({@ to @})
{%- when Start::Fresh(name) %}
  {@ inside @}block
  {@ inside @}  type({@ name @}) :: cuf_part
  {@ inside @}  {@ to @} = cuf_part
  {@ inside @}end block
{%- endmatch %}
  {@ inside @}call {@ copy @}({@ to @}, {@ from @})
{%- if *allocatable %}
  end if
{%- endif %}
{%- when Copied::Structure { to, from, bounds, copy } %}
{%- match bounds %}
{%- when Some(bounds) %}
  if (allocated({@ from @})) then
    allocate({@ to @}{@ bounds @})
    call {@ copy @}({@ to @}, {@ from @})
  end if
{%- when None %}
  call {@ copy @}({@ to @}, {@ from @})
{%- endmatch %}
{%- when Copied::Allocatable { to, from, bounds } %}
  if (allocated({@ from @})) allocate({@ to @}{@ bounds @}, source={@ from @})
{%- when Copied::Target { to, from } %}
  {@ to @} => {@ from @}
{%- when Copied::Value { to, from } %}
  {@ to @} = {@ from @}
{%- when Copied::Statements(lines) %}
{%- for l in lines %}
  {@ l @}
{%- endfor %}
{%- endmatch %}
