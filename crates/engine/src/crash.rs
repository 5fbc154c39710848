//! Points at which a test can cut the power. In debug builds only: `PROCTOR_CRASH_AT=N` kills this process with
//! -9 at the N-th point that it reaches, `PROCTOR_CRASH_LOG=FILE` lists the points. Release builds have none.

#[cfg(debug_assertions)]
pub(crate) fn point(label: &str) {
    use std::io::Write;
    use std::sync::atomic::{AtomicU64, Ordering};
    static REACHED: AtomicU64 = AtomicU64::new(0);
    let reached = REACHED.fetch_add(1, Ordering::SeqCst) + 1;
    if let Some(path) = std::env::var_os("PROCTOR_CRASH_LOG")
        && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path)
    {
        let _ = writeln!(file, "{reached} {label}");
    }
    if std::env::var("PROCTOR_CRASH_AT").is_ok_and(|at| at == reached.to_string()) {
        let _ =
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // The signal may take a moment; nothing more may happen here.
        loop {
            std::thread::park();
        }
    }
}

#[cfg(not(debug_assertions))]
pub(crate) fn point(_: &str) {}
