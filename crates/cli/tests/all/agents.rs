//! Coding agents by their own programs, with a model that is played: whole runs, and what happens when something is off.

mod acp;
mod alone;
mod api;
mod bench;
mod suite;
mod whole;

/// What takes long: `--ignore-default-filter` runs it too.
mod slow {
    mod faults;
    mod hostile;
    mod sessions;
}
