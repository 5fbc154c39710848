//! The files that a run takes along: context for the prompts, tests that a person brings. Each is read once, from
//! the user's checkout, and must be inside it; links are followed before that is judged.

use crate::told::usage;
use anyhow::Result;
use proctor_core::intake::{
    FILE_LIMIT, Refused, check_file, check_path, check_resolved, check_total,
};
use proctor_core::secret::{self, Allowed};
use proctor_world::files::{ReadFault, read_plain};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file as it was read: its path inside the repository, and its bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Packed {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// Where paths are looked up: first from where the user is, then from the top.
pub struct Luggage<'a> {
    pub cwd: &'a Path,
    pub root: &'a Path,
    pub allowed: &'a Allowed,
}

/// The most test files that a person brings, and the largest of them.
const MOST_TESTS: usize = 10_000;
const LARGEST_TEST: u64 = 10 * 1024 * 1024;

impl Luggage<'_> {
    /// Reads and checks context files.
    pub fn context(&self, paths: &[String], most_tokens: u64) -> Result<Vec<Packed>> {
        let (mut packed, mut checked) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        for named in paths {
            // The name is judged before the file is touched.
            if let Some(rule) = secret::secret_name(named)
                && !self.allowed.allows(named, rule.pattern())
            {
                return Err(usage(Refused::SecretName { path: named.clone(), rule }));
            }
            let (path, full) = self.inside(named, "context file")?;
            if !seen.insert(path.clone()) {
                continue;
            }
            let bytes = match read_plain(&full, FILE_LIMIT as u64) {
                Err(ReadFault::TooLarge { bytes, .. }) => {
                    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
                    return Err(usage(Refused::TooLarge { path, bytes }));
                }
                read => opened(read, named, "context file")?,
            };
            checked.push(check_file(&path, &bytes, self.allowed).map_err(usage)?);
            packed.push(Packed { path, bytes });
        }
        check_total(&checked, most_tokens).map_err(usage)?;
        Ok(packed)
    }

    /// Reads test files that a person brings; a folder stands for everything in it.
    pub fn tests(&self, paths: &[String]) -> Result<Vec<Packed>> {
        let mut packed = Vec::new();
        let mut seen = BTreeSet::new();
        for named in paths {
            let (path, full) = self.inside(named, "test file")?;
            let mut found = Vec::new();
            collect(&full, &path, &mut found).map_err(|why| {
                usage(format!(
                    "test file {named} can't be read: {why}\nhint: name files that you may read"
                ))
            })?;
            for (path, full) in found {
                if !seen.insert(path.clone()) {
                    continue;
                }
                let bytes = opened(read_plain(&full, LARGEST_TEST), &path, "test file")?;
                self.refuse_secret(&path, &bytes)?;
                packed.push(Packed { path, bytes });
            }
        }
        if !paths.is_empty() && packed.is_empty() {
            return Err(usage(format!(
                "no test file was found in {}\nhint: name at least one file",
                paths.join(", ")
            )));
        }
        Ok(packed)
    }

    /// Paths that are only named to the agent: they must not climb, and need not exist.
    pub fn names(paths: &[String]) -> Result<Vec<String>> {
        paths.iter().map(|path| check_path(path).map_err(usage)).collect()
    }

    /// Tests are shown to agents too.
    fn refuse_secret(&self, path: &str, bytes: &[u8]) -> Result<()> {
        let named =
            secret::secret_name(path).filter(|rule| !self.allowed.allows(path, rule.pattern()));
        let why = if let Some(rule) = named {
            format!("its name looks like a secret ({rule})")
        } else if let Some(finding) = self.allowed.scan(path, bytes).first() {
            format!("line {} looks like a secret ({})", finding.line, finding.rule)
        } else {
            return Ok(());
        };
        Err(usage(format!(
            "test file {path} refused: {why}\nhint: tests are shown to the agents; take the value out"
        )))
    }

    /// The path inside the repository, and where it really leads.
    fn inside(&self, named: &str, what: &str) -> Result<(String, PathBuf)> {
        let plain = check_path(named).map_err(usage)?;
        let from_here = self.cwd.join(&plain);
        let full = from_here
            .canonicalize()
            .or_else(|why| self.root.join(&plain).canonicalize().map_err(|_| why))
            .map_err(|why| {
                usage(format!(
                    "{what} {named} can't be read: {why}\nhint: give the path of a file that exists, from here or from the top of the repository"
                ))
            })?;
        let root = self.root.canonicalize().unwrap_or_else(|_| self.root.to_owned());
        let path = check_resolved(named, &full.to_string_lossy(), &root.to_string_lossy())
            .map_err(usage)?;
        if path == ".git" || path.starts_with(".git/") {
            return Err(usage(format!(
                "{what} {named} refused: it is inside git's own folder\nhint: name a file of the project"
            )));
        }
        Ok((path, full))
    }
}

fn opened(read: Result<Vec<u8>, ReadFault>, named: &str, what: &str) -> Result<Vec<u8>> {
    read.map_err(|why| {
        usage(format!(
            "{what} {named} can't be read: {why}\nhint: name a plain file that you may read"
        ))
    })
}

/// Plain files below a folder, or the file itself. Links are left out: they could lead anywhere.
fn collect(full: &Path, path: &str, into: &mut Vec<(String, PathBuf)>) -> std::io::Result<()> {
    if !full.is_dir() {
        if into.len() >= MOST_TESTS {
            return Err(std::io::Error::other(format!("there are more than {MOST_TESTS} files")));
        }
        into.push((path.to_owned(), full.to_owned()));
        return Ok(());
    }
    let mut entries = std::fs::read_dir(full)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type()?;
        let leftover = matches!(name.as_str(), "__pycache__" | ".git" | "target" | "node_modules");
        if leftover || kind.is_symlink() {
            continue;
        }
        collect(&entry.path(), &format!("{path}/{name}"), into)?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "luggage_tests.rs"]
mod tests;
