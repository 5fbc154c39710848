//! The files of the workspace as git sees them: tracked, or new and not ignored. Checks read this and never
//! the disk, so that a build folder or an editor's leftovers can't decide anything.

use crate::scan::Code;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Default)]
pub struct Tree {
    /// Path from the root, with `/`, to the text. Files that are not UTF-8 have none.
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    pub fn read(root: &Path) -> Result<Self> {
        let out = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .context("git did not start")?;
        if !out.status.success() {
            let why = String::from_utf8_lossy(&out.stderr);
            bail!("git ls-files failed in {}: {}", root.display(), why.trim());
        }
        let names = String::from_utf8(out.stdout).context("git lists a name that is not UTF-8")?;
        let mut tree = Self::default();
        for name in names.split('\0').filter(|name| !name.is_empty()) {
            let path = root.join(name);
            // Deleted but still in the index, or a link: neither is a text of ours.
            if !path.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
                continue;
            }
            let bytes = std::fs::read(&path)
                .with_context(|| format!("{} can't be read", path.display()))?;
            tree.files.insert(name.to_owned(), String::from_utf8(bytes).ok());
        }
        Ok(tree)
    }

    /// Whether this path is a file of the tree or a folder above one.
    pub fn holds(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        self.files.contains_key(path)
            || self
                .files
                .range(folder.clone()..)
                .next()
                .is_some_and(|(name, _)| name.starts_with(&folder))
    }

    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// The Rust sources of our own: samples that tests feed to a tool are left out.
    pub fn rust(&self) -> impl Iterator<Item = Source<'_>> {
        self.texts()
            .filter(|(path, _)| has_ending(path, "rs") && !is_sample(path))
            .map(|(path, text)| Source { path, text })
    }
}

#[cfg(test)]
impl Tree {
    pub fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())));
        Self { files: files.collect() }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    /// A file that holds tests and nothing else.
    pub fn is_test(self) -> bool {
        let (folders, name) = self.path.rsplit_once('/').unwrap_or(("", self.path));
        folders.split('/').any(|folder| folder == "tests")
            || name == "tests.rs"
            || name.ends_with("_tests.rs")
    }

    /// The folder under `crates/` that it stands in.
    pub fn room(self) -> Option<String> {
        let (room, _) = self.path.strip_prefix("crates/")?.split_once('/')?;
        Some(room.to_owned())
    }

    pub fn code(self) -> Code {
        Code::read(self.text)
    }
}

/// Code that tests feed to a tool.
fn is_sample(path: &str) -> bool {
    path.starts_with("crates/cli/tests/cases/") || path.split('/').any(|p| p == "fixtures")
}

/// Whether the file's name ends in this extension, in lower case as all of ours.
pub fn has_ending(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == ending)
}

/// The root of the workspace: the folder above this crate, or the first one above the working folder that
/// has a lock file.
pub fn root() -> Result<PathBuf> {
    let start = match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => std::env::current_dir().context("the working folder is gone")?,
    };
    start
        .ancestors()
        .find(|folder| folder.join("Cargo.lock").is_file())
        .map(Path::to_owned)
        .with_context(|| {
            format!(
                "no Cargo.lock in {} or above it\nhint: run it inside the workspace",
                start.display()
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_when_a_file_stands_in_it() {
        let tree = Tree::of(&[("docs/a.md", ""), ("docs-old/b.md", "")]);
        for there in ["docs", "docs/", "docs/a.md"] {
            assert!(tree.holds(there), "{there}");
        }
        for absent in ["doc", "docs/a", "docs/a.md/x", "a.md"] {
            assert!(!tree.holds(absent), "{absent}");
        }
    }

    #[test]
    fn test_files_are_told_by_folder_or_name() {
        let is_test = |path| Source { path, text: "" }.is_test();
        assert!(is_test("crates/x/tests/all/main.rs"));
        assert!(is_test("crates/x/src/item_tests.rs"));
        assert!(is_test("crates/x/src/tests.rs"));
        assert!(!is_test("crates/x/src/contests.rs"));
        assert!(!is_test("crates/testkit/src/lib.rs"));
    }

    #[test]
    fn this_workspace_is_found_and_read() {
        let tree = Tree::read(&root().unwrap()).unwrap();
        assert!(tree.holds("crates/xtask/src/main.rs"));
        assert!(!tree.holds("target"));
    }
}
