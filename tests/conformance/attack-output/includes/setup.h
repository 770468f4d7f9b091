  h = 1
  buf = h; d = 0  /* a comment of C */
#ifdef NOT
  spare = 1
#endif
