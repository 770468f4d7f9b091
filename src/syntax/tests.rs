//! Tests of the tree builder: shapes of expressions and constructs, messages, hostile input.

use super::{SyntaxError, keywords, parse, parse_by};
use crate::ast::*;

fn body(text: &str) -> Vec<Stmt> {
    let (mut file, errors) = parse(&format!("subroutine s\n{text}\nend subroutine\n"));
    assert_eq!(errors, [], "{text}");
    assert_eq!(file.units.len(), 1, "{text}");
    file.units.remove(0).body
}

fn errors(text: &str) -> Vec<SyntaxError> {
    parse(text).1
}

/// An expression with all its operators in parentheses.
fn shape(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Name(n) => n.text.to_string(),
        ExprKind::Integer { digits, .. } => digits.clone(),
        ExprKind::Real { text, .. } => text.clone(),
        ExprKind::Unary { op, operand } => format!("({op:?} {})", shape(operand)),
        ExprKind::Binary { op, lhs, rhs } => format!("({} {op:?} {})", shape(lhs), shape(rhs)),
        ExprKind::DefinedUnary { op, operand } => format!("(.{}. {})", op.text, shape(operand)),
        ExprKind::DefinedBinary { op, lhs, rhs } => {
            format!("({} .{}. {})", shape(lhs), op.text, shape(rhs))
        }
        ExprKind::Ref { base, args } => {
            let args: Vec<String> = args.iter().map(|a| shape(&a.value)).collect();
            format!("{}({})", shape(base), args.join(","))
        }
        ExprKind::Component { base, name } => format!("{}%{}", shape(base), name.text),
        ExprKind::Paren(inner) => format!("[{}]", shape(inner)),
        ExprKind::Star { label } => format!("*{label:?}"),
        other => format!("{other:?}"),
    }
}

fn expr(text: &str) -> String {
    match &body(&format!("x = {text}"))[..] {
        [
            Stmt {
                kind: StmtKind::Assign { rhs, .. },
                ..
            },
        ] => shape(rhs),
        other => format!("{other:?}"),
    }
}

#[test]
fn operator_precedence() {
    for (text, expected) in [
        ("a**b**c", "(a Pow (b Pow c))"),
        ("-a**2", "(Minus (a Pow 2))"),
        ("-a*b", "(Minus (a Mul b))"),
        ("-a+b", "((Minus a) Add b)"),
        ("a-b-c", "((a Sub b) Sub c)"),
        ("a/b*c", "((a Div b) Mul c)"),
        ("a*b**c", "(a Mul (b Pow c))"),
        ("a**(-b)", "(a Pow [(Minus b)])"),
        ("a+b == c .and. d", "(((a Add b) Eq c) And d)"),
        (".not. a == b .or. c", "((Not (a Eq b)) Or c)"),
        ("a .or. b .and. c", "(a Or (b And c))"),
        ("a .and. .not. b .eqv. c", "((a And (Not b)) Eqv c)"),
        (".inv. a * b", "((.inv. a) Mul b)"),
        (".inv. a%b(3)**2", "((.inv. a%b(3)) Pow 2)"),
        ("a + b .cross. c * d", "((a Add b) .cross. (c Mul d))"),
        ("1.e-3 + 1.d0", "(1.e-3 Add 1.d0)"),
        ("i.eq.1.or.j.lt.2", "((i Eq 1) Or (j Lt 2))"),
        ("a(i)%b(j)%c", "a(i)%b(j)%c"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
}

#[test]
fn array_constructors_of_types() {
    for (text, name, count) in [
        ("[t :: a, b]", Some("t"), 2),
        ("(/ t(8) :: a /)", Some("t"), 1),
        ("[t ::]", Some("t"), 0),
        ("[real(a), logical(b, 1)]", None, 2),
    ] {
        let stmts = body(&format!("x = {text}"));
        let [
            Stmt {
                kind: StmtKind::Assign { rhs, .. },
                ..
            },
        ] = &stmts[..]
        else {
            panic!("{stmts:?}")
        };
        let ExprKind::ArrayConstructor { type_spec, items } = &rhs.kind else {
            panic!("{rhs:?}")
        };
        let found = match type_spec.as_deref().map(|t| &t.kind) {
            Some(TypeSpecKind::Derived { name, .. }) => Some(name.text.as_str()),
            Some(other) => panic!("{other:?}"),
            None => None,
        };
        assert_eq!((found, items.len()), (name, count), "{text}");
    }
    let stmts = body("x = [real(8) :: a]");
    assert!(format!("{stmts:?}").contains("base: Real"), "{stmts:?}");
}

#[test]
fn label_before_end_is_a_target() {
    for text in [
        "do i = 1, 2\nif (i > 1) goto 10\n10 end do",
        "if (a) then\ngoto 10\n10 end if",
        "associate (b => a)\ngoto 10\n10 end associate",
        "block\ngoto 10\n10 end block",
    ] {
        let stmts = format!("{:?}", body(text));
        assert!(
            stmts.contains("kind: Continue") && stmts.contains("value: 10,"),
            "{text}: {stmts}"
        );
    }
}

#[test]
fn alternate_returns_and_argument_list_functions() {
    let stmts = body("call t(a, *100, %val(b))\n100 continue");
    let Some(StmtKind::Call(call)) = stmts.first().map(|s| &s.kind) else {
        panic!("{stmts:?}")
    };
    let args: Vec<String> = call.args.iter().map(|a| shape(&a.value)).collect();
    assert_eq!(args, ["a", "*Some(100)", "%val(b)"]);
}

#[test]
fn a_reference_is_no_statement() {
    assert!(!errors("subroutine s\nfoo(1)\nend\n").is_empty());
    let stmts = body("stop (n + 1)");
    assert!(matches!(
        stmts[0].kind,
        StmtKind::Stop { code: Some(_), .. }
    ));
    let stmts = body("select rank (x)\nrank (2)\ni = 1\nrank (3)\ni = 2\nend select");
    let StmtKind::Select(select) = &stmts[0].kind else {
        panic!("{stmts:?}")
    };
    assert_eq!(select.cases.len(), 2);
}

#[test]
fn directive_takes_its_loop() {
    let stmts = body(
        "!$CUF kernel do(2) <<<(1,*), (32,4), 0, s>>> reduce(.and.: l, m), reduction(+: t)\n\
         do i = 1, 2\ndo j = 1, 2\nend do\nend do",
    );
    let [
        Stmt {
            kind: StmtKind::CufKernel(k),
            ..
        },
    ] = &stmts[..]
    else {
        panic!("{stmts:?}")
    };
    assert!(k.body.is_some());
    let launch = k.launch.as_ref();
    assert_eq!(launch.map(|l| (l.grid.len(), l.block.len())), Some((2, 2)));
    assert!(launch.is_some_and(|l| l.stream.is_some()));
    let ops: Vec<&str> = k.reductions.iter().map(|r| r.op.text.as_str()).collect();
    assert_eq!(ops, [".and.", "+"]);
}

#[test]
fn directive_mistakes_are_named() {
    for (text, word) in [
        ("!$cuf kernl do\ndo i = 1, 2\nend do", "kernl"),
        ("!$cuf\ndo i = 1, 2\nend do", "not a CUF directive"),
        ("x = 1 + &\n!$cuf kernel do\n2", "cannot stand here"),
    ] {
        let found = errors(&format!("subroutine s\n{text}\nend\n"));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].message.contains(word), "{text}: {found:?}");
    }
}

#[test]
fn nothing_is_skipped_silently() {
    assert_eq!(errors("subroutine s\n# 1 \"a.cuf\"\nx = 1\nend\n"), []);
    for text in ["#define A 1", "@macro", "/* no */", "x = 'open", "call"] {
        let found = errors(&format!("subroutine s\n{text}\nend\n"));
        assert!(!found.is_empty(), "{text}");
    }
}

/// Deep nesting gives a message, not a stack overflow, in a stack a quarter of a worker thread's.
#[test]
fn deep_nesting() {
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let done = thread.spawn(nest_deeply).map(|t| t.join().is_ok());
    assert!(matches!(done, Ok(true)));
}

fn nest_deeply() {
    const N: usize = 100_000;
    let nests = [
        format!("x = {}1{}", "(".repeat(N), ")".repeat(N)),
        format!("x = 1{}", "+1".repeat(N)),
        format!("x = {}1", "-".repeat(N)),
        format!("x = a{}", "%a".repeat(N)),
        format!("x = {}1", "a(".repeat(N)),
        format!("x = {}", "[".repeat(N)),
        format!("{}\n{}", "if (a) then\n".repeat(N), "end if\n".repeat(N)),
        "do i = 1, 2\n".repeat(N),
        format!("x = 2{}", "**2".repeat(N)),
    ];
    for text in nests {
        let found = errors(&format!("subroutine s\n{text}\nend\n"));
        assert!(!found.is_empty(), "{}", &text[..40]);
    }
}

/// Truncations and byte changes of a program: never a panic.
#[test]
fn mutilated_programs() {
    let text = "module m\ncontains\nattributes(global) subroutine k(a, n)\ninteger, value :: n\n\
                real, device :: a(n)\ni = threadIdx%x; a(i) = 2.0*a(i)**2\nend subroutine\nend module\n\
                program p\nuse m\nreal, device :: a(8)\ncall k<<<1, 8>>>(a, 8)\n\
                !$cuf kernel do <<<*, *>>>\ndo i = 1, 8\na(i) = [1, 2]\nend do\nend program\n";
    for at in 0..text.len() {
        parse(&text[..at]);
        for c in ["(", "'", "!", "\n", "<<<", "\u{e9}", "\0"] {
            parse(&format!("{}{c}{}", &text[..at], &text[at + 1..]));
        }
    }
}

#[test]
fn errors_inside_a_broken_unit_are_at_their_statements() {
    let text = "module m\ncontains\nsubroutine s(a, n)\n  integer :: n, a(n)\n  a(1) = = 1\n  if (n > 3 then\nend subroutine\nend module\n";
    let (_, errors) = parse(text);
    let lines: Vec<usize> = errors
        .iter()
        .map(|e| text[..e.span.start as usize].matches('\n').count() + 1)
        .collect();
    assert_eq!(lines, [5, 6]);
}

/// All conformance programs, as they are and with lines left out, doubled and exchanged: parsed in the smallest pieces and as a
/// whole.
#[test]
fn pieces_make_the_same_tree() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let inputs = crate::driver::inputs::collect(&[folder], None).unwrap();
    let shown = |(file, errors): (File, Vec<SyntaxError>)| format!("{file:?} {errors:?}");
    let (mut split, mut n) = (0, 7_usize);
    for input in &inputs.fortran {
        let Ok(source) = crate::source::load(
            &input.path,
            &input.bytes,
            &crate::source::Options::default(),
            &|p| std::fs::read(p).ok(),
        ) else {
            continue;
        };
        let lines: Vec<&str> = source.text.split_inclusive('\n').collect();
        for change in 0..4 {
            let mut lines = lines.clone();
            n = n
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (a, b) = ((n >> 33) % lines.len(), (n >> 13) % lines.len());
            match change {
                0 => {}
                1 => drop(lines.remove(a)),
                2 => lines.insert(a, lines[b]),
                _ => lines.swap(a, b),
            }
            let text = lines.concat();
            let masked = keywords::mask(&text);
            let pieces = super::pieces::split(&masked, 1).unwrap_or_default();
            let Some(joined) = super::join(&text, &masked, &pieces).filter(|_| pieces.len() > 1)
            else {
                continue;
            };
            split += 1;
            let (whole, parts) = (parse_by(&text, usize::MAX / 2), (joined, Vec::new()));
            assert_eq!(
                shown(whole),
                shown(parts),
                "{} {change}",
                input.path.display()
            );
        }
    }
    assert!(
        split > inputs.fortran.len(),
        "{split} texts were taken apart"
    );
}
