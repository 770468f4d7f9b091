//! The parts of a message: headline, notes and help.
//!
//! In code a message is one text, so that it can be read and searched: the headline, then lines that begin with `note: ` or `help: `.

/// What begins a line with the rule and its source.
const NOTE: &str = "\nnote: ";
/// What begins a line with what to do.
const HELP: &str = "\nhelp: ";

/// A message in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Headline,
    Note,
    Help,
}

/// The parts of one message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    pub headline: String,
    /// Rules, with their sources, and other places that matter.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Vec<String>,
}

impl Parts {
    /// The parts of a text.
    pub fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let (mut rest, mut part) = (text, Part::Headline);
        loop {
            let next = [(NOTE, Part::Note), (HELP, Part::Help)]
                .into_iter()
                .filter_map(|(mark, what)| Some((rest.find(mark)?, mark, what)))
                .min_by_key(|(at, _, _)| *at);
            let end = next.map_or(rest.len(), |(at, _, _)| at);
            let own = rest[..end].to_owned();
            match part {
                Part::Headline => parts.headline = own,
                Part::Note => parts.notes.push(own),
                Part::Help => parts.help.push(own),
            }
            let Some((at, mark, what)) = next else {
                return parts;
            };
            rest = &rest[at + mark.len()..];
            part = what;
        }
    }

    /// The help as one text.
    pub fn help_text(&self) -> Option<String> {
        (!self.help.is_empty()).then(|| self.help.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_parts() {
        let of = |text: &str| {
            let p = Parts::of(text);
            (p.headline, p.notes.join("|"), p.help.join("|"))
        };
        let texts = |h: &str, n: &str, e: &str| (h.to_owned(), n.to_owned(), e.to_owned());
        assert_eq!(of("a: b"), texts("a: b", "", ""));
        assert_eq!(of("a\nhelp: b"), texts("a", "", "b"));
        assert_eq!(
            of("a\nnote: b\nc\nhelp: d\nnote: e"),
            texts("a", "b\nc|e", "d")
        );
    }
}
