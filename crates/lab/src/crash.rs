//! Points at which a test can cut the power, in debug builds only; release builds have none.
//!
//! `PROCTOR_CRASH_ONCE=FILE`: this process kills itself with -9 at the first point that is not listed in the file,
//! after listing it. Started again and again, a run is so cut at every point exactly once. `PROCTOR_CRASH_AT=LABEL`:
//! it is cut at that point and no other; `PROCTOR_CRASH_LOG=FILE` only lists the points. A point is named by what
//! the run has achieved so far, so that work which is done again after a cut has the same name. `PROCTOR_CRASH_HUNT=FILE`
//! is as `PROCTOR_CRASH_ONCE` for the steps of a hunt alone.

#[cfg(debug_assertions)]
pub use armed::{during, hunted, point, recorded, replayed};

#[cfg(not(debug_assertions))]
pub fn point(_: &str) {}

#[cfg(not(debug_assertions))]
pub fn hunted(_: &[proctor_core::hunt::HuntEvent], _: &str) {}

#[cfg(not(debug_assertions))]
pub fn during(_: &'static str) {}

#[cfg(not(debug_assertions))]
pub fn recorded(_: &proctor_core::event::Event) {}

#[cfg(not(debug_assertions))]
pub fn replayed(_: &proctor_core::event::Event) {}

#[cfg(debug_assertions)]
mod armed {
    use proctor_core::event::Event;
    use proctor_core::hunt::HuntEvent;
    use std::io::Write;
    use std::sync::atomic::{AtomicU64, Ordering};

    static ACHIEVED: AtomicU64 = AtomicU64::new(0);

    /// Right after a fact was recorded.
    pub fn recorded(event: &Event) {
        replayed(event);
        let value = serde_json::to_value(event).unwrap_or_default();
        point(value["event"].as_str().unwrap_or_default());
    }

    /// While a child is at work, which takes longer than a moment.
    pub fn during(label: &'static str) {
        let armed = ["PROCTOR_CRASH_ONCE", "PROCTOR_CRASH_AT", "PROCTOR_CRASH_LOG"];
        if armed.iter().any(|name| std::env::var_os(name).is_some()) {
            std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(60));
                point(label);
            });
        }
    }

    /// A fact counts as achieved unless it only says that work began, ended or was lost, or that somebody is waited for again.
    pub fn replayed(event: &Event) {
        let about_work = matches!(
            event,
            Event::EffectBegan { .. }
                | Event::EffectEnded { .. }
                | Event::EffectLost { .. }
                | Event::ReviewSought
                | Event::ReviewAwaited { .. }
        );
        if !about_work {
            ACHIEVED.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// A step of a hunt, named by what was recorded last. What has to be done again has the same name.
    pub fn hunted(events: &[HuntEvent], what: &str) {
        if let Some(seen) = std::env::var_os("PROCTOR_CRASH_HUNT") {
            let last = serde_json::to_value(events.last()).unwrap_or_default();
            let name = last["event"].as_str().unwrap_or_default();
            let bug = events.last().and_then(HuntEvent::bug).unwrap_or("-");
            once(seen.as_ref(), &format!("{name} {bug} {what}"));
        }
    }

    fn once(seen: &std::path::Path, label: &str) {
        let known = std::fs::read_to_string(seen).unwrap_or_default();
        if !known.lines().any(|line| line == label) {
            note(seen, label);
            die();
        }
    }

    pub fn point(label: &str) {
        let label = format!("{} {label}", ACHIEVED.load(Ordering::SeqCst));
        if let Some(log) = std::env::var_os("PROCTOR_CRASH_LOG") {
            note(log.as_ref(), &label);
        }
        if std::env::var("PROCTOR_CRASH_AT").is_ok_and(|at| at == label) {
            die();
        }
        if let Some(seen) = std::env::var_os("PROCTOR_CRASH_ONCE") {
            once(seen.as_ref(), &label);
        }
    }

    fn note(path: &std::path::Path, label: &str) {
        if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path) {
            let _ = writeln!(file, "{label}");
        }
    }

    fn die() {
        let _ =
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // The signal may take a moment; nothing more may happen here.
        loop {
            std::thread::park();
        }
    }
}
