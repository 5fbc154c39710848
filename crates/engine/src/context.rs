//! Why a run can't be driven.

use proctor_core::words::RunId;
use proctor_journal::JournalError;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Journal(JournalError),
    #[error(transparent)]
    Lease(proctor_journal::LeaseError),
    #[error(
        "run {run} is being driven by process {pid}\nhint: `proctor log {run}` shows what it does; `proctor cancel {run}` stops it"
    )]
    Held { run: RunId, pid: u32 },
    #[error(
        "run {run} is worked on by a fleet, not here\nhint: `proctor-fleet` takes the same commands: `proctor-fleet show {run}`, `proctor-fleet approve {run}`"
    )]
    Afar { run: RunId },
    #[error("{} can't be used: {source}\nhint: Proctor's own folder must be writable", path.display())]
    Io { path: std::path::PathBuf, source: std::io::Error },
    #[error(
        "run {run} moved on while it was being driven: another process wrote event {found}\nhint: look with `proctor show {run}`"
    )]
    Moved { run: RunId, found: u64 },
    #[error(
        "the history of run {run} does not begin with a brief\nhint: the journal may be damaged; `proctor list` shows the others"
    )]
    NoBrief { run: RunId },
}
