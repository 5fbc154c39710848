//! A short text that changes when anything in a store does: names, sizes, and the times at which the system itself
//! saw a change, which a program can't set back as it can the time of a file's content. Only reads, and reads no
//! file's content, so that it is cheap enough for each use.

use super::RECORD;
use crate::files::hex;
use crate::tree::{TreeError, at};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Of all that is in the store, but for what is written down about it.
pub(super) fn of(store: &Path) -> Result<String, TreeError> {
    let mut hasher = Sha256::new();
    let mut todo = inside(store, Path::new(""))?;
    todo.retain(|path| path != Path::new(RECORD));
    while let Some(path) = todo.pop() {
        let here = store.join(&path);
        let about = fs::symlink_metadata(&here).map_err(at("look at", &here))?;
        hasher.update(path.as_os_str().as_bytes());
        hasher.update([0]);
        for number in [about.ino(), about.size(), u64::from(about.mode())] {
            hasher.update(number.to_le_bytes());
        }
        for time in [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()] {
            hasher.update(time.to_le_bytes());
        }
        if about.is_dir() {
            todo.extend(inside(store, &path)?);
        }
    }
    Ok(hex(&hasher.finalize()))
}

fn inside(store: &Path, folder: &Path) -> Result<Vec<PathBuf>, TreeError> {
    let here = store.join(folder);
    let mut inside = Vec::new();
    for entry in fs::read_dir(&here).map_err(at("read", &here))? {
        inside.push(folder.join(entry.map_err(at("read", &here))?.file_name()));
    }
    inside.sort();
    Ok(inside)
}
