//! A case as it lies on disk, and a repository of it with a base and a head.

use crate::tree::root;
use anyhow::{Context, Result};
use proctor_testkit::RepoBuilder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is wrong, and what only looks so.
pub const SUITES: [&str; 2] = ["cheats", "honest"];
const IGNORED: &str = "node_modules\ntarget/\n__pycache__/\n";
/// What `scripts/setup` puts there.
const PACKAGES: &str = "target/tools/js/node_modules";

pub struct Case {
    pub name: String,
    pub runner: String,
    /// Among the few that stand for all.
    pub core: bool,
    /// Where the tests run.
    pub folder: String,
    flags: Vec<String>,
    deleted: Vec<String>,
    place: PathBuf,
}

impl Case {
    pub fn all(suite: &str) -> Result<Vec<Self>> {
        let folder = root()?.join("crates/cli/tests/cases").join(suite);
        let mut places = Vec::new();
        for entry in std::fs::read_dir(&folder)
            .with_context(|| format!("{} can't be read", folder.display()))?
        {
            places.push(entry?.path());
        }
        places.sort();
        places.into_iter().map(Self::read).collect()
    }

    fn read(place: PathBuf) -> Result<Self> {
        let path = place.join("case.toml");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} can't be read", path.display()))?;
        let says: toml::Table =
            toml::from_str(&text).with_context(|| format!("{} is not TOML", path.display()))?;
        let word = |name: &str| {
            says.get(name).and_then(toml::Value::as_str).unwrap_or_default().to_owned()
        };
        let list = |name: &str| {
            let words = says.get(name).and_then(toml::Value::as_array).into_iter().flatten();
            words.filter_map(|word| Some(word.as_str()?.to_owned())).collect()
        };
        Ok(Self {
            name: place.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            runner: word("runner"),
            folder: word("folder"),
            core: says.get("core").and_then(toml::Value::as_bool).unwrap_or_default(),
            flags: list("flags"),
            deleted: list("deleted"),
            place,
        })
    }

    /// What `proctor verify` is told besides.
    pub fn flags(&self) -> impl Iterator<Item = &str> {
        self.flags.iter().map(String::as_str)
    }

    /// Two commits, `main` and `work`, with `work` checked out, and the packages that its tool needs.
    pub fn repo(&self) -> Result<RepoBuilder> {
        let repo = RepoBuilder::new();
        let base = files(&self.place.join("base"))?;
        if !base.contains_key(".gitignore") {
            repo.file(".gitignore", IGNORED);
        }
        for (name, text) in &base {
            repo.file(name, text);
        }
        repo.commit("base");
        repo.git(&["checkout", "--quiet", "-b", "work"]);
        for (name, text) in &files(&self.place.join("head"))? {
            repo.file(name, text);
        }
        for name in &self.deleted {
            std::fs::remove_file(repo.path().join(name))
                .with_context(|| format!("{}: {name}", self.name))?;
        }
        repo.commit("head");
        if matches!(self.runner.as_str(), "vitest" | "jest" | "mocha") {
            let packages = root()?.join(PACKAGES);
            std::os::unix::fs::symlink(packages, repo.path().join("node_modules"))?;
        }
        Ok(repo)
    }
}

/// Every file below a folder; none where there is no such folder.
fn files(folder: &Path) -> Result<BTreeMap<String, String>> {
    let (mut found, mut left) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(dir) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else { continue };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                left.push(path);
                continue;
            }
            let name = path.strip_prefix(folder)?.display().to_string();
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("{} can't be read", path.display()))?;
            found.insert(name, text);
        }
    }
    Ok(found)
}
