//! What a user gets is not what is tested: files of the change that the package leaves out although those beside them are
//! in it, imports of what is installed for development alone, a built file that was not built again, and bytes that a
//! checkout or an archive has otherwise. Read from manifests, for what can't be built where the tests run; what a manifest does
//! not say is no finding.

mod attributes;
mod commands;
mod globs;
mod imports;
mod links;
mod python;
mod script;

use proctor_core::report::Place;
use proctor_lang::{Zone, parent, zone};
use std::collections::{BTreeMap, BTreeSet};

/// A branch as far as its package goes.
pub struct Parcel<'a> {
    /// Every path of head.
    pub paths: BTreeSet<&'a str>,
    pub base_has: &'a dyn Fn(&str) -> bool,
    /// The lines of production code that the base does not have, by file.
    pub lines: &'a BTreeMap<String, BTreeSet<u32>>,
    /// The text of sources, and of the manifests that were asked for by [`manifests`].
    pub text: &'a dyn Fn(&str) -> Option<String>,
}

/// Something that a user does not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unshipped {
    pub place: Place,
    pub text: String,
}

/// Whether a file goes into the package; none where nobody can say.
type Goes<'a> = Box<dyn Fn(&str) -> bool + 'a>;

/// Files that say what is in a package.
const MANIFESTS: [&str; 7] = [
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "MANIFEST.in",
    "package.json",
    ".npmignore",
    ".gitattributes",
];

/// The manifests that are to be read for these changed files.
pub fn manifests<'a>(
    paths: impl Iterator<Item = &'a str>,
    changed: &BTreeMap<String, BTreeSet<u32>>,
) -> Vec<String> {
    let above = |folder: &str| {
        changed.keys().any(|file| folder.is_empty() || file.starts_with(&format!("{folder}/")))
    };
    let is_one = |path: &&str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        (MANIFESTS.contains(&name) || imports::is_list(path)) && above(parent(path))
    };
    paths.filter(is_one).map(str::to_owned).collect()
}

impl Parcel<'_> {
    /// The nearest folder at or above a file that holds one of these.
    fn root_of(&self, file: &str, names: &[&str]) -> Option<String> {
        let mut folder = parent(file);
        loop {
            if names.iter().any(|name| self.paths.contains(joined(folder, name).as_str())) {
                return Some(folder.to_owned());
            }
            if folder.is_empty() {
                return None;
            }
            folder = parent(folder);
        }
    }

    fn read(&self, folder: &str, name: &str) -> Option<String> {
        let path = joined(folder, name);
        self.paths.contains(path.as_str()).then(|| (self.text)(&path)).flatten()
    }

    /// Whether what stands beside a file, or in a folder above it within its package, is in the package.
    fn is_missed(&self, file: &str, root: &str, goes: &Goes<'_>) -> bool {
        if goes(file) || (self.base_has)(file) {
            return false;
        }
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_source = |path: &&&str| {
            path.rsplit_once('.').is_some_and(|(_, other)| other == ending)
                && zone(path) == Zone::Production
        };
        let mut folder = parent(file);
        loop {
            let inside = |path: &&&str| parent(path) == folder && **path != file;
            if self.paths.iter().filter(inside).filter(is_source).any(|path| goes(path)) {
                return true;
            }
            if folder == root || folder.is_empty() || parent(folder) == root {
                return false;
            }
            folder = parent(folder);
        }
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A path below a folder, as it is named there.
fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// Everything of the change that a user does not get as it is tested.
pub fn unshipped(parcel: &Parcel<'_>) -> Vec<Unshipped> {
    let mut found = attributes::found(parcel);
    for (file, lines) in parcel.lines {
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        found.extend(match ending {
            "py" => python::found(parcel, file, lines),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => {
                script::found(parcel, file, lines)
            }
            _ => Vec::new(),
        });
    }
    found.extend(script::stale(parcel));
    found.extend(commands::found(parcel));
    found
}

/// A file that is left out.
fn left_out(file: &str, manifest: &str, says: &str) -> Unshipped {
    Unshipped {
        place: Place { file: file.to_owned(), line: None },
        text: format!(
            "{file} is new and not in the package: {manifest} {says}, and what stands beside it is in; users do not get what is tested; accepted: a package with it"
        ),
    }
}

#[cfg(test)]
mod tests;
