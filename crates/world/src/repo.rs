//! The user's repository as it stands: where it is, what HEAD names, what a revision means. Only reads; the one
//! write at the end of a run lives in `landing`.

use crate::cat_file::Object;
use crate::git::{Git, GitError};
use crate::listing::{is_lawful, path_text};
use proctor_core::words::CommitId;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    #[error("{} is not there\nhint: name a folder that exists", path.display())]
    NoFolder { path: PathBuf },
    #[error(
        "{} is not inside a git repository\nhint: go into your project, or run `git init` and make a first commit", path.display()
    )]
    NotARepository { path: PathBuf },
    #[error(
        "{} is the inside of a git directory\nhint: run this in the checkout itself", path.display()
    )]
    InsideGitDir { path: PathBuf },
    #[error(
        "git does not trust {}: {why}\nhint: git names the remedy above (`git config --global --add safe.directory …`)", path.display()
    )]
    NotTrusted { path: PathBuf, why: String },
    #[error(
        "{} has no commit yet, so there is nothing to work from\nhint: make a first commit", root.display()
    )]
    NoCommits { root: PathBuf },
    #[error(
        "`{rev}` names no commit in {}\nhint: `git log` and `git branch -a` show what is there", root.display()
    )]
    NoSuchCommit { root: PathBuf, rev: String },
    #[error(
        "`{rev}` names no commit in {}, of which only a part was cloned\nhint: `git fetch --unshallow` brings the rest (in CI: fetch with depth 0)", root.display()
    )]
    NotCloned { root: PathBuf, rev: String },
    #[error(
        "`{rev}` names no commit in {}, of which only one branch was cloned\nhint: `git remote set-branches origin '*' && git fetch` brings the others", root.display()
    )]
    OneBranch { root: PathBuf, rev: String },
    #[error(transparent)]
    Git(#[from] GitError),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    Branch { name: String, commit: CommitId },
    Detached { commit: CommitId },
    Unborn { branch: String },
}

#[derive(Clone, Debug)]
pub struct UserRepo {
    /// The top of the checkout, or the bare repository itself.
    pub root: PathBuf,
    /// The common git directory, shared by all linked worktrees.
    pub git_dir: PathBuf,
    pub bare: bool,
    pub head: Head,
    /// The git directory of this checkout: HEAD is here.
    own_git_dir: PathBuf,
}

/// Who phase and landing commits are by when the person set no name.
pub const NOBODY: &str = "Proctor <proctor@localhost>";

impl UserRepo {
    /// The repository that `from` is in. Works in linked worktrees, nested repositories and bare ones.
    pub fn find(from: &Path) -> Result<Self, RepoError> {
        if !from.is_dir() {
            return Err(RepoError::NoFolder { path: from.to_owned() });
        }
        // The person's own settings decide whether git trusts this folder at all.
        let git = Git::new(from).with_users_settings();
        let call = git.call(&[
            "rev-parse",
            "--path-format=absolute",
            "--is-bare-repository",
            "--is-inside-work-tree",
            "--git-common-dir",
            "--absolute-git-dir",
        ]);
        let answer = call.answer()?;
        if answer.code != Some(0) {
            let path = from.to_owned();
            return Err(match answer.stderr {
                why if why.contains("dubious ownership") => RepoError::NotTrusted { path, why },
                why if why.contains("not a git repository") => RepoError::NotARepository { path },
                why => RepoError::Git(call.failed(answer.code, why)),
            });
        }
        let mut lines = answer.stdout.split(|byte| *byte == b'\n');
        let (Some(bare), Some(inside), Some(common), Some(own)) =
            (lines.next(), lines.next(), lines.next(), lines.next())
        else {
            return Err(RepoError::Git(call.unreadable("four lines were expected")));
        };
        let bare = bare == b"true";
        let (common, own) = (path_of(common), path_of(own));
        let root = if bare {
            common.clone()
        } else if inside == b"true" {
            let top = git.call(&["rev-parse", "--path-format=absolute", "--show-toplevel"]);
            let top = top.run()?;
            path_of(top.strip_suffix(b"\n").unwrap_or(&top))
        } else {
            return Err(RepoError::InsideGitDir { path: from.to_owned() });
        };
        let head = head_of(&Git::on(&own))?;
        Ok(Self { root, git_dir: common, bare, head, own_git_dir: own })
    }

    /// Git on this checkout's own git directory.
    pub(crate) fn git(&self) -> Git {
        Git::on(&self.own_git_dir)
    }

    /// The commit that a revision means.
    pub fn resolve(&self, rev: &str) -> Result<CommitId, RepoError> {
        if let Some(commit) = self.commit_at(rev)? {
            return Ok(commit);
        }
        let root = self.root.clone();
        Err(match &self.head {
            Head::Unborn { branch } if rev == "HEAD" || rev == "@" || rev == branch => {
                RepoError::NoCommits { root }
            }
            Head::Branch { .. } | Head::Detached { .. } if self.is_shallow() => {
                RepoError::NotCloned { root, rev: rev.to_owned() }
            }
            Head::Branch { .. } | Head::Detached { .. } if self.has_one_branch() => {
                RepoError::OneBranch { root, rev: rev.to_owned() }
            }
            Head::Unborn { .. } | Head::Branch { .. } | Head::Detached { .. } => {
                RepoError::NoSuchCommit { root, rev: rev.to_owned() }
            }
        })
    }

    /// Like `resolve`, where it is no error that there is none.
    pub fn commit_at(&self, rev: &str) -> Result<Option<CommitId>, GitError> {
        verify(&self.git(), rev)
    }

    /// The commit where two lines of work parted; none where they have nothing in common.
    pub fn merge_base(
        &self,
        one: &CommitId,
        other: &CommitId,
    ) -> Result<Option<CommitId>, GitError> {
        let git = self.git();
        let call = git.call(&["merge-base"]).arg(one.as_str()).arg(other.as_str());
        let answer = call.answer()?;
        let id = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        match answer.code {
            Some(0) if !id.is_empty() => Ok(Some(CommitId(id))),
            Some(1) => Ok(None),
            code => Err(call.failed(code, answer.stderr)),
        }
    }

    /// Whether a part of the history is not here.
    pub fn is_shallow(&self) -> bool {
        self.git_dir.join("shallow").is_file()
    }

    /// Whether only some branches of where this was cloned from are fetched.
    pub fn has_one_branch(&self) -> bool {
        let git = self.git();
        let fetched = git.call(&["config", "--get-all", "remote.origin.fetch"]).answer();
        let fetched = fetched.map(|answer| answer.stdout).unwrap_or_default();
        !fetched.is_empty() && !fetched.contains(&b'*')
    }

    /// Whether the checkout has work that no commit has.
    pub fn has_uncommitted(&self) -> Result<bool, GitError> {
        if self.bare {
            return Ok(false);
        }
        let git = Git::new(&self.root).with_users_settings();
        Ok(!git.call(&["status", "--porcelain", "-z"]).run()?.is_empty())
    }

    /// The local branch that this revision names, if it is one.
    pub fn branch_of(&self, rev: &str) -> Option<String> {
        if rev.starts_with('-') {
            return None;
        }
        let name = self
            .git()
            .line(&["rev-parse", "--verify", "--quiet", "--symbolic-full-name", rev])
            .ok()?;
        name.strip_prefix("refs/heads/").map(str::to_owned)
    }

    pub fn branch_exists(&self, name: &str) -> bool {
        matches!(self.commit_at(&format!("refs/heads/{name}")), Ok(Some(_)))
    }

    /// The person's own name and mail, from their configuration.
    pub fn author(&self) -> String {
        let git = self.git().with_users_settings().with("user.useConfigOnly=true");
        match git.line(&["var", "GIT_AUTHOR_IDENT"]) {
            Ok(ident) => {
                ident.rfind('>').map_or_else(|| NOBODY.to_owned(), |end| ident[..=end].to_owned())
            }
            Err(_) => NOBODY.to_owned(),
        }
    }

    /// A file's bytes at a commit; none where there is no such file.
    pub fn read_at(&self, commit: &CommitId, path: &str) -> Result<Option<Vec<u8>>, RepoError> {
        if !is_lawful(path) || path.contains('\n') {
            return Ok(None);
        }
        // A folder would be answered with its tree object: ask for its kind first.
        let git = self.git();
        let name = format!("{commit}:{path}");
        let kind = git
            .call(&["cat-file", "--batch-check=%(objecttype)"])
            .stdin(format!("{name}\n"))
            .line()?;
        if kind != "blob" {
            return Ok(None);
        }
        let mut found = None;
        git.read_objects(&[&name], &mut |_, object| {
            if let Object::Found { bytes, .. } = object {
                let mut all = Vec::new();
                bytes.read_to_end(&mut all)?;
                found = Some(all);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// How often each file was changed by the last commits up to this one.
    pub fn churn(
        &self,
        commit: &CommitId,
        commits: u32,
    ) -> Result<BTreeMap<String, u32>, RepoError> {
        let git = self.git();
        let call =
            git.call(&["log", "--no-merges", "--no-renames", "--format=", "--name-only", "-z"]);
        let call = call.arg(format!("--max-count={commits}")).arg(commit.as_str()).arg("--");
        let mut found = BTreeMap::new();
        for path in call.run()?.split(|byte| *byte == 0 || *byte == b'\n').filter(|p| !p.is_empty())
        {
            *found.entry(path_text(path)).or_default() += 1;
        }
        Ok(found)
    }

    /// The paths of all files at a commit below a folder; an empty folder name means all.
    pub fn list_at(&self, commit: &CommitId, under: &str) -> Result<Vec<String>, RepoError> {
        let git = self.git();
        let mut call = git.call(&["--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only"]);
        call = call.arg("--full-tree").arg(commit.as_str()).arg("--");
        if !under.is_empty() {
            call = call.arg(under);
        }
        Ok(call
            .run()?
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
            .map(path_text)
            .collect())
    }
}

fn path_of(bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(OsStr::from_bytes(bytes));
    path.canonicalize().unwrap_or(path)
}

/// The commit that a revision means in the repository of `git`.
pub(crate) fn verify(git: &Git, rev: &str) -> Result<Option<CommitId>, GitError> {
    let call = git
        .call(&["rev-parse", "--verify", "--quiet", "--end-of-options"])
        .arg(format!("{rev}^{{commit}}"));
    let answer = call.answer()?;
    let id = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    match answer.code {
        Some(0) if !id.is_empty() => Ok(Some(CommitId(id))),
        // 1: no such name; 128: a name that can't be one, or not a commit.
        Some(1 | 128) => Ok(None),
        code => Err(call.failed(code, answer.stderr)),
    }
}

fn head_of(git: &Git) -> Result<Head, GitError> {
    let call = git.call(&["symbolic-ref", "--quiet", "HEAD"]);
    let answer = call.answer()?;
    let branch = match answer.code {
        Some(0) => Some(String::from_utf8_lossy(&answer.stdout).trim().to_owned()),
        Some(1) => None,
        code => return Err(call.failed(code, answer.stderr)),
    };
    let commit = verify(git, "HEAD")?;
    match (branch, commit) {
        (Some(name), Some(commit)) => Ok(Head::Branch { name: short(&name), commit }),
        (Some(name), None) => Ok(Head::Unborn { branch: short(&name) }),
        (None, Some(commit)) => Ok(Head::Detached { commit }),
        (None, None) => Err(call.unreadable("HEAD names no commit and no branch")),
    }
}

fn short(name: &str) -> String {
    name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()
}
