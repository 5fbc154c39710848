//! A folder in the making: it is filled beside its place and renamed into it when it is whole, so that nothing
//! half-made is ever seen under the final name. Owns the names of such folders and the clearing up of those whose
//! maker died. Must never touch the draft of somebody who is still at work: a lock on the folder says who is.

use crate::tree::{TreeError, at, remove_tree};
use rustix::fs::{FlockOperation, OFlags, flock};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Different for each draft of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

const ENDING: &str = ".part";

/// How a draft came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// It stands in its place.
    Done,
    /// Something stood there already; the draft is gone.
    ThereBefore,
}

/// Removed when it is dropped, unless it was settled.
#[derive(Debug)]
pub(crate) struct Draft {
    dir: PathBuf,
    goal: PathBuf,
    /// Held while the maker is at work; the system lets go of it when the process ends, however it ends.
    _lock: File,
}

impl Draft {
    /// An empty folder beside `goal`. What dead makers of the same goal left behind is removed first.
    pub(crate) fn beside(goal: &Path) -> Result<Self, TreeError> {
        let parent = parent(goal);
        fs::create_dir_all(parent).map_err(at("make", parent))?;
        clear_dead(goal)?;
        loop {
            let dir = name_beside(goal);
            match fs::DirBuilder::new().mode(0o700).create(&dir) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(at("make", &dir)(error)),
            }
            // Between the making and the locking somebody may have taken it for a dead one: then another is made.
            if let Some(lock) = lock_if_idle(&dir).map_err(at("lock", &dir))? {
                return Ok(Self { dir, goal: goal.to_owned(), _lock: lock });
            }
        }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Renames the draft into its place. An empty folder there gives way; anything else stays.
    pub(crate) fn settle(self) -> Result<Settled, TreeError> {
        match fs::rename(&self.dir, &self.goal) {
            Ok(()) => Ok(Settled::Done),
            Err(error) if is_taken(&error) => Ok(Settled::ThereBefore),
            Err(error) => Err(at("rename a finished folder to", &self.goal)(error)),
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // What can't be removed now is removed by the next maker. After a rename there is nothing here.
        let _ = remove_tree(&self.dir);
    }
}

/// Takes a finished folder out of its place and removes it. Cut short, the rest is removed by the next maker.
pub(crate) fn discard(dir: &Path) -> Result<(), TreeError> {
    let gone = name_beside(dir);
    match fs::rename(dir, &gone) {
        Ok(()) => remove_tree(&gone),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(at("rename", dir)(error)),
    }
}

/// Opens a folder, never through a link.
pub(crate) fn open_folder(dir: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::DIRECTORY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(dir)
}

/// Whether the open folder is still the one with that name.
pub(crate) fn is_at(open: &File, dir: &Path) -> bool {
    match (open.metadata(), fs::symlink_metadata(dir)) {
        (Ok(open), Ok(there)) => (open.dev(), open.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// The lock of a folder that nobody is at work in, unless it went away meanwhile.
pub(crate) fn lock_if_idle(dir: &Path) -> io::Result<Option<File>> {
    let open = match open_folder(dir) {
        Ok(open) => open,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    match flock(&open, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(is_at(&open, dir).then_some(open)),
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn is_taken(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, NotADirectory};
    matches!(error.kind(), AlreadyExists | DirectoryNotEmpty | NotADirectory)
}

fn parent(goal: &Path) -> &Path {
    match goal.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn beginning(goal: &Path) -> String {
    format!(".{}.", goal.file_name().unwrap_or_default().to_string_lossy())
}

fn name_beside(goal: &Path) -> PathBuf {
    let (pid, n) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    parent(goal).join(format!("{}{pid}-{n}{ENDING}", beginning(goal)))
}

fn clear_dead(goal: &Path) -> Result<(), TreeError> {
    let (parent, beginning) = (parent(goal), beginning(goal));
    for entry in fs::read_dir(parent).map_err(at("read", parent))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let between = name.strip_prefix(&beginning).and_then(|rest| rest.strip_suffix(ENDING));
        if !between.is_some_and(is_number_pair) {
            continue;
        }
        let dir = entry.path();
        // A folder that can't be opened is not ours to clear.
        if let Ok(Some(_lock)) = lock_if_idle(&dir) {
            remove_tree(&dir)?;
        }
    }
    Ok(())
}

fn is_number_pair(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(pid, n)| digits(pid) && digits(n))
}
