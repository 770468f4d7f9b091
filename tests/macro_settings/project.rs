//! A project: marked text that is written as CUDA Fortran and, with the marks taken out, as the plain Fortran that it means.
//!
//! | mark | CUDA Fortran | plain |
//! |---|---|---|
//! | `@cudafor` | `use cudafor` | nothing |
//! | `@global `, `@dev ` | `attributes(global) `, `attributes(device) ` | nothing |
//! | `@,device`, `@,managed`, ... | `, device`, ... | nothing |
//! | `@<<g, b>>@` | `<<<g, b>>>` | nothing |
//! | `@each` | `i` is the number of the thread; `if (i <= n) then` | `do i = 1, n` |
//! | `@end` | `end if` | `end do` |
//! | `@sync` | waits for the device | `istat = 0` |
//!
//! Both have the same lines, so that `__LINE__` is the same.

use std::fs;
use std::io;
use std::path::Path;

/// Which text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Cuda,
    Plain,
}

/// A file of a project.
#[derive(Clone, Debug)]
pub struct File {
    /// `main.F90`; with the ending `.CUF` the plain text is in `.F90`.
    pub name: String,
    pub fixed: bool,
    pub lines: Vec<String>,
}

impl File {
    /// It is compiled, not included.
    pub fn is_source(&self) -> bool {
        [".F90", ".F", ".CUF"]
            .iter()
            .any(|e| self.name.ends_with(e))
    }

    /// Its name on a side.
    pub fn named(&self, side: Side) -> String {
        match self.name.strip_suffix(".CUF") {
            Some(stem) if side == Side::Plain => format!("{stem}.F90"),
            _ => self.name.clone(),
        }
    }

    fn text(&self, side: Side, hidden: &[String]) -> String {
        let mut text = String::new();
        for line in &self.lines {
            if line.starts_with('#') {
                text += line;
            } else {
                let line = shown(&unmarked(line, side), hidden);
                text += &if self.fixed { wrapped(&line) } else { line };
            }
            text.push('\n');
        }
        text
    }
}

/// A random project.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// In the order in which they are compiled.
    pub files: Vec<File>,
    /// Macros in lower case without a text of their own: where the text has these words, they are in upper case.
    pub hidden: Vec<String>,
}

impl Project {
    /// Writes the files of a side.
    pub fn write(&self, folder: &Path, side: Side) -> io::Result<()> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)?;
        for file in &self.files {
            fs::write(folder.join(file.named(side)), file.text(side, &self.hidden))?;
        }
        Ok(())
    }

    /// The files that are compiled, in order.
    pub fn sources(&self, side: Side) -> Vec<String> {
        let sources = self.files.iter().filter(|f| f.is_source());
        sources.map(|f| f.named(side)).collect()
    }

    /// Whether the text names a word.
    pub fn names(&self, word: &str) -> bool {
        let mut lines = self.files.iter().flat_map(|f| &f.lines);
        lines.any(|l| words(l).any(|w| w == word))
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// A line without its marks.
fn unmarked(line: &str, side: Side) -> String {
    let cuda = side == Side::Cuda;
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, mark)) = rest.split_once('@') {
        out += before;
        let end = |text: &str| {
            let other = |c: char| !c.is_ascii_alphanumeric();
            text.find(other).unwrap_or(text.len())
        };
        if let Some(attribute) = mark.strip_prefix(',') {
            let (name, after) = attribute.split_at(end(attribute));
            if cuda {
                out += ", ";
                out += name;
            }
            rest = after;
        } else if let Some(launch) = mark.strip_prefix("<<") {
            let (launch, after) = launch.split_once(">>@").unwrap_or((launch, ""));
            if cuda {
                out += &format!("<<<{launch}>>>");
            }
            rest = after;
        } else {
            let (name, after) = mark.split_at(end(mark));
            let (with, without) = match name {
                "cudafor" => ("use cudafor", ""),
                "global" => ("attributes(global)", ""),
                "dev" => ("attributes(device)", ""),
                "each" => (
                    "i = (blockIdx%x-1)*blockDim%x+threadIdx%x; if (i <= n) then",
                    "do i = 1, n",
                ),
                "end" => ("end if", "end do"),
                "sync" => ("istat = cudaDeviceSynchronize()", "istat = 0"),
                other => (other, other),
            };
            out += if cuda { with } else { without };
            rest = after;
        }
    }
    out + rest
}

/// A line whose words that are macros to be kept away are in upper case.
fn shown(line: &str, hidden: &[String]) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in line.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out += &if hidden.contains(&word) {
            word.to_ascii_uppercase()
        } else {
            word.clone()
        };
        word.clear();
        out.push(c);
    }
    out.trim_end_matches('\n').to_owned()
}

/// A line in fixed form.
fn wrapped(line: &str) -> String {
    let line = line.trim_start();
    if line.starts_with('!') {
        return line.to_owned();
    }
    let mut out = format!("      {line}");
    let mut begin = 0;
    // A word, a number or an operator stays whole.
    while out.len() - begin > 66 {
        let part = &out[begin..begin + 66];
        let Some(at) = part.rfind([' ', ',']).filter(|at| *at > 8) else {
            break;
        };
        let at = begin + at + 1;
        out.insert_str(at, "\n     &  ");
        begin = at + 1;
    }
    out
}
