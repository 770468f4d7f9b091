//! Tests of mistakes: a line in a program, where the error is, and words of its text.

use crate::syntax::parse;

const LINES: &[(&str, usize, &str)] = &[
    ("i = threadIdx.x", 14, "write `threadIdx%x`"),
    ("a(i) += 1", 6, "write `a(i) = a(i) + 1`"),
    ("a(i) *= b + 1", 6, "write `a(i) = a(i) * (b + 1)`"),
    ("i++", 2, "write `i = i + 1`"),
    ("syncthreads()", 1, "write `call syncthreads`"),
    ("syncthreads", 1, "write `call syncthreads()`"),
    ("__syncthreads()", 1, "write `call syncthreads`"),
    ("cudaMemcpy(d, h, 10)", 1, "write `istat = cudaMemcpy(...)`"),
    ("call k<<1, 10>>(d, 10)", 7, "write `<<<1, 10>>>`"),
    ("call k<<<1 10>>>(d, 10)", 10, "write `<<<1, 10>>>`"),
    ("k<<<1, 10>>>(d, 10)", 1, "write `call k`"),
    ("if (i = 3) x = 1", 7, "write `==`"),
    ("if (i != 3) x = 1", 7, "write `/=`"),
    ("if (i > 3 && i < 5) x = 1", 11, "write `.and.`"),
    ("if (i > 3 || i < 5) x = 1", 11, "write `.or.`"),
    ("if (!(i > 3)) x = 1", 5, "write `.not.`"),
    ("x = (1 + 2", 5, "`(` is not closed"),
    ("x = 1 + 2)", 10, "`)` has no matching `(`"),
    ("i = i % 2", 7, "write `mod(a, b)`"),
    ("x = 1.0f", 5, "write `1.0`"),
    ("printf(\"a\")", 1, "write `print *, ...`"),
    ("// comment", 1, "write `!`"),
    ("a(3) = = 1", 6, "`==` to compare"),
    ("if (i > 3) { x = 1 }", 12, "`end if`"),
    ("while (i < 3)", 1, "write `do while (...)`"),
];

#[test]
fn lines() {
    for (line, column, words) in LINES {
        let text = format!("subroutine s(a)\n real :: a(*)\n{line}\n x = 1\nend subroutine\n");
        let (_, errors) = parse(&text);
        let start = text.find(line).unwrap();
        let at: Vec<(usize, &str)> = errors
            .iter()
            .map(|e| (e.span.start as usize + 1, e.message.as_str()))
            .collect();
        assert_eq!(at.len(), 1, "{line}: {at:?}");
        assert_eq!(at[0].0, start + column, "{line}: {at:?}");
        assert!(at[0].1.contains(words), "{line}: {at:?}");
    }
}

#[test]
fn constructs() {
    let cases = [
        ("if (i > 3)\n x = 2\nend if\n", 1, "`then` is missing"),
        (
            "if (i > 3) then\n x = 2\n",
            1,
            "write `end if` before `end subroutine`",
        ),
        (
            "do i = 1, 3\n x = 2\n",
            1,
            "write `end do` before `end subroutine`",
        ),
        (
            "if (i > 3) then\n x = 1\nelse if (i > 4)\n x = 2\nend if\n",
            3,
            "`then` is missing",
        ),
        ("do i = 1, 3\n x = 2\nend if\n", 3, "write `end do`"),
        (
            "do i = 1, 3\n if (i > 1) then\n x = 2\nend do\nend do\n",
            4,
            "write `end if`",
        ),
    ];
    for (lines, line, words) in cases {
        let text = format!("subroutine s(a)\n{lines}end subroutine\n");
        let (_, errors) = parse(&text);
        assert_eq!(errors.len(), 1, "{lines}: {errors:?}");
        let before = &text[..errors[0].span.start as usize];
        assert_eq!(before.matches('\n').count(), line, "{lines}: {errors:?}");
        assert!(errors[0].message.contains(words), "{lines}: {errors:?}");
    }
}

#[test]
fn what_is_fortran_is_no_mistake() {
    let text = "module m\ncontains\nsubroutine s(a)\n real :: a(*)\n character(9) :: c = 'a // b && c += 1' ! x += (1\n if (a(1) /= 2 & ! no\n  ) a(1) = 1\n continue\n x = = 2\nend subroutine\nend module\n";
    let (_, errors) = parse(text);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].message.contains("`= =`"));
}
