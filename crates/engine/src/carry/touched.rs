//! The paths that were ever other than in the base, in any tree of a run's gates. Tools that keep products between test
//! runs go by times: a file that is back as in the base must not look older than what was built from its change. Owns
//! the record of them, beside the products, because these outlive this process too.

use super::Halt;
use super::disk::{make, write};
use proctor_core::words::TreeId;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const FILE: &str = "touched.jsonl";

/// The record of one run's gates.
pub(super) struct Touched {
    file: PathBuf,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    /// What all paths were compared with.
    Base(String),
    Path(String),
}

impl Touched {
    /// The record for trees that are compared with `base`. What was built while it was another one is thrown away: which
    /// of its files would have to look new is not known.
    pub(super) fn of(gate: &Path, base: &TreeId) -> Result<Self, Halt> {
        let touched = Self { file: gate.join(FILE) };
        let known = touched.lines()?;
        let bases: Vec<&str> = known
            .iter()
            .filter_map(|line| match line {
                Line::Base(base) => Some(base.as_str()),
                Line::Path(_) => None,
            })
            .collect();
        if bases.is_empty() || bases.iter().any(|known| *known != base.as_str()) {
            make(gate)?;
            remove_products(gate)?;
            write(&touched.file, text([json!({ "base": base.as_str() })]).as_bytes())?;
        }
        Ok(touched)
    }

    pub(super) fn paths(&self) -> Result<BTreeSet<String>, Halt> {
        let lines = self.lines()?.into_iter();
        Ok(lines
            .filter_map(|line| match line {
                Line::Path(path) => Some(path),
                Line::Base(_) => None,
            })
            .collect())
    }

    /// Adds to the record. This comes before anything could be built from these files.
    pub(super) fn note<'p>(&self, paths: impl Iterator<Item = &'p String>) -> Result<(), Halt> {
        let text = text(paths.map(|path| json!({ "path": path })));
        if text.is_empty() {
            return Ok(());
        }
        // One write at the end of the file: trees are made at the same time.
        OpenOptions::new()
            .append(true)
            .open(&self.file)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|e| Halt::io("could not write", &self.file, &e))
    }

    fn lines(&self) -> Result<Vec<Line>, Halt> {
        match fs::read_to_string(&self.file) {
            // A line that was cut off came before anything was built from its file.
            Ok(text) => {
                Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(e) => Err(Halt::io("could not read", &self.file, &e)),
        }
    }
}

/// Each line begins anew, whatever the last one left.
fn text(lines: impl IntoIterator<Item = Value>) -> String {
    lines
        .into_iter()
        .flat_map(|line| ["\n".to_owned(), line.to_string(), "\n".to_owned()])
        .collect()
}

/// What tools have built for this run so far.
fn remove_products(gate: &Path) -> Result<(), Halt> {
    let entries = fs::read_dir(gate).map_err(|e| Halt::io("could not read", gate, &e))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name == CACHE || name.strip_prefix(CACHE).is_some_and(|rest| rest.starts_with('-')) {
            proctor_world::tree::remove_tree(&entry.path())?;
        }
    }
    Ok(())
}

/// Where the tool of the project number `n` keeps what it builds, in the folder of a run's gates.
pub(super) fn products(gate: &Path, n: usize) -> PathBuf {
    gate.join(if n == 0 { CACHE.to_owned() } else { format!("{CACHE}-{n}") })
}

const CACHE: &str = "cache";

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(touched: &Touched, paths: &[&str]) {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        touched.note(paths.iter()).unwrap();
    }

    #[test]
    fn a_path_that_was_touched_once_stays_known_in_the_next_process() {
        let gate = tempfile::tempdir().unwrap();
        let base = TreeId::new("aa");
        noted(&Touched::of(gate.path(), &base).unwrap(), &["a b", "ü\n"]);
        // As after a cut in the middle of a line.
        let file = OpenOptions::new().append(true).open(gate.path().join(FILE));
        file.unwrap().write_all(b"{\"pa").unwrap();
        let again = Touched::of(gate.path(), &base).unwrap();
        noted(&again, &["c"]);
        let known: Vec<String> = again.paths().unwrap().into_iter().collect();
        assert_eq!(known, ["a b", "c", "ü\n"]);
    }

    #[test]
    fn products_of_another_base_are_thrown_away() {
        let gate = tempfile::tempdir().unwrap();
        noted(&Touched::of(gate.path(), &TreeId::new("aa")).unwrap(), &["a"]);
        for n in 0..2 {
            write(&products(gate.path(), n).join("target/x"), b"x").unwrap();
        }
        let same = Touched::of(gate.path(), &TreeId::new("aa")).unwrap();
        assert!(products(gate.path(), 1).exists());
        assert_eq!(same.paths().unwrap().len(), 1);
        let other = Touched::of(gate.path(), &TreeId::new("bb")).unwrap();
        assert_eq!(other.paths().unwrap().len(), 0);
        assert!(!products(gate.path(), 0).exists() && !products(gate.path(), 1).exists());
    }
}
