//! What looks like a secret and is none, by the word of the base commit's configuration. Owns how an entry is written
//! and which files it means.

use super::{Finding, scan};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Entries of `[secrets] allow`: a pattern of paths, and perhaps the one rule that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Allowed(Vec<String>);

#[derive(Debug, PartialEq, Eq, Error)]
#[error(
    "{entry:?} allows every file\nhint: name the files, such as `tests/fixtures/**`, or a file and a rule, such as `docs/api.md: JSON web token`"
)]
pub struct AllowFault {
    entry: String,
}

impl Allowed {
    pub fn new(entries: Vec<String>) -> Result<Self, AllowFault> {
        let pattern = |entry: &str| entry.split(": ").next().unwrap_or_default().trim().to_owned();
        let bare = |entry: &String| {
            !entry.contains(": ")
                && pattern(entry).chars().all(|c| matches!(c, '*' | '/' | '.' | '?'))
        };
        match entries.iter().find(|entry| bare(entry)) {
            Some(entry) => Err(AllowFault { entry: entry.clone() }),
            None => Ok(Self(entries)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a file may hold what this rule finds; a name is a rule too, by its pattern.
    pub fn allows(&self, path: &str, rule: &str) -> bool {
        self.0.iter().any(|entry| match entry.split_once(": ") {
            Some((pattern, only)) => only.trim() == rule && fits(pattern.trim(), path),
            None => fits(entry.trim(), path),
        })
    }

    /// What a file holds that looks like a secret and is not allowed.
    pub fn scan(&self, path: &str, bytes: &[u8]) -> Vec<Finding> {
        scan(bytes).into_iter().filter(|finding| !self.allows(path, finding.rule)).collect()
    }
}

/// `**` stands for any folders, `*` for any part of a name, `?` for one character.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) =
        (pattern.trim_start_matches("./").split('/').collect(), path.split('/').collect());
    folders_fit(&pattern, &path)
}

fn folders_fit(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            (0..=path.len()).any(|skip| folders_fit(rest, path.get(skip..).unwrap_or_default()))
        }
        (Some((first, rest)), Some((name, below))) => {
            name_fits(first.as_bytes(), name.as_bytes()) && folders_fit(rest, below)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The usual walk with one place to go back to, so that many stars cost no more than one.
fn name_fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n, mut back) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                back = Some((p, n));
                p += 1;
            }
            Some(c) if *c == b'?' || Some(c) == name.get(n) => (p, n) = (p + 1, n + 1),
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    (p, n) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == b'*')
}
