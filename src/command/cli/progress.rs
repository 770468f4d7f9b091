//! Progress bars: on a terminal, for people.

use std::sync::OnceLock;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::driver::terminal;

/// The bar of the translation, which tells of its steps by a plain function.
static TRANSLATION: OnceLock<ProgressBar> = OnceLock::new();

/// A bar on a terminal, nothing elsewhere.
pub fn bar(what: &'static str) -> ProgressBar {
    if !terminal::is_lively() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    // What is done in no time shows none.
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_prefix(what)
}

/// The bar for the translation of so many files, each of which is [`step`] twice; None: it is not worth one.
pub fn of_translation(files: usize) -> Option<&'static ProgressBar> {
    if files < 2 || !terminal::is_lively() {
        return None;
    }
    let bar = TRANSLATION.get_or_init(|| bar("translating"));
    bar.set_length(2 * files as u64);
    Some(bar)
}

/// A file has been read, or its host code is done.
pub fn step() {
    if let Some(bar) = TRANSLATION.get() {
        bar.inc(1);
    }
}
