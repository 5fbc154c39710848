//! Why something stopped before its end. Who asked decides what follows from it.

use proctor_core::event::Trouble;
use proctor_world::child::ChildError;
use proctor_world::clone::CloneError;
use proctor_world::git::GitError;
use proctor_world::landing::LandError;
use proctor_world::packages::PackagesError;
use proctor_world::shadow::ShadowError;
use proctor_world::tree::TreeError;
use proctor_world::worktree::WorktreeError;
use std::path::Path;

#[derive(Debug)]
pub enum Halt {
    Cancelled,
    /// The whole time was used up, not only a child's.
    TimeUp,
    Trouble(Trouble),
}

impl Halt {
    pub fn lasting(why: impl Into<String>) -> Self {
        Self::Trouble(Trouble::Lasting { why: why.into() })
    }

    pub fn passing(why: impl Into<String>) -> Self {
        Self::Trouble(Trouble::Passing { why: why.into() })
    }

    pub fn io(what: &str, path: &Path, source: &std::io::Error) -> Self {
        Self::lasting(format!("{what} {}: {source}", path.display()))
    }
}

macro_rules! lasting_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for Halt {
            fn from(error: $error) -> Self {
                Self::lasting(error.to_string())
            }
        }
    )*};
}
lasting_errors!(TreeError, WorktreeError, ChildError, PackagesError, CloneError);

impl From<ShadowError> for Halt {
    fn from(error: ShadowError) -> Self {
        match error {
            ShadowError::Git(git) => git.into(),
            other => Self::lasting(other.to_string()),
        }
    }
}

impl From<GitError> for Halt {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Locked { .. } => Self::passing(error.to_string()),
            other => Self::lasting(other.to_string()),
        }
    }
}

impl From<LandError> for Halt {
    fn from(error: LandError) -> Self {
        match error {
            LandError::Shadow(error) => error.into(),
            LandError::Git(error) => error.into(),
        }
    }
}
