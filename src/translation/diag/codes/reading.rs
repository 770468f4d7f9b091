//! Reading the files and their syntax.

use super::{Code, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0002", "file is not text")
        .work(Work::Supply)
        .text(
            "The file holds a zero byte. Check that it is source and not an object or an archive.",
        ),
    Code::new("CUF0003", "source file is empty or expands to too much text")
        .work(Work::Supply)
        .level(Level::Either)
        .text(
            "The file is empty (a warning if there are others), or its include files expand to more than can be handled.",
        )
        .example(
            "
+program p
+end program
",
        ),
    Code::new("CUF0004", "unbalanced preprocessor conditionals")
        .work(Work::Line)
        .text(
            "An `#else`, `#elif` or `#endif` stands without its `#if`, or an `#if` is never closed.",
        )
        .example(
            "
-#else
 program p
 end program
",
        ),
    Code::new("CUF0005", "include file not found")
        .work(Work::Supply)
        .text(
            "Include files are looked for in the folder of the including file, then in the folders given with `-I`.",
        )
        .example(
            "
 program p
-  include 'absent.inc'
 end program
",
        ),
    Code::new("CUF0006", "include files nested too deeply")
        .work(Work::Lines)
        .text(
            "Most often a file includes itself, directly or through others.",
        )
        .example(
            "
-#include \"example.CUF\"
+program p
+end program
",
        ),
    Code::new("CUF0007", "preprocessed source is too large")
        .work(Work::Procedure)
        .text(
            "Macros or include files expand to an unreasonable size.",
        )
        .example(
            "
 #define m0 'a line of text, again and again'
 #define m1 m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0, m0
 #define m2 m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1, m1
 #define m3 m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2, m2
 program p
-  print *, m3
+  print *, m1
 end program
",
        ),
    Code::new("CUF0101", "syntax error")
        .work(Work::Lines)
        .text(
            "The statement could not be parsed. If it is legal Fortran, a macro may be cut in a way that only a preprocessor resolves: try `--cpp` and `-D`.",
        )
        .example(
            "
 program p
   integer :: i
-  i = = 1
+  i = 1
 end program
",
        ),
];
