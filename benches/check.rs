//! `cuf2cu check` on one thread beside a bare tree-sitter parse of the same bytes with the same grammar, in one process and
//! with one allocator: `cargo bench --bench check`. The programs are those of this repository; `scripts/bench-check`
//! measures other code, memory and growth.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuf2cu::driver::inputs::collect;
use cuf2cu::driver::pool;
use cuf2cu::pipeline::{self, Action, Dialect, Environment, PipelineOptions, SourceFile, Wrap};
use cuf2cu::source::Options;
use tree_sitter::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CHECK: PipelineOptions = PipelineOptions {
    dialect: Dialect::USUAL,
    goal: Action::Check,
    leave_memory: false,
    show_ir: false,
    keep_loops: false,
    line_directives: false,
    checked: false,
    wrap: Wrap::Plausible,
    separate: false,
    expand_macros: false,
    source_map: false,
    facts: false,
    step: None,
    wider_libraries: false,
};

fn files(folder: &str) -> Vec<SourceFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let inputs = collect(&[folder], None).expect("the repository's programs");
    let file = |f: cuf2cu::translate::SourceInput| SourceFile {
        path: f.path,
        relative: f.relative,
        bytes: f.bytes,
    };
    inputs.fortran.into_iter().map(file).collect()
}

fn parse(parser: &mut Parser, files: &[SourceFile]) {
    for f in files {
        black_box(parser.parse(&f.bytes, None));
    }
}

fn check(files: &[SourceFile]) {
    let copies = files.iter().map(|f| SourceFile {
        path: f.path.clone(),
        relative: f.relative.clone(),
        bytes: f.bytes.clone(),
    });
    let read = |p: &Path| std::fs::read(PathBuf::from(p)).ok();
    black_box(pool::with_threads(1, || {
        pipeline::run(
            copies.collect(),
            Vec::new(),
            &Options::default(),
            &read,
            Environment::default(),
            CHECK,
        )
    }));
}

fn compare(c: &mut Criterion) {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_cuda_fortran::LANGUAGE.into())
        .expect("the grammar fits the parser");
    for folder in ["samples", "tests/conformance"] {
        let files = files(folder);
        let bytes = files.iter().map(|f| f.bytes.len() as u64).sum();
        let mut group = c.benchmark_group(folder);
        group.throughput(Throughput::Bytes(bytes)).sample_size(20);
        group.bench_function("bare parse", |b| b.iter(|| parse(&mut parser, &files)));
        group.bench_function("check", |b| b.iter(|| check(&files)));
        group.finish();
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
