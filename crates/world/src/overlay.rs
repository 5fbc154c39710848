//! A pristine tree for a test run, made in milliseconds however large it is: an overlay mount over one clean checkout of
//! the base, with what differs on top. Where the kernel refuses, or where the tree is small, it is written out instead.
//! Owns both ways and the choice between them. It must not know what the tree is for.
//!
//! The mount is in a mount namespace of its own (without root also a user namespace), never among the machine's mounts.
//! Open files of this process keep it alive, so that it is gone when they are closed or the process ends, by `kill -9`
//! too. Children see it when they are started with [`PristineTree::place`]; Proctor itself sees it at the same path,
//! through a link. All writes go to a layer beside it that is thrown away.
//!
//! What this stops: tests can't change the clean checkout, because inside the namespace its path is covered, and the
//! layers too. Without root that can't be undone from inside: a child has no rights over the mounts, and may not look
//! into the processes outside. What else can write as this user (an agent, a test that was run in a written-out tree)
//! can change a clean checkout, and is found out: each use checks it, against what this process itself has read (see
//! `clean`), and one that was changed is made anew.
//!
//! What it does not stop: a child that runs as root can take the cover off, enter other namespaces or set the clock;
//! such a child could do worse to the machine. And what writes into the checkout between the check and the end of the
//! test run, from outside the namespace, while it runs: the same program could write into a written-out tree as well.
//!
//! How it differs from a written-out tree, for base and change alike: a folder of the base can't be renamed (`EXDEV`,
//! as between two disks; tools then copy), nothing is renamed or hard-linked between the tree and what is beside it, and
//! without root the files of other users seem to be nobody's and set-user programs run without their rights.

mod clean;
mod possible;
pub(crate) mod stand;
mod view;

pub use possible::{Possible, possible};
pub use stand::{Inside, Kind, Place};

use crate::child::Keeper;
use crate::listing::{Listing, Mode};
use crate::shadow::Shadow;
use crate::tree::{TreeError, at, materialise, put_paths, remove_tree};
use clean::Clean;
use proctor_core::words::TreeId;
use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};
use view::{Layers, Mounted};

/// With fewer files than this a tree is written out about as fast as it is mounted.
pub const WORTH_A_MOUNT: usize = 3_000;

/// What is wanted.
pub struct Want<'a> {
    /// Proctor's own folder, for clean checkouts.
    pub home: &'a Path,
    pub keeper: &'a Keeper,
    /// The tree whose clean checkout serves: that of the base, so that many trees share it.
    pub base: &'a TreeId,
    /// What the tree shall hold.
    pub listing: &'a Listing,
    /// Where it is made, anew. What is there goes; so does all of it when the tree is dropped.
    pub dir: &'a Path,
    /// The files that shall look newly written each time, because a tool that keeps its products between runs goes by
    /// times: one that is back as it was in the base would seem older than what was built from its change.
    pub fresh: &'a dyn Fn(&str) -> bool,
    /// How many files must be as in the base and may look old, for a mount to pay: the others are written either way.
    pub smallest: usize,
}

/// A tree as a listing says, and nothing else in it.
#[derive(Debug)]
pub struct PristineTree {
    dir: PathBuf,
    root: PathBuf,
    how: How,
    mount: Option<(Mounted, Clean)>,
}

/// How a tree was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    Mounted(Kind),
    /// Written out, and why.
    Written(String),
}

impl PristineTree {
    /// Makes the tree. Where an overlay can't be had for whatever reason, it is written out.
    pub fn make(shadow: &Shadow, want: &Want<'_>) -> Result<Self, TreeError> {
        let parent = want.dir.parent().unwrap_or(want.dir);
        fs::create_dir_all(parent).map_err(at("make", parent))?;
        // A mount is reached from its namespace's root: no link may be on the way.
        let parent = parent.canonicalize().map_err(at("read", parent))?;
        let dir = parent.join(want.dir.file_name().unwrap_or_default());
        remove_tree(&dir)?;
        let (mount, how) = match Self::mounted(shadow, want, &dir) {
            Ok((kind, mount)) => (Some(mount), How::Mounted(kind)),
            Err(why) => (None, How::Written(why)),
        };
        let root = dir.join(stand::TREE);
        if mount.is_none() {
            // What an attempt left.
            remove_tree(&dir)?;
            materialise(shadow, want.listing, &root)?;
        }
        Ok(Self { dir, root, how, mount })
    }

    fn mounted(
        shadow: &Shadow,
        want: &Want<'_>,
        dir: &Path,
    ) -> Result<(Kind, (Mounted, Clean)), String> {
        if want.listing.len() < want.smallest {
            return Err("it is small".to_owned());
        }
        let base = shadow.list(want.base).map_err(|error| error.to_string())?;
        let Compared { changed, same } = compared(&base, want.listing);
        let shared = same.len();
        let fresh: Vec<&str> = same.into_iter().filter(|path| (want.fresh)(path)).collect();
        if shared - fresh.len() < want.smallest {
            return Err("most of it has to be written anew".to_owned());
        }
        let kind = match possible(want.keeper, want.home) {
            Possible::Yes(kind) => kind,
            Possible::No(why) => return Err(why),
        };
        let told = |error: TreeError| error.to_string();
        let home = want.home.canonicalize().map_err(at("read", want.home)).map_err(told)?;
        let Some(clean) = clean::hold(&home, shadow, want.base, &base).map_err(told)? else {
            return Err(
                "the clean checkout of its base is being made, or can't be replaced now".to_owned()
            );
        };
        let (lower, hide) = (clean.dir(), clean::folder(&home));
        clean::copy_fresh(&lower, &dir.join(stand::UPPER), &fresh).map_err(told)?;
        let layers = Layers { kind, lower: &lower, spot: dir, hide: &hide };
        let mounted = Mounted::make(want.keeper, &layers)?;
        put_paths(shadow, mounted.tree(), want.listing, &changed).map_err(told)?;
        Ok((kind, (mounted, clean)))
    }

    /// The tree's top. The same path serves here, to read and to write, and inside [`Self::place`]. It holds no links
    /// but, where the tree is a mount and seen from here, at its very end: so it can't be canonicalised here.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where children that work in the tree must be started.
    pub fn place(&self) -> Place<'_> {
        match &self.mount {
            Some((mounted, _)) => Place::Inside(mounted.inside()),
            None => Place::Here,
        }
    }

    pub fn how(&self) -> &How {
        &self.how
    }
}

impl Drop for PristineTree {
    fn drop(&mut self) {
        drop(self.mount.take());
        // What can't be removed now is removed before the next use.
        let _ = remove_tree(&self.dir);
    }
}

/// Two trees side by side, in order of path.
struct Compared<'a> {
    changed: Vec<String>,
    /// The files that both hold.
    same: Vec<&'a str>,
}

/// Both are in order already, so one pass over each will do.
fn compared<'a>(from: &Listing, to: &'a Listing) -> Compared<'a> {
    let (mut from, mut to) = (from.iter().peekable(), to.iter().peekable());
    let mut found = Compared { changed: Vec::new(), same: Vec::new() };
    loop {
        let order = match (from.peek(), to.peek()) {
            (None, None) => return found,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((old, _)), Some((new, _))) => old.cmp(new),
        };
        let old = if order.is_le() { from.next() } else { None };
        let new = if order.is_ge() { to.next() } else { None };
        match (old, new) {
            (Some((_, old)), Some((path, new))) if old == new => {
                if matches!(new.mode, Mode::File | Mode::Exec) {
                    found.same.push(path);
                }
            }
            (old, new) => found.changed.extend(new.or(old).map(|(path, _)| path.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::{Entry, changes};

    #[test]
    fn trees_differ_in_the_paths_that_were_changed_added_and_deleted() {
        let listing = |files: &[(&str, &str)]| -> Listing {
            let entry = |oid: &str| Entry { mode: Mode::File, oid: oid.to_owned() };
            files.iter().map(|(path, oid)| ((*path).to_owned(), entry(oid))).collect()
        };
        let full = listing(&[("a", "1"), ("b", "1"), ("c", "1"), ("d/e", "1")]);
        for other in [
            listing(&[]),
            full.clone(),
            listing(&[("a", "1"), ("b", "2"), ("bb", "1"), ("d", "1"), ("z", "1")]),
        ] {
            for (from, to) in [(&full, &other), (&other, &full)] {
                let known: Vec<String> = changes(from, to).into_iter().map(|(p, _)| p).collect();
                assert_eq!(compared(from, to).changed, known);
            }
        }
    }
}
