! Interfaces of the kernel launchers of {@ source @}. Written by cuf2cu; yours to keep.
module {@ module @}
  implicit none
  interface
{%- for b in bodies %}
{@ b.head @}
      use cuf_runtime, only: {@ b.imports @}
{%- if !b.kinds.is_empty() %}
      use, intrinsic :: iso_c_binding, only: {@ b.kinds @}
{%- endif %}
{%- for d in b.declarations %}
{@ d @}
{%- endfor %}
    end {% if b.is_function %}function{% else %}subroutine{% endif %} {@ b.name @}
{%- endfor %}
  end interface
end module {@ module @}

