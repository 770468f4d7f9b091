//! Options of nvfortran and gfortran that people have in their makefiles, as options of this program.

use std::ffi::{OsStr, OsString};

/// The arguments with the options of other compilers replaced; what follows `--` is the program's.
pub fn translate(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter();
    let mut out: Vec<OsString> = arguments.next().into_iter().collect();
    let mut check = false;
    while let Some(a) = arguments.next() {
        if a == "--" {
            out.push(a);
            out.extend(arguments);
            break;
        }
        check |= out.len() == 1 && a == "check";
        match own(&a) {
            None => out.push(a),
            Some(own) if check && own.starts_with("--fflags") => {}
            Some(own) => out.extend(own.split_ascii_whitespace().map(OsString::from)),
        }
    }
    out
}

/// The options that mean the same here, separated by blanks; None if it is no option of those compilers.
fn own(argument: &OsStr) -> Option<String> {
    let a = argument.to_str()?;
    let same = match a {
        "-Mextend" => "--extend",
        "-Mfixed" | "-ffixed-form" => "--fixed",
        "-Mfree" | "-Mfreeform" | "-ffree-form" => "--free",
        "-Mpreprocess" | "-cpp" => "--cpp",
        "-mp" | "-fopenmp" => "--openmp",
        "-fd-lines-as-code" | "-Mdlines" => "--dlines",
        // What is always so.
        "-cuda" | "-Mcuda" | "-fd-lines-as-comments" | "-fbackslash" => "",
        _ => {
            if let Some(length) = a.strip_prefix("-ffixed-line-length-") {
                let columns = if length == "none" { "0" } else { length };
                return Some(format!("--columns={columns}"));
            }
            if a.starts_with("-ffree-line-length-") {
                return Some(String::new());
            }
            if a.starts_with("-f") && a.len() > 2 || a.starts_with("-std=") {
                return Some(format!("--fflags={a}"));
            }
            return None;
        }
    };
    Some(same.to_owned())
}

/// The option gives types without a kind another kind, which the translation does not know of.
pub fn changes_kinds(flag: &str) -> bool {
    ["-fdefault-", "-freal-", "-finteger-4-integer-8"]
        .iter()
        .any(|f| flag.starts_with(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: &str) {
        let words = given.split(' ').map(OsString::from);
        let expected: Vec<OsString> = expected.split(' ').map(OsString::from).collect();
        assert_eq!(translate(words), expected, "{given}");
    }

    #[test]
    fn options_of_other_compilers() {
        check("x run -Mextend a.f", "x run --extend a.f");
        check("x check -std=legacy -Mfixed a", "x check --fixed a");
        check("x build -std=legacy a", "x build --fflags=-std=legacy a");
        check("x a -ffixed-line-length-none o", "x a --columns=0 o");
        check("x run a.f -- -Mextend", "x run a.f -- -Mextend");
        check(
            "x run -D -ffree-line-length-80 check -fdec",
            "x run -D check --fflags=-fdec",
        );
    }
}
