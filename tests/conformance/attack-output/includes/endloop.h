  end do
#undef LOOPVAR
