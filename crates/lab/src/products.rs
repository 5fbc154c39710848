//! What tools build, kept from one test run of a run to the next: cargo's `target`, Go's cache. Owns who may build on
//! whose products, because code under test can write into them, and what is there is used without a question.
//!
//! What was built from nothing but the user's own code may serve a change. Nothing that a change could have written to
//! ever serves the user's own code: else a change could decide what its base shows, which is what it is measured by and
//! what other runs are told. Among trees that all hold the change they are shared: its tests run in each of them and could
//! as well tell each of them apart, so they gain nothing by writing there.

use crate::Halt;
use crate::disk::empty;
use std::fs;
use std::path::{Path, PathBuf};

/// Whose code is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builder {
    /// The user's own, and nothing else.
    User,
    Change,
}

/// The folder for the products of project number `n`, in the folder of a run's gates.
pub fn room(gate: &Path, n: usize, builder: Builder) -> Result<PathBuf, Halt> {
    let (own, changed) = (gate.join(format!("own-{n}")), gate.join(format!("cache-{n}")));
    let has_begun = changed.exists();
    match builder {
        // From then on nothing is known of what stands here, whoever was meant to write it.
        Builder::User if has_begun => empty(&own)?,
        Builder::Change if !has_begun && own.exists() => {
            fs::rename(&own, &changed).map_err(|e| Halt::io("could not move", &own, &e))?;
        }
        Builder::Change => crate::disk::make(&changed)?,
        Builder::User => {}
    }
    Ok(match builder {
        Builder::User => own,
        Builder::Change => changed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::write;

    #[test]
    fn a_change_builds_on_what_the_users_code_left_and_never_the_other_way() {
        let gate = tempfile::tempdir().unwrap();
        let room = |builder| room(gate.path(), 0, builder).unwrap();
        write(&room(Builder::User).join("a"), b"user").unwrap();
        assert!(room(Builder::User).join("a").exists(), "the user's own runs share");
        let changed = room(Builder::Change);
        assert!(changed.join("a").exists());
        write(&changed.join("b"), b"change").unwrap();
        // Also what the change has put where it was not told to.
        write(&gate.path().join("own-0/c"), b"change").unwrap();
        let own = room(Builder::User);
        assert_ne!(own, changed);
        assert_eq!(fs::read_dir(&own).unwrap().count(), 0);
        write(&own.join("d"), b"user").unwrap();
        assert_eq!(room(Builder::Change), changed);
        assert!(changed.join("b").exists() && !changed.join("d").exists());
        assert_eq!(fs::read_dir(room(Builder::User)).unwrap().count(), 0);
    }

    #[test]
    fn a_change_that_begins_without_any_products_counts_as_begun() {
        let gate = tempfile::tempdir().unwrap();
        room(gate.path(), 1, Builder::Change).unwrap();
        write(&gate.path().join("own-1/c"), b"change").unwrap();
        let own = room(gate.path(), 1, Builder::User).unwrap();
        assert_eq!(fs::read_dir(own).unwrap().count(), 0);
    }
}
