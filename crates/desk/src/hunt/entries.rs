//! Entry points: those that a person named, those that a scout proposed, and those that the sources themselves show.

use super::Hunt;
use crate::told::usage;
use anyhow::Result;
use proctor_core::brief::Repo;
use proctor_core::report::LineCoverage;
use proctor_core::words::CommitId;
use proctor_lang::{entrances, is_source};
use std::collections::{BTreeMap, BTreeSet};

/// As many are found from the structure.
const MOST: usize = 10;
/// As many sources are read for it, and as many commits looked at.
const MOST_READ: usize = 2_000;
const COMMITS: u32 = 300;

/// What a person named, as paths from the top of the repository. Each must be there at the base.
pub fn named(hunt: &Hunt<'_>, paths: &[String]) -> Result<Vec<String>> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let ground = hunt.ground()?;
    let known = Known::at(hunt, &ground.brief.repo.base, &ground.brief.repo.subdir)?;
    paths
        .iter()
        .map(|path| {
            known.find(path).ok_or_else(|| {
                usage(format!(
                    "--entry {path}: there is no such file or folder at {}\nhint: give a path from the top of the repository, and commit it first",
                    ground.brief.repo.base.short()
                ))
            })
        })
        .collect()
}

/// The files of the base.
pub struct Known {
    files: BTreeSet<String>,
    subdir: String,
}

impl Known {
    pub fn at(hunt: &Hunt<'_>, base: &CommitId, subdir: &str) -> Result<Self> {
        let files = hunt.repo.list_at(base, "")?.into_iter().collect();
        Ok(Self { files, subdir: subdir.to_owned() })
    }

    /// The path of a file or folder, from the top or from the subfolder; a line number or a name behind it is left out.
    pub fn find(&self, text: &str) -> Option<String> {
        let plain = text.trim().trim_start_matches("./").trim_end_matches('/');
        let path = plain.split(':').next().unwrap_or(plain);
        let below = match self.subdir.as_str() {
            "" => path.to_owned(),
            dir => format!("{dir}/{path}"),
        };
        [path.to_owned(), below].into_iter().find(|path| self.has(path))
    }

    fn has(&self, path: &str) -> bool {
        if path.is_empty() {
            return false;
        }
        let folder = format!("{path}/");
        self.files.contains(path)
            || self
                .files
                .range(folder.clone()..)
                .next()
                .is_some_and(|file| file.starts_with(&folder))
    }

    /// Those of these paths that are there.
    pub fn keep(&self, paths: &[String]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for path in paths.iter().filter_map(|path| self.find(path)) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
        found
    }
}

/// What the structure of the sources shows, best first.
pub fn from_structure(hunt: &Hunt<'_>, repo: &Repo, covered: &LineCoverage) -> Result<Vec<String>> {
    let (base, subdir) = (&repo.base, &repo.subdir);
    let under = if subdir.is_empty() { String::new() } else { format!("{subdir}/") };
    let mut sources = BTreeMap::new();
    let paths = hunt.repo.list_at(base, &under)?;
    for path in paths.into_iter().filter(|path| is_source(path)).take(MOST_READ) {
        if let Some(bytes) = hunt.repo.read_at(base, &path)? {
            sources.insert(path, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    // A shallow clone has less of a history; that is no reason to fail.
    let churn = hunt.repo.churn(base, COMMITS).unwrap_or_default();
    let scouted = hunt.ledger.read()?.scouted;
    let all = entrances(&sources, &churn, covered, MOST_READ);
    let is_new = |path: &str| !scouted.iter().any(|one| one.path == path);
    let mut found: Vec<String> =
        all.iter().map(|one| one.path.clone()).filter(|path| is_new(path)).take(MOST).collect();
    if found.is_empty() {
        found = all.into_iter().map(|one| one.path).take(MOST).collect();
    }
    Ok(found)
}
