//! Compilers' messages about generated device code, with the procedure of the user's file that it came from.
//!
//! A comment above each procedure names its place (`// heat.cuf:12`): that is told besides the place in the generated file, whose text the
//! message is about.

use std::path::{Path, PathBuf};

/// A generated file of device code.
pub struct DeviceFile {
    path: PathBuf,
    /// First line of the text below a comment, and what the comment says.
    places: Vec<(usize, String)>,
    lines: Vec<String>,
}

impl DeviceFile {
    /// None: there is none. `source` is as the user named it.
    pub fn read(path: &Path, source: &Path) -> Option<DeviceFile> {
        let text = std::fs::read_to_string(path).ok()?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mark = format!("// {}:", source.file_name()?.to_str()?);
        let place = |(k, line): (usize, &String)| {
            let number = line.trim_start().strip_prefix(&mark)?;
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| (k + 2, format!("{}:{number}", source.display())))
        };
        let places = lines.iter().enumerate().filter_map(place).collect();
        Some(DeviceFile {
            path: path.to_path_buf(),
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
    fn about(&self, message: &str) -> Option<&str> {
        if let Some(rest) = message.strip_prefix(&*self.path.to_string_lossy()) {
            let rest = rest.strip_prefix([':', '('])?;
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            return self.place(rest[..digits].parse().ok()?);
        }
        let (_, rest) = message.split_once("'_Z")?;
        let name = last_name(rest.split_once('\'')?.0)?;
        let head = format!(" {name}(");
        let is_kernel = |line: &String| line.contains("__global__") && line.contains(&head);
        let kernel = self.lines.iter().position(is_kernel)?;
        self.place(kernel + 1)
    }
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
pub fn told(line: &str, files: &[DeviceFile]) -> Option<String> {
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
