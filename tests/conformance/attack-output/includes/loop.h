  !$cuf kernel do <<<*, *>>>
  do LOOPVAR = 1, n
