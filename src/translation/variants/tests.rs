use std::path::Path;

use super::files::renumbered;
use super::kind::{Kinds, with_definition};
use super::merge::{in_language, known, merge};
use super::tree::{Language, flat, lines, parse, resolved};
use crate::source;
use crate::translate::VariantMacro;

fn choice(by_value: bool) -> VariantMacro {
    VariantMacro {
        name: "M".to_owned(),
        value: "1".to_owned(),
        exact: false,
        by_value,
        given: false,
        is_number: false,
    }
}

fn merged(a: &str, b: &str, language: Language) -> Option<String> {
    let kinds = Kinds::of(std::iter::once([a, b]));
    let merged = merge([a, b], language, &choice(false), kinds.as_ref())?;
    Some(merged.text)
}

#[test]
fn branches_of_the_users_come_from_the_text_that_reads_them() {
    let with = "#ifdef M\n  real, pointer :: a(:)\n#else\n#error \"cuf2cu: left out\"\n  real(8), device :: a(:)\n#endif\nend\n";
    let without = "#ifdef M\n#error \"cuf2cu: left out\"\n  real, device :: a(:)\n#else\n  real(8), pointer :: a(:)\n#endif\nend\n";
    let want =
        "#ifdef M\n  real, pointer :: a(:)\n#else\n  real(8), pointer :: a(:)\n#endif\nend\n";
    assert_eq!(
        merged(with, without, Language::Fortran).as_deref(),
        Some(want)
    );
}

#[test]
fn checks_that_are_answered_go() {
    let with =
        "#ifndef M\n#error \"cuf2cu: a.F90, line 3: translated for another branch\"\n#endif\nx\n";
    let without =
        "#ifdef M\n#error \"cuf2cu: a.F90, line 3: translated for another branch\"\n#endif\nx\n";
    assert_eq!(
        merged(with, without, Language::Fortran).as_deref(),
        Some("x\n")
    );
    // Another macro's stay.
    let with = "#if defined(M) && defined(N)\n#error \"cuf2cu: both\"\n#endif\nx\n";
    let got = merged(with, "x\n", Language::Fortran).unwrap();
    assert!(got.contains("#error \"cuf2cu: both\""), "{got}");
}

#[test]
fn what_differs_stands_under_the_macro_as_whole_statements() {
    let with = "call a(1, &\n  2)\ncall b\n";
    let without = "call a(1, &\n  3)\ncall b\n";
    let want = "#ifdef M\ncall a(1, &\n  2)\n#else\ncall a(1, &\n  3)\n#endif\ncall b\n";
    assert_eq!(
        merged(with, without, Language::Fortran).as_deref(),
        Some(want)
    );
    let only = merged("x\n", "x\ny\n", Language::Fortran);
    assert_eq!(only.as_deref(), Some("x\n#ifndef M\ny\n#endif\n"));
    let by_value = merge(["x\ny\n", "x\n"], Language::Fortran, &choice(true), None).unwrap();
    assert_eq!(by_value.text, "x\n#if M\ny\n#endif\n");
}

#[test]
fn kinds_have_a_name() {
    let with = "__global__ void k(float* x_, int n)\n{\n    float s = 0.5f;  // a float\n    x(1) = s * 1e-3f;\n}\n";
    let without = "__global__ void k(double* x_, int n)\n{\n    double s = 0.5;  // a float\n    x(1) = s * 1e-3;\n}\n";
    let want = "__global__ void k(real_t* x_, int n)\n{\n    real_t s = real_t(0.5);  // a float\n    x(1) = s * real_t(1e-3);\n}\n";
    assert_eq!(merged(with, without, Language::Cpp).as_deref(), Some(want));
}

/// What is no number in single precision, or means something else, is no matter of the name.
#[test]
fn other_numbers_stay_apart() {
    for (single, double) in [
        ("y = 3.0e-40f;", "y = 3.0e-41;"),
        ("y = float(0.5);", "y = double(0.5);"),
        ("y = 1f;", "y = 1;"),
        ("y = double(z);", "y = float(z);"),
    ] {
        let with = format!("float x;\nfloat y;\nfloat z;\n{single}\n");
        let without = format!("double x;\ndouble y;\ndouble z;\n{double}\n");
        let got = merged(&with, &without, Language::Cpp).unwrap();
        let want = format!(
            "real_t x;\nreal_t y;\nreal_t z;\n#if CUF_WITH_M\n{single}\n#else\n{double}\n#endif\n"
        );
        assert_eq!(got, want);
    }
}

/// A decimal number of which the double, rounded once more, is another float.
#[test]
fn numbers_are_rounded_once() {
    let number = "1.00000017881393421514957253748434595763683319091796875001";
    let (single, double): (f32, f64) = (number.parse().unwrap(), number.parse().unwrap());
    assert_ne!(single, double as f32);
    let got = merged(
        &format!("float x;\nx = {number}f;\n"),
        &format!("double x;\nx = {number};\n"),
        Language::Cpp,
    );
    assert!(!got.unwrap().contains("real_t("));
}

#[test]
fn braces_stay_in_their_branch() {
    let with = "if (a) {\n    x;\n    z;\n}\nrest;\n";
    let without = "if (b) {\n    x;\n}\nrest;\n";
    let want =
        "#if CUF_WITH_M\nif (a) {\n    x;\n    z;\n}\n#else\nif (b) {\n    x;\n}\n#endif\nrest;\n";
    assert_eq!(merged(with, without, Language::Cpp).as_deref(), Some(want));
}

#[test]
fn a_definition_stands_behind_the_includes() {
    let text = "// head\n#ifdef A\n#include \"a\"\n#endif\n#include \"b\"\n\nnamespace n {\n#include \"c\"\n}\n";
    let (got, at) = with_definition(text, "using t = float;\n");
    assert_eq!(at, 5);
    let want = "// head\n#ifdef A\n#include \"a\"\n#endif\n#include \"b\"\n\nusing t = float;\n\nnamespace n {\n#include \"c\"\n}\n";
    assert_eq!(got, want);
}

#[test]
fn tables_of_lines_follow() {
    let places = [Some(4), None, Some(9)];
    let got = renumbered(
        "// a\nCUF_SOURCE_LINES(\"a.cuf\", {1, 7}, {3, 8});\nb\n",
        &places,
    );
    assert_eq!(
        got.as_deref(),
        Some("// a\nCUF_SOURCE_LINES(\"a.cuf\", {5, 7}, {10, 8});\nb\n")
    );
    assert_eq!(
        renumbered("CUF_SOURCE_LINES(\"a.cuf\", {2, 7});", &places),
        None
    );
}

/// Numbers that look random, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// A text with conditionals about M and others, nested.
    fn text(&mut self, depth: u64, language: Language, out: &mut String) {
        for _ in 0..self.below(5) {
            match self.below(if depth == 0 { 5 } else { 8 }) {
                0 => out.push('\n'),
                1 => out.push_str("! or // a comment\n"),
                2 if language == Language::Cpp => out.push_str("float x = 0.5f;\n"),
                3 if language == Language::Cpp => out.push_str("double x = 0.5;\n"),
                2 => out.push_str("call f(a, &\n   b)\n"),
                3 | 4 => out.push_str(&format!("s{} = 1;\n", self.below(4))),
                5 if language == Language::Cpp => {
                    out.push_str(&format!("void f{}(int a)\n{{\n", self.below(2)));
                    self.text(depth - 1, language, out);
                    out.push_str("}\n");
                }
                _ => {
                    let conditions = [
                        "ifdef M",
                        "ifndef M",
                        "ifdef N",
                        "if defined(M) && defined(N)",
                        "if N == 2",
                    ];
                    out.push_str(&format!("#{}\n", conditions[self.below(5) as usize]));
                    self.text(depth - 1, language, out);
                    if self.below(3) == 0 {
                        out.push_str("#elif defined(M) || defined(O)\n");
                        self.text(depth - 1, language, out);
                    }
                    if self.below(2) == 0 {
                        out.push_str("#else\n");
                        self.text(depth - 1, language, out);
                    }
                    out.push_str("#endif\n");
                }
            }
        }
    }

    /// The text with some lines changed, gone or new; directives stay.
    fn changed(&mut self, text: &str) -> String {
        let mut out = String::new();
        for line in text.lines() {
            let word = match self.below(8) {
                _ if line.starts_with('#') || line.ends_with('&') || line.contains(['{', '}']) => {
                    line
                }
                0 => continue,
                1 => "new = 2;",
                _ => line,
            };
            out.push_str(&format!("{word}\n"));
        }
        out
    }
}

/// Device code asks for a macro of its own.
fn asking(text: String, language: Language) -> String {
    match language {
        Language::Cpp => text
            .replace("#ifdef M", "#if CUF_WITH_M")
            .replace("#ifndef M", "#if !CUF_WITH_M")
            .replace("defined(M)", "CUF_WITH_M"),
        _ => text,
    }
}

/// Whatever the two texts are, deciding the macro in the merged one gives them back.
#[test]
fn both_texts_can_be_had_back() {
    let mut random = Random(1);
    let mut count = 0;
    for n in 0..1000 {
        let language = if n % 2 == 0 {
            Language::Fortran
        } else {
            Language::Cpp
        };
        let mut a = String::new();
        random.text(3, language, &mut a);
        let mut b = random.changed(&a);
        if random.below(8) == 0 {
            b.clear();
            random.text(2, language, &mut b);
        }
        let [a, b] = [a, b].map(|text| asking(text, language));
        let Some(merged) = merge([&a, &b], language, &choice(false), None) else {
            panic!("not merged:\n{a}\n-----\n{b}");
        };
        let tree = |text: &str, value| -> Vec<String> {
            let choice = in_language(&choice(false), language);
            let all = lines(text);
            let tree = parse(&all, language).unwrap();
            let left = resolved(&tree, &known(&choice, value));
            let left = flat(&left).into_iter().filter(|l| !l.trim().is_empty());
            left.map(str::to_owned).collect()
        };
        assert_eq!(
            tree(&merged.text, true),
            tree(&a, true),
            "{a}\n-----\n{b}\n-----\n{}",
            merged.text
        );
        assert_eq!(
            tree(&merged.text, false),
            tree(&b, false),
            "{a}\n-----\n{b}\n-----\n{}",
            merged.text
        );
        let name = &*in_language(&choice(false), language).name;
        for macros in 0..8 {
            let given = |bit: u32, name: &str| {
                (macros >> bit & 1 == 1).then(|| (name.to_owned(), Some("2".to_owned())))
            };
            let options = source::Options {
                macros: [given(0, name), given(1, "N"), given(2, "O")]
                    .into_iter()
                    .flatten()
                    .collect(),
                ..source::Options::default()
            };
            let read = |text: &str| {
                let lines = source::preprocessed(Path::new("a.F90"), text, &options, &|_| None)?;
                Some(
                    lines
                        .into_iter()
                        .filter(|l| !l.trim().is_empty())
                        .collect::<Vec<_>>(),
                )
            };
            let side = if macros & 1 == 1 { &a } else { &b };
            let (got, want) = (read(&merged.text), read(side));
            assert!(
                want.is_some() && got == want,
                "{macros}: {got:?}\n{want:?}\n{}",
                merged.text
            );
        }
        count += usize::from(merged.conditional);
    }
    assert!(count > 350, "{count} with conditionals");
}
