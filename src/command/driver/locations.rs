//! Generated host code with the places of the user's files: in compilers' messages, and in those of the running program.
//!
//! Host code is the user's text with edits: its lines are found again in the user's file by comparing the two. A line that stayed has its own
//! number there; for one that was changed the number is that of the statement around it, and messages of compilers name the place in the
//! generated file besides. What gfortran compiles is a copy with the user's lines in markers (`# 12 "heat.cuf"`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Project;
use super::device_locations::{self, DeviceFile};
use super::jobs::Job;
use super::output::hash;
use crate::variants::LINES_END;

/// A generated file and the user's that it was made of.
struct Pair<'a> {
    source: &'a Path,
    /// For each line of the generated file the user's, and whether it is the same.
    lines: Vec<(usize, bool)>,
    /// So many lines of the generated file stand before the one that compilers call the first.
    before: usize,
}

/// The folder of the copies with markers, in the folder of a build: hidden, so that they are no sources of a later run (`--build-dir` among them).
const COPIES: &str = ".lines";

/// The file tells the user's lines itself (`--check`, `--line-directives`); one that is the user's as it is does not.
pub fn has_markers(generated: &Path) -> bool {
    let text = fs::read(generated).unwrap_or_default();
    text.split(|b| *b == b'\n').any(|l| l.starts_with(b"# "))
}

/// A copy of a generated file in which markers tell the user's lines; None if there is none to be had. Beside it stands of what it was made.
pub fn with_lines(generated: &Path, relative: &Path, project: Project<'_>) -> Option<PathBuf> {
    let (_, source) = (project.plan.sources.iter()).find(|(made, _)| made.as_path() == relative)?;
    let copy = std::path::absolute(project.build.join(COPIES).join(relative)).ok()?;
    let text = fs::read(generated).ok()?;
    let name = std::path::absolute(source).ok()?;
    let name = name.to_str().filter(|n| !n.contains(['"', '\\', '\n']))?;
    let mut stamp = copy.clone().into_os_string();
    stamp.push(".stamp");
    let stamp = PathBuf::from(stamp);
    // Times tell nothing: files may be older than what they take the place of.
    let parts = [&text[..], &fs::read(source).ok()?, name.as_bytes()].map(hash);
    let made_of = format!("{} {}\n", env!("MADE_OF_SOURCES"), parts.join(" "));
    if copy.is_file() && fs::read_to_string(&stamp).is_ok_and(|found| found == made_of) {
        return Some(copy);
    }
    let pair = pair(generated, source)?;
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    let mut next = 0;
    // A directive of the preprocessor goes on.
    let mut goes_on = false;
    for (line, (users, _)) in text.split_inclusive(|b| *b == b'\n').zip(&pair.lines) {
        if *users != next && !goes_on {
            out.extend(format!("# {users} \"{name}\"\n").bytes());
        }
        out.extend(line);
        // What counting gives inside of a directive need not be so.
        next = if goes_on { 0 } else { users + 1 };
        goes_on = line.trim_ascii_end().ends_with(b"\\");
    }
    fs::create_dir_all(copy.parent()?).ok()?;
    let scratch = Job::scratch(&copy);
    fs::write(&scratch, out).ok()?;
    // One that is interrupted in between is made again.
    let _ = fs::remove_file(&stamp);
    fs::rename(&scratch, &copy).ok()?;
    fs::write(&stamp, made_of).ok()?;
    Some(copy)
}

/// The messages with the places of the user's files.
pub fn of_users(messages: &str, project: Project<'_>) -> String {
    let mut pairs: BTreeMap<PathBuf, Option<Pair<'_>>> = BTreeMap::new();
    // What was compiled is a copy with the user's places.
    let mut copies: Vec<Copied<'_>> = Vec::new();
    for (generated, source) in &project.plan.sources {
        let written = project.source.join(generated);
        let absolute = std::path::absolute(&written).unwrap_or_else(|_| written.clone());
        let users = std::path::absolute(source).unwrap_or_else(|_| source.clone());
        let named = |path: &Path| messages.contains(&*path.to_string_lossy());
        if named(&absolute) || named(&users) {
            let found = pair(&absolute, source);
            if let Some(found) = found.as_ref().filter(|_| named(&users)) {
                copies.push(Copied {
                    place: users,
                    source,
                    generated: absolute.clone(),
                    changed: found.changed(),
                });
            }
            pairs.insert(absolute.clone(), found);
        }
    }
    let lines = project.plan.device_lines.as_deref();
    let device: Vec<DeviceFile<'_>> = (project.plan.sources.iter())
        .flat_map(|(generated, source)| {
            let kinds = ["cu", "cuh"].into_iter();
            kinds.filter_map(move |e| {
                DeviceFile::read(project.source, &generated.with_extension(e), source, lines)
            })
        })
        .collect();
    let mut out = String::new();
    // Number and new number of the line whose text is shown below a place.
    let mut shown: Option<(usize, usize)> = None;
    for line in messages.lines() {
        if let Some(told) = copies.iter().find_map(|c| c.message(line)) {
            out += &told;
            out.push('\n');
            shown = None;
            continue;
        }
        let found = pairs.iter().find_map(|(path, pair)| {
            let rest = line.strip_prefix(&*path.to_string_lossy())?;
            let rest = rest.strip_prefix(':')?;
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = rest[..digits].parse().ok()?;
            Some((path, pair.as_ref()?, number, &rest[digits..]))
        });
        if let Some((path, pair, number, rest)) = found
            && let Some((users, same)) = pair.lines.get((number + pair.before).wrapping_sub(1))
        {
            out += &format!("{}:{users}{rest}", pair.source.display());
            if !same {
                let line = number + pair.before;
                out += &format!(" (generated: {}:{line})", path.display());
            }
            shown = same.then_some((number, *users));
        } else if let Some(text) = shown.and_then(|(number, users)| {
            let (margin, text) = line.split_once(" |")?;
            let width = margin.len();
            let asked = margin.trim().parse() == Ok(number);
            asked.then(|| format!("{users:>width$} |{text}"))
        }) {
            out += &text;
        } else if let Some(told) = device_locations::told(line, &device) {
            out += &told;
        } else {
            out += line;
        }
        out.push('\n');
    }
    out
}

/// A copy with markers.
struct Copied<'a> {
    /// As the markers name the user's file.
    place: PathBuf,
    source: &'a Path,
    generated: PathBuf,
    /// See [`Pair::changed`].
    changed: BTreeMap<usize, usize>,
}

impl Copied<'_> {
    /// The first line of a message about it, with the place as the user names it.
    fn message(&self, line: &str) -> Option<String> {
        let rest = line.strip_prefix(&*self.place.to_string_lossy())?;
        let rest = rest.strip_prefix(':')?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = rest[..digits].parse().ok()?;
        let mut told = format!("{}:{rest}", self.source.display());
        if let Some(line) = self.changed.get(&number) {
            told += &format!(" (generated: {}:{line})", self.generated.display());
        }
        Some(told)
    }
}

impl Pair<'_> {
    /// The user's lines of which nothing stayed as it was, with the first of those in their place.
    fn changed(&self) -> BTreeMap<usize, usize> {
        let mut changed = BTreeMap::new();
        for (k, (users, _)) in self.lines.iter().enumerate() {
            changed.entry(*users).or_insert(k + 1);
        }
        for (users, same) in &self.lines {
            if *same {
                changed.remove(users);
            }
        }
        changed
    }
}

/// The two files compared; None: they have too little in common.
fn pair<'a>(generated: &Path, source: &'a Path) -> Option<Pair<'a>> {
    let read = |path: &Path| -> Option<Vec<String>> {
        let text = fs::read(path).ok()?;
        let text = String::from_utf8_lossy(&text)
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        Some(text.lines().map(|l| l.trim_end().to_owned()).collect())
    };
    let (users, written) = (read(source)?, read(generated)?);
    let mut lines = Vec::with_capacity(written.len());
    let mut same = 0;
    for op in capture_diff_slices(Algorithm::Patience, &users, &written) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                same += len;
                lines.extend((0..len).map(|i| (old_index + i + 1, true)));
            }
            DiffOp::Insert {
                old_index, new_len, ..
            } => lines.extend((0..new_len).map(|_| (old_index.max(1), false))),
            DiffOp::Replace {
                old_index,
                old_len,
                new_index,
                new_len,
            } => {
                let (old, new) = (
                    &users[old_index..][..old_len],
                    &written[new_index..][..new_len],
                );
                let to_line = |i: usize| (old_index + i + 1, false);
                lines.extend(
                    super::line_similarity::aligned(old, new)
                        .into_iter()
                        .map(to_line),
                );
            }
            DiffOp::Delete { .. } => {}
        }
    }
    let mut directives = written
        .iter()
        .take_while(|l| l.starts_with(['#', '\u{feff}']));
    let before = directives.position(|l| l == LINES_END);
    let before = before.map_or(0, |at| at + 1);
    // Fixed form has become free form.
    (same * 3 >= users.len().min(written.len())).then_some(Pair {
        source,
        lines,
        before,
    })
}
