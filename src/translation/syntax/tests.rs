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
        ("x = 1 + &\n!$cuf kernel do\n2", "cannot appear here"),
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

/// The trees and messages of a text in pieces of some size and as a whole; None if there are no pieces of that size.
fn in_pieces(text: &str, size: usize) -> Option<[String; 2]> {
    let masked = keywords::mask(text);
    let pieces = super::chunks::split(&masked, size)?;
    let joined = super::join(text, &masked, &pieces)?;
    let shown = |(file, errors): (File, Vec<SyntaxError>)| format!("{file:?} {errors:?}");
    Some([
        shown((joined, Vec::new())),
        shown(parse_by(text, usize::MAX / 2)),
    ])
}

/// All conformance programs, as they are and with lines left out, doubled, exchanged, joined and cut: parsed in pieces and as a
/// whole. `PIECES_CORPUS` names a folder with more programs.
#[test]
fn pieces_make_the_same_tree() {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let more = std::env::var_os("PIECES_CORPUS").map(std::path::PathBuf::from);
    let inputs: Vec<_> = std::iter::once(own)
        .chain(more)
        .flat_map(|f| crate::driver::inputs::collect(&[f], None).unwrap().fortran)
        .collect();
    let (mut split, mut n) = (0, 7_usize);
    for input in &inputs {
        let Ok(source) = crate::source::load(
            &input.path,
            &input.bytes,
            &crate::source::Options::default(),
            &|p| std::fs::read(p).ok(),
        ) else {
            continue;
        };
        let lines: Vec<&str> = source.text.split_inclusive('\n').collect();
        // The preprocessor may leave nothing.
        let changes = if lines.is_empty() { 0 } else { 6 };
        for change in 0..changes {
            let mut lines = lines.clone();
            n = n
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (a, b) = ((n >> 33) % lines.len(), (n >> 13) % lines.len());
            let joined = format!("{}; ", lines[a].trim_end());
            let half = (0..=lines[a].len() / 2).rfind(|i| lines[a].is_char_boundary(*i));
            match change {
                0 => {}
                1 => drop(lines.remove(a)),
                2 => lines.insert(a, lines[b]),
                3 => lines[a] = &joined,
                4 => lines[a] = &lines[a][half.unwrap_or(0)..],
                _ => lines.swap(a, b),
            }
            let text = lines.concat();
            let size = if change % 2 == 0 { 1 } else { 1_000 };
            if let Some([parts, whole]) = in_pieces(&text, size) {
                split += 1;
                assert!(whole == parts, "{} {change}", input.path.display());
            }
        }
    }
    assert!(split > inputs.len(), "{split} texts were taken apart");
}

/// Units, module procedures and what stands between them in odd forms: whatever is split is split rightly. True where all of
/// them are found.
#[test]
fn odd_forms_in_pieces() {
    let module = |spec: &str, procedures: &str| {
        format!("module m\n{spec}contains\n{procedures}end module m\n")
    };
    let s = "subroutine s\n  x = 1\nend subroutine s\n";
    let t = "function t()\n  t = 1\nend function\n";
    let two = |middle: &str| module("", &format!("{s}{middle}{t}"));
    let cases = [
        (two(""), true),
        (two("  ! between\n\n"), true),
        (two("! it's subroutine u\n"), true),
        (two("!$omp routine 'x\n"), true),
        (two("# 3 \"subroutine's.cuf\"\n"), true),
        // What the procedures hold.
        (two("subroutine u\nx = 'end subroutine; end'\nend\n"), true),
        (
            two("subroutine u\nx = 'a &\nend subroutine &\n&b'\nend\n"),
            true,
        ),
        (
            two("subroutine u\nx = 'a &\n!end subroutine\n&b'\nend\n"),
            true,
        ),
        (
            two("subroutine u\nend = 1\nend(1) = 2\nend%x = 3\nend\n"),
            true,
        ),
        (two("subroutine u\nendsubroutine = 1\nend\n"), true),
        (
            two("subroutine u\ninteger :: function, subroutine(3)\nend\n"),
            true,
        ),
        (
            two("subroutine u\nsubroutine = 1\nfunction(3) = 1\nend\n"),
            true,
        ),
        (
            two("subroutine u\nmodule = program\ninterface = 2\nend\n"),
            true,
        ),
        (two("subroutine u\ninterface(2) = 2\nend\n"), true),
        (
            two("subroutine u\ntype :: v\nreal :: end\nend type\nend\n"),
            true,
        ),
        (
            two("subroutine u\nselect type (x)\ntype is (v)\nend select\nend\n"),
            true,
        ),
        (two("subroutine u\nblock\nreal y\nend block\nend\n"), true),
        (two("subroutine u\ncall v; end subroutine\n"), true),
        (two("subroutine u; x = 1; end subroutine u\n"), true),
        (two("subroutine u; end; subroutine v; end\n"), true),
        (two("subroutine u\nx = 1 ; end &\n subroutine u\n"), true),
        (two("sub&\n&routine u\nend sub&\n&routine u\n"), false),
        (two("subroutine u ! end\nend ! subroutine v\n"), true),
        (
            two("subroutine u\nwrite (1, '(a, 3hend)') 'x'\nend\n"),
            true,
        ),
        (two("subroutine u\ndata i /4hA!'b/\nend\n"), true),
        (
            two("subroutine u\nif (a) goto 10\n10 end subroutine u\n"),
            false,
        ),
        // Internal procedures.
        (
            two("subroutine u\ncontains\nsubroutine v\nend\nfunction w()\nend\nend\n"),
            true,
        ),
        (
            two("subroutine u\ncontains\nsubroutine v\nend; end\n"),
            true,
        ),
        (two("subroutine u\ncontains\nend\n"), true),
        // Interface blocks.
        (
            two("subroutine u\ninterface\nsubroutine v\nend\nend interface\nend\n"),
            true,
        ),
        (
            two("subroutine u\nabstract interface\nfunction v()\nend\nendinterface\nend\n"),
            true,
        ),
        (
            two(
                "subroutine u\ninterface operator (.end.)\nprocedure v\nend interface operator (.end.)\nend\n",
            ),
            true,
        ),
        // Other heads.
        (
            two("attributes(global) launch_bounds(2, 3) subroutine u\nend\n"),
            true,
        ),
        (
            two("pure elemental real(kind=8) function u(x)\nend\n"),
            true,
        ),
        (two("character*(*) function u(x)\nend\n"), true),
        (two("integer * 4 function u(x)\nend\n"), true),
        (two("type(v) function u(x)\nend\n"), true),
        (two("double precision function u(x)\nend\n"), true),
        (
            two("recursive subroutine u(x) bind(c, name='end')\nend\n"),
            true,
        ),
        (two("SUBROUTINE U\nEND SUBROUTINE\n"), true),
        (two("non_recursive subroutine u\nend\n"), false),
        // Specifications of the module.
        (
            module(
                "type v\nreal x\ncontains\nprocedure w\nend type\n",
                &format!("{s}{t}"),
            ),
            true,
        ),
        (
            module(
                "interface v\nmodule procedure s, t\nend interface\n",
                &format!("{s}{t}"),
            ),
            true,
        ),
        (
            module(
                "interface\nmodule subroutine v\nend\nend interface\n",
                &format!("{s}{t}"),
            ),
            true,
        ),
        (module("integer :: contains\n", &format!("{s}{t}")), true),
        (
            module("type(v) :: x\nprocedure(w) :: y\n", &format!("{s}{t}")),
            true,
        ),
        (
            module(
                "enum, bind(c)\nenumerator a\nend enum\n",
                &format!("{s}{t}"),
            ),
            true,
        ),
        (module("integer x; ", &format!("{s}{t}")), true),
        // Lists of units.
        (format!("{s}{t}"), true),
        (format!("{s}! between\n{t}"), true),
        (format!("{s}program p\nend\n{t}"), true),
        (format!("{s}program p\ncontains\n{t}end\n"), true),
        (format!("{s}x = 1\nend\n{t}"), false),
        (format!("{s}block data\nend block data\n{t}"), true),
        (format!("{s}blockdata d\nend\n{t}"), true),
        (format!("{s}end\n{t}"), false),
        (format!("{s}{}", two("")), true),
        (format!("{}{s}", two("")), true),
        (
            format!(
                "{}submodule (m) n\ncontains\nmodule procedure v\nend procedure\n{t}end\n",
                two("")
            ),
            false,
        ),
        (format!("! first\n{s}\n! last"), true),
    ];
    let mut otherwise = Vec::new();
    for (text, splits) in &cases {
        let source = crate::source::from_bytes("a.cuf".as_ref(), text.as_bytes());
        let found = in_pieces(&source.unwrap().text, 1);
        if let Some([parts, whole]) = &found {
            assert_eq!(parts, whole, "{text}");
        }
        if found.is_some() != *splits {
            otherwise.push(text);
        }
    }
    assert!(otherwise.is_empty(), "{otherwise:#?}");
}
