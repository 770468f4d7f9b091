// Declarations of {@ source @} for device code. Written by cuf2cu; yours to keep.
#pragma once
{%- for i in includes %}
#include "{@ i @}"
{%- endfor %}
{%- for e in externals %}
{%- if loop.first %}
{% endif %}
{@ e @}
{%- endfor %}
{%- for n in namespaces %}

{@ n.doc @}namespace {@ n.name @} {

{@ n.body @}}  // namespace {@ n.name @}
{%- endfor %}
{%- for i in late %}
{%- if loop.first %}
{% endif %}
#include "{@ i @}.cuh"
{%- endfor %}
{%- if !registrations.is_empty() %}
{% for r in registrations %}
{@ r @}
{%- endfor %}
{%- endif %}
