//! The headers of the user's C, C++ and CUDA files: those that are found through `-I` come along, and what a file includes is known.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::paths::lexical;
use super::{Error, read_source};

/// Below the output folder: headers from elsewhere.
const FOLDER: &str = "include";

/// Most headers that come along.
const MAX_HEADERS: usize = 10_000;

/// A folder of `-I`, where a build of the output looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IncludeFolder {
    /// Below the output folder.
    Within(PathBuf),
    /// Where it is, as an absolute path.
    Outside(PathBuf),
}

/// The names that a text includes, and whether in quotes.
fn included(text: &[u8]) -> Vec<(String, bool)> {
    let text = String::from_utf8_lossy(text);
    let name = |line: &str| {
        let line = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = line.strip_prefix("include")?.trim_start();
        let close = match rest.chars().next()? {
            '"' => '"',
            '<' => '>',
            _ => return None,
        };
        let (name, _) = rest[1..].split_once(close)?;
        Some((name.to_owned(), close == '"'))
    };
    text.lines().filter_map(name).collect()
}

/// Adds the headers to `natives` (path read, path below the output folder) that these C, C++ and CUDA files include, themselves or by
/// others, from these folders or beside them.
/// Returns where a build of the output looks, in the order of the folders.
///
/// # Errors
/// [`Error::Usage`] for a header that cannot be read, or too many.
pub fn bring(
    natives: &mut Vec<(PathBuf, PathBuf)>,
    folders: &[PathBuf],
) -> Result<Vec<IncludeFolder>, Error> {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut known: BTreeMap<PathBuf, PathBuf> = (natives.iter())
        .map(|(path, relative)| (real(path), relative.clone()))
        .collect();
    let places = places(folders, &known);
    let mut used = BTreeSet::new();
    let mut open = natives.clone();
    while let Some((path, relative)) = open.pop() {
        let text = read_source::source(&path)?;
        for (name, quoted) in included(&text) {
            let own = path.parent().unwrap_or(Path::new(""));
            let own_place = relative.parent().unwrap_or(Path::new(""));
            let beside = quoted.then(|| (None, own.to_path_buf(), own_place.to_path_buf()));
            let through = folders.iter().zip(&places).enumerate();
            let through = through.map(|(k, (f, place))| (Some(k), f.clone(), place.clone()));
            let mut candidates = beside.into_iter().chain(through);
            let Some((folder, found, place)) = candidates.find_map(|(k, folder, place)| {
                let path = folder.join(&name);
                path.is_file()
                    .then(|| (k, path, lexical(&place.join(&name))))
            }) else {
                continue;
            };
            used.extend(folder);
            let upwards = place
                .components()
                .any(|c| !matches!(c, Component::Normal(_)));
            if known.contains_key(&real(&found)) || upwards {
                continue;
            }
            if known.len() >= MAX_HEADERS {
                return Err(Error::Usage(format!(
                    "more than {MAX_HEADERS} headers are included from {}",
                    own.display()
                )));
            }
            known.insert(real(&found), place.clone());
            natives.push((found.clone(), place.clone()));
            open.push((found, place));
        }
    }
    natives.sort_by(|a, b| a.1.cmp(&b.1));
    let mut looked_in = Vec::new();
    for (k, (folder, place)) in folders.iter().zip(places).enumerate() {
        let from_elsewhere = place.starts_with(FOLDER);
        if used.contains(&k) || !from_elsewhere {
            looked_in.push(IncludeFolder::Within(place));
        }
        if (from_elsewhere && !used.contains(&k)) || has_modules(folder) {
            let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            looked_in.push(IncludeFolder::Outside(absolute));
        }
    }
    Ok(looked_in)
}

/// Per folder of `-I` the one of the output: the same for a folder of the sources, one of its own for others.
fn places(folders: &[PathBuf], known: &BTreeMap<PathBuf, PathBuf>) -> Vec<PathBuf> {
    let mut taken: BTreeSet<PathBuf> = known.values().cloned().collect();
    let mut places: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
        let of_source = known.iter().find_map(|(path, relative)| {
            let below = path.strip_prefix(&real).ok()?;
            let up = below.components().count();
            let place = relative.ancestors().nth(up)?;
            relative.ends_with(below).then(|| place.to_path_buf())
        });
        let name = real.file_name().unwrap_or_default().to_string_lossy();
        let name: String = name
            .chars()
            .map(|c| match c {
                c if c.is_ascii_alphanumeric() || "-_.+".contains(c) => c,
                _ => '_',
            })
            .collect();
        let place = of_source.unwrap_or_else(|| {
            let numbers = (1..).map(|n| match n {
                1 => Path::new(FOLDER).join(&name),
                n => Path::new(FOLDER).join(format!("{name}-{n}")),
            });
            let free = |p: &PathBuf| !taken.iter().any(|t| t.starts_with(p));
            { numbers }.find(free).unwrap_or_default()
        });
        taken.insert(place.clone());
        places.push(place);
    }
    places
}

/// Whether the folder has compiled modules, which stay where they are.
fn has_modules(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|e| {
        Path::new(&e.file_name())
            .extension()
            .is_some_and(|x| x == "mod")
    })
}

/// Whether a C or C++ text defines the function `main`.
pub fn defines_main(text: &[u8]) -> bool {
    let text = without_comments(&String::from_utf8_lossy(text));
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices("main").any(|(at, name)| {
        let before = text[..at].trim_end();
        let own = !text[..at].ends_with(word) && !before.ends_with(['.', ':', '>', ',', '(', '=']);
        let rest = text[at + name.len()..].trim_start();
        let Some(inner) = rest.strip_prefix('(').filter(|_| own) else {
            return false;
        };
        let mut depth = 1;
        let end = inner.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0
        });
        let behind = end.map_or("", |(k, _)| inner[k + 1..].trim_start());
        ["{", "->", "try"].iter().any(|s| behind.starts_with(s))
    })
}

/// The text with a blank for each comment and string.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inner) = rest.strip_prefix("/*") {
            inner.find("*/").map_or(rest.len(), |k| k + 4)
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            let inner = rest[1..].char_indices().find(|(_, x)| {
                let end = *x == '\n' || (*x == c && !escaped);
                escaped = *x == '\\' && !escaped;
                end
            });
            inner.map_or(rest.len(), |(k, _)| k + 2)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.push(' ');
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_functions() {
        for text in [
            "int main(void) { }",
            "extern \"C\" int main (int n, char *(*a)[])\n{",
            "auto main() -> int { }",
        ] {
            assert!(defines_main(text.as_bytes()), "{text}");
        }
        for text in [
            "// int main() {\n/* main() { */ char *s = \"main() {\";",
            "int domain(int) {",
            "int main(void);",
            "void f() { x.main(); }",
            "int x = main(1); { }",
        ] {
            assert!(!defines_main(text.as_bytes()), "{text}");
        }
    }
}
