//! What lies in Proctor's home: how much room it takes, when it was used last, and the removing of what nobody uses now.
//! Must not know which of it is old enough to go, and must never remove what somebody has in hand.

use crate::draft::lock_if_idle;
use crate::shelf::{Removed, Shelf};
use crate::tree::{TreeError, at, remove_tree};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder of Proctor's home whose entries may be made again at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stock {
    /// Compiled third-party dependencies.
    Warm,
    /// Installed packages of checkouts.
    Packages,
    /// Clean checkouts of large trees.
    Trees,
}

impl Stock {
    pub const ALL: [Self; 3] = [Self::Warm, Self::Packages, Self::Trees];

    pub fn folder(self) -> &'static str {
        match self {
            Self::Warm => "warm",
            Self::Packages => "packages",
            Self::Trees => "trees",
        }
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub key: String,
    pub place: PathBuf,
    pub used: SystemTime,
}

/// Whether an entry is gone now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleared {
    Gone,
    InUse,
}

/// What is there, the one that was not used for the longest time first. What a dead maker left half-made is among it.
pub fn kept(home: &Path, stock: Stock) -> Result<Vec<Kept>, TreeError> {
    let dir = home.join(stock.folder());
    let mut found: Vec<Kept> = entries(&dir)?
        .into_iter()
        .filter(|(_, about)| about.is_dir())
        .map(|(place, about)| Kept {
            key: place.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            used: about.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            place,
        })
        .collect();
    found.sort_by(|a, b| (a.used, &a.key).cmp(&(b.used, &b.key)));
    Ok(found)
}

/// Removes an entry unless somebody uses it, or is making it.
pub fn clear(home: &Path, stock: Stock, key: &str) -> Result<Cleared, TreeError> {
    let dir = home.join(stock.folder());
    let shelf = Shelf::new(dir.clone());
    if shelf.place(key).is_ok() {
        return Ok(match shelf.remove(key)? {
            Removed::Gone => Cleared::Gone,
            Removed::InUse => Cleared::InUse,
        });
    }
    if key.contains('/') || matches!(key, "" | "." | "..") {
        return Err(TreeError::BadPath { path: key.to_owned() });
    }
    let place = dir.join(key);
    match lock_if_idle(&place).map_err(at("lock", &place))? {
        Some(_lock) => remove_tree(&place).map(|()| Cleared::Gone),
        None => Ok(if place.exists() { Cleared::InUse } else { Cleared::Gone }),
    }
}

/// What lies directly in a folder; nothing where it is not there. Links are told as such.
pub fn entries(dir: &Path) -> Result<Vec<(PathBuf, fs::Metadata)>, TreeError> {
    let inside = match fs::read_dir(dir) {
        Ok(inside) => inside,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(at("read", dir)(error)),
    };
    Ok(inside.flatten().filter_map(|entry| Some((entry.path(), entry.metadata().ok()?))).collect())
}

/// How many bytes of the disk a file or folder takes. Names of one file count once; links are not followed.
pub fn room(path: &Path) -> u64 {
    let mut seen = HashSet::new();
    let mut todo = vec![path.to_owned()];
    let mut sum = 0_u64;
    while let Some(path) = todo.pop() {
        let Ok(about) = fs::symlink_metadata(&path) else { continue };
        if about.nlink() > 1 && !about.is_dir() && !seen.insert((about.dev(), about.ino())) {
            continue;
        }
        sum = sum.saturating_add(about.blocks().saturating_mul(512));
        if about.is_dir() {
            todo.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()));
        }
    }
    sum
}

/// How many bytes are free for us on the disk that holds a path, or will hold it.
pub fn free(path: &Path) -> io::Result<u64> {
    let there = path.ancestors().find(|above| above.exists()).unwrap_or(Path::new("/"));
    let about = rustix::fs::statvfs(there)?;
    Ok(about.f_bavail.saturating_mul(about.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn room_counts_each_file_once_and_follows_no_link() {
        let dir = tempfile::tempdir().unwrap();
        let (one, out) = (dir.path().join("one"), tempfile::tempdir().unwrap());
        fs::create_dir(&one).unwrap();
        let empty = room(&one);
        fs::write(one.join("a"), vec![7; 64 * 1024]).unwrap();
        let alone = room(&one);
        assert!(alone >= empty + 64 * 1024, "{empty} {alone}");
        fs::hard_link(one.join("a"), one.join("b")).unwrap();
        fs::write(out.path().join("large"), vec![7; 1024 * 1024]).unwrap();
        symlink(out.path(), one.join("elsewhere")).unwrap();
        assert!(room(&one) < alone + 64 * 1024);
    }

    #[test]
    fn what_is_in_use_stays_and_what_a_dead_maker_left_goes() {
        let home = tempfile::tempdir().unwrap();
        let warm = home.path().join("warm");
        for name in ["key", "other", ".gone.1-1.part"] {
            fs::create_dir_all(warm.join(name)).unwrap();
        }
        let held = Shelf::new(warm.clone()).hold("key").unwrap().unwrap();
        let clear = |key: &str| clear(home.path(), Stock::Warm, key).unwrap();
        assert_eq!(clear("key"), Cleared::InUse);
        assert_eq!(clear("other"), Cleared::Gone);
        assert_eq!(clear(".gone.1-1.part"), Cleared::Gone);
        drop(held);
        let left: Vec<String> =
            kept(home.path(), Stock::Warm).unwrap().into_iter().map(|kept| kept.key).collect();
        assert_eq!(left, ["key"]);
        assert!(super::clear(home.path(), Stock::Warm, "../x").is_err());
    }

    #[test]
    fn free_room_is_known_also_for_a_place_that_is_not_there_yet() {
        let dir = tempfile::tempdir().unwrap();
        assert!(free(&dir.path().join("a/b/c")).unwrap() > 0);
    }
}
