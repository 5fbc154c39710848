//! What a guarded task rests on: its history in the journal, the checkout as it is now, and sealed files that changed. It
//! reads the checkout and puts sealed files back; it runs nothing and judges nothing.

mod seal;

pub use seal::{Tampered, Watcher};

use proctor_core::brief::Repo;
use proctor_core::guard::{Guard, GuardEvent};
use proctor_core::proof::Point;
use proctor_core::words::{CommitId, Millis, RunId};
use proctor_journal::{AppendError, Journal, JournalError, Recorded};
use proctor_lab::Home;
use proctor_world::files::hex;
use proctor_world::objects::CommitText;
use proctor_world::shadow::{Shadow, ShadowError};
use proctor_world::snapshot::{BaseTree, snapshot};
use proctor_world::tree::TreeError;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Shadow(#[from] ShadowError),
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error("could not {what} {}: {source}\nhint: the checkout and Proctor's own folder must be writable", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
}

pub(crate) fn io_at(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> GuardError {
    let path = path.to_owned();
    move |source| GuardError::Io { what, path, source }
}

/// The guard's history of one checkout.
#[derive(Clone, Debug)]
pub struct GuardLedger {
    home: Home,
    name: RunId,
}

impl GuardLedger {
    /// Of the checkout whose top this is.
    pub fn of(home: &Home, root: &Path) -> Self {
        let hash = hex(&Sha256::digest(root.to_string_lossy().as_bytes()));
        let short = hash.get(..12).unwrap_or(&hash);
        Self { home: home.clone(), name: RunId::new(format!("guard-{short}")) }
    }

    /// Where its files are kept.
    pub fn folder(&self) -> PathBuf {
        self.home.guard(self.name.as_str())
    }

    /// Whether no task was ever guarded here.
    pub fn is_empty(&self) -> bool {
        !self.folder().is_dir()
    }

    /// What there is to know; nothing where no task was ever guarded here.
    pub fn read(&self) -> Result<Guard, GuardError> {
        // Hooks run often, and nearly always there is nothing to guard: no journal is opened for that.
        if self.is_empty() {
            return Ok(Guard::default());
        }
        let history = self.history()?;
        Ok(Guard::replay(history.iter().map(|recorded| (&recorded.body, recorded.at))))
    }

    pub fn history(&self) -> Result<Vec<Recorded<GuardEvent>>, GuardError> {
        Ok(Journal::open(self.home.root())?.history(&self.name)?)
    }

    /// Records a fact. Where somebody else wrote meanwhile it is one fact more behind theirs.
    pub fn record(&self, event: &GuardEvent, at: Millis) -> Result<Guard, GuardError> {
        let journal = Journal::open(self.home.root())?;
        let folder = self.folder();
        std::fs::create_dir_all(&folder).map_err(io_at("make", &folder))?;
        loop {
            let history: Vec<Recorded<GuardEvent>> = journal.history(&self.name)?;
            let seq = history.last().map_or(0, |recorded| recorded.seq);
            match journal.append_unlisted(&self.name, seq, std::slice::from_ref(event), at) {
                Ok(_) => {
                    let mut guard =
                        Guard::replay(history.iter().map(|known| (&known.body, known.at)));
                    guard.fold(event, at);
                    return Ok(guard);
                }
                Err(AppendError::Moved { .. }) => {}
                Err(AppendError::Journal(error)) => return Err(error.into()),
            }
        }
    }

    /// What keeps the sealed tests in the shadow.
    fn anchor(&self) -> String {
        format!("refs/proctor/guard/{}", self.name)
    }

    /// Keeps the sealed tests where git does not clean them up.
    pub fn keep(&self, repo: &Repo, tests: &Point) -> Result<(), GuardError> {
        Ok(self.shadow(repo)?.set_ref(&self.anchor(), &tests.commit)?)
    }

    pub(crate) fn shadow(&self, repo: &Repo) -> Result<Shadow, ShadowError> {
        Shadow::open(self.home.root(), Path::new(&repo.git_dir), &repo.base)
    }

    /// The checkout as it is now, as a commit on the base. `aside` names files that are none of the work.
    pub fn photograph(&self, repo: &Repo, aside: &[String]) -> Result<Point, GuardError> {
        let shadow = self.shadow(repo)?;
        let base_tree = shadow.tree_of(&repo.base)?;
        let base = BaseTree::read(&shadow, &base_tree)?;
        let root = Path::new(&repo.root);
        let mut listing = snapshot(root, &base)?.listing;
        for path in aside {
            match base.listing.get(path) {
                Some(entry) => listing.insert(path.clone(), entry.clone()),
                None => listing.remove(path),
            };
        }
        shadow.store(root, &listing, &base.listing)?;
        let tree = shadow.write_tree(&listing)?;
        if tree == base_tree {
            return Ok(Point { commit: repo.base.clone(), tree });
        }
        let commit = commit(&shadow, &tree, &repo.base)?;
        shadow.adopt(&commit);
        Ok(Point { commit, tree })
    }
}

/// The same tree on the same base is the same commit: what was answered about it stays known.
fn commit(
    shadow: &Shadow,
    tree: &proctor_core::words::TreeId,
    base: &CommitId,
) -> Result<CommitId, ShadowError> {
    let author = proctor_world::repo::NOBODY;
    shadow.commit(tree, &[base], &CommitText { message: "checkout", author, at: Millis(0) })
}
