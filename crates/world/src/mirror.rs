//! A remote's branches on a machine that works for runs which begin elsewhere: a bare repository that stands where the user's
//! checkout stands on their own machine. A cache: what is in it can be fetched again. Never pushes.

use crate::files::hex;
use crate::git::{Call, Git, GitError};
use crate::remote::reaching;
use proctor_core::words::{CommitId, RunId};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    #[error("{} can't be used: {source}\nhint: Proctor's own folder must be writable", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(
        "the remote {url} can't be reached from this machine: {why}\nhint: `git ls-remote {url}` must work for the user that the worker runs as"
    )]
    Unreachable { url: String, why: String },
    #[error(transparent)]
    Git(#[from] GitError),
}

#[derive(Clone, Debug)]
pub struct Mirror {
    dir: PathBuf,
    url: String,
}

/// Held while branches here are brought up to date or moved.
#[derive(Debug)]
pub struct MirrorLock {
    _file: File,
}

impl Mirror {
    /// The mirror of a remote, made where it is not there.
    pub fn open(home: &Path, url: &str) -> Result<Self, MirrorError> {
        let mirrors = home.join("mirrors");
        fs::create_dir_all(&mirrors).map_err(io_at(&mirrors))?;
        let name = hex(&Sha256::digest(url)[..10]);
        let mirror = Self { dir: mirrors.join(format!("{name}.git")), url: url.to_owned() };
        let _lock = mirror.lock()?;
        if !mirror.dir.join("HEAD").is_file() {
            let dir = mirror.dir.to_string_lossy();
            let format = format!("--object-format={}", mirror.format()?);
            Git::new(&mirrors).run(&["init", "--quiet", "--bare", "--template=", &format, &dir])?;
        }
        Ok(mirror)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn lock(&self) -> Result<MirrorLock, MirrorError> {
        let path = self.dir.with_extension("lock");
        let file = File::options().create(true).append(true).open(&path).map_err(io_at(&path))?;
        file.lock().map_err(io_at(&path))?;
        Ok(MirrorLock { _file: file })
    }

    /// Brings every branch and the steps of a run to what they are on the remote; what is not there goes here too.
    pub fn refresh(&self, run: &RunId, _lock: &MirrorLock) -> Result<(), MirrorError> {
        let git = Git::on(&self.dir).with_users_settings();
        let call = git.call(&["fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head"]);
        let call = reaching(call).arg("--no-recurse-submodules").arg("--").arg(&self.url);
        let steps = format!("+refs/proctor/{run}/*:refs/proctor/{run}/*");
        call.arg("+refs/heads/*:refs/heads/*")
            .arg(steps)
            .run()
            .map_err(|e| self.unreachable(&e))?;
        Ok(())
    }

    /// Where every branch is.
    pub fn heads(&self) -> Result<BTreeMap<String, CommitId>, MirrorError> {
        let git = Git::on(&self.dir);
        let lines =
            git.run(&["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads"])?;
        let lines = String::from_utf8_lossy(&lines).into_owned();
        let known = lines.lines().filter_map(|line| line.split_once(' '));
        Ok(known.map(|(id, name)| (name.to_owned(), CommitId::new(id))).collect())
    }

    /// How the remote names objects: by the length of the first name that it tells.
    fn format(&self) -> Result<&'static str, MirrorError> {
        let git = Git::new(Path::new("/")).with_users_settings();
        let call: Call<'_> = reaching(git.call(&["ls-remote", "--"])).arg(&self.url);
        let told = call.run().map_err(|error| self.unreachable(&error))?;
        let length = told.iter().position(|byte| *byte == b'\t').unwrap_or_default();
        Ok(if length == 64 { "sha256" } else { "sha1" })
    }

    fn unreachable(&self, error: &GitError) -> MirrorError {
        MirrorError::Unreachable { url: self.url.clone(), why: error.stderr().to_owned() }
    }
}

fn io_at(path: &Path) -> impl FnOnce(io::Error) -> MirrorError {
    let path = path.to_owned();
    move |source| MirrorError::Io { path, source }
}
