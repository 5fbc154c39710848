//! Folders that are kept under a key from one run to the next, in one folder of Proctor's home. Owns who uses which
//! of them now, and the removing of those that were not used for the longest time. Must not know what they hold, and
//! must never remove one that is in use.

use crate::draft::{Draft, discard, is_at, lock_if_idle, open_folder};
use crate::tree::{TreeError, at};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// One kept folder, in use for as long as this value lives.
#[derive(Debug)]
pub(crate) struct Held {
    dir: PathBuf,
    _lock: File,
}

impl Held {
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    dir: PathBuf,
}

impl Shelf {
    pub(crate) fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Where a key's folder is, whether it exists or not.
    pub(crate) fn place(&self, key: &str) -> Result<PathBuf, TreeError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if key.is_empty() || key.starts_with('.') || !key.chars().all(plain) {
            return Err(TreeError::BadPath { path: key.to_owned() });
        }
        Ok(self.dir.join(key))
    }

    /// The key's folder, marked as used now.
    pub(crate) fn hold(&self, key: &str) -> Result<Option<Held>, TreeError> {
        let dir = self.place(key)?;
        let open = match open_folder(&dir) {
            Ok(open) => open,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(at("open", &dir)(error)),
        };
        flock(&open, FlockOperation::LockShared).map_err(|error| at("lock", &dir)(error.into()))?;
        // It may have been removed between the opening and the locking.
        if !is_at(&open, &dir) {
            return Ok(None);
        }
        touch(&open).map_err(at("set the time of", &dir))?;
        Ok(Some(Held { dir, _lock: open }))
    }

    pub(crate) fn draft(&self, key: &str) -> Result<Draft, TreeError> {
        Draft::beside(&self.place(key)?)
    }

    /// Removes a key's folder unless somebody uses it.
    pub(crate) fn remove(&self, key: &str) -> Result<Removed, TreeError> {
        let dir = self.place(key)?;
        if let Some(_lock) = lock_if_idle(&dir).map_err(at("lock", &dir))? {
            discard(&dir)?;
            return Ok(Removed::Gone);
        }
        Ok(if dir.exists() { Removed::InUse } else { Removed::Gone })
    }

    /// Removes all but the `keep` folders that were used last, and spares those that are in use. Returns the keys
    /// of those that are gone.
    pub(crate) fn trim(&self, keep: usize) -> Result<Vec<String>, TreeError> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(at("read", &self.dir)(error)),
        };
        let mut all: Vec<(SystemTime, String)> = Vec::new();
        for entry in entries.flatten() {
            let key = entry.file_name().to_string_lossy().into_owned();
            // Drafts begin with a dot.
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() && self.place(&key).is_ok() {
                all.push((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), key));
            }
        }
        all.sort();
        all.reverse();
        let mut gone = Vec::new();
        for (_, key) in all.into_iter().skip(keep) {
            match self.remove(&key)? {
                Removed::Gone => gone.push(key),
                Removed::InUse => {}
            }
        }
        Ok(gone)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removed {
    Gone,
    InUse,
}

fn touch(folder: &File) -> io::Result<()> {
    folder.set_times(FileTimes::new().set_modified(SystemTime::now()))
}
