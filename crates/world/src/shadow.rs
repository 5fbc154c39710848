//! Our own bare clone of the user's repository, where runs keep their commits. Owns how it comes to be, how a
//! base commit gets into it, and its refs. Never writes into the user's repository: no gc or prune there can
//! break a run, because the objects here are hard links or copies, never borrowed.

use crate::files::{ObjectFormat, hex};
use crate::git::{Git, GitError};
use crate::known::Shared;
use crate::repo::verify;
use proctor_core::words::{CommitId, RunId};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum ShadowError {
    #[error("could not {what} {}: {source}\nhint: Proctor's own folder must be writable", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "commit {commit} could not be brought over from {}: {why}\nhint: is the commit still there? in a partial clone, `git fetch --refetch --filter=blob:limit=1g` brings the missing objects", from.display()
    )]
    NotBrought { commit: CommitId, from: PathBuf, why: String },
    #[error("object {oid} is missing in {}\nhint: in a partial clone, fetch the missing objects into your repository first", shadow.display())]
    Missing { oid: String, shadow: PathBuf },
    #[error("the tree {tree} holds the path `{path}`, which no checkout may hold")]
    BadPath { tree: String, path: String },
    #[error("{} changed while it was being stored\nhint: something still writes there", path.display())]
    Moved { path: PathBuf },
    #[error("the commits up to {head} do not form one line from {base}")]
    NotLinear { base: CommitId, head: CommitId },
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The bare clone of one user repository.
#[derive(Clone, Debug)]
pub struct Shadow {
    dir: PathBuf,
    format: ObjectFormat,
    /// The person's repository that this one shadows.
    source: PathBuf,
    pub(crate) known: Shared,
}

/// Held while the shadow is made or fetched into, and while something lands.
#[derive(Debug)]
pub struct ShadowLock {
    _file: File,
}

impl Shadow {
    /// Opens the shadow of the repository at `repo_git_dir`, made on first use, with `base` in it.
    /// The caller has found the repository with `UserRepo::find`, so git trusts it.
    pub fn open(home: &Path, repo_git_dir: &Path, base: &CommitId) -> Result<Self, ShadowError> {
        let repos = home.join("repos");
        fs::create_dir_all(&repos).map_err(io_at("make", &repos))?;
        let format = ObjectFormat::of(base.as_str());
        let mut hasher = Sha256::new();
        hasher.update(format.name());
        hasher.update(repo_git_dir.as_os_str().as_bytes());
        let name = hex(&hasher.finalize()[..10]);
        let dir = repos.join(format!("{name}.git"));
        let known = Shared::of(&dir);
        let shadow = Self { dir, format, source: repo_git_dir.to_owned(), known };
        if shadow.dir.is_dir() {
            shadow.bring(base)?;
        } else {
            let _lock = shadow.lock()?;
            if !shadow.dir.is_dir() {
                shadow.clone_source()?;
            }
            shadow.bring_locked(base)?;
        }
        Ok(shadow)
    }

    /// A shadow that is there already, for looking at what it keeps.
    pub fn there(dir: &Path) -> Result<Self, ShadowError> {
        let git = Git::on(dir);
        let format = git.run(&["rev-parse", "--show-object-format"])?;
        let format = String::from_utf8_lossy(&format).trim().to_owned();
        let format = ObjectFormat::of(&"0".repeat(if format == "sha256" { 64 } else { 40 }));
        let source = git.run(&["config", "--default", "", "--get", "remote.origin.url"])?;
        let source = PathBuf::from(String::from_utf8_lossy(&source).trim());
        Ok(Self { dir: dir.to_owned(), format, source, known: Shared::of(dir) })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The git directory of the user's repository that this one shadows.
    pub fn source(&self) -> &Path {
        &self.source
    }

    pub fn format(&self) -> ObjectFormat {
        self.format
    }

    /// Git on the shadow. What it writes must survive a power cut, because the journal will name it.
    pub fn git(&self) -> Git {
        Git::on(&self.dir).with("core.fsync=committed,reference").with("core.fsyncMethod=batch")
    }

    pub fn lock(&self) -> Result<ShadowLock, ShadowError> {
        let path = self.dir.with_extension("lock");
        let file =
            File::options().create(true).append(true).open(&path).map_err(io_at("open", &path))?;
        file.lock().map_err(io_at("lock", &path))?;
        Ok(ShadowLock { _file: file })
    }

    /// Makes sure that a commit of the user's repository is here, with all that it needs.
    pub fn bring(&self, commit: &CommitId) -> Result<(), ShadowError> {
        if self.known.is_here(commit) {
            return Ok(());
        }
        if self.ref_of(&base_ref(commit))?.is_none() {
            let _lock = self.lock()?;
            self.bring_locked(commit)?;
        }
        self.known.learn_here(commit);
        Ok(())
    }

    /// A commit that was made in here stands for one of the user's, in this process.
    pub fn adopt(&self, commit: &CommitId) {
        self.known.learn_here(commit);
    }

    /// Keeps a commit that is here already as a base of runs.
    pub fn keep_base(&self, commit: &CommitId) -> Result<(), ShadowError> {
        self.set_ref(&base_ref(commit), commit)
    }

    fn bring_locked(&self, commit: &CommitId) -> Result<(), ShadowError> {
        let name = base_ref(commit);
        if self.ref_of(&name)?.is_some() {
            return Ok(());
        }
        let git = self.git().with_settings_file(&self.trust()?);
        let fetch = |how: &str| {
            git.call(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", how])
                .arg("--no-recurse-submodules")
                .arg(&self.source)
                .arg(format!("+{commit}:{name}"))
                .run()
        };
        // A partial clone lacks files of older commits; of the commit itself it has all that is checked out.
        fetch("--update-shallow").or_else(|error| fetch("--depth=1").map_err(|_| error)).map_err(
            |error| ShadowError::NotBrought {
                commit: commit.clone(),
                from: self.source.clone(),
                why: error.stderr().to_owned(),
            },
        )?;
        Ok(())
    }

    fn clone_source(&self) -> Result<(), ShadowError> {
        let new = self.dir.with_extension("new");
        let clear = || match fs::remove_dir_all(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        let parent = new.parent().unwrap_or(&new);
        let git = Git::new(parent).with_settings_file(&self.trust()?);
        let clone = |how: &str| {
            git.call(&["clone", "--quiet", "--bare", "--no-tags", "--template=", how])
                // A repository that borrows objects from another would hand that on.
                .arg("--dissociate")
                .arg(&self.source)
                .arg(&new)
                .run()
        };
        clear().map_err(io_at("clear", &new))?;
        if clone("--local").is_err() {
            // A repack at the same moment, or links among the objects: let git copy them in its own way.
            clear().map_err(io_at("clear", &new))?;
            clone("--no-local")?;
        }
        // The user's refs served to find the objects; here they would only clash with ours.
        let made = Git::on(&new);
        let refs = made.run(&["for-each-ref", "--format=delete %(refname)"])?;
        made.call(&["update-ref", "--stdin"]).stdin(refs).run()?;
        fs::rename(&new, &self.dir).map_err(io_at("rename", &new))
    }

    /// A settings file for the one case in which git reads the user's repository on our behalf: that the
    /// person trusts it was settled before.
    fn trust(&self) -> Result<PathBuf, ShadowError> {
        let path = self.dir.with_file_name("trust.conf");
        if !path.is_file() {
            fs::write(&path, "[safe]\n\tdirectory = *\n").map_err(io_at("write", &path))?;
        }
        Ok(path)
    }

    /// The commit that a ref names; none where there is no such ref.
    pub fn ref_of(&self, name: &str) -> Result<Option<CommitId>, ShadowError> {
        Ok(verify(&self.git(), name)?)
    }

    pub fn set_ref(&self, name: &str, commit: &CommitId) -> Result<(), ShadowError> {
        self.git().run(&["update-ref", name, commit.as_str()])?;
        Ok(())
    }

    /// Deletes a ref; one that is not there is no error.
    pub fn delete_ref(&self, name: &str) -> Result<(), ShadowError> {
        self.git().run(&["update-ref", "-d", name])?;
        Ok(())
    }

    /// What was rescued: the last part of each ref, and its commit.
    pub fn rescued(&self) -> Result<Vec<(String, CommitId)>, ShadowError> {
        let form = "--format=%(objectname) %(refname:lstrip=3)";
        let lines = self.git().run(&["for-each-ref", form, "refs/proctor/rescue"])?;
        let lines = String::from_utf8_lossy(&lines).into_owned();
        let entry = |line: &str| {
            let (commit, name) = line.split_once(' ')?;
            Some((name.to_owned(), CommitId::new(commit)))
        };
        Ok(lines.lines().filter_map(entry).collect())
    }

    /// Removes objects that no ref leads to any more. Those of the last day stay: a run at work may not have named them yet.
    pub fn prune(&self) -> Result<(), ShadowError> {
        let _lock = self.lock()?;
        self.git().run(&["gc", "--quiet", "--prune=1.day.ago"])?;
        Ok(())
    }

    /// Keeps a commit under `refs/proctor/rescue/RUN` and returns the ref's name. An older rescue of
    /// the same run stays: the new one is then `RUN-2`, `RUN-3`. To repeat it changes nothing.
    pub fn rescue(&self, run: &RunId, commit: &CommitId) -> Result<String, ShadowError> {
        let mut n = 1;
        loop {
            let name = match n {
                1 => format!("refs/proctor/rescue/{run}"),
                n => format!("refs/proctor/rescue/{run}-{n}"),
            };
            let zero = self.format.zero();
            let made = self.git().run(&["update-ref", &name, commit.as_str(), &zero]);
            match (made, self.ref_of(&name)?) {
                (_, Some(there)) if there == *commit => return Ok(name),
                (_, Some(_)) => n += 1,
                (Err(error), None) => return Err(error.into()),
                (Ok(_), None) => {}
            }
        }
    }
}

fn base_ref(commit: &CommitId) -> String {
    format!("refs/proctor/base/{commit}")
}

pub(crate) fn io_at(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ShadowError {
    let path = path.to_owned();
    move |source| ShadowError::Io { what, path, source }
}
