//! Dependencies of a run: what a change adds, changes or drops, the lock files by their hash, and what was installed
//! when the run was prepared. Names and hashes; judges nothing.

use proctor_core::words::TreeId;
use proctor_lang::{dependency_changes, names_dependencies};
use proctor_world::files::{hex, read_plain};
use proctor_world::listing::{Listing, Mode};
use proctor_world::shadow::{Shadow, ShadowError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file in a run's folder that says what was installed.
pub(crate) const INSTALLED: &str = "installed.json";
/// What is said about one installed package is small.
const LARGEST: u64 = 16 * 1024 * 1024;

/// What a run depended on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dependencies {
    /// What the change does to them, in words.
    pub changes: Vec<String>,
    /// SHA-256 of each manifest and lock file in the proven tree.
    pub files: BTreeMap<String, String>,
    /// SHA-256 over what installed packages say of themselves, by where they lie.
    pub installed: BTreeMap<String, String>,
}

impl Dependencies {
    /// Of a change from one tree to another, and of what was installed for the run in this folder.
    pub fn gather(
        shadow: &Shadow,
        (from, to): (&TreeId, &TreeId),
        run: &Path,
    ) -> Result<Self, ShadowError> {
        let installed = read_plain(&run.join(INSTALLED), LARGEST).ok();
        let files = read(shadow, &*shadow.list(to)?)?;
        Ok(Self {
            changes: changed_dependencies(shadow, from, to)?,
            files: files.iter().map(|(path, bytes)| (path.clone(), digest(bytes))).collect(),
            installed: installed
                .and_then(|bytes| serde_json::from_slice(&bytes).ok())
                .unwrap_or_default(),
        })
    }
}

/// What a change does to dependencies, in words.
pub fn changed_dependencies(
    shadow: &Shadow,
    from: &TreeId,
    to: &TreeId,
) -> Result<Vec<String>, ShadowError> {
    let (old, new) = (read(shadow, &*shadow.list(from)?)?, read(shadow, &*shadow.list(to)?)?);
    let nothing = Vec::new();
    let mut paths: Vec<&String> = old.keys().chain(new.keys()).collect();
    paths.sort();
    paths.dedup();
    Ok(paths
        .into_iter()
        .flat_map(|path| {
            let (before, after) = (old.get(path).unwrap_or(&nothing), new.get(path));
            dependency_changes(path, before, after.unwrap_or(&nothing))
        })
        .collect())
}

fn read(shadow: &Shadow, listing: &Listing) -> Result<BTreeMap<String, Vec<u8>>, ShadowError> {
    let is_file = |mode: Mode| matches!(mode, Mode::File | Mode::Exec);
    let wanted: Vec<(&String, &str)> = listing
        .iter()
        .filter(|(path, entry)| is_file(entry.mode) && names_dependencies(path))
        .map(|(path, entry)| (path, entry.oid.as_str()))
        .collect();
    let oids: Vec<&str> = wanted.iter().map(|(_, oid)| *oid).collect();
    let texts = shadow.read_blobs(&oids)?;
    Ok(wanted.into_iter().map(|(path, _)| path.clone()).zip(texts).collect())
}

fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// What is installed for these interpreters, and in the node packages of a checkout.
pub(crate) fn installed(pythons: &[PathBuf], checkout: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (n, python) in pythons.iter().enumerate() {
        for site in sites(python) {
            // Without the folders of this machine.
            let lib = site.strip_prefix(python.parent().and_then(Path::parent).unwrap_or(&site));
            let name = lib.unwrap_or(&site).to_string_lossy().into_owned();
            let name = if n == 0 { name } else { format!("{name} ({n})") };
            found.insert(name, site_digest(&site));
        }
    }
    for name in [".package-lock.json", ".yarn-integrity", ".modules.yaml"] {
        let path = checkout.join("node_modules").join(name);
        if let Ok(bytes) = read_plain(&path, LARGEST) {
            found.insert(format!("node_modules/{name}"), digest(&bytes));
        }
    }
    found
}

/// Where an interpreter's packages lie.
fn sites(python: &Path) -> Vec<PathBuf> {
    let Some(prefix) = python.parent().and_then(Path::parent) else { return Vec::new() };
    let libraries = std::fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
    let mut sites: Vec<PathBuf> = libraries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"))
        .flat_map(|entry| ["site-packages", "dist-packages"].map(|name| entry.path().join(name)))
        .filter(|site| site.is_dir())
        .collect();
    sites.sort();
    sites
}

/// Each package by its name, version and the list of its files with their sums.
fn site_digest(site: &Path) -> String {
    let mut packages: Vec<PathBuf> = std::fs::read_dir(site)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "dist-info" || end == "egg-info"))
        .collect();
    packages.sort();
    let mut hasher = Sha256::new();
    for package in packages {
        hasher.update(package.file_name().unwrap_or_default().as_encoded_bytes());
        let mut about = ["RECORD", "METADATA", "PKG-INFO"].iter();
        let about = about.find_map(|name| read_plain(&package.join(name), LARGEST).ok());
        hasher.update(digest(&about.unwrap_or_default()).as_bytes());
    }
    hex(&hasher.finalize())
}
