//! Compilers' messages about generated device code, with the line of the user's file that it came from.
//!
//! It is told besides the place in the generated file, whose text the message is about. The source map knows it ([`DeviceLines`]); where it does not,
//! and for messages about a kernel as a whole, the comment above each procedure names the procedure's place (`// heat.cuf:12`).

use std::path::{Path, PathBuf};

use super::device_lines::DeviceLines;

/// A generated file of device code.
pub struct DeviceFile<'a> {
    path: PathBuf,
    /// Below the output folder.
    relative: PathBuf,
    map: Option<&'a DeviceLines>,
    text: String,
    /// First line of the text below a comment, and what the comment says.
    places: Vec<(usize, String)>,
    lines: Vec<String>,
}

impl<'a> DeviceFile<'a> {
    /// The file `relative` of the folder `out`; None: there is none. `source` is as the user named it.
    pub fn read(
        out: &Path,
        relative: &Path,
        source: &Path,
        map: Option<&'a DeviceLines>,
    ) -> Option<DeviceFile<'a>> {
        let path = std::path::absolute(out.join(relative)).ok()?;
        let text = std::fs::read_to_string(&path).ok()?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mark = format!("// {}:", source.file_name()?.to_str()?);
        let place = |(k, line): (usize, &String)| {
            let number = line.trim_start().strip_prefix(&mark)?;
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| (k + 2, format!("{}:{number}", source.display())))
        };
        let places = lines.iter().enumerate().filter_map(place).collect();
        Some(DeviceFile {
            path,
            relative: relative.to_path_buf(),
            map,
            text,
            places,
            lines,
        })
    }

    /// The place of the procedure that a line is in.
    fn place(&self, line: usize) -> Option<&str> {
        let above = self.places.iter().rev().find(|(first, _)| *first <= line);
        above.map(|(_, place)| place.as_str())
    }

    /// The user's place of what a line of a message is about: `x.cu:12:` of g++ and `x.cu(12):` of nvcc, or `'_ZN1m1kEPf'` of ptxas.
    fn about(&self, message: &str) -> Option<String> {
        if let Some(rest) = message.strip_prefix(&*self.path.to_string_lossy()) {
            let (line, rest) = number(rest.strip_prefix([':', '('])?)?;
            let column = rest.strip_prefix(':').and_then(number).map(|(c, _)| c);
            let text = self.text.as_bytes();
            let known = (self.map).and_then(|map| map.place(&self.relative, text, line, column));
            return known.or_else(|| self.place(line).map(str::to_owned));
        }
        let (_, rest) = message.split_once("'_Z")?;
        let name = last_name(rest.split_once('\'')?.0)?;
        let head = format!(" {name}(");
        let is_kernel = |line: &String| line.contains("__global__") && line.contains(&head);
        let kernel = self.lines.iter().position(is_kernel)?;
        self.place(kernel + 1).map(str::to_owned)
    }
}

/// A number at the beginning, and what comes after it.
fn number(text: &str) -> Option<(usize, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

/// The innermost name of a mangled one without its first letters: `k` of `N1m1kEPf` and of `1kPf`.
fn last_name(mangled: &str) -> Option<&str> {
    let mut rest = mangled.strip_prefix('N').unwrap_or(mangled);
    let mut name = None;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = rest[..digits].parse::<usize>() else {
            return name;
        };
        name = Some(rest[digits..].get(..length)?);
        rest = rest[digits..].get(length..)?;
    }
}

/// The line with the user's place behind it, if it is about one of these files.
pub fn told(line: &str, files: &[DeviceFile<'_>]) -> Option<String> {
    let place = files.iter().find_map(|file| file.about(line))?;
    Some(format!("{line} ({place})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kernels() {
        assert_eq!(last_name("N1m1kEPf"), Some("k"));
        assert_eq!(last_name("N4heat4stepILi2EEvPf"), Some("step"));
        assert_eq!(last_name("4stepv"), Some("step"));
        assert_eq!(last_name("N99xE"), None);
        assert_eq!(last_name("Sv"), None);
    }
}
