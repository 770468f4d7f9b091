//! Intrinsic functions in device code: what the translation calls is in the runtime, and nothing else is accepted.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cuf2cu::intrinsics::{Class, Intrinsic};
use cuf2cu::{SourceInput, TranslateOptions, translate};

/// The C++ of a kernel that prints a value; None if that is an error.
fn device_code(declarations: &str, value: &str) -> Option<String> {
    let text = format!(
        "module m\ncontains\nattributes(global) subroutine k()\n{declarations}\nprint *, {value}\nend subroutine\nend module\n"
    );
    let source = SourceInput {
        path: "m.cuf".into(),
        relative: "m.cuf".into(),
        bytes: text.into_bytes(),
    };
    let translation = translate(vec![source], &TranslateOptions::default());
    let code = translation
        .files
        .iter()
        .find(|f| f.path.extension().is_some_and(|e| e == "cu"));
    code.map(|f| String::from_utf8_lossy(&f.contents).into_owned())
        .filter(|_| !translation.has_errors())
}

/// The words of all headers of the runtime.
fn words(folder: &Path, out: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            words(&path, out);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            out.extend(text.split(|c| !part(c)).map(str::to_owned));
        }
    }
}

#[test]
fn the_runtime_has_what_device_code_calls() {
    let mut known = BTreeSet::new();
    words(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-headers"),
        &mut known,
    );
    let types = [
        "real :: x, y",
        "integer :: x, y",
        "complex :: x, y",
        "logical :: x, y",
        "character(4) :: x, y",
    ];
    let mut accepted = BTreeSet::new();
    let mut missing = BTreeSet::new();
    for i in Intrinsic::ALL {
        if i.entry().class != Class::Elemental {
            continue;
        }
        let required = i.dummies().filter(|d| !d.1).count();
        let call = |n: usize| format!("{i}({})", ["x", "y", "x", "y"][..n].join(", "));
        let values = [call(required), call(required.max(2)), call(required.max(3))];
        for (declarations, value) in types
            .iter()
            .flat_map(|t| values.iter().map(move |v| (t, v)))
        {
            let Some(code) = device_code(declarations, value) else {
                continue;
            };
            accepted.insert(i.name());
            for called in code.split("cuf::").skip(1) {
                let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let end = called.find(|c| !part(c)).unwrap_or(called.len());
                if !known.contains(&called[..end]) {
                    missing.insert(format!("{} for {value}", &called[..end]));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(accepted.len() > 100, "{}: {accepted:?}", accepted.len());
}
