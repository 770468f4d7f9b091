// Device code of {@ source @}. Written by cuf2cu; yours to keep.
{%- if !namespaces.is_empty() %}
// Subscripts are Fortran's: column-major, from 1 or the bound declared. x_ is the pointer behind x.
{%- endif %}
{%- for i in includes %}
#include "{@ i @}"
{%- endfor %}
{%- for n in namespaces %}

{@ n.doc @}namespace {@ n.name @} {

{@ n.body @}}  // namespace {@ n.name @}
{%- endfor %}
{%- if !launchers.is_empty() %}

extern "C" {
{%- for l in launchers %}

{@ l @}
{%- endfor %}

}  // extern "C"
{%- endif %}
{%- if !registrations.is_empty() %}
{% for r in registrations %}
{@ r @}
{%- endfor %}
{%- endif %}
