//! Clean checkouts: trees written out once, in `PROCTOR_HOME/trees/TREE-ID/tree`, as the lower layer of many overlays.
//! Owns how one is made, kept, checked and thrown away. Nobody writes into one, and none is used on trust.
//!
//! The check: the first time that this process uses a checkout it reads every byte of it and compares names, kinds and
//! blob ids with the tree's listing. It keeps, in its own memory and nowhere else, a hash over the number, size, rights
//! and both times of every file and folder. Each later use takes that hash again, which needs one system call for each
//! file and reads nothing. Whoever changes, adds or removes a file changes a time that only the system sets.

use crate::files::{ObjectFormat, entry_of};
use crate::listing::{Entry, Listing, Mode, folders_above, on_disk, path_bytes, path_text};
use crate::shadow::Shadow;
use crate::shelf::{Held, Removed, Shelf};
use crate::tree::{TreeError, at, materialise};
use proctor_core::words::TreeId;
use rustix::fs::{AtFlags, FlockOperation, Mode as RawMode, OFlags, flock, openat, statat};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How many clean checkouts are kept: a person works on few bases at a time, and each is as large as the repository.
const MOST_KEPT: usize = 4;

/// Beside the checkout is its lock and time of last use, which must not count as a change of it.
const INNER: &str = "tree";

/// How many paths are hashed together. Fixed, because the hash depends on it.
const CHUNK: usize = 1024;

const MOST_THREADS: usize = 8;

/// As long as two changes of a file may carry the same time on an older system.
const TICK: Duration = Duration::from_millis(20);
/// Longer than it takes from a fork to the program that follows it.
const FORKING: Duration = Duration::from_millis(100);

/// A clean checkout in use. It stays for as long as this value lives.
#[derive(Debug)]
pub(super) struct Clean {
    held: Held,
}

impl Clean {
    pub(super) fn dir(&self) -> PathBuf {
        self.held.dir().join(INNER)
    }
}

/// The folder of all clean checkouts.
pub(super) fn folder(home: &Path) -> PathBuf {
    home.join("trees")
}

/// The clean checkout of a tree, checked. `None` where it can't be had now: another process is making it, or one that
/// was changed is still in use.
pub(super) fn hold(
    home: &Path,
    shadow: &Shadow,
    tree: &TreeId,
    listing: &Listing,
) -> Result<Option<Clean>, TreeError> {
    let (shelf, key) = (Shelf::new(folder(home)), tree.as_str());
    // Once as it is, once made anew.
    for _ in 0..2 {
        if let Some(held) = shelf.hold(key)? {
            let clean = Clean { held };
            if is_whole(&clean.dir(), listing, shadow.format()) {
                return Ok(Some(clean));
            }
            drop(clean);
            if soon(|| Ok((shelf.remove(key)? != Removed::InUse).then_some(())))?.is_none() {
                return Ok(None);
            }
        }
        let place = shelf.place(key)?;
        let Some(_lock) = soon(|| lock(&place))? else {
            return Ok(None);
        };
        if !shelf.place(key)?.exists() {
            let draft = shelf.draft(key)?;
            materialise(shadow, listing, &draft.dir().join(INNER))?;
            draft.settle()?;
            shelf.trim(MOST_KEPT)?;
        }
    }
    match shelf.hold(key)?.map(|held| Clean { held }) {
        Some(clean) if is_whole(&clean.dir(), listing, shadow.format()) => Ok(Some(clean)),
        _ => Ok(None),
    }
}

/// Tries for a moment: a child that another thread has just forked holds what this process does until its program begins.
fn soon<T>(
    mut attempt: impl FnMut() -> Result<Option<T>, TreeError>,
) -> Result<Option<T>, TreeError> {
    let until = Instant::now() + FORKING;
    loop {
        let found = attempt()?;
        if found.is_some() || Instant::now() >= until {
            return Ok(found);
        }
        std::thread::sleep(FORKING / 20);
    }
}

/// The right to make a checkout, unless somebody else has it.
fn lock(place: &Path) -> Result<Option<File>, TreeError> {
    let path = place.with_file_name(format!(
        ".{}.lock",
        place.file_name().unwrap_or_default().to_string_lossy()
    ));
    let parent = place.parent().unwrap_or(place);
    fs::create_dir_all(parent).map_err(at("make", parent))?;
    let file = File::options().create(true).append(true).open(&path).map_err(at("open", &path))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => Ok(None),
        Err(error) => Err(at("lock", &path)(error.into())),
    }
}

/// What this process has read through, by its folder.
static READ: LazyLock<Mutex<HashMap<PathBuf, [u8; 32]>>> = LazyLock::new(Mutex::default);

fn is_whole(dir: &Path, listing: &Listing, format: ObjectFormat) -> bool {
    // What can't be looked at is not whole.
    let Ok(stamp) = stamp(dir, listing) else { return false };
    let known = READ.lock().unwrap_or_else(PoisonError::into_inner).get(dir).copied();
    if known == Some(stamp) {
        return true;
    }
    // From here on a change of any file must show in its time, also of one that was written a moment ago.
    thread::sleep(TICK);
    let whole = holds_exactly(dir, listing) && reads_as(dir, listing, format);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if whole {
        // The stamp is from before the reading: a change since then is found by the next one.
        read.insert(dir.to_owned(), stamp);
    } else {
        read.remove(dir);
    }
    whole
}

/// A hash over what the system says about all files and folders of a checkout.
fn stamp(dir: &Path, listing: &Listing) -> io::Result<[u8; 32]> {
    let top = File::open(dir)?;
    let paths: Vec<&str> = listing.keys().map(String::as_str).collect();
    let chunks: Vec<&[&str]> = paths.chunks(CHUNK).collect();
    let mut own = Vec::new();
    note(&top, b".", &mut own)?;
    let mut hasher = Sha256::new();
    hasher.update(own);
    for part in in_parallel(&chunks, |chunk| stamp_of_some(&top, chunk))? {
        hasher.update(part);
    }
    Ok(hasher.finalize().into())
}

/// Each folder is opened once and its files are looked at from there: the way to it is gone once, not for each file.
fn stamp_of_some(top: &File, paths: &[&str]) -> io::Result<[u8; 32]> {
    let mut noted = Vec::with_capacity(paths.len() * NOTE);
    let (mut last, mut open) = ("", None);
    for path in paths {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if folder != last {
            for above in folders_above(path) {
                // One that holds the last file as well was noted with it.
                if last.strip_prefix(above).is_some_and(|r| r.is_empty() || r.starts_with('/')) {
                    break;
                }
                note(top, &path_bytes(above), &mut noted)?;
            }
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            open = match folder {
                "" => None,
                folder => Some(openat(top, &*path_bytes(folder), flags, RawMode::empty())?),
            };
            last = folder;
        }
        let at = open.as_ref().map_or(top.as_fd(), AsFd::as_fd);
        if name.is_ascii() {
            note(at, name.as_bytes(), &mut noted)?;
        } else {
            note(at, &path_bytes(name), &mut noted)?;
        }
    }
    Ok(Sha256::digest(&noted).into())
}

/// How many bytes are noted of each file.
const NOTE: usize = 60;

fn note(at: impl AsFd, path: &[u8], noted: &mut Vec<u8>) -> io::Result<()> {
    let about = statat(at, path, AtFlags::SYMLINK_NOFOLLOW)?;
    noted.extend(about.st_dev.to_le_bytes());
    noted.extend(about.st_ino.to_le_bytes());
    noted.extend(about.st_mode.to_le_bytes());
    noted.extend(about.st_size.to_le_bytes());
    noted.extend(about.st_mtime.to_le_bytes());
    noted.extend(about.st_mtime_nsec.to_le_bytes());
    noted.extend(about.st_ctime.to_le_bytes());
    noted.extend(about.st_ctime_nsec.to_le_bytes());
    Ok(())
}

/// Whether exactly the listed names are on disk, each of its kind, and none that an overlay would read as a mark.
fn holds_exactly(dir: &Path, listing: &Listing) -> bool {
    let mut folders: HashSet<&str> = HashSet::new();
    for path in listing.keys() {
        for folder in folders_above(path) {
            if !folders.insert(folder) {
                break;
            }
        }
    }
    let mut todo = vec![String::new()];
    let mut files = 0;
    while let Some(folder) = todo.pop() {
        let disk = on_disk(dir, &folder);
        let Ok(entries) = fs::read_dir(&disk) else { return false };
        if is_marked(&disk) {
            return false;
        }
        for entry in entries {
            let Ok((entry, kind)) = entry.and_then(|e| e.file_type().map(|kind| (e, kind))) else {
                return false;
            };
            let name = path_text(entry.file_name().as_bytes());
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let listed = listing.get(&path).map(|entry| entry.mode);
            if kind.is_dir() {
                match listed {
                    Some(Mode::Submodule) => files += 1,
                    None if folders.contains(path.as_str()) => {}
                    None | Some(Mode::File | Mode::Exec | Mode::Link) => return false,
                }
                todo.push(path);
            } else {
                match listed {
                    Some(Mode::File | Mode::Exec) if kind.is_file() => {}
                    Some(Mode::Link) if kind.is_symlink() => {}
                    None | Some(Mode::File | Mode::Exec | Mode::Link | Mode::Submodule) => {
                        return false;
                    }
                }
                if is_marked(&entry.path()) {
                    return false;
                }
                files += 1;
            }
        }
    }
    files == listing.len()
}

/// Whether a file has an attribute by which overlays hide or redirect what is below.
fn is_marked(path: &Path) -> bool {
    let mut names = vec![0; 4096];
    match rustix::fs::llistxattr(path, &mut names[..]) {
        Ok(length) => names[..length].split(|byte| *byte == 0).any(|name| {
            name.starts_with(b"user.overlay.") || name.starts_with(b"trusted.overlay.")
        }),
        Err(error) => error != rustix::io::Errno::OPNOTSUPP,
    }
}

/// Whether every file has the bytes of its blob.
fn reads_as(dir: &Path, listing: &Listing, format: ObjectFormat) -> bool {
    let files: Vec<(&String, &Entry)> =
        listing.iter().filter(|(_, entry)| entry.mode != Mode::Submodule).collect();
    let chunks: Vec<&[(&String, &Entry)]> = files.chunks(CHUNK).collect();
    in_parallel(&chunks, |chunk| {
        for (path, entry) in *chunk {
            if entry_of(format, &on_disk(dir, path))? != **entry {
                return Err(io::Error::other("it was changed"));
            }
        }
        Ok(())
    })
    .is_ok()
}

/// Does each piece of work, on as many threads as it is worth, and gives what came out in order.
pub(super) fn in_parallel<W: Sync, T: Send>(
    work: &[W],
    each: impl Fn(&W) -> io::Result<T> + Sync,
) -> io::Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = work.get(n) else { return Ok(done) };
            match each(one) {
                Ok(out) => done.push((n, out)),
                Err(error) => {
                    // The others need not go on.
                    next.store(work.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let others = cores.min(MOST_THREADS).min(work.len()).saturating_sub(1);
    let mut all = thread::scope(|scope| {
        let others: Vec<_> = (0..others).map(|_| scope.spawn(take)).collect();
        let mut all: Vec<(usize, T)> = take()?;
        for other in others {
            all.extend(other.join().map_err(|_| io::Error::other("a thread ended early"))??);
        }
        io::Result::Ok(all)
    })?;
    all.sort_by_key(|(n, _)| *n);
    Ok(all.into_iter().map(|(_, out)| out).collect())
}

/// Copies these files of a checkout to another folder: as they are, but as if written now.
pub(super) fn copy_fresh(from: &Path, to: &Path, paths: &[&str]) -> Result<(), TreeError> {
    let mut made: HashSet<&str> = HashSet::new();
    for path in paths {
        if let Some(folder) = folders_above(path).next()
            && made.insert(folder)
        {
            let folder = on_disk(to, folder);
            fs::create_dir_all(&folder).map_err(at("make", &folder))?;
        }
    }
    let chunks: Vec<&[&str]> = paths.chunks(CHUNK / 8).collect();
    in_parallel(&chunks, |chunk| {
        for path in *chunk {
            let path = path_bytes(path);
            let path = Path::new(OsStr::from_bytes(&path));
            fs::copy(from.join(path), to.join(path))?;
        }
        Ok(())
    })
    .map(|_| ())
    .map_err(at("copy the sources to", to))
}
