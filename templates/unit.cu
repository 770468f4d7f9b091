// Device code of {@ source @}. Written by cuf2cu; yours to keep.
#include "{@ stem @}.cuh"
{%- for n in namespaces %}

namespace {@ n.name @} {

{@ n.body @}}  // namespace {@ n.name @}
{%- endfor %}
{%- if !launchers.is_empty() %}

extern "C" {
{%- for l in launchers %}

{@ l @}
{%- endfor %}

}  // extern "C"
{%- endif %}
{%- if !kernels.is_empty() %}
{% for k in kernels %}
{@ k @}
{%- endfor %}
{%- endif %}
