//! Where a corpus is read from: a folder with its files, or a git folder without a work tree. It brings the files to
//! where they can be read, and must not know what is in them.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A corpus whose files can be read.
#[derive(Debug)]
pub struct Source {
    root: PathBuf,
    /// Held for its `Drop`, where the files had to be unpacked.
    _unpacked: Option<TempDir>,
}

impl Source {
    /// `mark` is a folder that the corpus has: a folder without it is taken for a git folder.
    pub fn open(folder: &Path, mark: &str) -> Result<Self> {
        if folder.join(mark).is_dir() {
            return Ok(Self { root: folder.to_owned(), _unpacked: None });
        }
        let unpacked = tempfile::tempdir().context("no folder to unpack a corpus in")?;
        let root = unpacked.path().join("corpus");
        // Shared: only the files of the newest commit are written, and nothing is copied out of the git folder.
        let out = Command::new("git")
            .args(["clone", "--quiet", "--shared", "--"])
            .args([folder, root.as_path()])
            .stdin(Stdio::null())
            .output()
            .context("git did not start")?;
        if !out.status.success() {
            let said = String::from_utf8_lossy(&out.stderr);
            bail!("{} is neither a checkout nor a git folder: {}", folder.display(), said.trim());
        }
        if !root.join(mark).is_dir() {
            bail!("{} has no folder `{mark}`: it is another repository", folder.display());
        }
        Ok(Self { root, _unpacked: Some(unpacked) })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_testkit::RepoBuilder;

    #[test]
    fn a_checkout_and_a_git_folder_give_the_same_files() {
        let repo = RepoBuilder::new();
        repo.file("programs/a.py", "a\n").commit("a");
        let read = |source: &Source| std::fs::read_to_string(source.root().join("programs/a.py"));
        let tree = Source::open(repo.path(), "programs").unwrap();
        let bare = Source::open(&repo.path().join(".git"), "programs").unwrap();
        assert_eq!(read(&tree).unwrap(), "a\n");
        assert_eq!(read(&bare).unwrap(), "a\n");
    }

    #[test]
    fn another_repository_is_refused() {
        let repo = RepoBuilder::new();
        repo.file("a.py", "a\n").commit("a");
        let why = Source::open(&repo.path().join(".git"), "programs").unwrap_err().to_string();
        assert!(why.contains("has no folder `programs`"), "{why}");
    }
}
