//! Names of runs: the task's id, cut short, and four letters that make it unique. And which run a person means.

use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::Result;
use proctor_core::words::{RunId, TaskId};
use proctor_engine::Home;
use proctor_journal::{Journal, Listing, RunRow};
use proctor_world::repo::UserRepo;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher};

/// The longest part that comes from the task.
const LENGTH: usize = 32;
/// Without letters that look like digits.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstvwxyz0123456789";

/// A task's id in letters that can name a folder and a part of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunName(String);

impl RunName {
    pub fn of(task: &TaskId) -> Self {
        let mut name = String::new();
        for c in task.as_str().chars() {
            let c = c.to_ascii_lowercase();
            if c.is_ascii_alphanumeric() || c == '_' {
                name.push(c);
            } else if !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
        }
        name.truncate(LENGTH);
        let name = name.trim_end_matches('-');
        Self(if name.is_empty() { "run" } else { name }.to_owned())
    }

    fn with(&self, number: u64) -> RunId {
        let letters: String = (0..4_u32)
            .map(|at| {
                let index = usize::try_from(number >> (5 * at) & 31).unwrap_or(0);
                char::from(LETTERS[index])
            })
            .collect();
        RunId::new(format!("{}-{letters}", self.0))
    }
}

/// An id that no run has. Creates nothing: where there is no journal every id is free.
pub fn free_run_id(home: &Home, name: &RunName) -> Result<RunId> {
    let taken: BTreeSet<RunId> = if home.root().join("journal.db").is_file() {
        let rows = Journal::open(home.root())?.runs(Listing::All)?;
        rows.into_iter().map(|row| row.id).collect()
    } else {
        BTreeSet::new()
    };
    loop {
        let id = name.with(random());
        if !taken.contains(&id) {
            return Ok(id);
        }
    }
}

/// The run that is named, or the newest of this repository.
pub fn meant(journal: &Journal, around: &Surroundings, text: Option<&str>) -> Result<RunRow> {
    if let Some(text) = text {
        return Ok(journal.find(text)?);
    }
    let none = |where_: &str| {
        usage(format!(
            "no run is named, and there is none of {where_}\nhint: name one; `proctor list --all` shows what there is"
        ))
    };
    let root = repository(around).ok_or_else(|| none("this folder: it is in no repository"))?;
    journal.newest_of(&root)?.ok_or_else(|| none("this repository"))
}

/// The repository that the user is in, as runs name it.
pub fn repository(around: &Surroundings) -> Option<String> {
    UserRepo::find(&around.cwd).ok().map(|repo| repo.root.to_string_lossy().into_owned())
}

/// The standard library seeds its hash maps from the system's randomness; that is plenty to tell runs apart.
fn random() -> u64 {
    std::hash::RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_after_its_task_in_harmless_letters() {
        for (task, name) in [
            ("Issue/87: Größe", "issue-87-gr-e"),
            ("a".repeat(40).as_str(), "a".repeat(32).as_str()),
            ("../..", "run"),
            ("x-", "x"),
        ] {
            assert_eq!(RunName::of(&TaskId::new(task)).0, name);
        }
    }

    #[test]
    fn ids_differ() {
        let home = Home::at("/proctor-home");
        let name = RunName::of(&TaskId::new("t"));
        let ids: BTreeSet<RunId> = (0..20).map(|_| free_run_id(&home, &name).unwrap()).collect();
        assert!(ids.len() > 15, "{ids:?}");
        assert!(ids.iter().all(|id| id.as_str().len() == 6), "{ids:?}");
    }
}
