//! Embeds the runtime files (runtime-headers/) in the binary, so that it needs nothing beside it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?)
        .join("runtime-headers");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, Path::new(""), &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        let path = path.display().to_string();
        writeln!(table, "({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    println!("cargo::rustc-env=MADE_OF_SOURCES={:016x}", own_sources()?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("runtime_files.rs"), table)?;
    libraries(&root.join("libraries"), &out)
}

/// A number of what the command is made of, by which builds of one version are told apart: outputs of another one are not taken for its own.
fn own_sources() -> io::Result<u64> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let parts = [
        "src",
        "templates",
        "runtime-headers",
        "grammar-ext",
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
    ];
    // FNV-1a of 64 bits.
    let mut number = 0xcbf2_9ce4_8422_2325_u64;
    let mut open: Vec<PathBuf> = parts.iter().map(|p| root.join(p)).collect();
    open.retain(|p| p.exists());
    for path in &open {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries: io::Result<Vec<_>> = fs::read_dir(&path)?.map(|e| Ok(e?.path())).collect();
            let mut entries = entries?;
            entries.sort();
            open.extend(entries);
            continue;
        }
        for byte in fs::read(&path)? {
            number = (number ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(number)
}

/// Embeds the tables of the libraries and their hand-written modules.
fn libraries(folder: &Path, out: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            files.push((entry.file_name().display().to_string(), entry.path()));
        }
    }
    files.retain(|(name, _)| name.ends_with(".toml") || name.ends_with(".f90"));
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        let path = path.display().to_string();
        writeln!(table, "({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    fs::write(out.join("library_files.rs"), table)
}

/// Lists every file that belongs beside the output: everything but tests, benchmarks and documentation.
fn collect(root: &Path, below: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let relative = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            let apart = ["tests", "bench", "libraries"];
            let own = below == Path::new("");
            if !(own && apart.iter().any(|a| entry.file_name() == *a)) {
                collect(root, &relative, files)?;
            }
        } else if relative.extension().is_some_and(|e| {
            ["cuh", "hpp", "h", "cpp", "cu", "f90", "inc"]
                .iter()
                .any(|k| e == *k)
        }) {
            files.push((
                relative.display().to_string().replace('\\', "/"),
                entry.path(),
            ));
        }
    }
    Ok(())
}
