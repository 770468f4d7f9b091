{% if module_procedure %}module {% endif %}subroutine {@ name @}(cuf_at{% for d in dummies %}, {@ d @}{% endfor %}){% if let Kernel::Interface { bind } = kernel %}{@ bind @}{% endif %}
{%- if imports %}
  import :: cuf_launch
{%- endif %}
{%- for s in uses %}
  {@ s @}
{%- endfor %}
  type(cuf_launch), intent(in) :: cuf_at
{%- for d in declarations %}
  {@ d @}
{%- endfor %}
{%- if let Kernel::Launch { launcher, actuals } = kernel %}
  call {@ launcher @}(cuf_at{% for a in actuals %}, {@ a @}{% endfor %})
{%- endif %}
end subroutine {@ name @}
