//! The tree that a trial is made on, and what it was given. Owns how such a tree comes about: as the trial wants it and
//! nothing else in it, written anew or mounted over a clean checkout of the base, whatever is faster. It must not run a
//! test.

use super::disk::write;
use super::furnish::Furniture;
use super::suite::Suite;
use super::touched::Touched;
use super::trial::Trial;
use super::{Halt, Job};
use proctor_world::listing::Listing;
use proctor_world::overlay::{Place, PristineTree, WORTH_A_MOUNT, Want};
use proctor_world::shadow::Shadow;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// A tree that stands for as long as this value lives.
pub(super) struct Stage {
    tree: PristineTree,
    given: Furniture,
    touched: Touched,
}

impl Stage {
    /// Makes the tree at `spot`, in the place of what is there, and gives it what it needs.
    pub(super) fn set(
        job: &Job,
        shadow: &Shadow,
        suite: &Suite,
        (spot, began): (&Path, Instant),
        trial: &Trial<'_>,
    ) -> Result<Self, Halt> {
        job.wanted()?;
        let listed = shadow.list(trial.tree)?;
        let listing = wanted(&listed, trial);
        let base = shadow.tree_of(&job.run.base)?;
        let touched = Touched::of(&job.shop.home.gate(&job.id), &base)?;
        let before = touched.paths()?;
        let built = if suite.goes_by_times() { packages(&listing) } else { BTreeSet::new() };
        let tree = PristineTree::make(
            shadow,
            &Want {
                home: job.shop.home.root(),
                keeper: &job.shop.keeper(),
                base: &base,
                listing: &listing,
                dir: spot,
                fresh: &|path| before.contains(path) || is_below(path, &built),
                smallest: WORTH_A_MOUNT,
            },
        )?;
        let differs = tree.changed().iter().chain(trial.edits.keys());
        touched.note(differs.filter(|path| !before.contains(*path)))?;
        write_edits(tree.root(), trial)?;
        let given = job.furnish((tree.root(), tree.place()), suite, began)?;
        Ok(Self { tree, given, touched })
    }

    pub(super) fn root(&self) -> &Path {
        self.tree.root()
    }

    /// Where children that work in the tree must be started.
    pub(super) fn place(&self) -> Place<'_> {
        self.tree.place()
    }

    pub(super) fn given(&self) -> &Furniture {
        &self.given
    }

    /// Makes the edits of a trial in the tree. Who asks for them makes them undone.
    pub(super) fn edit(&self, trial: &Trial<'_>) -> Result<(), Halt> {
        self.touched.note(trial.edits.keys())?;
        write_edits(self.root(), trial)
    }

    /// Puts a file back.
    pub(super) fn put(&self, path: &str, bytes: &[u8]) -> Result<(), Halt> {
        write(&self.root().join(path), bytes)
    }
}

fn write_edits(root: &Path, trial: &Trial<'_>) -> Result<(), Halt> {
    for (path, bytes) in &trial.edits {
        if let Some(bytes) = bytes {
            write(&root.join(path), bytes)?;
        }
    }
    Ok(())
}

/// What comes from the tree: all but what is edited, and what was compiled from it.
fn wanted<'l>(listed: &'l Listing, trial: &Trial<'_>) -> Cow<'l, Listing> {
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
    let ending = Path::new(path).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pyc"))
        || path.split('/').any(|part| part == "__pycache__")
}

/// The folders of cargo packages: cargo builds again what has a newer time than its products, and a build script may go
/// by any file of its package. All of it looks new each time, as in a tree that is written out.
fn packages(listing: &Listing) -> BTreeSet<&str> {
    let folder = |path: &'_ String| path.strip_suffix("Cargo.toml").map(str::len);
    let folders = listing.keys().filter_map(|path| Some(&path[..folder(path)?]));
    folders.filter(|folder| folder.is_empty() || folder.ends_with('/')).collect()
}

/// Whether a path is in one of these folders, which end with a slash; the top is the empty one.
fn is_below(path: &str, folders: &BTreeSet<&str>) -> bool {
    if folders.is_empty() {
        return false;
    }
    let ends = path.match_indices('/').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).any(|end| folders.contains(&path[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_world::listing::{Entry, Mode};

    fn listing(paths: &[&str]) -> Listing {
        let entry = || Entry { mode: Mode::File, oid: "1".to_owned() };
        paths.iter().map(|path| ((*path).to_owned(), entry())).collect()
    }

    #[test]
    fn every_file_of_a_cargo_package_looks_new_and_nothing_else() {
        let listing = listing(&["rust/a/Cargo.toml", "rust/a/src/lib.rs", "web/NotCargo.toml"]);
        let built = packages(&listing);
        assert!(is_below("rust/a/src/deep/data.txt", &built));
        assert!(is_below("rust/a/Cargo.toml", &built));
        assert!(!is_below("rust/ab/src/lib.rs", &built));
        assert!(!is_below("web/index.html", &built));
    }

    #[test]
    fn with_a_package_at_the_top_everything_looks_new() {
        let listing = listing(&["Cargo.toml", "docs/a.md"]);
        assert!(is_below("docs/a.md", &packages(&listing)));
    }
}
