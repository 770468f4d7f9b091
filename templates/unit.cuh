// Declarations of {@ source @} for device code. Written by cuf2cu; yours to keep.
#pragma once
#include "cuf.cuh"
{%- for e in extra %}
#include "{@ e @}"
{%- endfor %}
{%- for i in includes %}
#include "{@ i @}.cuh"
{%- endfor %}
{%- for e in externals %}
{%- if loop.first %}
{% endif %}
{@ e @}
{%- endfor %}
{%- for n in namespaces %}
{% for d in n.doc %}
//{@ d @}
{%- endfor %}
namespace {@ n.name @} {

{@ n.body @}}  // namespace {@ n.name @}
{%- endfor %}
