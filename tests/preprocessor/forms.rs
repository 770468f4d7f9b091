//! Forms of conditions and macros: read as gfortran reads them, or not kept.

use super::*;

const FORMS: &str = "#define A 5\n#define B 6u\n#define Z 0\n#define EMPTY\n#define HAS defined(A)\n#define HASNT defined NOPE\n\
    #define OR_SO (defined(A) && !defined NOPE)\n#define IS(x) defined(x)\n#define HAS_OF(x) (IS(x) && HAS)\n#define DEF defined\n\
    #define F(x) ((x)+1)\n#define G(x,y) ((x)*(y))\n#define OF F\n#define ID(x) x\n#define OID ID(OF)\n#define P(a,b) a/**/b\n\
    #define P3(a,b) a/* 3 */\\\nb/**/_8\n#define NAME(t) v_/**/t\n#define AA 9\n#define OB A/**/A /* one word */\n";

#[test]
fn forms_are_read_as_gfortran_reads_them() {
    let place = suite::build_folder().join("preprocessor/forms");
    for seed in 0..3 {
        let mut choices = Choices(seed);
        let mut text = format!("{FORMS}subroutine s(y)\n  integer :: y\n");
        for k in 0..150 {
            let (one, other) = (choices.condition(3), choices.condition(2));
            text += &format!(
                "#if {one}\n  y = {k}\n#elif {other}\n  y = -{k}\n#else\n  y = 0\n#endif\n  y = {}\n",
                choices.expression()
            );
        }
        text += "end subroutine\n";
        let expanded = translation(&text, &[], true);
        assert!(!expanded.has_errors(), "{:?}", expanded.diagnostics);
        let ours = host_files(&expanded).into_values().next();
        let ours = String::from_utf8(ours.expect("a host file")).expect("UTF-8");
        let theirs = preprocessed(text.as_bytes(), &place, &[]).unwrap_or_else(|e| panic!("{e}"));
        let (ours, theirs) = (code(&ours), code(&theirs));
        let differs = ours.iter().zip(&theirs).find(|(a, b)| a != b);
        assert_eq!(differs, None, "ours, gfortran's, of\n{text}");
        assert_eq!(ours.len(), theirs.len(), "{text}");
        // What gfortran's preprocessor is left with.
        assert!(host(&text, &[]).contains("\n#elif "), "{text}");
    }
}

/// It is refused here, too, or not left to gfortran.
#[test]
fn what_gfortran_refuses_is_not_kept() {
    for line in [
        "#if 1/0",
        "#if 0 && 1/",
        "#if defined",
        "#if defined(A",
        "#if 1lul",
        "#if 1.5",
        "#if A++",
        "#if X(1)",
        "#if 'a' == 97",
        "#define V(...) x\n#if 1",
        "#define V(a,a) a\n#if 1",
        "#define C(a,b) a##b\n#if C(1,2)",
        "#define A A\n#if A",
        "#define F(x) (x)\n#if F(defined F)",
    ] {
        let text = format!("{line}\n#endif\nsubroutine s\nend subroutine\n");
        let kept = translation(&text, &[], false);
        let left = |f: &Vec<u8>| f.starts_with(b"#");
        assert!(
            kept.has_errors() || !host_files(&kept).values().any(left),
            "{line}"
        );
    }
    let kept = translation("#if 1\n#endif\nsubroutine s\nend subroutine\n", &[], false);
    assert!(host_files(&kept).values().all(|f| f.starts_with(b"#")));
}

/// Macros with arguments on the command line are gfortran's, too.
#[test]
fn macros_with_arguments_are_given() {
    let text = "subroutine s(y)\n  integer :: y\n#if WT(2) == 4 && defined(NOTHING)\n  y = WT(3) NOTHING\n#endif\nend subroutine\n";
    let got = host(text, &["-DWT(x)=(2*x)", "-DNOTHING="]);
    assert_eq!(got, text);
}
