//! Snapshots of what is written for small inputs, one per topic: the input and the outputs stand together. Most are of the CUDA C++;
//! those whose host side has something to show have that and the shims, too. Where types and what the passes made of them are the
//! point, which C++ does not show, it is the device IR.

use std::path::PathBuf;

use cuf2cu::translate::{FileKind, SourceInput, TranslateOptions, Translation, translate};

/// What a snapshot shows of a file that is written.
type Shown = fn(&FileKind) -> bool;

fn device(kind: &FileKind) -> bool {
    matches!(kind, FileKind::DeviceHeader | FileKind::DeviceSource)
}

fn all(_: &FileKind) -> bool {
    true
}

/// Where a kind of file stands in a snapshot.
fn order(kind: &FileKind) -> usize {
    match kind {
        FileKind::HostFortran { .. } => 0,
        FileKind::Shims { .. } => 1,
        FileKind::DeviceHeader => 2,
        FileKind::DeviceSource => 3,
    }
}

fn translation(source: &str) -> Translation {
    let input = SourceInput {
        path: PathBuf::from("case.cuf"),
        relative: PathBuf::from("case.cuf"),
        bytes: source.as_bytes().to_vec(),
    };
    let options = TranslateOptions {
        show_ir: true,
        ..TranslateOptions::default()
    };
    translate(vec![input], &options)
}

/// The device IR of a source, after the source itself.
fn lowered(source: &str) -> String {
    format!(
        "{}\n----\n{}",
        source.trim(),
        translation(source).ir.concat()
    )
}

/// The files written for a source, after the source itself.
fn translated(source: &str, shown: Shown) -> String {
    let mut outcome = translation(source);
    let mut text = source.trim().to_owned();
    for d in &outcome.diagnostics {
        text.push_str(&format!("\n---- {}: {}", d.code, d.message));
    }
    outcome.files.sort_by_key(|f| order(&f.kind));
    for f in outcome.files.iter().filter(|f| shown(&f.kind)) {
        text.push_str(&format!(
            "\n---- {}\n{}",
            f.path.display(),
            String::from_utf8_lossy(&f.contents)
        ));
    }
    text
}

macro_rules! cases {
    (ir: $($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                let source = include_str!(concat!("translate/", stringify!($name), ".cuf"));
                insta::assert_snapshot!(lowered(source));
            }
        )*
    };
    ($shown:ident: $($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                let source = include_str!(concat!("translate/", stringify!($name), ".cuf"));
                insta::assert_snapshot!(translated(source, $shown));
            }
        )*
    };
}

cases!(all: kernel, module_data, cuf_loops, host_statements, owners, owner_classes);
cases!(
    device: comments,
    shared_memory,
    synchronisation,
    volatile_data,
    device_procedures,
    reductions,
    array_statements,
    control_flow,
    derived_types,
    races,
    refusals,
);
cases!(ir: arithmetic, dummies);
