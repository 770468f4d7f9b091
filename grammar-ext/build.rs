//! Generates the CUDA Fortran parser: the grammar of the `tree-sitter-fortran` crate with the overlay laid over it.
//!
//! Nothing of the base grammar is copied into this repository: its `grammar.json` and `scanner.c` are read from the crate's
//! folder, which `cargo metadata` names.

mod overlay;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// Gives the scanner's entry points the names that the generated parser looks for.
const SCANNER: &str = r#"
#define tree_sitter_fortran_external_scanner_create tree_sitter_cuda_fortran_external_scanner_create
#define tree_sitter_fortran_external_scanner_destroy tree_sitter_cuda_fortran_external_scanner_destroy
#define tree_sitter_fortran_external_scanner_scan tree_sitter_cuda_fortran_external_scanner_scan
#define tree_sitter_fortran_external_scanner_serialize tree_sitter_cuda_fortran_external_scanner_serialize
#define tree_sitter_fortran_external_scanner_deserialize tree_sitter_cuda_fortran_external_scanner_deserialize
#include "base_scanner.c"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=overlay.rs");
    println!("cargo:rerun-if-changed=overlay_fortran.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let base = base_crate()?;

    let mut grammar: Value =
        serde_json::from_str(&fs::read_to_string(base.join("src/grammar.json"))?)?;
    overlay::apply(&mut grammar)?;
    let mut diagnostics = Vec::new();
    let (_, parser) = tree_sitter_generate::generate_parser_for_grammar(
        &grammar.to_string(),
        Some((0, 1, 0)),
        tree_sitter_generate::OptLevel::default(),
        &mut diagnostics,
    )?;

    write_if_changed(&out.join("parser.c"), &parser)?;
    write_if_changed(&out.join("scanner.c"), SCANNER)?;
    let scanner = fs::read_to_string(base.join("src/scanner.c"))?;
    write_if_changed(&out.join("base_scanner.c"), &bounded(&scanner)?)?;
    let headers = out.join("tree_sitter");
    fs::create_dir_all(&headers)?;
    for entry in fs::read_dir(base.join("src/tree_sitter"))? {
        let entry = entry?;
        fs::copy(entry.path(), headers.join(entry.file_name()))?;
    }

    cc::Build::new()
        .include(&out)
        .file(out.join("parser.c"))
        .file(out.join("scanner.c"))
        .warnings(false)
        // The parser is tables; optimising them only costs time.
        .opt_level(1)
        .compile("tree-sitter-cuda-fortran");
    Ok(())
}

/// The scanner that looks ahead no farther than a name is long for the kind of a character constant (`kind_'text'`): where a quotation
/// mark is missing, it is asked at each character of a line, and time was quadratic in the length of a word.
fn bounded(scanner: &str) -> Result<String, Box<dyn Error>> {
    let read = "while (is_identifier_char(lexer->lookahead) && !lexer->eof(lexer)) {";
    if scanner.matches(read).count() != 1 {
        return Err("the scanner of tree-sitter-fortran reads kinds in another way".into());
    }
    let bound = "for (int left = 128; left > 0 && is_identifier_char(lexer->lookahead) && !lexer->eof(lexer); left--) {";
    Ok(scanner.replace(read, bound))
}

fn write_if_changed(path: &Path, text: &str) -> std::io::Result<()> {
    match fs::read_to_string(path) {
        Ok(old) if old == text => Ok(()),
        _ => fs::write(path, text),
    }
}

/// The folder of the `tree-sitter-fortran` crate that this build resolved.
fn base_crate() -> Result<PathBuf, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let run = |locked: bool| -> std::io::Result<std::process::Output> {
        let mut command = Command::new(&cargo);
        command.args(["metadata", "--format-version", "1", "--filter-platform"]);
        command
            .arg(env::var("HOST").unwrap_or_default())
            .arg("--manifest-path")
            .arg(&manifest);
        if locked {
            command.arg("--locked");
        }
        command.output()
    };
    // A build as a dependency has no lock file of its own beside this manifest.
    let mut output = run(true)?;
    if !output.status.success() {
        output = run(false)?;
    }
    if !output.status.success() {
        return Err(format!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata: no packages")?;
    packages
        .iter()
        .find(|p| p["name"] == "tree-sitter-fortran")
        .and_then(|p| p["manifest_path"].as_str())
        .and_then(|p| Path::new(p).parent())
        .map(Path::to_owned)
        .ok_or_else(|| "cargo metadata does not list tree-sitter-fortran".into())
}
