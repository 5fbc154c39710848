//! The texts of a tree, as far as they are wanted.

use crate::Halt;
use proctor_lang::{MemoryTree, Tree};
use proctor_tools::is_manifest;
use proctor_world::listing::{Listing, Mode};
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;

/// A tree for reading sources: every path is there, but only the files that `wanted` names have their text.
pub fn sources(
    shadow: &Shadow,
    listing: &Listing,
    wanted: impl Fn(&str) -> bool,
) -> Result<MemoryTree, Halt> {
    let is_file = |mode: Mode| matches!(mode, Mode::File | Mode::Exec);
    let read: Vec<&str> = listing
        .iter()
        .filter(|(path, entry)| is_file(entry.mode) && wanted(path))
        .map(|(path, _)| path.as_str())
        .collect();
    let oids: Vec<&str> =
        read.iter().filter_map(|path| listing.get(*path)).map(|entry| entry.oid.as_str()).collect();
    let texts = shadow.read_blobs(&oids)?;
    let mut tree: MemoryTree = listing.keys().map(|path| (path.clone(), Vec::new())).collect();
    for (path, text) in read.into_iter().zip(texts) {
        tree.0.insert(path.to_owned(), text);
    }
    Ok(tree)
}

/// The same, with the files that are larger than `most` bytes named and without their text.
pub fn sources_within(
    shadow: &Shadow,
    listing: &Listing,
    most: u64,
    wanted: impl Fn(&str) -> bool,
) -> Result<(MemoryTree, BTreeSet<String>), Halt> {
    let is_file = |mode: Mode| matches!(mode, Mode::File | Mode::Exec);
    let read: Vec<(&String, &str)> = listing
        .iter()
        .filter(|(path, entry)| is_file(entry.mode) && wanted(path))
        .map(|(path, entry)| (path, entry.oid.as_str()))
        .collect();
    let oids: Vec<&str> = read.iter().map(|(_, oid)| *oid).collect();
    let texts = shadow.read_blobs_within(&oids, most)?;
    let mut tree: MemoryTree = listing.keys().map(|path| (path.clone(), Vec::new())).collect();
    let mut larger = BTreeSet::new();
    for ((path, _), text) in read.into_iter().zip(texts) {
        match text {
            Some(text) => {
                tree.0.insert(path.clone(), text);
            }
            None => {
                larger.insert(path.clone());
            }
        }
    }
    Ok((tree, larger))
}

/// A tree for finding out what it is made for: manifests are read at once, any other file when it is asked for.
pub struct Surveyed<'a> {
    manifests: MemoryTree,
    listing: &'a Listing,
    shadow: &'a Shadow,
}

impl<'a> Surveyed<'a> {
    pub fn new(shadow: &'a Shadow, listing: &'a Listing) -> Result<Self, Halt> {
        Ok(Self { manifests: sources(shadow, listing, is_manifest)?, listing, shadow })
    }
}

impl Tree for Surveyed<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        if is_manifest(path) {
            return self.manifests.read(path);
        }
        let entry = self.listing.get(path)?;
        self.shadow.read_blobs(&[entry.oid.as_str()]).ok()?.pop()
    }

    fn paths(&self) -> Vec<String> {
        self.manifests.paths()
    }
}
