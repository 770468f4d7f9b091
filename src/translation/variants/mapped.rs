//! The source map of files that hold both choices: what the choice asked for made of the user's text, at its places in the merged files. What
//! only the other choice has is in no segment.

use std::ops::Range;
use std::path::Path;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::files::language;
use super::kind::tokens;
use super::merge::{in_language, known};
use super::tree::{Language, flat, lines, parse, resolved};
use crate::map::{Output, OutputKind, Segment, SourceMap};
use crate::translate::{FileKind, OutputFile, VariantMacro};

/// The map of `merged`, the files made of `files`, whose map is given.
pub(super) fn merged_map(
    map: &SourceMap,
    files: &[OutputFile],
    merged: &[OutputFile],
    choice: &VariantMacro,
) -> SourceMap {
    let path_of = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let stem = |path: &Path| path_of(&path.with_extension(""));
    let outputs = merged.iter().filter_map(|new| {
        let kind = kind_of(&new.kind)?;
        let is_fortran = !matches!(kind, OutputKind::DeviceSource | OutputKind::DeviceHeader);
        // A merged Fortran file may have the extension of files that are preprocessed.
        let old = files.iter().find(|old| {
            let renamed = is_fortran && stem(&old.path) == stem(&new.path);
            kind_of(&old.kind) == Some(kind) && (old.path == new.path || renamed)
        });
        let known = old.and_then(|old| {
            let name = path_of(&old.path);
            Some((old, map.outputs.iter().find(|o| o.path == name)?))
        });
        let Some((old, output)) = known else {
            // Files that cuf2cu brings along are not in the map.
            let source = new.source.to_string_lossy();
            let source = map.sources.iter().position(|s| s.path == source)?;
            return Some(Output {
                path: path_of(&new.path),
                kind,
                source: source as u32,
                segments: Vec::new(),
            });
        };
        Some(Output {
            path: path_of(&new.path),
            segments: match old.contents == new.contents {
                true => output.segments.clone(),
                false => moved(&output.segments, old, new, choice),
            },
            ..output.clone()
        })
    });
    SourceMap {
        outputs: outputs.collect(),
        sources: map.sources.clone(),
    }
}

fn kind_of(kind: &FileKind) -> Option<OutputKind> {
    Some(match kind {
        FileKind::DeviceSource => OutputKind::DeviceSource,
        FileKind::DeviceHeader => OutputKind::DeviceHeader,
        FileKind::HostFortran { .. } => OutputKind::HostFortran,
        FileKind::Shims { .. } => OutputKind::Shims,
        FileKind::Included => OutputKind::IncludedFortran,
        FileKind::SourceLines => return None,
    })
}

/// A part of the old text, and the part of the new one that has taken its place.
struct Anchor {
    old: Range<usize>,
    new: Range<usize>,
}

/// The segments of the old file in the new one.
fn moved(
    segments: &[Segment],
    old: &OutputFile,
    new: &OutputFile,
    choice: &VariantMacro,
) -> Vec<Segment> {
    let text = |f: &'_ OutputFile| String::from_utf8(f.contents.clone()).ok();
    // Offsets of other encodings are not those of the text.
    let (Some(before), Some(after)) = (text(old), text(new)) else {
        return Vec::new();
    };
    let anchors = anchors(&before, &after, language(new), choice);
    let mut out: Vec<Segment> = Vec::new();
    for s in segments {
        let (start, end) = (s.start as usize, s.end as usize);
        let first = anchors.partition_point(|a| a.old.end <= start);
        let inside = anchors[first..].iter().take_while(|a| a.old.start < end);
        // Lines of the other choice may lie between two parts.
        let mut last: Option<Segment> = None;
        for part in inside.map(|a| within(a, start..end)) {
            let joined = last.filter(|l| {
                after
                    .get(l.end as usize..part.start)
                    .is_some_and(|t| t.trim().is_empty())
            });
            match joined {
                Some(l) => {
                    last = Some(Segment {
                        end: part.end as u32,
                        ..l
                    })
                }
                None => {
                    push(&mut out, last);
                    let (start, end) = (part.start as u32, part.end as u32);
                    last = Some(Segment { start, end, ..*s });
                }
            }
        }
        push(&mut out, last);
    }
    out
}

/// Adds a segment behind the others, without what they have of it.
fn push(out: &mut Vec<Segment>, segment: Option<Segment>) {
    let Some(mut segment) = segment else {
        return;
    };
    segment.start = segment.start.max(out.last().map_or(0, |l| l.end));
    if segment.start < segment.end {
        out.push(segment);
    }
}

/// The part of the new text for a part of the old one.
fn within(anchor: &Anchor, part: Range<usize>) -> Range<usize> {
    let Anchor { old, new } = anchor;
    if old.len() != new.len() {
        return new.clone();
    }
    let start = part.start.saturating_sub(old.start);
    let end = part.end.min(old.end) - old.start;
    new.start + start..new.start + end
}

/// The tokens (of Fortran the lines) of the old text with those of the new one that the choice asked for reads.
fn anchors(old: &str, new: &str, language: Language, choice: &VariantMacro) -> Vec<Anchor> {
    let choice = in_language(choice, language);
    let known = known(&choice, choice.given);
    let all = lines(new);
    let Some(tree) = parse(&all, language) else {
        return Vec::new();
    };
    let left = flat(&resolved(&tree, &known));
    let before = pieces(&lines(old), language, old);
    let after = pieces(&left, language, new);
    let words = |pieces: &[Range<usize>], text: &'_ str| -> Vec<String> {
        pieces
            .iter()
            .map(|p| text[p.clone()].trim_end().to_owned())
            .collect()
    };
    let (a, b) = (words(&before, old), words(&after, new));
    let mut out = Vec::new();
    for op in capture_diff_slices(Algorithm::Patience, &a, &b) {
        match op {
            DiffOp::Equal {
                old_index,
                new_index,
                len,
            } => out.extend((0..len).map(|i| Anchor {
                old: before[old_index + i].clone(),
                new: after[new_index + i].clone(),
            })),
            // The macro in the place of a number.
            DiffOp::Replace {
                old_index,
                old_len,
                new_index,
                new_len,
            } if choice.is_number && old_len == new_len => {
                out.extend((0..old_len).map(|i| Anchor {
                    old: before[old_index + i].clone(),
                    new: after[new_index + i].clone(),
                }));
            }
            DiffOp::Replace {
                old_index,
                old_len,
                new_index,
                new_len,
            } if language == Language::Cpp => out.push(Anchor {
                old: before[old_index].start..before[old_index + old_len - 1].end,
                new: after[new_index].start..after[new_index + new_len - 1].end,
            }),
            _ => {}
        }
    }
    out
}

/// Where the tokens or lines of these lines of a text are in it.
fn pieces(lines: &[&str], language: Language, text: &str) -> Vec<Range<usize>> {
    let place = |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        start..start + part.len()
    };
    match language {
        Language::Cpp => tokens(lines).into_iter().map(place).collect(),
        _ => lines.iter().map(|l| place(l)).collect(),
    }
}
