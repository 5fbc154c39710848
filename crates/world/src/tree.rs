//! Trees on disk: written out from the shadow's objects, and put back where they were changed. Bytes are exact,
//! with no filter or line-ending conversion. Must never write or delete through a symbolic link: an agent may
//! have put one in the place of a folder.

use crate::cat_file::Object;
use crate::listing::{Entry, Listing, Mode, changes, folders_above, is_lawful, on_disk};
use crate::shadow::{Shadow, ShadowError};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::thread;

#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    #[error("could not {what} {}: {source}", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("{} is not empty\nhint: a tree is only ever written into an empty folder", path.display())]
    NotEmpty { path: PathBuf },
    #[error("the path `{path}` leaves its tree or enters a git directory")]
    BadPath { path: String },
    #[error("{} holds more than {most} files, which is more than is looked at", dir.display())]
    TooMany { dir: PathBuf, most: usize },
    #[error("the file `{path}` has {bytes} bytes, and {most} are the most that is kept")]
    TooLarge { path: String, bytes: u64, most: u64 },
    #[error(transparent)]
    Shadow(#[from] ShadowError),
}

impl TreeError {
    /// Whether somebody filled a folder with more than can be kept.
    pub fn is_flood(&self) -> bool {
        matches!(self, Self::TooMany { .. } | Self::TooLarge { .. })
    }
}

pub(crate) fn at(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TreeError {
    let path = path.to_owned();
    move |source| TreeError::Io { what, path, source }
}

/// Removes everything in a folder but its `.git`.
pub fn empty_but_git(dir: &Path) -> Result<(), TreeError> {
    for entry in fs::read_dir(dir).map_err(at("read", dir))?.flatten() {
        let path = entry.path();
        if entry.file_name() == ".git" {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_tree(&path)?;
        } else {
            fs::remove_file(&path).map_err(at("remove", &path))?;
        }
    }
    Ok(())
}

/// Below this many files a second thread costs more than it brings.
const WORTH_A_THREAD: usize = 200;

/// Writes a listing into `dir`, which must be empty or not there yet.
pub fn materialise(shadow: &Shadow, listing: &Listing, dir: &Path) -> Result<(), TreeError> {
    lawful(listing)?;
    fs::create_dir_all(dir).map_err(at("make", dir))?;
    let mut inside = fs::read_dir(dir).map_err(at("read", dir))?;
    if inside.next().is_some() {
        return Err(TreeError::NotEmpty { path: dir.to_owned() });
    }
    let mut folders: BTreeSet<&str> = BTreeSet::new();
    for (path, entry) in listing {
        for folder in folders_above(path) {
            // Where one folder is known, so are those above it.
            if !folders.insert(folder) {
                break;
            }
        }
        if entry.mode == Mode::Submodule {
            folders.insert(path);
        }
    }
    for folder in folders {
        let folder = on_disk(dir, folder);
        fs::create_dir(&folder).map_err(at("make", &folder))?;
    }
    let (links, files): (Vec<_>, Vec<_>) = listing
        .iter()
        .filter(|(_, entry)| entry.mode != Mode::Submodule)
        .partition(|(_, entry)| entry.mode == Mode::Link);
    if files.len() < WORTH_A_THREAD {
        write_all(shadow, dir, &files)?;
    } else {
        let (left, right) = files.split_at(files.len() / 2);
        thread::scope(|scope| {
            let other = scope.spawn(|| write_all(shadow, dir, right));
            let here = write_all(shadow, dir, left);
            let there = other.join().unwrap_or_else(|_| {
                let source = io::Error::other("a thread ended early");
                Err(at("write", dir)(source))
            });
            here.and(there)
        })?;
    }
    // Links last: no file can then be written through one, whatever the tree says.
    write_all(shadow, dir, &links)
}

fn lawful(listing: &Listing) -> Result<(), TreeError> {
    match listing.keys().find(|path| !is_lawful(path)) {
        None => Ok(()),
        Some(path) => Err(TreeError::BadPath { path: path.clone() }),
    }
}

/// Writes files and links where nothing stands, in folders that exist.
fn write_all(shadow: &Shadow, dir: &Path, files: &[(&String, &Entry)]) -> Result<(), TreeError> {
    let oids: Vec<&str> = files.iter().map(|(_, entry)| entry.oid.as_str()).collect();
    let mut wrong: Option<TreeError> = None;
    let read = shadow.each_blob(&oids, &mut |n, object| {
        let (path, entry) = files[n];
        let disk = on_disk(dir, path);
        let done = match object {
            Object::Missing => Err(shadow.missing(entry.oid.clone()).into()),
            Object::Found { bytes, .. } => {
                write_new(&disk, entry.mode, bytes).map_err(at("write", &disk))
            }
        };
        done.map_err(|error| {
            wrong = Some(error);
            io::Error::other("stopped")
        })
    });
    match (wrong, read) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(ShadowError::Git(error).into()),
        (None, Ok(())) => Ok(()),
    }
}

/// `create_new` never follows a link and never writes into a file that has a second name elsewhere.
fn write_new(path: &Path, mode: Mode, bytes: &mut dyn Read) -> io::Result<()> {
    let bits = match mode {
        Mode::File => 0o666,
        Mode::Exec => 0o777,
        Mode::Link => {
            let mut target = Vec::new();
            bytes.read_to_end(&mut target)?;
            return symlink(OsStr::from_bytes(&target), path);
        }
        Mode::Submodule => return fs::create_dir(path),
    };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(bits).open(path)?;
    io::copy(bytes, &mut file).map(|_| ())
}

/// Brings `dir` from `current` (its snapshot) to exactly `wanted`: writes what differs or is missing, removes
/// what is extra, prunes folders that became empty. Returns the paths that it changed. Files that neither
/// listing names stay, unless they stand in the way.
pub fn put(
    shadow: &Shadow,
    dir: &Path,
    wanted: &Listing,
    current: &Listing,
) -> Result<Vec<String>, TreeError> {
    lawful(wanted)?;
    lawful(current)?;
    let changed: Vec<String> = changes(current, wanted).into_iter().map(|(path, _)| path).collect();
    put_paths(shadow, dir, wanted, &changed)?;
    Ok(changed)
}

/// Brings these paths to what `wanted` says of them, in order; all else in `dir` is as wanted already.
pub(crate) fn put_paths(
    shadow: &Shadow,
    dir: &Path,
    wanted: &Listing,
    changed: &[String],
) -> Result<(), TreeError> {
    if let Some(path) = changed.iter().find(|path| !is_lawful(path)) {
        return Err(TreeError::BadPath { path: path.clone() });
    }
    for path in changed.iter().filter(|path| !wanted.contains_key(*path)) {
        remove_extra(dir, path)?;
    }
    let mut files = Vec::new();
    for path in changed {
        let Some((path, entry)) = wanted.get_key_value(path) else {
            continue;
        };
        make_way(dir, path)?;
        let disk = on_disk(dir, path);
        if entry.mode == Mode::Submodule {
            fs::create_dir(&disk).map_err(at("make", &disk))?;
        } else {
            files.push((path, entry));
        }
    }
    let (links, files): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|(_, entry)| entry.mode == Mode::Link);
    write_all(shadow, dir, &files)?;
    write_all(shadow, dir, &links)
}

/// What stands at a path, without following a link.
enum Standing {
    Nothing,
    Folder,
    Other,
}

fn standing(path: &Path) -> Result<Standing, TreeError> {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_dir() => {
            // An agent may have taken our rights to its folders away.
            let bits = about.permissions().mode();
            if bits & 0o700 != 0o700 {
                let open = Permissions::from_mode(bits | 0o700);
                fs::set_permissions(path, open).map_err(at("open", path))?;
            }
            Ok(Standing::Folder)
        }
        Ok(_) => Ok(Standing::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Standing::Nothing),
        Err(error) => Err(at("look at", path)(error)),
    }
}

fn folders_down(path: &str) -> Vec<&str> {
    let mut folders: Vec<&str> = folders_above(path).collect();
    folders.reverse();
    folders
}

fn remove_extra(dir: &Path, path: &str) -> Result<(), TreeError> {
    for folder in folders_down(path) {
        match standing(&on_disk(dir, folder))? {
            Standing::Folder => {}
            // The path is not inside the tree any more: what is behind the link is none of ours.
            Standing::Nothing | Standing::Other => return Ok(()),
        }
    }
    let disk = on_disk(dir, path);
    match standing(&disk)? {
        Standing::Nothing => {}
        Standing::Folder => {
            // Only a submodule's folder is ever listed; whatever is in it was put there since.
            remove_tree(&disk)?;
        }
        Standing::Other => fs::remove_file(&disk).map_err(at("remove", &disk))?,
    }
    for folder in folders_above(path) {
        if fs::remove_dir(on_disk(dir, folder)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Makes real folders above `path` and nothing at it.
fn make_way(dir: &Path, path: &str) -> Result<(), TreeError> {
    for folder in folders_down(path) {
        let disk = on_disk(dir, folder);
        match standing(&disk)? {
            Standing::Folder => continue,
            Standing::Nothing => {}
            Standing::Other => fs::remove_file(&disk).map_err(at("remove", &disk))?,
        }
        fs::create_dir(&disk).map_err(at("make", &disk))?;
    }
    let disk = on_disk(dir, path);
    match standing(&disk)? {
        Standing::Nothing => Ok(()),
        Standing::Folder => remove_tree(&disk),
        Standing::Other => fs::remove_file(&disk).map_err(at("remove", &disk)),
    }
}

/// Empties a folder, where it is there. Those named in it stay, empty, where nothing tells them from new ones: some file
/// systems take longer to remove a folder than a short run of tests does. Nobody else may be at work in there.
pub fn clear(dir: &Path, kept: &[&str]) -> Result<(), TreeError> {
    if !is_as_made(dir) {
        return remove_tree(dir);
    }
    for inside in fs::read_dir(dir).map_err(at("read", dir))?.flatten() {
        let path = inside.path();
        if kept.iter().any(|name| inside.file_name() == *name) && is_as_made(&path) {
            clear(&path, &[])?;
            continue;
        }
        match standing(&path)? {
            Standing::Nothing => {}
            Standing::Folder => remove_tree(&path)?,
            Standing::Other => fs::remove_file(&path).map_err(at("remove", &path))?,
        }
    }
    Ok(())
}

/// Whether a folder is as one that is made anew: ours, with the usual rights, and nothing hangs on it.
fn is_as_made(dir: &Path) -> bool {
    let usual = fs::symlink_metadata(dir).is_ok_and(|about| {
        let ours = about.uid() == rustix::process::geteuid().as_raw();
        about.is_dir() && ours && about.permissions().mode() & 0o7777 == 0o755
    });
    let mut names = [0; 1];
    usual && matches!(rustix::fs::llistxattr(dir, &mut names[..]), Ok(0))
}

/// Removes a folder and all in it, also where rights were taken away. Links are removed, never followed.
pub fn remove_tree(dir: &Path) -> Result<(), TreeError> {
    match fs::remove_dir_all(dir) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(_) => {}
    }
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        if !matches!(standing(&folder)?, Standing::Folder) {
            continue;
        }
        for inside in fs::read_dir(&folder).map_err(at("read", &folder))?.flatten() {
            if inside.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(inside.path());
            }
        }
    }
    fs::remove_dir_all(dir).map_err(at("remove", dir))
}
