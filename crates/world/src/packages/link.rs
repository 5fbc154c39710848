//! The `node_modules` of a tree: real folders of the tree's own, whose packages are links into the store. Must not
//! write through a link of the tree, and must leave alone what the tree itself holds there.

use super::{Kept, NODE_MODULES, PackagesError, is_split};
use crate::child::Cancel;
use crate::clone::{CloneError, Manner, Rights, clone_file, clone_in_manner};
use crate::tree::at;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// What a tree was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    /// `node_modules` folders.
    pub folders: u64,
    /// Packages that are links into the store.
    pub links: u64,
    /// Packages that are copies, because they use packages of the repository.
    pub copies: u64,
}

/// Gives `tree` the kept packages. Folders of the checkout that the tree does not have are passed by. What the tree
/// holds in a `node_modules` of its own stays as it is.
pub fn link(kept: &Kept, tree: &Path, cancel: &Cancel) -> Result<Linked, PackagesError> {
    let mut linked = Linked::default();
    for folder in &kept.record.folders {
        if !is_real_folder(tree, folder)? {
            continue;
        }
        let modules = folder.join(NODE_MODULES);
        make_folder(&tree.join(&modules))?;
        linked.folders += 1;
        Room { kept, tree, cancel }.fill(&modules, &mut linked)?;
    }
    Ok(linked)
}

struct Room<'a> {
    kept: &'a Kept,
    tree: &'a Path,
    cancel: &'a Cancel,
}

impl Room<'_> {
    fn fill(&self, folder: &Path, linked: &mut Linked) -> Result<(), PackagesError> {
        let store = self.kept.dir().join(folder);
        for entry in fs::read_dir(&store).map_err(at("read", &store))? {
            let entry = entry.map_err(at("read", &store))?;
            let name = PathBuf::from(entry.file_name());
            let path = folder.join(&name);
            let kind = entry.file_type().map_err(at("look at", &entry.path()))?;
            if kind.is_dir() && folder.ends_with(NODE_MODULES) && is_split(&name) {
                make_folder(&self.tree.join(&path))?;
                self.fill(&path, linked)?;
            } else {
                self.place(&path, kind, linked)?;
            }
        }
        Ok(())
    }

    fn place(
        &self,
        path: &Path,
        kind: fs::FileType,
        linked: &mut Linked,
    ) -> Result<(), PackagesError> {
        let (from, to) = (self.kept.dir().join(path), self.tree.join(path));
        if self.is_there(&to)? {
            return Ok(());
        }
        if kind.is_symlink() {
            // It leads to the same place of the tree: to its own code, or by way of its own links into the store.
            let target = fs::read_link(&from).map_err(at("read", &from))?;
            symlink(target, &to).map_err(at("make the link", &to))?;
        } else if kind.is_dir() && !self.kept.record.attached.contains(path) {
            symlink(&from, &to).map_err(at("make the link", &to))?;
            linked.links += 1;
        } else if kind.is_dir() {
            let manner =
                Manner { keep: &|_| true, rights: Rights::Writable, aim: &Manner::same_aim };
            clone_in_manner(&from, &to, &manner, self.cancel)?;
            linked.copies += 1;
        } else {
            // The installer's records and small programs: a tool that writes them writes the tree's own.
            clone_file(&from, &to, Rights::Writable)?;
        }
        if self.cancel.is_cancelled() {
            return Err(CloneError::Cancelled { to: self.tree.to_owned() }.into());
        }
        Ok(())
    }

    /// Whether the tree has something here. A link into another store is left over from an earlier linking and
    /// does not count.
    fn is_there(&self, path: &Path) -> Result<bool, PackagesError> {
        let about = match fs::symlink_metadata(path) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(at("look at", path)(error).into()),
        };
        if !about.is_symlink() {
            return Ok(true);
        }
        let target = fs::read_link(path).map_err(at("read", path))?;
        let stores = self.kept.dir().parent().unwrap_or(Path::new("/"));
        if target.starts_with(stores) && !target.starts_with(self.kept.dir()) {
            fs::remove_file(path).map_err(at("remove", path))?;
            return Ok(false);
        }
        Ok(true)
    }
}

/// Whether each folder on the way is a real one: an agent may have put a link in the place of one.
fn is_real_folder(tree: &Path, folder: &Path) -> Result<bool, PackagesError> {
    let mut here = tree.to_owned();
    for part in folder.components() {
        here.push(part);
        match fs::symlink_metadata(&here) {
            Ok(about) if about.is_dir() => {}
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(at("look at", &here)(error).into()),
        }
    }
    Ok(true)
}

/// A real folder, or an error where something else stands.
fn make_folder(path: &Path) -> Result<(), PackagesError> {
    match fs::create_dir(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let about = fs::symlink_metadata(path).map_err(at("look at", path))?;
            if about.is_dir() {
                Ok(())
            } else {
                Err(PackagesError::InTheWay { path: path.to_owned() })
            }
        }
        Err(error) => Err(at("make", path)(error).into()),
    }
}
