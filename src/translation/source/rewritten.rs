//! A text with some of it replaced, by whoever knows what the program means.

use super::line::{Origin, Stretch, line_starts};
use super::{SourceText, Span};

/// Text for a place: what is parsed, and what host edits apply to, of the same length.
#[derive(Clone, Debug)]
pub struct Rewrite {
    pub span: Span,
    pub text: String,
    pub host: String,
}

impl Rewrite {
    /// The same for both.
    pub fn new(span: Span, text: String) -> Rewrite {
        Rewrite {
            span,
            host: text.clone(),
            text,
        }
    }
}

impl SourceText {
    /// The text with its rewrites, which are in order and do not overlap. Lines that they add belong to the line that they stand on. The
    /// preprocessor's lines are lost.
    #[must_use]
    pub fn rewritten(&self, rewrites: &[Rewrite]) -> SourceText {
        let text = spliced(&self.text, rewrites, |r| &r.text);
        let host = spliced(self.host(), rewrites, |r| &r.host);
        let mut places = Places {
            old: self,
            lines: Vec::new(),
            column: 0,
        };
        places.begin(0);
        let mut at = 0;
        for r in rewrites {
            places.copy(at, r.span.start);
            places.insert(r.span.start, &r.text);
            at = r.span.end;
        }
        places.copy(at, self.text.len() as u32);
        let structure_types = self.structure_types.iter();
        SourceText {
            structure_types: structure_types.map(|s| shifted(*s, rewrites)).collect(),
            lines: line_starts(&text).into(),
            origins: places.origins(),
            host: (host != text).then(|| host.into()),
            text: text.into(),
            trace: None,
            own: None,
            ..self.clone()
        }
    }
}

fn spliced(text: &str, rewrites: &[Rewrite], of: impl Fn(&Rewrite) -> &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for r in rewrites {
        out.push_str(text.get(at..r.span.start as usize).unwrap_or_default());
        out.push_str(of(r));
        at = r.span.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Where an offset before which nothing is replaced in its own word comes to stand.
fn shifted(at: u32, rewrites: &[Rewrite]) -> u32 {
    let before = rewrites.iter().filter(|r| r.span.end <= at);
    before.fold(at, |at, r| {
        at + r.text.len() as u32 - (r.span.end - r.span.start)
    })
}

/// The lines of the new text as they come, with the old line of each and where its parts stood there.
struct Places<'a> {
    old: &'a SourceText,
    lines: Vec<(usize, Vec<Stretch>)>,
    /// Of the new line.
    column: u32,
}

impl Places<'_> {
    fn begin(&mut self, old: u32) {
        self.lines.push((self.old.line_index(old), Vec::new()));
        self.column = 0;
    }

    fn stretch(&mut self, old: u32, copied: bool) {
        let index = self.old.line_index(old);
        let column = old - self.old.lines.get(index).copied().unwrap_or_default();
        let column = (self.old.origins.of(index)).map_or(column, |(o, _)| o.column(column));
        if let Some((line, stretches)) = self.lines.last_mut() {
            // Behind lines that were put in, the text goes on with another line.
            if stretches.is_empty() {
                *line = index;
            }
            stretches.push((self.column, column, copied));
        }
    }

    fn copy(&mut self, from: u32, to: u32) {
        let text = self.old.text.get(from as usize..to as usize);
        let mut at = from;
        for part in text.unwrap_or_default().split_inclusive('\n') {
            self.stretch(at, true);
            at += part.len() as u32;
            match part.ends_with('\n') {
                true => self.begin(at),
                false => self.column += part.len() as u32,
            }
        }
    }

    fn insert(&mut self, old: u32, text: &str) {
        for part in text.split_inclusive('\n') {
            self.stretch(old, false);
            match part.ends_with('\n') {
                true => self.begin(old),
                false => self.column += part.len() as u32,
            }
        }
    }

    fn origins(self) -> super::line::Origins {
        let old = &self.old.origins;
        let origin = |(index, stretches): (usize, Vec<Stretch>)| {
            let (origin, line) = old.of(index)?;
            let whole = matches!(stretches[..], [] | [(0, 0, true)]);
            Some(Origin {
                line,
                stretches: match whole {
                    true => origin.stretches.clone(),
                    false => Some(stretches.into()),
                },
                ..origin.clone()
            })
        };
        self.lines.into_iter().filter_map(origin).collect()
    }
}
