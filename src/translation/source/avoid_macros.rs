//! Words of generated lines that are macros of the user's: Fortran does not distinguish the case of letters, and the preprocessor does, so that `bind(C)`
//! is `bind(c)` where `C` is a macro.

use std::collections::BTreeSet;

use super::line::Options;
use super::macros::word_end;
use super::preprocessing_record::{Trace, defined};

/// Letters of a word whose cases are tried.
const MAX_LETTERS: u32 = 6;

/// The names that are macros anywhere in a file.
pub(super) fn macro_names(trace: &Trace, options: &Options) -> BTreeSet<String> {
    let given = options.macros.iter().map(|(name, _)| name.clone());
    let defined = trace.items.iter().filter_map(defined).map(str::to_owned);
    given.chain(defined).collect()
}

/// A line of Fortran in which no word outside of texts is a macro; None if it has none, or one that cannot be spelled otherwise.
pub(super) fn respelled(line: &str, names: &BTreeSet<String>) -> Option<String> {
    let mut out = String::with_capacity(line.len());
    let (mut quote, mut comment, mut changed) = (None, false, false);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        // That preprocessor takes what stands behind digits for a word, too.
        let end = if c.is_ascii_digit() {
            0
        } else {
            word_end(rest)
        };
        if quote.is_none() && end > 0 {
            let (word, after) = rest.split_at(end);
            match names.contains(word) {
                true => {
                    out.push_str(&other_spelling(word, names)?);
                    changed = true;
                }
                false => out.push_str(word),
            }
            rest = after;
            continue;
        }
        match quote {
            Some(q) => quote = Some(q).filter(|q| *q != c),
            None if comment => {}
            None if c == '!' => comment = true,
            None => quote = Some(c).filter(|c| *c == '\'' || *c == '"'),
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    changed.then_some(out)
}

/// The same word with other cases.
fn other_spelling(word: &str, names: &BTreeSet<String>) -> Option<String> {
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count() as u32;
    let spelled = |which: u32| -> String {
        let mut letter = 0;
        let with = |c: char| {
            if !c.is_ascii_alphabetic() {
                return c;
            }
            letter += 1;
            match which.checked_shr(letter - 1).unwrap_or(0) & 1 {
                0 => c.to_ascii_lowercase(),
                _ => c.to_ascii_uppercase(),
            }
        };
        word.chars().map(with).collect()
    };
    let count = 1u32 << letters.min(MAX_LETTERS);
    let all = (0..count).map(spelled).chain([word.to_ascii_uppercase()]);
    // Names of the preprocessor's own mean something in one case only.
    let own = word.starts_with("__");
    all.filter(|_| !own).find(|w| !names.contains(w))
}

#[cfg(test)]
mod tests {
    use super::respelled;
    use std::collections::BTreeSet;

    #[test]
    fn words_get_another_case() {
        let names: BTreeSet<String> = ["C", "e5", "real"].map(str::to_owned).into();
        let same = |line: &str| respelled(line, &names);
        assert_eq!(
            same("f(x) bind(C, name='C')").as_deref(),
            Some("f(x) bind(c, name='C')")
        );
        assert_eq!(same("x = 1e5").as_deref(), Some("x = 1E5"));
        assert_eq!(same("real :: c").as_deref(), Some("Real :: c"));
        assert_eq!(same("x = y ! it's C").as_deref(), Some("x = y ! it's c"));
        assert_eq!(same("x = y"), None);
        let both: BTreeSet<String> = ["C", "c"].map(str::to_owned).into();
        assert_eq!(respelled("bind(C)", &both), None);
    }
}
