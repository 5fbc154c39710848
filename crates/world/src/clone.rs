//! A copy of a folder that shares nothing with it: a write into one is never seen in the other. Files share their
//! blocks where the file system can do that safely (a reflink), and are copied byte for byte elsewhere; hard links
//! are never made, since both names would be the same file. Must not follow a symbolic link, and must not open a
//! pipe or a device.

use crate::child::Cancel;
use crate::draft::{Draft, Settled};
use crate::files::open_plain;
use crate::tree::{TreeError, at};
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::fs::{self, File, FileTimes, Metadata, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Below this many files a second thread costs more than it brings.
const WORTH_A_THREAD: usize = 200;

const MOST_THREADS: usize = 4;

/// How many bytes are copied between two looks at the cord.
const STRETCH: u64 = 64 * 1024 * 1024;

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cloned {
    pub files: u64,
    pub bytes: u64,
    /// How many of the files share their blocks with the original.
    pub reflinked: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum CloneError {
    #[error("the copy to {} was cancelled", to.display())]
    Cancelled { to: PathBuf },
    #[error("could not copy to {}: something is there already", to.display())]
    There { to: PathBuf },
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// What becomes of the right to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rights {
    /// As it is in the original.
    Same,
    /// Taken away, from files and folders.
    ReadOnly,
    /// Given to the owner.
    Writable,
}

/// How a folder is copied.
pub(crate) struct Manner<'a> {
    /// Asked for each path below the folder; a folder that is not kept is not entered.
    pub(crate) keep: &'a dyn Fn(&Path) -> bool,
    pub(crate) rights: Rights,
    /// The target of the copy of a link, from its path below the folder and the target of the original.
    pub(crate) aim: &'a dyn Fn(&Path, PathBuf) -> PathBuf,
}

impl Manner<'_> {
    /// Links keep their targets.
    pub(crate) fn same_aim(_: &Path, target: PathBuf) -> PathBuf {
        target
    }
}

/// Copies the folder `from` to `to`, which must not be there yet, or be an empty folder. Permissions and times stay
/// (to the nanosecond), links are copied as they are; pipes, sockets and devices are left out. `keep` is asked for
/// each path below `from`, and a folder that is not kept is not entered. `to` is there when the copy is whole, and
/// not before.
pub fn clone_tree(
    from: &Path,
    to: &Path,
    keep: &dyn Fn(&Path) -> bool,
    cancel: &Cancel,
) -> Result<Cloned, CloneError> {
    let manner = Manner { keep, rights: Rights::Same, aim: &Manner::same_aim };
    clone_in_manner(from, to, &manner, cancel)
}

pub(crate) fn clone_in_manner(
    from: &Path,
    to: &Path,
    manner: &Manner<'_>,
    cancel: &Cancel,
) -> Result<Cloned, CloneError> {
    let draft = Draft::beside(to)?;
    let cloned = match fill(from, draft.dir(), manner, cancel) {
        Err(CloneError::Cancelled { .. }) => {
            return Err(CloneError::Cancelled { to: to.to_owned() });
        }
        other => other?,
    };
    match draft.settle()? {
        Settled::Done => Ok(cloned),
        Settled::ThereBefore => Err(CloneError::There { to: to.to_owned() }),
    }
}

/// Copies what is in `from` into the empty folder `to`.
pub(crate) fn fill(
    from: &Path,
    to: &Path,
    manner: &Manner<'_>,
    cancel: &Cancel,
) -> Result<Cloned, CloneError> {
    let job = Job { from, to, rights: manner.rights, cancel, reflinks: AtomicBool::new(true) };
    let found = job.walk(manner)?;
    let cloned = job.copy_all(&found.files)?;
    // The innermost first, and after all files: writing into a folder changes its time, and needs the right to.
    for (path, about) in found.folders.iter().rev() {
        let folder = to.join(path);
        let open = Permissions::from_mode(rights(about, manner.rights));
        fs::set_permissions(&folder, open).map_err(at("set the rights of", &folder))?;
        set_time(&folder, about).map_err(at("set the time of", &folder))?;
    }
    Ok(cloned)
}

/// Copies one plain file to a name that must be free. Anything else than a plain file is an error.
pub(crate) fn clone_file(from: &Path, to: &Path, rights: Rights) -> Result<Cloned, CloneError> {
    let (folder, cancel) = (Path::new(""), Cancel::new());
    let job =
        Job { from: folder, to: folder, rights, cancel: &cancel, reflinks: AtomicBool::new(true) };
    job.copy(from, to)
}

#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    folders: Vec<(PathBuf, Metadata)>,
}

struct Job<'a> {
    from: &'a Path,
    to: &'a Path,
    rights: Rights,
    cancel: &'a Cancel,
    /// Until the file system has said that it can't.
    reflinks: AtomicBool,
}

impl Job<'_> {
    /// Makes the folders and the links, and finds the files.
    fn walk(&self, manner: &Manner<'_>) -> Result<Found, CloneError> {
        let top = fs::symlink_metadata(self.from).map_err(at("read", self.from))?;
        if !top.is_dir() {
            let source = io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder");
            return Err(at("copy", self.from)(source).into());
        }
        let mut found = Found { files: Vec::new(), folders: vec![(PathBuf::new(), top)] };
        let mut todo = vec![PathBuf::new()];
        while let Some(folder) = todo.pop() {
            self.wanted()?;
            let source = self.from.join(&folder);
            for entry in fs::read_dir(&source).map_err(at("read", &source))? {
                let entry = entry.map_err(at("read", &source))?;
                let path = folder.join(entry.file_name());
                if !(manner.keep)(&path) {
                    continue;
                }
                let (here, there) = (entry.path(), self.to.join(&path));
                let about = fs::symlink_metadata(&here).map_err(at("look at", &here))?;
                if about.is_file() {
                    found.files.push(path);
                } else if about.is_dir() {
                    let new = fs::DirBuilder::new().mode(0o700).create(&there);
                    new.map_err(at("make", &there))?;
                    found.folders.push((path.clone(), about));
                    todo.push(path);
                } else if about.is_symlink() {
                    let target = fs::read_link(&here).map_err(at("read", &here))?;
                    let target = (manner.aim)(&path, target);
                    symlink(target, &there).map_err(at("make the link", &there))?;
                    set_time(&there, &about).map_err(at("set the time of", &there))?;
                }
            }
        }
        Ok(found)
    }

    fn copy_all(&self, files: &[PathBuf]) -> Result<Cloned, CloneError> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut sum = Cloned::default();
            while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                match self.copy(&self.from.join(path), &self.to.join(path)) {
                    Ok(one) => sum.add(one),
                    Err(error) => {
                        // The others need not go on.
                        next.store(files.len(), Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(sum)
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let others =
            if files.len() < WORTH_A_THREAD { 0 } else { cores.clamp(2, MOST_THREADS) - 1 };
        thread::scope(|scope| {
            let others: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
            let mut sum = work();
            for other in others {
                let other = other.join().unwrap_or_else(|_| {
                    let source = io::Error::other("a thread ended early");
                    Err(at("write", self.to)(source).into())
                });
                sum = match (sum, other) {
                    (Ok(mut sum), Ok(other)) => {
                        sum.add(other);
                        Ok(sum)
                    }
                    (Err(error), _) | (_, Err(error)) => Err(error),
                };
            }
            sum
        })
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<Cloned, CloneError> {
        self.wanted()?;
        let mut source = open_plain(from).map_err(at("open", from))?;
        let about = source.metadata().map_err(at("look at", from))?;
        let mut target = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(to)
            .map_err(at("make", to))?;
        let mut cloned = Cloned { files: 1, bytes: about.len(), reflinked: 0 };
        if self.reflink(&source, &target) {
            cloned.reflinked = 1;
        } else {
            loop {
                // Between two plain files this is the system's own copying.
                let copied = io::copy(&mut (&mut source).take(STRETCH), &mut target);
                if copied.map_err(at("copy to", to))? < STRETCH {
                    break;
                }
                self.wanted()?;
            }
        }
        let bits = Permissions::from_mode(rights(&about, self.rights));
        target.set_permissions(bits).map_err(at("set the rights of", to))?;
        let time = about.modified().map_err(at("read the time of", from))?;
        target.set_times(FileTimes::new().set_modified(time)).map_err(at("set the time of", to))?;
        Ok(cloned)
    }

    #[cfg(target_os = "linux")]
    fn reflink(&self, from: &File, to: &File) -> bool {
        use rustix::io::Errno;
        if !self.reflinks.load(Ordering::Relaxed) {
            return false;
        }
        match rustix::fs::ioctl_ficlone(to, from) {
            Ok(()) => true,
            Err(error) => {
                if matches!(error, Errno::OPNOTSUPP | Errno::XDEV | Errno::NOTTY | Errno::NOSYS) {
                    self.reflinks.store(false, Ordering::Relaxed);
                }
                false
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn reflink(&self, _: &File, _: &File) -> bool {
        let _ = &self.reflinks;
        false
    }

    fn wanted(&self) -> Result<(), CloneError> {
        if self.cancel.is_cancelled() {
            return Err(CloneError::Cancelled { to: self.to.to_owned() });
        }
        Ok(())
    }
}

impl Cloned {
    pub(crate) fn add(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.reflinked += other.reflinked;
    }
}

/// The plain rights alone: a copy never runs as somebody else.
fn rights(about: &Metadata, wish: Rights) -> u32 {
    let bits = about.mode() & 0o777;
    match wish {
        Rights::Same => bits,
        Rights::ReadOnly => bits & !0o222,
        Rights::Writable => bits | 0o200,
    }
}

/// Also of a link itself.
fn set_time(path: &Path, about: &Metadata) -> io::Result<()> {
    let time = Timespec { tv_sec: about.mtime(), tv_nsec: about.mtime_nsec() };
    let times = Timestamps { last_access: time, last_modification: time };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}
