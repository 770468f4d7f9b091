! Interfaces of the kernel launchers of {@ source @}. Written by cuf2cu; yours to keep.
module {@ module @}
  implicit none
  interface
{%- for b in bodies %}
    {% if b.is_function %}function{% else %}subroutine{% endif %} {@ b.name @}({@ b.arguments @}) bind(C, name='{@ b.name @}')
      use cuf_runtime, only: {@ b.imports @}
{%- for d in b.declarations %}
{@ d @}
{%- endfor %}
    end {% if b.is_function %}function{% else %}subroutine{% endif %} {@ b.name @}
{%- endfor %}
  end interface
end module {@ module @}

