//! What the files that use a module take from it beyond what a Fortran compiler writes into its module file.

use crate::ast::{self, Dummy, ProgramUnit, Span, UnitKind};

/// The words of CUDA Fortran by which declarations differ that mean the same to gfortran.
const WORDS: [&str; 7] = [
    "constant", "device", "managed", "pinned", "shared", "texture", "unified",
];

/// A digest of the device procedures and of the memory attributes of a file's modules, which differs if a file that uses them may have to
/// be compiled again; None: they have none. Comments, blanks and the bodies of kernels and host procedures do not count.
pub fn face(tree: &ast::File, text: &str) -> Option<String> {
    let mut face = ModuleInterface {
        text,
        comments: &tree.comments,
        hasher: blake3::Hasher::new(),
        empty: true,
    };
    for unit in &tree.units {
        if matches!(unit.kind, UnitKind::Module | UnitKind::Submodule { .. }) {
            face.unit(unit);
        }
    }
    (!face.empty).then(|| face.hasher.finalize().to_hex().to_string())
}

struct ModuleInterface<'a> {
    text: &'a str,
    comments: &'a [ast::Comment],
    hasher: blake3::Hasher,
    empty: bool,
}

impl ModuleInterface<'_> {
    fn unit(&mut self, unit: &ProgramUnit) {
        for decl in &unit.spec {
            let plain = self.plain(decl.span);
            if WORDS.iter().any(|w| plain.contains(w)) {
                self.add(&plain);
            }
        }
        for procedure in &unit.procedures {
            self.procedure(procedure);
        }
    }

    fn procedure(&mut self, unit: &ProgramUnit) {
        let attributes = &unit.prefix.attributes;
        if attributes.iter().any(|a| a.text == "device") {
            let plain = self.plain(unit.span);
            return self.add(&plain);
        }
        if !attributes.is_empty() {
            let plain = self.plain(unit.header);
            self.add(&plain);
        }
        let dummies = unit.dummies.iter().filter_map(|d| match d {
            Dummy::Name(name) => Some(name),
            Dummy::AlternateReturn(_) => None,
        });
        let named: Vec<&str> = dummies
            .chain(&unit.result)
            .map(|n| n.text.as_str())
            .collect();
        for decl in &unit.spec {
            let plain = self.plain(decl.span);
            let mut words = plain.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            if WORDS.iter().any(|w| plain.contains(w)) && words.any(|w| named.contains(&w)) {
                self.add(&format!("{}:{plain}", unit.name.text));
            }
        }
    }

    fn add(&mut self, part: &str) {
        self.empty = false;
        self.hasher.update(&(part.len() as u64).to_le_bytes());
        self.hasher.update(part.as_bytes());
    }

    /// The text without comments, blanks and marks of continuation, in lower case; a space stands where words would grow together.
    fn plain(&self, span: Span) -> String {
        let first = self.comments.partition_point(|c| c.span.end <= span.start);
        let mut at = span.start;
        let mut out = String::new();
        let mut take = |from: u32, to: u32| {
            let part = self.text.get(from as usize..to as usize);
            for c in part.unwrap_or_default().chars() {
                match c {
                    '&' => {}
                    c if c.is_whitespace() => {
                        if !out.is_empty() && !out.ends_with(' ') {
                            out.push(' ');
                        }
                    }
                    c => out.extend(c.to_lowercase()),
                }
            }
        };
        for comment in &self.comments[first..] {
            if comment.span.start >= span.end {
                break;
            }
            take(at, comment.span.start.max(at));
            at = comment.span.end;
        }
        take(at, span.end.max(at));
        out
    }
}
