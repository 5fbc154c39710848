//! Many variations of a tree in one start of a tool that gives each file of tests a worker of its own: the tree stands there
//! once for each, below itself, so that what is installed is found by all of them. Beside them stand copies in which a changed
//! file can't be loaded: where tests pass there, they do not load the copy's, and nothing is believed of that file.

use super::tool;
use crate::ask::{Ask, Selection, Variant};
use proctor_core::report::{CaseEnd, CollectError, Place, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::child_file;
use proctor_lang::tree::{FolderTree, Tree};
use proctor_lang::zone::{SCRIPTS, has_ending};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// More files, and more bytes, are not written for a batch.
const MOST_FILES: usize = 6000;
const MOST_BYTES: usize = 48 << 20;

/// A module that can't be loaded.
const BROKEN: &[u8] = b"throw new Error('this file is not to be loaded')\n";

pub(crate) struct Copies<'a> {
    ask: &'a Ask,
    variants: &'a [Variant],
    /// What their folders begin with.
    stem: String,
    /// The files that are other in one of them.
    changed: BTreeSet<&'a String>,
}

impl<'a> Copies<'a> {
    /// None where they would not be what the tree is.
    pub(crate) fn of(ask: &'a Ask, variants: &'a [Variant]) -> Option<Self> {
        let changed: BTreeSet<&String> = variants.iter().flat_map(|v| v.files.keys()).collect();
        let is_script = |path: &&String| SCRIPTS.iter().any(|ending| has_ending(path, ending));
        let types = child_file::read_to_string(ask.tree.join("tsconfig.json")).unwrap_or_default();
        let fits =
            ask.subdir.is_empty() && changed.iter().all(is_script) && !types.contains("\"paths\"");
        let fits = fits && !changed.is_empty();
        fits.then(|| Self { ask, variants, stem: stem(free(ask)), changed })
    }

    fn folder(&self, n: usize) -> PathBuf {
        self.ask.tree.join(format!("{}{n}", self.stem))
    }

    /// Every file of each copy; none where that is too much.
    pub(crate) fn files(&self) -> Option<Vec<(PathBuf, Vec<u8>)>> {
        let tree = FolderTree::new(&self.ask.tree);
        let paths: Vec<String> = tree.paths().into_iter().filter(|path| !is_copy(path)).collect();
        let count = self.variants.len() + self.changed.len();
        let plain: BTreeMap<&String, Vec<u8>> =
            paths.iter().filter_map(|path| Some((path, tree.read(path)?))).collect();
        let bytes: usize = plain.values().map(Vec::len).sum();
        if paths.len() * count > MOST_FILES || bytes * count > MOST_BYTES {
            return None;
        }
        let mut files = Vec::new();
        for n in 0..count {
            let own = self.variants.get(n);
            let broken =
                n.checked_sub(self.variants.len()).and_then(|k| self.changed.iter().nth(k));
            for (path, text) in &plain {
                let other = own.and_then(|variant| variant.files.get(*path)).map(Vec::as_slice);
                let other = other.or_else(|| (broken == Some(path)).then_some(BROKEN));
                files.push((self.folder(n).join(path), other.unwrap_or(text).to_vec()));
            }
        }
        Some(files)
    }

    /// The tests that any of them wants.
    pub(crate) fn only(&self) -> Selection {
        let mut all = BTreeSet::new();
        for variant in self.variants {
            match &variant.only {
                Selection::All => return Selection::All,
                Selection::Ids(ids) => all.extend(ids.iter().cloned()),
            }
        }
        Selection::Ids(all.into_iter().collect())
    }

    /// The files that are run, or the folder where all of a copy are.
    pub(crate) fn places(&self) -> Vec<PathBuf> {
        let broken = self.variants.iter().take(1).cycle().take(self.changed.len());
        let all = self.variants.iter().chain(broken).enumerate();
        all.flat_map(|(n, variant)| {
            let own = Ask { only: variant.only.clone(), ..self.ask.clone() };
            match tool::selected_files(&own) {
                Some(files) => files.into_iter().map(|file| self.folder(n).join(file)).collect(),
                None => vec![self.folder(n).join("")],
            }
        })
        .collect()
    }

    /// How long nothing may be heard.
    pub(crate) fn limit_ms(&self) -> u64 {
        self.variants.iter().map(|variant| variant.limit_ms).max().unwrap_or_default()
    }
}

/// What the one run of all copies tells about each variation.
pub(crate) fn told(ask: &Ask, variants: &[Variant], whole: &TestReport) -> Vec<TestReport> {
    let same = |end: &RunEnd| vec![TestReport::empty(end.clone()); variants.len()];
    let errors: &[CollectError] = match &whole.end {
        RunEnd::Finished | RunEnd::NoTests => &[],
        RunEnd::CollectFailed { errors } => errors,
        RunEnd::TimedOut { .. } => {
            let note = "the copies together did not come to their end".to_owned();
            return same(&RunEnd::Suspect { note });
        }
        end @ (RunEnd::Crashed { .. } | RunEnd::Suspect { .. }) => return same(end),
    };
    let stem = stem(free(ask).saturating_sub(1));
    let changed: BTreeSet<&String> = variants.iter().flat_map(|v| v.files.keys()).collect();
    let of = |n: usize, only: &Selection| one(&format!("{stem}{n}/"), only, whole, errors);
    let first = variants.first().map_or(&Selection::All, |variant| &variant.only);
    let loaded: BTreeMap<&String, bool> = changed
        .into_iter()
        .enumerate()
        .map(|(k, file)| (file, !passes(&of(variants.len() + k, first))))
        .collect();
    let report = |(n, variant): (usize, &Variant)| {
        if variant.files.keys().all(|file| loaded.get(file) == Some(&true)) {
            return of(n, &variant.only);
        }
        let note = "the tests do not load a copy of what is changed".to_owned();
        TestReport::empty(RunEnd::Suspect { note })
    };
    variants.iter().enumerate().map(report).collect()
}

/// The part of a run that is one copy's.
fn one(folder: &str, only: &Selection, whole: &TestReport, errors: &[CollectError]) -> TestReport {
    let wanted = |id: &TestId| match only {
        Selection::All => true,
        Selection::Ids(ids) => ids.iter().any(|one| one.covers(id)),
    };
    let own = |(id, case): (&TestId, &proctor_core::report::Case)| {
        let id = TestId::new(id.as_str().strip_prefix(folder)?);
        wanted(&id).then(|| (id, case.clone()))
    };
    let cases: BTreeMap<_, _> = whole.cases.iter().filter_map(own).collect();
    let error = |error: &CollectError| {
        let file = error.place.file.strip_prefix(folder)?.to_owned();
        Some(CollectError { place: Place { file, ..error.place.clone() }, ..error.clone() })
    };
    let errors: Vec<CollectError> = errors.iter().filter_map(error).collect();
    let end = match (errors.is_empty(), cases.is_empty()) {
        (false, _) => RunEnd::CollectFailed { errors },
        (true, true) => RunEnd::NoTests,
        (true, false) => RunEnd::Finished,
    };
    TestReport { end, cases }
}

fn passes(report: &TestReport) -> bool {
    matches!(report.end, RunEnd::Finished | RunEnd::NoTests)
        && report.cases.values().all(|c| matches!(c.end, CaseEnd::Passed | CaseEnd::Skipped { .. }))
}

fn stem(batch: usize) -> String {
    format!("copy{batch}-")
}

fn is_copy(path: &str) -> bool {
    let rest = path.strip_prefix("copy").and_then(|rest| rest.split_once('-'));
    rest.is_some_and(|(number, _)| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

/// The number of the next batch on this tree: what tests left in a copy is not there for another.
fn free(ask: &Ask) -> usize {
    (0..MOST_FILES).find(|n| !ask.tree.join(format!("{}0", stem(*n))).exists()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::report::Case;

    #[test]
    fn a_run_is_told_copy_by_copy() {
        let id = |text: &str| TestId::new(text);
        let case = |end| Case { end, took_ms: None };
        let failed = CaseEnd::Errored { message: "no".to_owned() };
        let cases = BTreeMap::from([
            (id("copy0-1/a.test.js > x"), case(CaseEnd::Passed)),
            (id("copy0-11/a.test.js > x"), case(failed)),
        ]);
        let whole = TestReport { end: RunEnd::Finished, cases };
        let first = one("copy0-1/", &Selection::All, &whole, &[]);
        assert_eq!(first.cases.keys().next(), Some(&id("a.test.js > x")));
        assert!(passes(&first) && !passes(&one("copy0-11/", &Selection::All, &whole, &[])));
        assert_eq!(one("copy0-2/", &Selection::All, &whole, &[]).end, RunEnd::NoTests);
        assert!(is_copy("copy0-1/a.js") && !is_copy("copy-1/a.js") && !is_copy("copying/a.js"));
    }
}
