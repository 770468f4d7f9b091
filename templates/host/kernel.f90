{% if separate %}module procedure {@ name @}{% else %}{% if module_procedure %}module {% endif %}subroutine {@ name @}(cuf_at{% for d in dummies %}, {@ d @}{% endfor %}){% if let Kernel::Interface { bind } = kernel %}{@ bind @}{% endif %}{% endif %}
{%- for s in uses %}
  {@ s @}
{%- endfor %}
{%- if imports %}
  import :: cuf_launch
{%- endif %}
{%- for s in others %}
  {@ s @}
{%- endfor %}
{%- if !separate %}
  type(cuf_launch), intent(in) :: cuf_at
{%- for d in declarations %}
  {@ d @}
{%- endfor %}
{%- endif %}
{%- if let Kernel::Launch { launcher, actuals } = kernel %}
  call {@ launcher @}(cuf_at{% for a in actuals %}, {@ a @}{% endfor %})
{%- endif %}
end {% if separate %}procedure{% else %}subroutine{% endif %} {@ name @}
