//! What would change in an output folder, as a unified diff.

use std::fs;
use std::path::Path;
use std::time::Duration;

use similar::TextDiff;

use super::{Action, Changes};

/// How long the shortest difference of a file is looked for; after that any will do.
const PATIENCE: Duration = Duration::from_secs(2);

impl Changes<'_> {
    /// The differences of all files that change, in the bytes of the files: `patch -p0` carries them out. An edited file is compared with
    /// the text that goes beside it.
    pub fn unified_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for step in &self.steps {
            let path = self.out.join(&step.path);
            let edited = self.edited.iter();
            let mut edited = edited.filter(|e| e.beside.as_ref() == Some(&step.path));
            let (from, to) = match (edited.next(), step.action) {
                (Some(edited), _) => (Some(self.out.join(&edited.path)), Some(path)),
                (None, Action::Create) => (None, Some(path)),
                (None, Action::Replace) => (Some(path.clone()), Some(path)),
                (None, Action::Remove) => (Some(path), None),
            };
            // A file that has just been read; one that has gone since is empty.
            let old = from.as_ref().and_then(|p| fs::read(p).ok());
            let old = old.unwrap_or_default();
            file(
                &old,
                step.contents,
                from.as_deref(),
                to.as_deref(),
                &mut text,
            );
        }
        text
    }
}

fn file(old: &[u8], new: &[u8], from: Option<&Path>, to: Option<&Path>, text: &mut Vec<u8>) {
    let name = |path: Option<&Path>| match path {
        Some(path) => path.display().to_string(),
        None => "/dev/null".to_owned(),
    };
    let (from, to) = (name(from), name(to));
    if old.contains(&0) || new.contains(&0) {
        text.extend(format!("Binary files {from} and {to} differ\n").into_bytes());
        return;
    }
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    let mut unified = diff.unified_diff();
    // Only memory is written to: this cannot fail.
    let _ = unified.header(&from, &to).to_writer(text);
}
