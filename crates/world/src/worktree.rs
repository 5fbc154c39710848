//! The agent's folder, `PROCTOR_HOME/worktrees/RUN`: the base's files, and a `.git` of its own that holds nothing
//! but the base commit. Once it is made, no git of ours ever runs in it. Must not delete anything else.

use crate::git::{Git, GitError};
use crate::listing::Listing;
use crate::shadow::{Shadow, ShadowError};
use crate::tree::{TreeError, at, materialise, remove_tree};
use proctor_core::words::{CommitId, RunId};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum WorktreeError {
    #[error("`{run}` can't name a folder\nhint: letters, digits, `-`, `_` and `.` can")]
    BadName { run: String },
    #[error(
        "refused to delete {}: it is not a worktree of Proctor's\nhint: only folders directly in {} are ever deleted", dir.display(), worktrees.display()
    )]
    NotOurs { dir: PathBuf, worktrees: PathBuf },
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error(transparent)]
    Git(#[from] GitError),
}

/// What a worktree begins as.
#[derive(Clone, Debug)]
pub struct WorktreeOrder<'a> {
    pub run: &'a RunId,
    pub base: &'a CommitId,
    /// The files of `base`.
    pub listing: &'a Listing,
    /// The branch that HEAD is on.
    pub branch: &'a str,
    /// `Name <mail>`, for commits that the agent makes itself.
    pub author: &'a str,
}

/// Where a run's worktree is, whether it exists or not.
pub fn path_of(home: &Path, run: &RunId) -> Result<PathBuf, WorktreeError> {
    let name = run.as_str();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
        return Err(WorktreeError::BadName { run: name.to_owned() });
    }
    Ok(home.join("worktrees").join(name))
}

/// Makes the worktree, or finds it whole. It is built beside its place and renamed at the end, so a worktree
/// that is there is complete.
pub fn make(
    home: &Path,
    shadow: &Shadow,
    order: &WorktreeOrder<'_>,
) -> Result<PathBuf, WorktreeError> {
    let dir = path_of(home, order.run)?;
    if dir.is_dir() {
        return Ok(dir);
    }
    let new = beside(&dir, "new");
    remove_tree(&new)?;
    materialise(shadow, order.listing, &new)?;
    give_git(&new, shadow, order)?;
    fs::rename(&new, &dir).map_err(at("rename", &new))?;
    Ok(dir)
}

fn give_git(dir: &Path, shadow: &Shadow, order: &WorktreeOrder<'_>) -> Result<(), WorktreeError> {
    // The reflog would name our own folders.
    let git = Git::new(dir).with("core.logAllRefUpdates=false");
    git.call(&["init", "--quiet", "--template=", "-b", order.branch])
        .arg(format!("--object-format={}", shadow.format().name()))
        .run()?;
    git.call(&["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head"])
        .arg("--update-head-ok")
        .arg("--no-recurse-submodules")
        .arg(shadow.dir())
        .arg(format!("{}:refs/heads/{}", order.base, order.branch))
        .run()?;
    let (name, mail) = order.author.split_once('<').unwrap_or((order.author, ""));
    git.run(&["config", "user.name", name.trim()])?;
    git.run(&["config", "user.email", mail.trim_end_matches('>')])?;
    git.run(&["reset", "--mixed", "HEAD"])?;
    Ok(())
}

/// Deletes a run's worktree. Anything that is not a folder directly in `PROCTOR_HOME/worktrees` is refused; one
/// that is gone already is no error.
pub fn remove(home: &Path, dir: &Path) -> Result<(), WorktreeError> {
    let worktrees = home.join("worktrees");
    let refused = || WorktreeError::NotOurs { dir: dir.to_owned(), worktrees: worktrees.clone() };
    let name = dir.file_name().ok_or_else(refused)?.to_string_lossy();
    let ours = path_of(home, &RunId::new(name.as_ref())).map_err(|_| refused())?;
    let parent = dir.parent().ok_or_else(refused)?;
    if !worktrees.exists() {
        return Ok(());
    }
    let same = parent.canonicalize().and_then(|parent| Ok(parent == worktrees.canonicalize()?));
    if !same.unwrap_or(false) {
        return Err(refused());
    }
    // Renamed first: a deletion that is cut short must not leave half a worktree in its place.
    let gone = beside(&ours, "gone");
    remove_tree(&gone)?;
    remove_tree(&beside(&ours, "new"))?;
    match fs::symlink_metadata(&ours) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Ok(about) if about.is_dir() => {}
        _ => return Err(refused()),
    }
    fs::rename(&ours, &gone).map_err(at("rename", &ours))?;
    remove_tree(&gone)?;
    Ok(())
}

/// A name that no run can have, because runs do not begin with a dot.
fn beside(dir: &Path, end: &str) -> PathBuf {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    dir.with_file_name(format!(".{name}.{end}"))
}

impl From<ShadowError> for WorktreeError {
    fn from(error: ShadowError) -> Self {
        Self::Tree(TreeError::Shadow(error))
    }
}
