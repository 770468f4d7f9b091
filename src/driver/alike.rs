//! What somebody may have meant who mistyped a name.

/// How much two names have to be alike, of 1.
const ALIKE: f64 = 0.8;

/// The name most like `word`, if one is enough so.
pub fn most_alike<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_ascii_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&folded, name);
    let best = names
        .into_iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= ALIKE).then_some(best)
}

/// A question to be put behind a message: whether the most alike name was meant.
pub fn question<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    most_alike(word, names).map_or_else(String::new, |name| format!("; did you mean {name}?"))
}
