//! A branch on a remote of the user's: what its tip is, bringing it into the shadow, and pushing proven work there. Git uses the
//! user's own settings and credentials for it. Never pushes over what it did not see, and never shows what stands in an address.

use crate::git::{Git, GitError};
use crate::repo::UserRepo;
use crate::shadow::{Shadow, ShadowError};
use proctor_core::words::CommitId;
use std::ffi::OsString;

/// What of the environment is for reaching remotes.
const REACHING: [&str; 3] = ["GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS"];

pub struct Remote<'a> {
    user: &'a UserRepo,
    shadow: &'a Shadow,
    name: String,
    url: String,
}

#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    #[error(
        "there is no remote {name:?}\nhint: `git remote add {name} URL`, or name another as [land] remote"
    )]
    None { name: String },
    #[error(
        "git could not reach the remote {name}: {why}\nhint: try `git fetch {name}` there; what works for you works here"
    )]
    Unreachable { name: String, why: String },
    #[error("the remote {name} did not take the branch {branch}: {why}\nhint: may you push there?")]
    Refused { name: String, branch: String, why: String },
    #[error(transparent)]
    Shadow(#[from] ShadowError),
    #[error(transparent)]
    Git(#[from] GitError),
}

impl<'a> Remote<'a> {
    /// The remote of that name, or the one that a branch follows, or `origin`.
    pub fn find(
        user: &'a UserRepo,
        shadow: &'a Shadow,
        (named, branch): (Option<&str>, &str),
    ) -> Result<Self, RemoteError> {
        let git = Git::on(&user.git_dir).with_users_settings();
        let follows = format!("branch.{branch}.remote");
        let followed = git.line(&["config", "--default", "", "--get", &follows])?;
        let followed = Some(followed).filter(|name| !name.is_empty() && name != ".");
        let name = named.map(str::to_owned).or(followed).unwrap_or_else(|| "origin".to_owned());
        // As it is written: git itself puts another in its place where the user says so.
        let url = git.line(&["config", "--default", "", "--get", &format!("remote.{name}.url")])?;
        if url.is_empty() {
            return Err(RemoteError::None { name });
        }
        Ok(Self { user, shadow, name, url })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where these branches are; none for one that is not there.
    pub fn tips<const N: usize>(
        &self,
        branches: [&str; N],
    ) -> Result<[Option<CommitId>; N], RemoteError> {
        let refs = branches.map(|branch| format!("refs/heads/{branch}"));
        let git = self.git();
        let mut call = reaching(git.call(&["ls-remote", "--refs", "--"])).arg(&self.url);
        for name in &refs {
            call = call.arg(name);
        }
        let told = call.run().map_err(|error| self.unreachable(&error))?;
        let told = String::from_utf8_lossy(&told).into_owned();
        Ok(refs.map(|name| {
            let mut lines = told.lines().filter_map(|line| line.split_once('\t'));
            lines.find(|(_, of)| *of == name).map(|(id, _)| CommitId::new(id))
        }))
    }

    /// Brings a commit of the remote into the shadow, as a base.
    pub fn bring(&self, branch: &str, commit: &CommitId) -> Result<(), RemoteError> {
        let git = Git::on(self.shadow.dir()).with_users_settings();
        let call = git.call(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"]);
        let call = reaching(call).arg("--no-recurse-submodules").arg("--").arg(&self.url);
        let into = format!("+refs/heads/{branch}:refs/proctor/remote/{branch}");
        call.arg(into).run().map_err(|error| self.unreachable(&error))?;
        self.shadow.keep_base(commit)?;
        Ok(())
    }

    /// Whether one commit, known to the shadow, comes before another.
    pub fn is_before(&self, old: &CommitId, new: &CommitId) -> Result<bool, RemoteError> {
        let git = self.shadow.git();
        let call = git.call(&["merge-base", "--is-ancestor", old.as_str(), new.as_str()]);
        Ok(call.answer()?.code == Some(0))
    }

    /// Pushes a commit of the shadow as a branch, where the branch is still what it was seen to be.
    pub fn push(
        &self,
        commit: &CommitId,
        branch: &str,
        seen: Option<&CommitId>,
    ) -> Result<(), RemoteError> {
        let lease = format!(
            "--force-with-lease=refs/heads/{branch}:{}",
            seen.map_or("", |seen| seen.as_str())
        );
        let git = self.git();
        // The objects stay where they are: the user's repository gets them by fetching, as everybody's.
        let mut objects = OsString::from(self.shadow.dir());
        objects.push("/objects");
        let call = git.call(&["push", "--quiet", "--no-verify", &lease, "--"]);
        let call = reaching(call).env("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects);
        let call = call.arg(&self.url).arg(format!("{commit}:refs/heads/{branch}"));
        call.run().map(drop).map_err(|error| RemoteError::Refused {
            name: self.name.clone(),
            branch: branch.to_owned(),
            why: self.without_address(error.stderr()),
        })
    }

    fn git(&self) -> Git {
        Git::on(&self.user.git_dir).with_users_settings()
    }

    fn unreachable(&self, error: &GitError) -> RemoteError {
        let why = self.without_address(error.stderr());
        RemoteError::Unreachable { name: self.name.clone(), why }
    }

    /// An address may hold a password.
    fn without_address(&self, text: &str) -> String {
        text.replace(&self.url, &self.name)
    }
}

pub(crate) fn reaching(call: crate::git::Call<'_>) -> crate::git::Call<'_> {
    REACHING.into_iter().fold(call, |call, name| match std::env::var_os(name) {
        Some(value) => call.env(name, value),
        None => call,
    })
}
