//! What every random test needs: numbers from the environment, and batches that run side by side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number in an environment variable.
pub fn variable(name: &str, default: usize) -> Result<usize, String> {
    match std::env::var(name) {
        Ok(text) => text
            .replace('_', "")
            .parse()
            .map_err(|_| format!("{name}={text} is no number")),
        Err(_) => Ok(default),
    }
}

/// Runs `count` batches on `threads` threads and adds up their results.
pub fn parallel<R: Default + Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> R + Sync,
    add: impl Fn(&mut R, R) + Sync,
    progress: impl Fn(usize, &R) + Sync,
) -> R {
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((0, R::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            // The parser recurses with the nesting of the source.
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            let spawned = worker.spawn_scoped(scope, || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let results = work(index);
                    let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
                    sum.0 += 1;
                    add(&mut sum.1, results);
                    progress(sum.0, &sum.1);
                }
            });
            assert!(spawned.is_ok(), "cannot start a thread");
        }
    });
    sum.into_inner().unwrap_or_else(PoisonError::into_inner).1
}
