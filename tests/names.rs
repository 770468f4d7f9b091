//! Renaming a program changes nothing: one program with neutral names and with names that generated code has uses for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = include_str!("names/program.txt");

/// Names of C++, of its libraries and macros, of CUDA, of the runtime, and intrinsics of Fortran that the program does not call.
const HOSTILE: &str = "new class this template namespace int float double auto register static volatile const operator \
    delete union switch default short signed unsigned bool typename nullptr asm friend typedef using try catch throw \
    inline extern mutable explicit export concept requires char16_t constexpr decltype noexcept sizeof struct void \
    min max errno stdin stdout eof assert linux unix i j major minor warpsize main std cuda cuf printf malloc \
    float2 int4 dim uint3 half isnan abs powf sinf y0 y1 j0 jn gamma signbit \
    view array descriptor launch section all space config at part text range any stream \
    lbound ubound size shape associated allocated move_alloc storage_size merge sum loc \
    x y z p n t u v w a b c k index bytes grid block kernel loop_1 bind \
    cuf_at cuf_x cuf_h2d cuf_d2h cuf_launch cuf_loop cuf_range cuf_array cuf_array_t cuf_address cuf_ptr cuf_loc cuf_host cuf_release \
    cuf_allocate cuf_deallocate cuf_associate cuf_malloc cuf_lbound cuf_value cuf_from cuf_to cuf_new cuf_bind_m cuf_t";

/// Words of the language that the program needs as such, and names the program means from elsewhere.
const RESERVED: &str = "allocate allocatable associate attributes block call constant contains cudafor cuf_ cuf_runtime cuf_program_shims deallocate device dim3 \
    do else end endif function global if implicit in inout integer intent interface kernel logical managed module none null only \
    optional out parameter pointer present print procedure program real result return save shared source stat stop \
    subroutine syncthreads target then threadidx blockidx blockdim griddim type use value where x y z is import \
    character complex dimension select case default common data external intrinsic enddo close open read write format";

fn placeholders() -> BTreeSet<&'static str> {
    PROGRAM.split('@').skip(1).step_by(2).collect()
}

fn named(names: &BTreeMap<&str, String>) -> String {
    let mut out = String::new();
    for (i, part) in PROGRAM.split('@').enumerate() {
        match names.get(part) {
            Some(name) if i % 2 == 1 => out.push_str(name),
            _ => out.push_str(part),
        }
    }
    out
}

fn neutral() -> String {
    let names = placeholders().into_iter().map(|p| (p, format!("my_{p}")));
    named(&names.collect())
}

/// All identifiers of the text that a Fortran program may have.
fn identifiers(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.map(str::to_ascii_lowercase).filter(|w| {
        // Generated names made of those of the neutral program are others in other programs.
        let made = w.starts_with("cuf_") && w.contains("my_");
        w.len() < 32 && w.starts_with(|c: char| c.is_ascii_lowercase()) && !made
    })
}

fn cuf2cu(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn result_of(folder: &Path, text: &str) -> Result<String, String> {
    std::fs::write(folder.join("program.cuf"), text).map_err(|e| e.to_string())?;
    cuf2cu(folder, &["run", "--target", "cpu", "program.cuf"])
}

/// The hostile names: those of the list and what the translation of the neutral program mentions.
fn hostile(folder: &Path) -> Result<Vec<String>, String> {
    std::fs::write(folder.join("program.cuf"), neutral()).map_err(|e| e.to_string())?;
    cuf2cu(folder, &["program.cuf", "out"])?;
    let mut names: BTreeSet<String> = HOSTILE.split_whitespace().map(str::to_owned).collect();
    for file in ["program.cu", "program.f90", "program_shims.f90"] {
        let text = std::fs::read_to_string(folder.join("out").join(file));
        names.extend(identifiers(&text.map_err(|e| format!("{file}: {e}"))?));
    }
    let reserved: BTreeSet<&str> = RESERVED.split_whitespace().collect();
    names.retain(|n| !reserved.contains(n.as_str()) && !n.starts_with("my_"));
    Ok(names.into_iter().collect())
}

#[test]
fn names_mean_nothing() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = folder.path();
    let names = hostile(folder)?;
    let expected = result_of(folder, &neutral())?;
    assert!(expected.contains("kernel"), "{expected}");
    let last: u64 = std::env::var("NAMES_SEED")
        .ok()
        .and_then(|r| r.parse().ok())
        .unwrap_or(9);
    for seed in last.saturating_sub(2)..=last {
        let mut left = names.clone();
        let mut state = seed;
        let mut given = BTreeMap::new();
        for p in placeholders() {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let at = (state >> 33) as usize % left.len();
            given.insert(p, left.swap_remove(at));
        }
        let text = named(&given);
        let found = result_of(folder, &text);
        assert_eq!(found.as_ref(), Ok(&expected), "seed {seed}\n{text}");
    }
    Ok(())
}

/// No namespace is called like what the C library or CUDA declares at global scope (src/translation/ir/names/global.txt): the headers of the cpu
/// target are compiled with a namespace of each of their identifiers that the list does not have.
#[test]
fn namespaces_keep_clear_of_global_names() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let headers = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime-headers/cuf.cuh");
    let gxx = |arguments: &[&str]| {
        let mut command = Command::new("g++");
        command.args(["-std=c++20", "-DCUF_TARGET_CPU", "-x", "c++"]);
        command.args(arguments).current_dir(folder.path()).output()
    };
    let read = gxx(&["-E", "-P", headers]).map_err(|e| e.to_string())?;
    let listed = include_str!("../src/translation/ir/names/global.txt");
    let listed: BTreeSet<&str> = listed.split_whitespace().collect();
    let names: BTreeSet<String> = identifiers(&String::from_utf8_lossy(&read.stdout))
        .filter(|n| !listed.contains(n.as_str()) && !n.ends_with('_') && !n.contains("__"))
        .collect();
    let keywords = gxx(&["-E", "-dM", headers]).map_err(|e| e.to_string())?;
    let macros = String::from_utf8_lossy(&keywords.stdout).into_owned();
    let text = names
        .iter()
        .filter(|n| !macros.contains(&format!("#define {n}")))
        .fold(format!("#include \"{headers}\"\n"), |all, n| {
            all + &format!("namespace {n} {{ }}\n")
        });
    std::fs::write(folder.path().join("all.cpp"), text).map_err(|e| e.to_string())?;
    let output = gxx(&["-fsyntax-only", "-fmax-errors=0", "all.cpp"]).map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let taken: Vec<&str> = said
        .lines()
        .filter(|l| l.contains("redeclared as different kind"))
        .collect();
    assert!(names.len() > 1000 && taken.is_empty(), "{taken:#?}");
    Ok(())
}
