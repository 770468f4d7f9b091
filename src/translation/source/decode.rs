//! From bytes to text: encodings, and the line markers of files that a preprocessor has been through.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::line::{Line, UserFile};

/// UTF-16 and UTF-32 with a byte order mark as UTF-8; None for everything else.
pub(super) fn wide(bytes: &[u8]) -> Option<String> {
    let (_, characters) = wide_characters(bytes)?;
    Some(characters.map(|(c, _)| c).collect())
}

/// Characters, each with the bytes that it takes.
type Characters<'b> = Box<dyn Iterator<Item = (char, usize)> + 'b>;

/// The length of the byte order mark, and what comes after it.
fn wide_characters(bytes: &[u8]) -> Option<(usize, Characters<'_>)> {
    const OTHER: char = char::REPLACEMENT_CHARACTER;
    let units32 = |read: fn([u8; 4]) -> u32| -> (usize, Characters<'_>) {
        let units = bytes[4..].chunks_exact(4);
        let units = units.map(move |u| read([u[0], u[1], u[2], u[3]]));
        (
            4,
            Box::new(units.map(|u| (char::from_u32(u).unwrap_or(OTHER), 4))),
        )
    };
    let units16 = |read: fn([u8; 2]) -> u16| -> (usize, Characters<'_>) {
        let units = bytes[2..].chunks_exact(2).map(move |u| read([u[0], u[1]]));
        let all = char::decode_utf16(units).map(|c| c.unwrap_or(OTHER));
        (2, Box::new(all.map(|c| (c, c.len_utf16() * 2))))
    };
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => Some(units32(u32::from_le_bytes)),
        [0, 0, 0xfe, 0xff, ..] => Some(units32(u32::from_be_bytes)),
        [0xff, 0xfe, ..] => Some(units16(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => Some(units16(u16::from_be_bytes)),
        _ => None,
    }
}

/// The length of the byte order mark of a file, and the characters after it, each with the bytes that it takes: UTF-16 and UTF-32 by their marks,
/// UTF-8, or else Latin-1.
pub fn characters(bytes: &[u8]) -> (usize, Vec<(char, usize)>) {
    if let Some((mark, characters)) = wide_characters(bytes) {
        return (mark, characters.collect());
    }
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let rest = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let found = match std::str::from_utf8(rest) {
        Ok(text) => text.chars().map(|c| (c, c.len_utf8())).collect(),
        Err(_) => rest.iter().map(|b| (char::from(*b), 1)).collect(),
    };
    (bytes.len() - rest.len(), found)
}

/// Bytes of a unit of a text with the byte order mark of a wide encoding; the mark is one.
pub(super) fn unit(bytes: &[u8]) -> u8 {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => 4,
        _ => 2,
    }
}

/// Line markers (`# 12 "file.F90" 1`, `#line 12 "file.F90"`) say where the lines after them came from. They become blank.
/// False: there are none.
pub(super) fn follow_markers(lines: &mut [Line]) -> bool {
    if !lines.iter().any(|l| marker(&l.text).is_some()) {
        return false;
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    // For each line its file and its number there.
    let mut places: Vec<Option<(usize, u32)>> = Vec::with_capacity(lines.len());
    let mut next: Option<(usize, u32)> = None;
    for l in &mut *lines {
        let Some((line, name)) = marker(&l.text) else {
            places.push(next);
            next = next.map(|(file, line)| (file, line.saturating_add(1)));
            continue;
        };
        let path = match name {
            Some(name) => PathBuf::from(name),
            None => next.map_or_else(|| l.origin.file.path.clone(), |(f, _)| paths[f].clone()),
        };
        let file = paths.iter().position(|p| *p == path);
        let file = file.unwrap_or_else(|| {
            paths.push(path);
            paths.len() - 1
        });
        next = Some((file, line));
        places.push(None);
        l.text.clear();
    }
    // What the preprocessor made of the lines stands for them in messages.
    let mut texts: Vec<BTreeMap<u32, &str>> = vec![BTreeMap::new(); paths.len()];
    for (l, place) in lines.iter().zip(&places) {
        if let Some((file, line)) = place {
            texts[*file].insert(*line, &l.text);
        }
    }
    let files = paths.into_iter().zip(&texts);
    let files: Vec<Arc<UserFile>> = files
        .map(|(path, lines)| UserFile::elsewhere(path, lines))
        .collect();
    for (l, place) in lines.iter_mut().zip(places) {
        if let Some((file, line)) = place {
            l.origin.file = Arc::clone(&files[file]);
            l.origin.line = line;
        }
    }
    true
}

/// The line number and the file name of a line marker.
fn marker(text: &str) -> Option<(u32, Option<&str>)> {
    let rest = text.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_start();
    if rest.is_empty() {
        return Some((line, None));
    }
    let name = rest.strip_prefix('"')?;
    Some((line, Some(&name[..name.find('"')?])))
}

#[cfg(test)]
mod tests {
    use super::{marker, wide};

    #[test]
    fn encodings_with_a_mark() {
        let le: Vec<u8> = "\u{feff}end\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(wide(&le).as_deref(), Some("end\n"));
        let be: Vec<u8> = "\u{feff}é"
            .chars()
            .flat_map(|c| (c as u32).to_be_bytes())
            .collect();
        assert_eq!(wide(&be).as_deref(), Some("é"));
        assert_eq!(wide(b"end"), None);
    }

    #[test]
    fn line_markers() {
        assert_eq!(marker("# 12 \"a.F90\" 1"), Some((12, Some("a.F90"))));
        assert_eq!(marker("#line 7"), Some((7, None)));
        assert_eq!(marker("#if 1"), None);
    }
}
