//! Which installed packages use packages of the repository itself (a plugin whose peer is what the repository
//! makes). From the store they could not find them, so each tree gets copies of these, where the way up leads to
//! the tree's own code. Rather one too many than one too few. Only reads.

use super::aim::{is_installed, plain};
use super::{NODE_MODULES, VIRTUAL, entries};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One folder of the store that a tree gets as a link or as a copy.
struct Unit {
    /// From the top of the store.
    path: PathBuf,
    /// What it uses: names of packages, or places of other units.
    uses: BTreeSet<String>,
}

/// The places in the store of what must be copied.
pub(super) fn find(store: &Path, folders: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut units: Vec<Unit> = Vec::new();
    // Names and places whose users must be copied.
    let mut near: BTreeSet<String> = BTreeSet::new();
    for folder in folders {
        let modules = folder.join(NODE_MODULES);
        for entry in entries(&store.join(&modules)) {
            let path = modules.join(&entry);
            let Ok(about) = fs::symlink_metadata(store.join(&path)) else { continue };
            if about.is_symlink() {
                let place = place_of_link(store, &path);
                // Programs in `.bin` lead into packages as well; only a package has a name that others use.
                if place.is_some_and(|place| !is_installed(&place)) && !entry.starts_with(".bin") {
                    near.insert(text(&entry));
                }
            } else if about.is_dir() && is_virtual(&entry) {
                units.push(Unit { uses: links_below(store, &path), path });
            } else if about.is_dir() {
                units.push(Unit { uses: named_below(&store.join(&path)), path });
            }
        }
    }
    near.insert(OWN_CODE.to_owned());
    close(&units, near)
}

/// Stands for every place of the repository outside `node_modules`. No package has such a name.
const OWN_CODE: &str = "/";

fn close(units: &[Unit], mut near: BTreeSet<String>) -> BTreeSet<PathBuf> {
    let mut attached = BTreeSet::new();
    loop {
        let before = attached.len();
        for unit in units {
            if !unit.uses.is_disjoint(&near) && attached.insert(unit.path.clone()) {
                near.insert(text(&unit.path));
                near.extend(package_name(&unit.path));
            }
        }
        // A round that adds nothing has seen every unit with all that is near.
        if attached.len() == before {
            return attached;
        }
    }
}

fn is_virtual(entry: &Path) -> bool {
    entry.components().count() == 2 && VIRTUAL.iter().any(|name| entry.starts_with(name))
}

/// The name by which a package in a plain `node_modules` is used.
fn package_name(path: &Path) -> Option<String> {
    let full = text(path);
    let (_, name) = full.rsplit_once(&format!("{NODE_MODULES}/"))?;
    (!name.starts_with('.')).then(|| name.to_owned())
}

/// Where a link leads, from the top; `None` where it leaves the store.
fn place_of_link(store: &Path, path: &Path) -> Option<PathBuf> {
    let target = fs::read_link(store.join(path)).ok()?;
    plain(&path.parent()?.join(target))
}

/// What the links of one unit of a virtual store lead to.
fn links_below(store: &Path, unit: &Path) -> BTreeSet<String> {
    let modules =
        if unit.ends_with(NODE_MODULES) { unit.to_owned() } else { unit.join(NODE_MODULES) };
    let mut uses = BTreeSet::new();
    for entry in entries(&store.join(&modules)) {
        let Some(place) = place_of_link(store, &modules.join(&entry)) else { continue };
        if entry.starts_with(".bin") {
            continue;
        }
        if !is_installed(&place) {
            uses.insert(OWN_CODE.to_owned());
        } else if let Some(other) = unit_of(&place) {
            uses.insert(other);
        }
    }
    uses
}

/// The unit of a virtual store that a place is in: `…/node_modules/.pnpm/NAME`.
fn unit_of(place: &Path) -> Option<String> {
    let mut unit = PathBuf::new();
    let mut parts = place.components();
    while let Some(part) = parts.next() {
        unit.push(part);
        if VIRTUAL.iter().any(|name| part.as_os_str() == *name) {
            unit.push(parts.next()?);
            return Some(text(&unit));
        }
    }
    None
}

/// The packages that a package names as its own needs, without those that it brings along.
fn named_below(package: &Path) -> BTreeSet<String> {
    let Ok(bytes) = fs::read(package.join("package.json")) else { return BTreeSet::new() };
    let Ok(about) = serde_json::from_slice::<BTreeMap<String, Value>>(&bytes) else {
        return BTreeSet::new();
    };
    ["dependencies", "peerDependencies", "optionalDependencies"]
        .iter()
        .filter_map(|table| about.get(*table)?.as_object())
        .flat_map(|table| table.keys())
        .filter(|name| !package.join(NODE_MODULES).join(name).exists())
        .cloned()
        .collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
