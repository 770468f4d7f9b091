//! The threads of a translation, which makes none itself: its parallel parts use the pool they are called in.

/// Stack of a thread in bytes: enough for the deepest nesting that the syntax pass lets through.
const STACK: usize = 256 << 20;

/// Runs `work` on a pool of `threads` threads (0: one per core), or on the pool that it is already called in.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build();
    match pool {
        Ok(pool) => pool.install(work),
        // No threads to be had: the caller's own will do for all but absurd nesting.
        Err(_) => work(),
    }
}
