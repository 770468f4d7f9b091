use std::collections::BTreeSet;

use super::independent;
use crate::ast::StmtKind;
use crate::sema::model::FileId;
use crate::sema::model::dialect::Dialect;
use crate::sema::{Input, analyze};
use crate::syntax;

/// What is found of the first loop of a subroutine: its scalars, or the reason against it.
fn found(body: &str) -> String {
    let text = format!(
        "module m\n  real :: g(100)\n  type cell\n    real :: v(10), w\n    real, pointer :: p(:)\n  end type\ncontains\n\
         pure real function f(x)\n    real, intent(in) :: x\n    f = x + g(1)\n  end function\n\
         pure real function total(x)\n    real, intent(in) :: x(*)\n    total = x(1) + x(2)\n  end function\n\
         real function impure(x)\n    real :: x\n    impure = x\n  end function\n\
         subroutine s(a, b, c, idx, n, t, u, p, q)\n    integer :: n, i, j, k, last, idx(n)\n    real :: a(n), b(n), c(n, n), x, y, z\n\
         integer :: count\n    logical :: ok\n    type(cell) :: t(n), u\n    real, pointer :: p(:)\n    real, target :: q(n)\n    real :: tmp(3)\n{body}\n  end subroutine\nend module\n"
    );
    let (tree, errors) = syntax::parse(&text);
    assert!(errors.is_empty(), "{body}");
    let input = Input {
        path: "m.f90",
        text: &text,
        ast: &tree,
        library: false,
    };
    let (model, _) = analyze(&[input], Dialect::default());
    let unit = tree.units[0].procedures.last().unwrap();
    let s = &unit.body[0];
    assert!(matches!(s.kind, StmtKind::Do(_)), "{body}");
    let scope = model.scope_at(FileId(0), s.span.start).unwrap();
    match independent(&model, FileId(0), scope, s, &BTreeSet::new()) {
        Ok(all) => {
            let name = |s: &crate::sema::model::SymbolId| model[*s].name.to_string();
            let private: Vec<String> = all.private.iter().map(name).collect();
            let conditional: Vec<String> = all.conditional.iter().map(name).collect();
            let reductions: Vec<String> = (all.reductions.iter())
                .map(|(s, op)| format!("{op}:{}", name(s)))
                .collect();
            format!(
                "yes {} {} {}",
                private.join(","),
                conditional.join(","),
                reductions.join(",")
            )
            .trim()
            .to_owned()
        }
        Err(r) => {
            let at = r.span.start as usize..r.span.end as usize;
            format!("{} [{}]", r.text, &text[at])
        }
    }
}

fn yes(body: &str, scalars: &str) {
    let expected = format!("yes {scalars}");
    assert_eq!(found(body), expected.trim(), "{body}");
}

fn no(body: &str, words: &str) {
    let found = found(body);
    assert!(
        !found.starts_with("yes") && found.contains(words),
        "{body}: {found}"
    );
}

#[test]
fn subscripts() {
    yes("do i = 1, n\n a(i) = b(i) + b(i+1)\n end do", "");
    yes("do i = 2, n\n a(i) = a(i) + 1\n end do", "");
    yes("do i = 2, n\n a(2*i) = a(2*i+1)\n end do", "");
    yes("do i = 2, n\n a(n+1-i) = a(n-i+1)\n end do", "");
    yes("do i = 1, n\n c(:, i) = c(:, i) + c(1, i)\n end do", "");
    yes(
        "do i = 1, n\n do j = 2, n\n c(j, i) = c(j-1, i)\n end do\n end do",
        "",
    );
    yes("do i = 1, n\n c(i, 1) = c(i, 2)\n end do", "");
    yes("do i = 1, n\n c(1, i) = c(2, i+1)\n end do", "");
    yes("do i = 1, n\n t(i)%v(1) = t(i)%w\n end do", "");
    yes("do i = 1, n\n t(i)%w = t(i+1)%v(1)\n end do", "");
    yes("do i = 1, n\n a(i + k) = a(i + k) * size(a)\n end do", "");
    yes("do i = 1, n\n a(i) = b(idx(i))\n end do", "");
    no(
        "do i = 2, n\n a(i) = a(i-1)\n end do",
        "read an element of `a`",
    );
    no(
        "do i = 1, n\n a(i) = a(n-i)\n end do",
        "read an element of `a`",
    );
    no(
        "do i = 2, n\n a(2*i) = a(2*i+4)\n end do",
        "read an element of `a`",
    );
    no(
        "do i = 1, n\n a(idx(i)) = 1\n end do",
        "assign the same element of `a`",
    );
    no(
        "do i = 1, n\n a(1) = 1\n end do",
        "assign the same element of `a`",
    );
    no(
        "do i = 1, n\n a(i/2) = 1\n end do",
        "assign the same element of `a`",
    );
    no(
        "do i = 1, n\n do j = 1, n\n a(i+j) = 1\n end do\n end do",
        "same element",
    );
    no(
        "do i = 1, n\n do j = 1, n\n c(j, 1) = i\n end do\n end do",
        "same element",
    );
    no(
        "do i = 1, n\n a(i) = 1\n a(i+1) = 2\n end do",
        "two statements",
    );
    no(
        "do i = 1, n\n k = i/2\n a(i+k) = 1\n end do",
        "same element",
    );
    no(
        "do i = 1, n\n a(i) = sum(a)\n end do",
        "read an element of `a`",
    );
    no("do i = 1, n\n a(1:n) = i\n end do", "same element");
    no(
        "do i = 1, n\n t(1)%v(2) = t(1)%v(1)\n end do",
        "same element",
    );
    no("do i = 1, n\n u%w = a(i)\n end do", "same element");
    no(
        "do i = 1, n\n tmp(1) = a(i)\n b(i) = tmp(1)\n end do",
        "same element",
    );
    no(
        "do i = 1, n\n idx(i) = 1\n a(idx(i)) = 2\n end do",
        "same element",
    );
}

#[test]
fn scalars() {
    yes("do i = 1, n\n x = a(i)\n b(i) = x*x\n end do", "x");
    yes("do i = 1, n\n x = x + a(i)\n end do", "  +:x");
    yes(
        "do i = 1, n\n x = max(x, a(i))\n y = y - a(i) + b(i)\n end do",
        "  max:x,+:y",
    );
    yes(
        "do i = 1, n\n do j = 1, n\n x = x + c(j, i)\n end do\n end do",
        "  +:x",
    );
    yes(
        "do i = 1, n\n if (a(i) > 0) then\n x = 1\n else\n x = 2\n end if\n b(i) = x\n end do",
        "x",
    );
    yes("do i = 1, n\n if (a(i) > 0) last = i\n end do", " last");
    yes(
        "do i = 1, n\n if (a(i) > 0) cycle\n x = 1\n b(i) = x\n end do",
        " x",
    );
    yes(
        "do i = 1, n\n ok = ok .and. a(i) > 0\n end do",
        "  .and.:ok",
    );
    yes("do i = 1, n\n count = count + 1\n end do", "  +:count");
    no(
        "do i = 1, n\n if (a(i) > 0) x = 1\n b(i) = x\n end do",
        "`x` carries a value",
    );
    no(
        "do i = 1, n\n b(i) = x\n x = a(i)\n end do",
        "`x` carries a value",
    );
    no(
        "do i = 1, n\n x = x + a(i)\n b(i) = x\n end do",
        "`x` carries a value",
    );
    no(
        "do i = 1, n\n x = x + a(i)*x\n end do",
        "`x` carries a value",
    );
    no("do i = 1, n\n x = a(i) - x\n end do", "`x` carries a value");
    no(
        "do i = 1, n\n count = count + a(i)\n end do",
        "`count` carries a value",
    );
    no(
        "do i = 1, n\n x = x + 1\n x = x*2\n end do",
        "`x` carries a value",
    );
    no(
        "do i = 1, n\n do j = 1, idx(i)\n x = a(i)\n end do\n b(i) = x\n end do",
        "`x` carries a value",
    );
    no(
        "do i = 1, n\n b(i) = j\n do j = 1, 2\n a(i) = 1\n end do\n end do",
        "`j` is read before",
    );
}

#[test]
fn statements() {
    yes("do i = 1, n\n a(i) = f(b(i))\n end do", "");
    yes("do i = 1, n\n where (c(:, i) > 0) c(:, i) = 0\n end do", "");
    yes(
        "do i = 1, n\n block\n real :: w(3)\n w = a(i)\n b(i) = w(1)\n end block\n end do",
        "",
    );
    yes(
        "do i = 1, n\n do j = 1, n\n if (c(j, i) > 0) exit\n c(j, i) = 1\n end do\n end do",
        "",
    );
    no("do i = 1, n\n g(i) = f(b(i))\n end do", "may read `g`");
    no(
        "do i = 1, n\n a(i) = total(a(i))\n end do",
        "read an element of `a`",
    );
    no("do i = 1, n\n a(i) = impure(b(i))\n end do", "not pure");
    no("do i = 1, n\n call s2(a(i))\n end do", "subroutine");
    no("do i = 1, n\n print *, i\n end do", "run in order");
    no(
        "do i = 1, n\n if (a(i) > 0) exit\n a(i) = 1\n end do",
        "before its last",
    );
    no("do i = 1, n\n if (a(i) > 0) return\n end do", "branch");
    no("do i = 1, n\n p(i) = q(i)\n end do", "may be the same data");
    no("do i = 1, n\n t(i)%p(1) = 1\n end do", "pointer component");
    no(
        "do i = 1, n\n q(i) = t(i)%p(1)\n end do",
        "may be the same data",
    );
    yes("do i = 1, n\n p(i) = a(i)\n end do", "");
}
