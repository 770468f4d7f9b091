//! From places in the text to bytes of the user's files as they are on disk.

use std::path::Path;
use std::sync::Arc;

use super::fixed::{
    Piece, code_end, conditional_line, continuation_start, initial_start, pieces, string_state,
};
use super::line::{Origin, UserFile};
use super::text::{Position, SourceText};

/// Bytes of one of the user's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskRange<'s> {
    /// As messages name it.
    pub file: &'s Path,
    pub start: u32,
    /// One past the last; 0 if nothing is known of the file's bytes.
    pub end: u32,
    /// The line of the first byte, from 1.
    pub line: u32,
    /// A macro expanded to some of it.
    pub expanded: bool,
}

/// Where a byte of the text begins and ends on a line as it is written.
struct Column {
    start: u32,
    end: u32,
}

impl UserFile {
    /// The offset on disk of a byte of a line (from 1).
    fn on_disk(&self, line: u32, column: u32) -> u32 {
        let starts = self.disk_starts.get_or_init(|| {
            let mut at = self.encoding.mark;
            let mut out = Vec::with_capacity(self.starts.len());
            for (i, start) in self.starts.iter().enumerate() {
                out.push(at);
                let end = self
                    .starts
                    .get(i + 1)
                    .map_or(self.text.len(), |e| *e as usize);
                let line = self.text.get(*start as usize..end);
                at += self.encoding.size(line.unwrap_or_default());
            }
            out
        });
        let start = starts.get(line as usize - 1).copied().unwrap_or(0);
        let text = self.line(line);
        let column = floor(text, column as usize);
        start + self.encoding.size(&text[..column])
    }
}

impl Origin {
    /// Where a byte of the line comes from.
    fn column_range(&self, line: u32, text: &str, column: u32, of: &SourceText) -> Column {
        let own = self.file.line(line);
        let width = own.len() as u32;
        let plain = |start: u32| Column {
            start: start.min(width),
            end: (start + 1).min(width),
        };
        let Some(stretches) = &self.stretches else {
            if !of.fixed || text == own {
                return plain(column);
            }
            let code = conditional_line(own, of.is_cuda, of.openmp);
            return plain(aligned(code.as_deref().unwrap_or(own), text, column));
        };
        let i = stretches.partition_point(|s| s.0 <= column).max(1) - 1;
        match stretches.get(i) {
            Some((start, source, true)) => plain(source + (column - start)),
            Some((_, source, false)) => {
                let next = stretches[i..].iter().find(|s| s.1 > *source);
                Column {
                    start: (*source).min(width),
                    end: next.map_or(width, |s| s.1.min(width)),
                }
            }
            None => plain(column),
        }
    }
}

/// The last boundary of characters up to an offset.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|i| text.is_char_boundary(*i))
        .unwrap_or(0)
}

/// The column of a line of fixed form that a column of the line made of it comes from: they differ in blanks and ampersands.
fn aligned(own: &str, made: &str, column: u32) -> u32 {
    let (own, made) = (own.as_bytes(), made.as_bytes());
    let (mut i, mut j) = (0, 0);
    while j < made.len().min(column as usize) && i < own.len() {
        // The comma of DO statements.
        let comma = own[i] == b',' && made[j] == b' ' && own.get(i + 1) == made.get(j + 1);
        let same = own[i].eq_ignore_ascii_case(&made[j]) || comma;
        let idle = |b: u8| b == b' ' || b == b'\t' || b == b'&';
        if same {
            i += 1;
            j += 1;
        } else if idle(made[j]) {
            // The column of continuation marks.
            i += usize::from(i == 5 && j == 5);
            j += 1;
        } else if idle(own[i]) || i == 5 {
            i += 1;
        } else {
            i += 1;
            j += 1;
        }
    }
    // Blanks before what stands there.
    let next = made.get(column as usize);
    while next.is_some_and(|n| *n != b' ') && own.get(i).is_some_and(|b| *b == b' ' || *b == b'\t')
    {
        i += 1;
    }
    i as u32
}

impl SourceText {
    /// The bytes of the user's file behind a part of the text; of what a macro expanded to those of the macro's use, with its arguments.
    /// None for an empty part.
    pub fn on_disk(&self, start: u32, end: u32) -> Option<DiskRange<'_>> {
        let last = end.checked_sub(1).filter(|last| *last >= start)?;
        let (o, line, from) = self.byte(start)?;
        let (o_last, line_last, to) = self.byte(last)?;
        let file = &o.file;
        let range = |start, end, expanded| DiskRange {
            file: &file.path,
            start,
            end,
            line,
            expanded,
        };
        if file.encoding.elsewhere {
            return Some(range(0, 0, false));
        }
        let begin = file.on_disk(line, from.start);
        let split = self.end_of_split(end);
        let split = split.filter(|(o, _)| Arc::ptr_eq(file, &o.file));
        let end = match Arc::ptr_eq(file, &o_last.file) && line_last >= line {
            _ if split.is_some() => split.map_or(0, |(o, at)| {
                let line = o.file.starts.partition_point(|s| *s < at).max(1);
                let start = o.file.starts.get(line - 1).copied().unwrap_or(0);
                file.on_disk(line as u32, at - start)
            }),
            true => file.on_disk(line_last, to.end),
            // It ends in another file.
            false => self.last_in_file(start, last, file),
        };
        Some(range(begin, end.max(begin), self.is_expanded(start, last)))
    }

    /// Where the last code of a part of the text ends that is in the file of its first byte.
    fn last_in_file(&self, start: u32, last: u32, file: &Arc<UserFile>) -> u32 {
        let lines = self.line_index(start)..=self.line_index(last);
        let found = lines.rev().find_map(|i| {
            let (origin, _) = self.origins.of(i)?;
            if !Arc::ptr_eq(file, &origin.file) {
                return None;
            }
            let begin = self.lines[i];
            let line = self.host().get(begin as usize..)?.lines().next()?;
            let code = line.get(..code_end(line, None))?;
            let code = code.strip_suffix('&').unwrap_or(code).trim_end();
            let end = begin + code.len() as u32;
            let (_, line, column) = self.byte(end.checked_sub(1).filter(|e| *e >= start)?)?;
            (!code.is_empty()).then(|| file.on_disk(line, column.end))
        });
        found.unwrap_or(0)
    }

    /// The same of a whole statement, before that which begins at `next`: also of lines of fixed form that were put together.
    pub fn statement_on_disk(
        &self,
        start: u32,
        end: u32,
        next: Option<u32>,
    ) -> Option<DiskRange<'_>> {
        let mut range = self.on_disk(start, end)?;
        let Some((o, first, _)) = self.byte(start).filter(|_| self.columns.is_some()) else {
            return Some(range);
        };
        if range.expanded || o.file.encoding.elsewhere {
            return Some(range);
        }
        let Some((last, width)) = self.last_line(&o.file, first) else {
            return Some(range);
        };
        if last == first && self.is_copied(start) {
            return Some(range);
        }
        let after = next.and_then(|n| self.byte(n));
        let shared = after.is_some_and(|(other, line, _)| {
            Arc::ptr_eq(&o.file, &other.file) && line >= first && line <= last
        });
        if !shared {
            range.end = range.end.max(o.file.on_disk(last, width));
        }
        Some(range)
    }

    /// Of a statement of fixed form that begins on a line of a file: the last line that continues it, itself perhaps, and how far its code goes
    /// there. The lines read need not tell: numbers and DO statements are written anew, macros expanded, statements put on one line.
    fn last_line(&self, file: &UserFile, first: u32) -> Option<(u32, u32)> {
        let columns = self.columns?;
        let (mut found, mut quote) = match self.piece(file, first, columns) {
            (Piece::Initial { code, .. }, start) => {
                let end = code_end(&code, None);
                let found = (end > 0).then_some((first, (start + end) as u32));
                (found, string_state(&code, None))
            }
            _ => return None,
        };
        for n in first + 1..=file.starts.len() as u32 {
            if file.line(n).starts_with('#') || self.is_skipped(file, n) {
                continue;
            }
            match self.piece(file, n, columns) {
                (Piece::Initial { .. }, _) => break,
                (Piece::Other, _) => {}
                (Piece::Continuation(code), start) => {
                    let end = code_end(&code, quote);
                    quote = string_state(&code, quote);
                    if end > 0 {
                        found = Some((n, (start + end) as u32));
                    }
                }
            }
        }
        found
    }

    /// The line that an offset stands on is as the user wrote it.
    fn is_copied(&self, offset: u32) -> bool {
        let begin = self.lines[self.line_index(offset)] as usize;
        let line = self.host().get(begin..).and_then(|t| t.lines().next());
        line == Some(self.line_text(offset))
    }

    /// What a line of a user's file in fixed form is to a statement, and where its code begins there.
    fn piece(&self, file: &UserFile, line: u32, columns: usize) -> (Piece, usize) {
        let line = file.line(line);
        let plain = conditional_line(line, self.is_cuda, self.openmp);
        let line = plain.as_deref().unwrap_or(line);
        let piece = pieces(line, columns);
        let start = match &piece {
            Piece::Initial { label, .. } => initial_start(line).unwrap_or(label.len()),
            Piece::Continuation(_) => continuation_start(line),
            Piece::Other => 0,
        };
        (piece, start)
    }

    /// The preprocessor left a line out.
    fn is_skipped(&self, file: &UserFile, line: u32) -> bool {
        let mut all = self.skipped.iter();
        all.any(|s| s.file == file.path && s.first <= line && line <= s.last && !s.kept)
    }

    /// The bytes of a line of a user's file, without its end and the blanks around it. It is one that the text was made of.
    pub fn line_on_disk(&self, position: &Position) -> Option<DiskRange<'_>> {
        let of_code = self.origins.runs().map(|(_, o)| &o.file);
        let of_items = self.trace.as_deref().map(|t| &t.items[..]);
        let of_items = of_items.unwrap_or_default().iter().map(|i| &i.file);
        let file = of_code.chain(of_items).find(|f| f.path == position.file)?;
        let text = file.line(position.line);
        let start = text.len() - text.trim_start().len();
        Some(DiskRange {
            file: &file.path,
            start: file.on_disk(position.line, start as u32),
            end: file.on_disk(position.line, text.trim_end().len() as u32),
            line: position.line,
            expanded: false,
        })
    }

    /// A byte of the text in its file: of which line, and where on that.
    fn byte(&self, offset: u32) -> Option<(&Origin, u32, Column)> {
        let i = self.line_index(offset);
        let (origin, line) = self.origins.of(i)?;
        let begin = self.lines[i];
        let end = self
            .lines
            .get(i + 1)
            .map_or(self.host().len(), |e| *e as usize);
        let text = self.host().get(begin as usize..end).unwrap_or_default();
        let text = text.trim_end_matches(['\r', '\n']);
        Some((
            origin,
            line,
            origin.column_range(line, text, offset - begin, self),
        ))
    }

    /// The end in the user's file of a part of the text that ends with a token which the user split over lines; it stands on the first of
    /// them in the text. None: nothing was split.
    fn end_of_split(&self, end: u32) -> Option<(&Origin, u32)> {
        let text = self.text.as_bytes().get(..end as usize)?;
        let line = text.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let index = self.line_index(line as u32);
        let (origin, number) = self.origins.of(index)?;
        if origin.stretches.is_some() || origin.file.encoding.elsewhere {
            return None;
        }
        let file = origin.file.text.as_bytes();
        // What went to the line before is missing here.
        let missing = (line as u32).saturating_sub(*self.lines.get(index)?);
        let begin = (*origin.file.starts.get(number as usize - 1)? + missing) as usize;
        let made = &text[line..];
        if file.get(begin..begin + made.len()) == Some(made) {
            return None;
        }
        let blanks = made.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let mut at = begin + blanks;
        for b in &made[blanks..] {
            if file.get(at) != Some(b) {
                at = continued(file, at);
            }
            if file.get(at) != Some(b) {
                // Something else was changed on the line.
                return None;
            }
            at += 1;
        }
        Some((origin, at as u32))
    }

    /// A macro expanded to a byte of the text between two, or to one of these.
    fn is_expanded(&self, first: u32, last: u32) -> bool {
        let on_line = |i: usize| {
            let stretches = self.origins.of(i).and_then(|(o, _)| o.stretches.as_deref());
            let begin = self.lines[i];
            let (from, to) = (first.saturating_sub(begin), last.saturating_sub(begin));
            let stretches = stretches.unwrap_or_default();
            let ends = stretches.iter().skip(1).map(|s| s.0).chain([u32::MAX]);
            let mut all = stretches.iter().zip(ends);
            all.any(|(s, end)| !s.2 && s.0 <= to && from < end)
        };
        (self.line_index(first)..=self.line_index(last)).any(on_line)
    }
}

/// Where a line of free form goes on that ends with an ampersand at `at`.
fn continued(text: &[u8], mut at: usize) -> usize {
    let blanks = |at: &mut usize| {
        while text
            .get(*at)
            .is_some_and(|b| *b == b' ' || *b == b'\t' || *b == b'\r')
        {
            *at += 1;
        }
    };
    if text.get(at) != Some(&b'&') {
        return at;
    }
    at += 1;
    loop {
        blanks(&mut at);
        match text.get(at) {
            Some(b'\n') => at += 1,
            Some(b'!') => {
                while text.get(at).is_some_and(|b| *b != b'\n') {
                    at += 1;
                }
            }
            Some(b'&') => return at + 1,
            _ => return at,
        }
    }
}
