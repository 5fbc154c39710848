//! What `go list` tells about the packages before anything runs: their files, which tests must come out, and which
//! packages can't be loaded at all. No code of the project runs for this, so no code can hide a test.

use crate::ask::{Ask, slashed};
use proctor_core::report::Place;
use proctor_lang::child_file;
use proctor_lang::go::items;
use proctor_lang::tree::{below, joined};
use proctor_lang::zone::has_ending;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The fields that are asked for.
pub(crate) const FIELDS: &str =
    "ImportPath,Dir,ForTest,DepOnly,TestGoFiles,XTestGoFiles,Error,DepsErrors";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Entry {
    import_path: String,
    dir: String,
    for_test: String,
    dep_only: bool,
    test_go_files: Vec<String>,
    x_test_go_files: Vec<String>,
    error: Option<Told>,
    deps_errors: Vec<Told>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Told {
    pos: String,
    err: String,
}

/// A package that the tests are run for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Package {
    pub(crate) path: String,
    /// Relative to the tree; none where it lies outside.
    pub(crate) dir: Option<String>,
    /// Relative to the tree.
    pub(crate) test_files: Vec<String>,
    /// The first of its files, for an error that names no place.
    pub(crate) first_file: String,
    /// The tests, fuzz tests and examples that `go test` runs.
    pub(crate) tests: BTreeSet<String>,
    pub(crate) problems: Vec<Problem>,
}

/// Why a package can't be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) place: Place,
    pub(crate) message: String,
}

/// All packages, by import path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    pub(crate) packages: BTreeMap<String, Package>,
    /// A package, of the project or not, that lies in a folder whose code must not be tested.
    pub(crate) from_elsewhere: Option<String>,
    /// Something that belongs to no package.
    pub(crate) astray: Vec<String>,
}

impl Listing {
    /// None where the output is not what `go list` writes.
    pub(crate) fn read(ask: &Ask, stdout: &[u8]) -> Option<Self> {
        let entries: Vec<Entry> = serde_json::Deserializer::from_slice(stdout)
            .into_iter()
            .collect::<Result<_, _>>()
            .ok()?;
        let mut listing = Self::default();
        for entry in entries.iter().filter(|e| is_matched(e, &entries)) {
            if entry.dir.is_empty() {
                listing.astray.extend(entry.error.iter().map(|e| e.err.clone()));
            } else {
                listing.packages.insert(entry.import_path.clone(), package(ask, entry));
            }
        }
        for entry in &entries {
            listing.attach(ask, entry);
            let dir = Path::new(&entry.dir);
            if !entry.dir.is_empty() && ask.elsewhere.iter().any(|e| dir.starts_with(e)) {
                listing.from_elsewhere.get_or_insert_with(|| entry.dir.clone());
            }
        }
        Some(listing)
    }

    /// An error of a package, or of what is built for its tests, is that package's.
    fn attach(&mut self, ask: &Ask, entry: &Entry) {
        let owner = if entry.for_test.is_empty() {
            entry.import_path.strip_suffix(".test").unwrap_or(&entry.import_path)
        } else {
            &entry.for_test
        };
        let name =
            if self.packages.contains_key(&entry.import_path) { &entry.import_path } else { owner };
        let Some(package) = self.packages.get_mut(name) else {
            return;
        };
        for told in entry.error.iter().chain(&entry.deps_errors) {
            let place = position(ask, &told.pos)
                .unwrap_or_else(|| Place { file: package.first_file.clone(), line: None });
            let problem = Problem { place, message: told.err.trim().to_owned() };
            if !package.problems.contains(&problem) {
                package.problems.push(problem);
            }
        }
    }

    /// The packages that can be built and run.
    pub(crate) fn loadable(&self) -> impl Iterator<Item = &Package> {
        self.packages.values().filter(|p| p.problems.is_empty())
    }
}

/// Named by the patterns, and not one of those that Go makes up for a test.
fn is_matched(entry: &Entry, all: &[Entry]) -> bool {
    let made_up = entry.import_path.strip_suffix(".test").is_some_and(|stem| {
        all.iter().any(|e| {
            e.import_path == stem && (!e.test_go_files.is_empty() || !e.x_test_go_files.is_empty())
        })
    });
    !entry.dep_only && entry.for_test.is_empty() && !made_up
}

fn package(ask: &Ask, entry: &Entry) -> Package {
    let dir = inside(ask, Path::new(&entry.dir));
    let at = |name: &String| below(dir.as_deref().unwrap_or(""), name);
    let test_files: Vec<String> =
        entry.test_go_files.iter().chain(&entry.x_test_go_files).map(at).collect();
    let mut tests = BTreeSet::new();
    for file in &test_files {
        let source = child_file::read_to_string(ask.tree.join(file)).unwrap_or_default();
        tests.extend(items::names(&source));
    }
    let first_file = test_files.first().cloned().or_else(|| first_source(entry).map(|n| at(&n)));
    let first_file = first_file.unwrap_or_default();
    Package {
        path: entry.import_path.clone(),
        dir,
        test_files,
        first_file,
        tests,
        problems: Vec::new(),
    }
}

/// The first source file of a package's folder.
fn first_source(entry: &Entry) -> Option<String> {
    let files = std::fs::read_dir(&entry.dir).ok()?;
    let names = files.flatten().map(|f| f.file_name().to_string_lossy().into_owned());
    names.filter(|name| has_ending(name, "go")).min()
}

/// A path relative to the tree; none where it lies outside.
pub(crate) fn inside(ask: &Ask, path: &Path) -> Option<String> {
    let real = ask.tree.canonicalize().ok();
    [Some(ask.tree.as_path()), real.as_deref()]
        .into_iter()
        .flatten()
        .find_map(|root| path.strip_prefix(root).ok())
        .map(slashed)
}

/// `file:line:column` as Go writes it, seen from the workdir.
pub(crate) fn position(ask: &Ask, text: &str) -> Option<Place> {
    let (file, rest) = text.split_once(".go:").map(|(stem, rest)| (format!("{stem}.go"), rest))?;
    let line = rest.split(':').next().and_then(|l| l.parse().ok());
    let path = Path::new(&file);
    let file = if path.is_absolute() {
        inside(ask, path)?
    } else {
        joined(&slashed(Path::new(&ask.subdir)), &file)?
    };
    Some(Place { file, line })
}
