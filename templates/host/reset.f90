!> Gives a {@ of.name @} its initial value.
{% if of.recursive %}recursive {% endif %}impure elemental subroutine {@ of.procedure @}(cuf_x)
  type({@ of.name @}), intent(out) :: cuf_x
end subroutine {@ of.procedure @}
