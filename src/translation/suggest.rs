//! What somebody may have meant who misspelled a name: one measure of similarity for names of programs, modules, attributes,
//! commands and options.

/// The most similar of the names; None unless one is so near that it was probably meant. Case does not count.
///
/// Up to a third of the letters may differ; exchanged neighbors are one difference.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let length = word.chars().count();
    if length < 2 {
        return None;
    }
    let most = (length / 3).clamp(1, 3);
    names
        .into_iter()
        .filter(|n| n.len().abs_diff(word.len()) <= most)
        .filter_map(|n| {
            let folded = n.to_ascii_lowercase();
            let distance = strsim::osa_distance(&word, &folded);
            // Words of two letters have too many neighbors.
            let near = distance <= most && distance > 0 && length.max(folded.len()) > 2;
            near.then(|| (distance, -strsim::jaro_winkler(&word, &folded), n))
        })
        .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(b.2)))
        .map(|(_, _, n)| n)
}

/// A line of help that asks whether the most similar name was meant; empty if there is none.
pub fn question<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| {
        format!("\nhelp: did you mean `{name}`?")
    })
}

/// A line of help: the most similar of the names, or all of them.
pub fn among(word: &str, names: &[&str]) -> String {
    match question(word, names.iter().copied()) {
        near if !near.is_empty() => near,
        _ if names.is_empty() => String::new(),
        _ => format!("\nhelp: its arguments are `{}`", names.join("`, `")),
    }
}

/// A folded name with capitals where `word`, which it is to replace, has them.
pub fn spelled_like(word: &str, name: &str) -> String {
    if !word.is_ascii() || !name.is_ascii() {
        return name.to_owned();
    }
    let same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
    let (w, n) = (word.as_bytes(), name.as_bytes());
    let front = w.iter().zip(n).take_while(same).count();
    let rest = w.len().min(n.len()) - front;
    let back = w
        .iter()
        .rev()
        .zip(n.iter().rev())
        .take_while(same)
        .count()
        .min(rest);
    let middle = &name[front..name.len() - back];
    format!("{}{middle}{}", &word[..front], &word[word.len() - back..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_words() {
        let names = [
            "threadidx",
            "blockidx",
            "atomicadd",
            "atomicand",
            "syncthreads",
            "istat",
            "x",
            "cudamalloc",
        ];
        let cases = [
            ("threadId", Some("threadidx")),
            ("atomicad", Some("atomicadd")),
            ("synctreads", Some("syncthreads")),
            ("isat", Some("istat")),
            ("sitat", Some("istat")),
            ("cudaMaloc", Some("cudamalloc")),
            ("y", None),
            ("unrelated", None),
            ("threadidx", None),
        ];
        for (word, meant) in cases {
            assert_eq!(nearest(word, names), meant, "{word}");
        }
    }

    #[test]
    fn capitals_stay() {
        assert_eq!(spelled_like("cudaMaloc", "cudamalloc"), "cudaMalloc");
        assert_eq!(spelled_like("threadId", "threadidx"), "threadIdx");
        assert_eq!(spelled_like("SyncTreads", "syncthreads"), "SyncThreads");
        assert_eq!(spelled_like("abc", "abc"), "abc");
    }
}
