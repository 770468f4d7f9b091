//! Runs the corpus (`corpus/*.txt`, the format of `tree-sitter test`): each case is a title between lines of `=`, the
//! source, a line of `-`, and the tree as an s-expression. `UPDATE_CORPUS=1` writes the trees that the parser gives.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

struct Case {
    title: String,
    source: String,
    tree: String,
}

fn is_rule(line: &str, c: char) -> bool {
    line.len() >= 3 && line.chars().all(|x| x == c)
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = text.lines().peekable();
    let mut in_tree = false;
    while let Some(line) = lines.next() {
        if is_rule(line, '=') {
            let title = lines.next().unwrap_or_default().to_owned();
            assert!(lines.next().is_some_and(|l| is_rule(l, '=')), "{title}");
            cases.push(Case {
                title,
                source: String::new(),
                tree: String::new(),
            });
            in_tree = false;
        } else if is_rule(line, '-') {
            in_tree = true;
        } else if let Some(case) = cases.last_mut() {
            let part = if in_tree {
                &mut case.tree
            } else {
                &mut case.source
            };
            part.push_str(line);
            part.push('\n');
        }
    }
    cases
}

/// One node a line, indented by its depth.
fn pretty(tree: &str) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    let mut field = false;
    for word in tree.split_whitespace() {
        if (word.starts_with('(') || word.ends_with(':')) && !field {
            if !out.is_empty() {
                let _ = write!(out, "\n{}", "  ".repeat(depth));
            }
        } else {
            out.push(' ');
        }
        out.push_str(word);
        field = word.ends_with(':');
        depth += word.matches('(').count();
        depth = depth.saturating_sub(word.matches(')').count());
    }
    out
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    files
}

#[test]
fn corpus() {
    let mut parser = tree_sitter::Parser::new();
    let loaded = parser.set_language(&tree_sitter_cuda_fortran::LANGUAGE.into());
    assert!(loaded.is_ok());
    let update = env::var_os("UPDATE_CORPUS").is_some();
    let files = files();
    assert!(!files.is_empty());
    for path in files {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut written = String::new();
        for case in cases(&text) {
            let source = case.source.trim_matches('\n');
            let tree = parser.parse(format!("{source}\n"), None);
            let found = tree.map_or(String::new(), |t| t.root_node().to_sexp());
            let rule = "=".repeat(20);
            let _ = write!(
                written,
                "{rule}\n{}\n{rule}\n\n{source}\n\n---\n\n{}\n\n",
                case.title,
                pretty(&found)
            );
            if !update {
                let name = path.display();
                let title = &case.title;
                assert_eq!(pretty(&found), pretty(&case.tree), "{name}: {title}");
            }
        }
        if update {
            assert!(fs::write(&path, format!("{}\n", written.trim_end())).is_ok());
        }
    }
}
