//! The lease: who drives a run. A file locked with `flock`, so the kernel frees it when its holder dies, however
//! it dies, and no lock is ever left behind. The text in the file is for display and decides nothing.

use proctor_core::words::RunId;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// A look by `Lease::held` locks the file for an instant; a take that meets one tries again this often. So does one
/// who asks for the holder's name while the holder has the lock and has not signed yet.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// Held for as long as this value lives.
#[derive(Debug)]
pub struct Lease {
    _file: File,
}

#[derive(Debug, Error)]
pub enum LeaseError {
    /// `pid` is 0 where the holder has not written it yet.
    #[error(
        "run {run} is already driven by process {pid}\nhint: wait for it, or end that process, then try again"
    )]
    Held { run: RunId, pid: u32 },
    #[error("{run:?} can't be the id of a run\nhint: `proctor list` shows the ids")]
    BadId { run: RunId },
    #[error("the lease {} can't be used: {source}", path.display())]
    Unusable { path: PathBuf, source: io::Error },
}

impl Lease {
    /// Takes the lease of a run, or says who has it. Never waits for a holder.
    pub fn take(home: &Path, run: &RunId) -> Result<Self, LeaseError> {
        let path = lease_path(home, run)?;
        let unusable = |source| LeaseError::Unusable { path: path.clone(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(unusable)?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(unusable)?;
        for _ in 0..TRIES {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {
                    sign(&mut file).map_err(unusable)?;
                    return Ok(Self { _file: file });
                }
                Err(Errno::WOULDBLOCK | Errno::INTR) => std::thread::sleep(PAUSE),
                Err(error) => return Err(unusable(error.into())),
            }
        }
        Err(LeaseError::Held { run: run.clone(), pid: read_pid(&mut file) })
    }

    /// The process that drives the run, if any does.
    pub fn held(home: &Path, run: &RunId) -> Result<Option<u32>, LeaseError> {
        let path = lease_path(home, run)?;
        let unusable = |source| LeaseError::Unusable { path: path.clone(), source };
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unusable(error)),
        };
        // Shared, so that two who look don't take each other for a holder.
        match flock(&file, FlockOperation::NonBlockingLockShared) {
            Ok(()) => Ok(None),
            Err(Errno::WOULDBLOCK) => Ok(Some(read_pid(&mut file))),
            Err(error) => Err(unusable(error.into())),
        }
    }
}

/// An id becomes a folder's name here, so it must not lead anywhere else.
fn lease_path(home: &Path, run: &RunId) -> Result<PathBuf, LeaseError> {
    let id = run.as_str();
    if id.is_empty() || id.starts_with('.') || id.contains(['/', '\\', '\0']) {
        return Err(LeaseError::BadId { run: run.clone() });
    }
    Ok(home.join("runs").join(id).join("lease"))
}

/// Writes the holder's process id and since when it holds, in milliseconds since the epoch.
fn sign(file: &mut File) -> io::Result<()> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |span| span.as_millis());
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    writeln!(file, "{} {since}", std::process::id())
}

/// The name of a process that lives: between lock and signature the file is empty, or names the holder before.
fn read_pid(file: &mut File) -> u32 {
    let mut pid = 0;
    for _ in 0..TRIES {
        pid = signature(file);
        let alive = i32::try_from(pid).ok().and_then(Pid::from_raw).is_some_and(|pid| {
            // A process of somebody else can't be asked, and lives.
            !matches!(test_kill_process(pid), Err(Errno::SRCH))
        });
        if alive {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    pid
}

fn signature(file: &mut File) -> u32 {
    let mut text = String::new();
    // What can't be read is not known; the lock itself has already answered the question that matters.
    let _ = file.rewind();
    let _ = file.take(64).read_to_string(&mut text);
    text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0)
}
