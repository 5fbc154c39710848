//! ctrl-c and termination: the first asks for an orderly stop, the second ends at once.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often this process was asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    count: Arc<AtomicUsize>,
}

impl Signals {
    /// Listens to SIGINT, SIGTERM and SIGHUP. The second one ends the process with 130 on the spot; keepers
    /// notice and end every child.
    pub fn listen() -> std::io::Result<Self> {
        let signals = Self::default();
        let mut incoming = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let count = Arc::clone(&signals.count);
        std::thread::spawn(move || {
            for _ in incoming.forever() {
                if count.fetch_add(1, Ordering::SeqCst) > 0 {
                    signal_hook::low_level::exit(130);
                }
            }
        });
        Ok(signals)
    }

    pub fn asked_to_stop(&self) -> bool {
        self.count.load(Ordering::SeqCst) > 0
    }
}
