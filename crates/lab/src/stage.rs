//! The tree that a trial is made on, and what it was given. Owns how such a tree comes about: as the trial wants it and
//! nothing else in it, written anew or mounted over a clean checkout of the base, whatever is faster. It must not run a
//! test.

use crate::disk::write;
use crate::furnish::Furniture;
use crate::suite::Suite;
use crate::{Halt, Lab, elsewhere};
use proctor_core::trial::{Factor, Trial};
use proctor_world::listing::Listing;
use proctor_world::overlay::{Place, PristineTree, WORTH_A_MOUNT, Want};
use proctor_world::shadow::Shadow;
use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

/// A tree that stands for as long as this value lives.
pub struct Stage {
    tree: PristineTree,
    given: Furniture,
}

impl Stage {
    /// Makes the tree at `spot`, in the place of what is there, and gives it what it needs.
    pub fn set(
        lab: &Lab,
        shadow: &Shadow,
        suite: &Suite,
        (spot, began): (&Path, Instant),
        trial: &Trial,
    ) -> Result<Self, Halt> {
        lab.wanted()?;
        let listed = shadow.list(&trial.tree)?;
        let listing = wanted(&listed, trial);
        let base = shadow.tree_of(&lab.base)?;
        let by_times = suite.goes_by_times();
        let tree = PristineTree::make(
            shadow,
            &Want {
                home: lab.shop.home.root(),
                keeper: &lab.shop.keeper(),
                base: &base,
                listing: &listing,
                dir: spot,
                fresh: &|path| by_times && is_rust(path),
                smallest: if is_plain(trial) { WORTH_A_MOUNT } else { usize::MAX },
            },
        )?;
        write_edits(tree.root(), trial)?;
        let given = lab.furnish((tree.root(), tree.place()), suite, began)?;
        Ok(Self { tree, given })
    }

    pub fn root(&self) -> &Path {
        self.tree.root()
    }

    /// Where children that work in the tree must be started.
    pub fn place(&self) -> Place<'_> {
        self.tree.place()
    }

    pub fn given(&self) -> &Furniture {
        &self.given
    }

    /// Whether something stands at its top that neither git nor a package manager brought, or that can't be told.
    pub fn has_products(&self, listing: &Listing) -> bool {
        let brought = |name: &str| {
            let installed = matches!(name, "node_modules" | "venv") || name.starts_with('.');
            let inside = format!("{name}/");
            let is_inside = |path: &&String| path.starts_with(&inside);
            installed || listing.contains_key(name) || listing.keys().any(|p| is_inside(&p))
        };
        let Ok(entries) = std::fs::read_dir(self.root()) else { return true };
        let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.is_empty() || names.iter().any(|name| name.to_str().is_none_or(|name| !brought(name)))
    }

    /// Makes the edits of a trial in the tree. Who asks for them makes them undone.
    pub fn edit(&self, trial: &Trial) -> Result<(), Halt> {
        write_edits(self.root(), trial)
    }

    /// Puts a file back.
    pub fn put(&self, path: &str, bytes: &[u8]) -> Result<(), Halt> {
        write(&self.root().join(path), bytes)
    }
}

/// Whether a tree may be mounted: what is watched, or taken away again, has to stand there.
fn is_plain(trial: &Trial) -> bool {
    trial.watching.is_empty() && !trial.elsewhere.contains(&Factor::Packed)
}

fn write_edits(root: &Path, trial: &Trial) -> Result<(), Halt> {
    for (path, bytes) in &trial.edits {
        if let Some(bytes) = bytes {
            write(&root.join(path), bytes)?;
        }
    }
    for (path, text) in elsewhere::files(&trial.elsewhere) {
        write(&root.join(path), text)?;
    }
    Ok(())
}

/// What comes from the tree: all but what is edited, and what was compiled from it.
fn wanted<'l>(listed: &'l Listing, trial: &Trial) -> Cow<'l, Listing> {
    let is_out = |path: &String| is_compiled(path) || trial.edits.contains_key(path);
    if !listed.keys().any(is_out) {
        return Cow::Borrowed(listed);
    }
    let mut listing = listed.clone();
    listing.retain(|path, _| !is_out(path));
    Cow::Owned(listing)
}

/// Compiled Python never comes from the tree, not even from the base: it could differ from its source.
fn is_compiled(path: &str) -> bool {
    // Each file of a large repository is asked: what few have is looked for first.
    let ending = path.len().checked_sub(4).and_then(|at| path.get(at..));
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".pyc"))
        || path.contains("__pycache__") && path.split('/').any(|part| part == "__pycache__")
}

/// Cargo builds again what has a newer time than its products: a file that is back as in the base must not look older
/// than what was built from its change. So every Rust source looks new each time, as in a tree that is written out. Each
/// crate of the tree has some, and each build script is one: all of them are built again, and read anew whatever they
/// include.
fn is_rust(path: &str) -> bool {
    path.as_bytes().ends_with(b".rs")
}
