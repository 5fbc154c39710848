//! Installed JavaScript packages, kept for the trees of runs: one read-only copy of a checkout's `node_modules`
//! folders in `PROCTOR_HOME/packages/KEY`, laid out as in the checkout, and links into it from each tree. Must never
//! let a tree reach the user's own files: a link that led to a folder of the repository leads to the tree's.

mod aim;
mod attached;
mod link;
mod seal;

pub use link::{Linked, link};

use crate::child::Cancel;
use crate::clone::{CloneError, Manner, Rights, fill};
use crate::draft::Settled;
use crate::files::hex;
use crate::shelf::{Held, Removed, Shelf};
use crate::tree::{TreeError, at};
use aim::Sources;
use ignore::WalkBuilder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const NODE_MODULES: &str = "node_modules";

/// What tools write into `node_modules` while they run.
const CACHES: [&str; 4] = [".cache", ".vite", ".vitest", ".vite-temp"];

/// What an installer writes down about its work.
const RECORDS: [&str; 6] = [
    ".package-lock.json",
    ".yarn-state.yml",
    ".yarn-integrity",
    ".modules.yaml",
    ".pnpm/lock.yaml",
    ".pnpm-workspace-state.json",
];

/// Folders in which an installer keeps each version of each package once, with links between them.
const VIRTUAL: [&str; 3] = [".pnpm", ".bun", ".store"];

/// How deep below the top a package's folder may be.
const DEEPEST: usize = 8;

/// How many stores of one checkout can be spoilt and in use before it is given up.
const MOST_SPOILT: u32 = 8;

/// In the store beside the `node_modules` folder. No folder of a repository has this name.
const RECORD: &str = ".proctor-kept.json";

#[derive(Debug, thiserror::Error)]
pub enum PackagesError {
    #[error("the packages in {} were changed while they were copied\nhint: let the installer finish, then try again", checkout.display())]
    Changing { checkout: PathBuf },
    #[error(
        "the kept packages in {} and their copies were changed by runs that still use them\n\
         hint: wait until those runs have ended, then try again", store.display()
    )]
    Spoilt { store: PathBuf },
    #[error("could not make {}: something that is not a folder is in its place", path.display())]
    InTheWay { path: PathBuf },
    #[error("could not write down what is kept in {}: {source}", path.display())]
    Record { path: PathBuf, source: serde_json::Error },
    #[error(transparent)]
    Clone(#[from] CloneError),
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// The kept packages of one checkout. They stay for as long as this value lives: hold it while a tree that is linked
/// to them is in use.
#[derive(Debug)]
pub struct Kept {
    held: Held,
    record: Record,
}

impl Kept {
    /// The store: a folder that holds `node_modules` folders where the checkout has them.
    pub fn dir(&self) -> &Path {
        self.held.dir()
    }

    /// Folders outside that packages are linked from, such as the store of an installer: whoever uses these must be able to
    /// read those.
    pub fn leads(&self) -> Vec<PathBuf> {
        let mut found = BTreeSet::new();
        for folder in &self.record.folders {
            let modules = self.dir().join(folder).join(NODE_MODULES);
            for path in entries(&modules) {
                let path = modules.join(path);
                let leads_out = fs::read_link(&path).is_ok_and(|target| target.is_absolute());
                if let Some(real) = path.canonicalize().ok().filter(|_| leads_out) {
                    let whole = real.ancestors().find(|above| above.ends_with(NODE_MODULES));
                    found.insert(whole.unwrap_or(&real).to_owned());
                }
            }
        }
        found.into_iter().collect()
    }
}

/// What is known about a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// Changes with every change of a file in the store.
    seal: String,
    /// The folders that have a `node_modules`, from the top; the top is the empty path.
    folders: Vec<PathBuf>,
    /// What each tree needs a copy of its own of, because it uses packages of the repository.
    attached: BTreeSet<PathBuf>,
}

/// A key for what is installed in a checkout now: another one after each install. `None` where nothing is.
pub fn identity(checkout: &Path) -> Option<String> {
    let checkout = checkout.canonicalize().ok()?;
    let folders = package_folders(&checkout);
    if folders.is_empty() {
        return None;
    }
    let mut hasher = Sha256::new();
    let mut note = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    // A new layout of the store must not find an old one.
    note(b"packages 1");
    note(checkout.as_os_str().as_bytes());
    for folder in &folders {
        let modules = checkout.join(folder).join(NODE_MODULES);
        note(modules.as_os_str().as_bytes());
        for record in RECORDS {
            note(&fs::read(modules.join(record)).unwrap_or_default());
        }
        for path in entries(&modules) {
            let Ok(about) = fs::symlink_metadata(modules.join(&path)) else { continue };
            note(path.as_os_str().as_bytes());
            note(&about.mode().to_le_bytes());
            note(&about.mtime().to_le_bytes());
            note(&about.mtime_nsec().to_le_bytes());
        }
    }
    Some(hex(&hasher.finalize()[..16]))
}

/// Keeps a copy of what is installed in `checkout`, or finds the one that is there, whole. `None` where nothing is
/// installed.
pub fn keep(home: &Path, checkout: &Path, cancel: &Cancel) -> Result<Option<Kept>, PackagesError> {
    fs::create_dir_all(home).map_err(at("make", home))?;
    // Links in trees name the store: they must not depend on a link above it.
    let home = home.canonicalize().map_err(at("read", home))?;
    let checkout = checkout.canonicalize().map_err(at("read", checkout))?;
    let Some(key) = identity(&checkout) else {
        return Ok(None);
    };
    let shelf = shelf(&home);
    for n in 0..MOST_SPOILT {
        let name = if n == 0 { key.clone() } else { format!("{key}-{n}") };
        if let Some(held) = shelf.hold(&name)? {
            if let Some(record) = whole(held.dir()) {
                return Ok(Some(Kept { held, record }));
            }
            // Somebody wrote into it: nobody may begin to use it. A run that is at it keeps what it has.
            drop(held);
            match shelf.remove(&name)? {
                Removed::Gone => {}
                Removed::InUse => continue,
            }
        }
        let draft = shelf.draft(&name)?;
        write_store(&checkout, &key, draft.dir(), cancel)?;
        // Where another process was faster, its copy is as good as this one.
        let (Settled::Done | Settled::ThereBefore) = draft.settle()?;
        if let Some(held) = shelf.hold(&name)?
            && let Some(record) = whole(held.dir())
        {
            return Ok(Some(Kept { held, record }));
        }
    }
    Err(PackagesError::Spoilt { store: shelf.place(&key)? })
}

/// Copies what is installed, and writes down what was copied.
fn write_store(
    checkout: &Path,
    key: &str,
    store: &Path,
    cancel: &Cancel,
) -> Result<(), PackagesError> {
    let record = copy(checkout, store, cancel)?;
    if identity(checkout).as_deref() != Some(key) {
        return Err(PackagesError::Changing { checkout: checkout.to_owned() });
    }
    let path = store.join(RECORD);
    let text = serde_json::to_vec(&record)
        .map_err(|source| PackagesError::Record { path: path.clone(), source })?;
    fs::write(&path, text).map_err(at("write", &path))?;
    Ok(())
}

/// Removes all but the `keep_newest` stores that were used last, and says which. Those in use are spared.
pub fn trim(home: &Path, keep_newest: usize) -> Result<Vec<String>, TreeError> {
    shelf(home).trim(keep_newest)
}

fn shelf(home: &Path) -> Shelf {
    Shelf::new(home.join("packages"))
}

fn whole(store: &Path) -> Option<Record> {
    let record: Record = serde_json::from_slice(&fs::read(store.join(RECORD)).ok()?).ok()?;
    let seal = seal::of(store).ok()?;
    (seal == record.seal).then_some(record)
}

fn copy(checkout: &Path, store: &Path, cancel: &Cancel) -> Result<Record, PackagesError> {
    let folders = package_folders(checkout);
    let sources = Sources::new(checkout, &folders);
    for folder in &folders {
        let inside = folder.join(NODE_MODULES);
        let to = store.join(&inside);
        fs::create_dir_all(&to).map_err(at("make", &to))?;
        // A `node_modules` that is itself a link is read where it leads; those inside it are copied as links.
        let from = checkout.join(&inside);
        let from = from.canonicalize().map_err(at("read", &from))?;
        let manner = Manner {
            keep: &|path| !CACHES.iter().any(|name| path == Path::new(name)),
            rights: Rights::ReadOnly,
            aim: &|path, target| sources.aim(&inside.join(path), &from.join(path), target),
        };
        fill(&from, &to, &manner, cancel)?;
    }
    let attached = attached::find(store, &folders);
    let seal = seal::of(store)?;
    Ok(Record { seal, folders, attached })
}

/// The folders of a checkout that hold packages, from the top, in order.
fn package_folders(checkout: &Path) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(checkout)
        .hidden(false)
        .ignore(false)
        .git_global(false)
        .require_git(false)
        .parents(false)
        .follow_links(false)
        .max_depth(Some(DEEPEST))
        .filter_entry(|entry| {
            let name = entry.file_name();
            entry.file_type().is_some_and(|kind| kind.is_dir())
                && name != NODE_MODULES
                && name != ".git"
        })
        .build();
    let mut folders: Vec<PathBuf> = walk
        .flatten()
        .filter(|entry| entry.path().join(NODE_MODULES).is_dir())
        .filter_map(|entry| entry.path().strip_prefix(checkout).ok().map(Path::to_owned))
        .collect();
    folders.sort();
    folders
}

/// What an installer put into a `node_modules`: its entries, and those of the folders that hold more of the kind
/// (scopes, programs, virtual stores). In order, without caches.
fn entries(modules: &Path) -> Vec<PathBuf> {
    let names = |folder: &Path| -> Vec<PathBuf> {
        let listed = fs::read_dir(folder).into_iter().flatten().flatten();
        listed.map(|entry| PathBuf::from(entry.file_name())).collect()
    };
    let mut all = Vec::new();
    for name in names(modules) {
        if CACHES.iter().any(|cache| name == Path::new(cache)) {
            continue;
        }
        let folder = modules.join(&name);
        if is_split(&name) && fs::symlink_metadata(&folder).is_ok_and(|about| about.is_dir()) {
            all.extend(names(&folder).into_iter().map(|inner| name.join(inner)));
        }
        all.push(name);
    }
    all.sort();
    all
}

/// Whether a folder in `node_modules` is not a package, but holds some.
fn is_split(name: &Path) -> bool {
    let name = name.to_string_lossy();
    name == ".bin" || name.starts_with('@') || VIRTUAL.contains(&name.as_ref())
}
