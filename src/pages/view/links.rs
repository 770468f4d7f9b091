//! The source map as the page has it: places in UTF-16 units, packed.

use super::files::File;
use super::vlq::Packed;
use crate::map::{Disposition, Output, Place, Source};

/// The statements of a source: file, step of the start, length, fate.
pub fn statements(source: &Source, files: &[File]) -> String {
    let mut out = Packed::default();
    let mut last = 0;
    for s in &source.statements {
        let (start, length) = range(s.place, files);
        out.add(s.place.file);
        out.add_step(last, start);
        out.add(length);
        out.add(match s.fate {
            Disposition::Kept => 0,
            Disposition::Translated => 1,
            Disposition::Refused => 2,
        });
        last = start;
    }
    out.into_text()
}

/// The segments of an output: what lies before, length, twice the rule and whether a macro made it, 0 or the step of the statement, 0 or the file
/// of the place with the step of its start and its length.
pub fn segments(output: &Output, file: &File, files: &[File]) -> String {
    let mut out = Packed::default();
    let (mut end, mut statement, mut place) = (0, 0, 0);
    for s in &output.segments {
        let start = file.text.place(s.start).max(end);
        let stop = file.text.place(s.end).max(start);
        out.add(start - end);
        out.add(stop - start);
        out.add(s.rule as u32 * 2 + u32::from(s.expanded));
        match s.statement {
            None => out.add(0),
            Some(n) => {
                out.add(1);
                out.add_step(statement, n);
                statement = n;
            }
        }
        match s.place {
            None => out.add(0),
            Some(p) => {
                let (from, length) = range(p, files);
                out.add(p.file + 1);
                out.add_step(place, from);
                out.add(length);
                place = from;
            }
        }
        end = stop;
    }
    out.into_text()
}

fn range(place: Place, files: &[File]) -> (u32, u32) {
    let Some(file) = files.get(place.file as usize) else {
        return (0, 0);
    };
    let start = file.text.place(place.start);
    (start, file.text.place(place.end).saturating_sub(start))
}
