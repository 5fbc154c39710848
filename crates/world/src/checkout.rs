//! The checkouts of the user's repository: which branch each is on, what is under way there, and the one thing
//! that is ever done in one, a fast-forward. Uncommitted work is never touched.

use crate::git::{Git, GitError};
use proctor_core::words::CommitId;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The main checkout or a linked worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    pub path: PathBuf,
    /// The ref that its HEAD names in full; none where it is detached.
    pub branch: Option<String>,
}

/// How a fast-forward ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forwarded {
    Done,
    /// Git saw that it would lose something, and did nothing.
    Refused {
        why: String,
        /// The files that stood in the way, where git named them.
        files: Vec<String>,
    },
}

/// All checkouts that exist on disk. A bare repository has none of its own.
pub fn all(git: &Git) -> Result<Vec<Checkout>, GitError> {
    let out = git.run(&["worktree", "list", "--porcelain", "-z"])?;
    let mut all = Vec::new();
    for line in out.split(|byte| *byte == 0) {
        if let Some(path) = line.strip_prefix(b"worktree ") {
            let path = PathBuf::from(OsStr::from_bytes(path));
            all.push(Checkout { path, branch: None });
        } else if let Some(name) = line.strip_prefix(b"branch ") {
            if let Some(last) = all.last_mut() {
                last.branch = Some(String::from_utf8_lossy(name).into_owned());
            }
        } else if line == b"bare" {
            all.pop();
        }
    }
    all.retain(|checkout| checkout.path.is_dir());
    Ok(all)
}

impl Checkout {
    pub fn is_on(&self, name: &str) -> bool {
        self.branch.as_deref() == Some(name)
    }

    /// Does what `git merge --ff-only` there does. The person's own configuration is in force, because filters
    /// and line endings decide what the files must hold; hooks stay off. Files that stand in the way but hold
    /// exactly what lands (tests that the person brought) are only noted in the index: nothing of theirs changes.
    pub fn fast_forward(&self, commit: &CommitId) -> Result<Forwarded, GitError> {
        let git = Git::new(&self.path)
            .with_users_settings()
            .with("submodule.recurse=false")
            .with("core.fsync=committed,reference");
        let (mut noted, mut before) = (Vec::new(), Vec::new());
        loop {
            let Forwarded::Refused { why, files } = merge(&git, commit)? else {
                return Ok(Forwarded::Done);
            };
            let fresh = files.iter().any(|file| !noted.contains(file));
            match self.same_as_landing(&git, commit, &files)? {
                Some(landing) if fresh => {
                    before.extend(git.call(&["ls-files", "-s", "-z", "--"]).args(&files).run()?);
                    stage(&git, &landing)?;
                    noted.extend(files);
                }
                Some(_) | None => {
                    if !noted.is_empty() {
                        // Back to the index as it was.
                        git.call(&["update-index", "--force-remove", "--"]).args(&noted).run()?;
                        stage(&git, &before)?;
                    }
                    return Ok(Forwarded::Refused { why, files });
                }
            }
        }
    }

    /// The landing entries of these files, if each of them already holds just that; none otherwise.
    fn same_as_landing(
        &self,
        git: &Git,
        commit: &CommitId,
        files: &[String],
    ) -> Result<Option<Vec<u8>>, GitError> {
        if files.is_empty() {
            return Ok(None);
        }
        let tree = format!("{commit}^{{tree}}");
        let mut landing = Vec::new();
        for file in files {
            let entry =
                git.call(&["--literal-pathspecs", "ls-tree", "-z", &tree, "--"]).arg(file).run()?;
            let there = self.path.join(file);
            let plain = fs::symlink_metadata(&there).is_ok_and(|about| about.is_file());
            let words: Vec<&[u8]> = entry.split(|byte| *byte == b' ' || *byte == b'\t').collect();
            let (true, Some(oid)) = (plain, words.get(2)) else { return Ok(None) };
            let held = git.call(&["hash-object", "--path"]).arg(file).arg("--").arg(file).line()?;
            if held.as_bytes() != *oid {
                return Ok(None);
            }
            landing.extend_from_slice(&entry);
        }
        Ok(Some(landing))
    }
}

fn merge(git: &Git, commit: &CommitId) -> Result<Forwarded, GitError> {
    let call = git
        .call(&["merge", "--ff-only", "--quiet", "--no-stat"])
        // Settings that would stash the person's work away, or refuse what is not signed.
        .arg("--no-autostash")
        .arg("--no-verify-signatures")
        // An ignored file is the person's work too.
        .arg("--no-overwrite-ignore")
        .arg(commit.as_str());
    let answer = call.answer()?;
    match call.failed(answer.code, answer.stderr) {
        _ if answer.code == Some(0) => Ok(Forwarded::Done),
        GitError::Failed { stderr, .. } => {
            let (why, files) = reason(&stderr);
            Ok(Forwarded::Refused { why, files })
        }
        error => Err(error),
    }
}

/// Notes entries in the index, in the shape of `ls-tree -z` or `ls-files -s -z`.
fn stage(git: &Git, entries: &[u8]) -> Result<(), GitError> {
    if entries.is_empty() {
        return Ok(());
    }
    git.call(&["update-index", "-z", "--index-info"]).stdin(entries).run()?;
    // So that git does not look at the files again because of their times.
    git.call(&["update-index", "-q", "--refresh"]).answer()?;
    Ok(())
}

/// Git names the files in lines of their own, each after a tab.
fn reason(stderr: &str) -> (String, Vec<String>) {
    let files: Vec<String> = stderr
        .lines()
        .filter_map(|line| line.strip_prefix('\t'))
        .map(|file| file.trim().to_owned())
        .collect();
    if files.is_empty() {
        return (stderr.trim_start_matches("error: ").to_owned(), files);
    }
    let what = if stderr.contains("untracked") {
        "untracked files would be overwritten"
    } else {
        "local changes would be overwritten"
    };
    (format!("{what}: {}", files.join(", ")), files)
}

/// What is under way on this branch: a merge, rebase, cherry-pick, revert or bisect that moving the branch would
/// disturb. `here` is the checkout that is on the branch.
pub fn under_way(
    common: &Path,
    branch: &str,
    here: Option<&Checkout>,
) -> Result<Option<&'static str>, GitError> {
    // A rebase or bisect detaches HEAD, so each checkout's notes are asked which branch they began from.
    let linked = fs::read_dir(common.join("worktrees"));
    let linked = linked.into_iter().flatten().flatten();
    let git_dirs = linked.map(|entry| entry.path()).chain([common.to_owned()]);
    let short = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    for git_dir in git_dirs {
        let says = |file: &str| {
            let text = fs::read_to_string(git_dir.join(file)).unwrap_or_default();
            [branch, short].contains(&text.trim())
        };
        if says("rebase-merge/head-name") || says("rebase-apply/head-name") {
            return Ok(Some("a rebase"));
        }
        if says("BISECT_START") {
            return Ok(Some("a bisect"));
        }
    }
    let Some(here) = here else {
        return Ok(None);
    };
    let git = Git::new(&here.path).with_users_settings();
    let git_dir = git.run(&["rev-parse", "--absolute-git-dir"])?;
    let git_dir = git_dir.strip_suffix(b"\n").unwrap_or(&git_dir);
    let git_dir = Path::new(OsStr::from_bytes(git_dir));
    let signs = [
        ("MERGE_HEAD", "a merge"),
        ("CHERRY_PICK_HEAD", "a cherry-pick"),
        ("REVERT_HEAD", "a revert"),
        ("BISECT_START", "a bisect"),
        ("rebase-merge", "a rebase"),
        ("rebase-apply", "a rebase"),
    ];
    let sign = signs.iter().find(|(file, _)| git_dir.join(file).exists());
    Ok(sign.map(|(_, what)| *what))
}
