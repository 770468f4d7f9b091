//! Snapshots of the CUDA C++ written for small inputs, one per topic: the input and both outputs stand together.

use std::path::PathBuf;

use cuf2cu::translate::{FileKind, SourceInput, TranslateOptions, translate};

/// The `.cuh` and `.cu` of a source, after the source itself.
fn translated(source: &str) -> String {
    let input = SourceInput {
        path: PathBuf::from("case.cuf"),
        relative: PathBuf::from("case.cuf"),
        bytes: source.as_bytes().to_vec(),
    };
    let outcome = translate(vec![input], &TranslateOptions::default());
    let mut text = source.trim().to_owned();
    for d in &outcome.diagnostics {
        text.push_str(&format!("\n---- {}: {}", d.code, d.message));
    }
    for kind in [FileKind::DeviceHeader, FileKind::DeviceSource] {
        for f in outcome.files.iter().filter(|f| f.kind == kind) {
            text.push_str(&format!(
                "\n---- {}\n{}",
                f.path.display(),
                String::from_utf8_lossy(&f.contents)
            ));
        }
    }
    text
}

macro_rules! case {
    ($name:ident) => {
        #[test]
        fn $name() {
            let source = include_str!(concat!("translate/", stringify!($name), ".cuf"));
            insta::assert_snapshot!(translated(source));
        }
    };
}

case!(kernel);
case!(comments);
case!(shared_memory);
case!(synchronisation);
case!(volatile_data);
case!(device_procedures);
case!(module_data);
case!(cuf_loops);
case!(reductions);
case!(array_statements);
case!(control_flow);
case!(derived_types);
case!(races);
case!(refusals);
