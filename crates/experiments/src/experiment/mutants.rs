//! Mutants of the changed lines, each against the tests that could notice it. Where only tests changed, of the lines that
//! these reach.

use super::{Done, Experiment, Found, Tampering, Try};
use crate::branch::Branch;
use crate::{mutants, parts, slight};
use proctor_core::branch::{BranchKind, Evidence, Fate, Mutant, Part};
use proctor_core::report::Place;
use proctor_core::trial::{Selection, Sought, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TestId;
use proctor_lang::{Change, Edit, Language, Words, Zone, names_dependencies, zone};
use std::collections::{BTreeMap, BTreeSet};

/// How many mutants are tried at most.
const MOST: usize = 40;
/// How many of them when only tests changed: one that dies is enough.
const MOST_FOR_TESTS: usize = 24;

/// What mutants are tried for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// To find what no test of the suite notices.
    Survivors,
    /// To see what these tests notice by themselves, as closely as they look.
    Kills(Vec<TestId>),
}

pub struct Mutants(pub Aim);

/// Which lines are mutated, by file.
type Lines = BTreeMap<String, BTreeSet<u32>>;

impl Experiment for Mutants {
    fn what(&self) -> &'static str {
        "mutants of the changed lines"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Mutants]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        if branch.kind == BranchKind::TestsOnly && done.is_empty() {
            let ids = branch.candidates();
            let trial = Trial::of(branch.head.tree()).only(Selection::Ids(ids.clone())).covering();
            return if ids.is_empty() { Vec::new() } else { vec![Try::Run(trial)] };
        }
        if done.iter().any(|done| matches!(done, Done::Changes { .. })) {
            return Vec::new();
        }
        let Planned { texts, changes, parts, .. } = self.planned(branch, &lines(branch, done));
        if changes.is_empty() {
            return Vec::new();
        }
        let (noticing, follow) = match &self.0 {
            // Of tests alone it is asked what they notice themselves.
            Aim::Survivors => (noticing(branch), branch.kind != BranchKind::TestsOnly),
            Aim::Kills(tests) => (Selection::Ids(tests.clone()), false),
        };
        let parts = follow.then(|| numbered(&changes, &parts));
        vec![Try::Changes(Tampering {
            texts,
            changes,
            noticing,
            parts,
            what: "mutants",
            sought: Sought::Fates,
        })]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let tried = done.iter().find_map(|done| match done {
            Done::Changes { fates, by, left_out } => Some((fates, by, left_out)),
            _ => None,
        });
        let Some((fates, by, left_out)) = tried else { return Found::default() };
        let planned = self.planned(branch, &lines(branch, done));
        let mut told = Vec::new();
        if planned.of > planned.changes.len() {
            told.push(format!("mutants: {} of {} were tried", planned.changes.len(), planned.of));
        }
        told.extend(left_out.iter().cloned());
        let mut parts = planned.parts;
        let mutant = |(n, Change { file, edit }): (usize, Change)| Mutant {
            place: Place { file: file.clone(), line: Some(edit.line) },
            what: edit.what.clone(),
            diff: edit.diff(&file, planned.texts.get(&file).map_or("", String::as_str)),
            fate: fates.get(n).copied().unwrap_or(Fate::NotTried),
            parts: parts.get_mut(n).map(std::mem::take).unwrap_or_default(),
            settled: None,
            by: by.get(n).cloned().flatten(),
        };
        let all: Vec<Mutant> = planned.changes.iter().cloned().enumerate().map(mutant).collect();
        let unbuilt = unbuilt(&all);
        let (all, asides) = apart(all, &unbuilt);
        // Where nothing else was tried, they are all that there is, and survived.
        let all = if all.is_empty() { asides } else { all };
        let untried = |file: &String| {
            format!("mutants: {file} is not built here, so what changed in it could not be tried")
        };
        told.extend(unbuilt.iter().map(untried));
        Found { evidence: vec![Evidence::Mutants(all)], left_out: told }
    }
}

/// The tests that are tried first: the new ones, or all where there are none.
pub(super) fn noticing(branch: &Branch<'_>) -> Selection {
    let new = branch.candidates();
    if new.is_empty() { Selection::All } else { Selection::Ids(new) }
}

struct Planned {
    texts: BTreeMap<String, String>,
    changes: Vec<Change>,
    /// What each of them is a part of.
    parts: Vec<Vec<Part>>,
    /// How many there are in all.
    of: usize,
}

impl Mutants {
    fn planned(&self, branch: &Branch<'_>, lines: &Lines) -> Planned {
        let files: Vec<String> = lines.keys().cloned().collect();
        let texts = (branch.texts)(branch.head.tree(), &files);
        let mut all: Vec<(Change, Vec<Part>)> = Vec::new();
        for (file, lines) in lines {
            let Some(text) = texts.get(file) else { continue };
            let mut edits = if branch.tests.is_source(file) {
                mutants(file, text, lines)
            } else if is_data(file) && !branch.unnamed.contains(file) {
                without(text)
            } else {
                Vec::new()
            };
            if self.0 != Aim::Survivors && branch.tests.is_source(file) {
                edits.extend(slight(file, text, lines));
            }
            if !edits.is_empty() && may_not_be_built(file, text) {
                edits.extend(without(text));
            }
            let parts = parts(file, text, &edits, lines);
            let change = |edit| Change { file: file.clone(), edit };
            all.extend(edits.into_iter().map(change).zip(parts));
        }
        let most = match branch.kind {
            BranchKind::TestsOnly => MOST_FOR_TESTS,
            BranchKind::NothingExecutable | BranchKind::CodeOnly | BranchKind::Both => MOST,
        };
        let of = all.len();
        let (changes, parts): (Vec<_>, Vec<_>) = some_of_each(all, most).into_iter().unzip();
        let used: BTreeSet<&String> = changes.iter().map(|change| &change.file).collect();
        let texts = texts.iter().filter(|(file, _)| used.contains(file));
        let texts = texts.map(|(f, t)| (f.clone(), t.clone())).collect();
        Planned { texts, changes, parts, of }
    }
}

/// The changed lines; where only tests changed, those that they run, by what a coverage tool says, else the files that go by
/// their names.
fn lines(branch: &Branch<'_>, done: &[Done]) -> Lines {
    if branch.kind != BranchKind::TestsOnly {
        return branch.lines.clone();
    }
    let ran = done.iter().filter_map(|done| match done {
        Done::Ran { lines, .. } => Some(lines),
        _ => None,
    });
    let reached: Lines = ran
        .flat_map(|lines| &lines.files)
        .filter(|(path, _)| zone(path) == Zone::Production)
        .map(|(path, lines)| (path.clone(), lines.hit.clone()))
        .collect();
    if !reached.is_empty() {
        return reached;
    }
    let items = &branch.measure.items;
    let tests: BTreeSet<&str> = items
        .new
        .iter()
        .chain(&items.changed)
        .filter_map(|item| branch.head.text(&item.place.file))
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .collect();
    let named = |path: &&str| {
        let stem = path.rsplit('/').next().and_then(|name| name.split('.').next());
        zone(path) == Zone::Production
            && branch.tests.is_source(path)
            && stem.is_some_and(|stem| tests.contains(stem) || matches!(stem, "lib" | "index"))
    };
    let paths = branch.head.paths().into_iter().filter(named).take(5);
    paths.map(|path| (path.to_owned(), (1..=10_000).collect())).collect()
}

/// Whether a file that is no source may be what the work is about. What says how the project is built, tested and put
/// together is not: without it nothing would run, or all of it as before.
fn is_data(file: &str) -> bool {
    zone(file) == Zone::Production && !proctor_lang::is_manifest(file) && !names_dependencies(file)
}

const EMPTY: &str = "the file is empty";

/// For data: the file with nothing in it. What depends on its text notices.
fn without(text: &str) -> Vec<Edit> {
    let what = EMPTY.to_owned();
    let edit = Edit { line: 1, from: 0, to: text.len(), text: String::new(), what };
    if text.is_empty() { Vec::new() } else { vec![edit] }
}

/// What a file of Go is called after that is for one system or one processor.
const PLATFORMS: Words = Words(
    "aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows zos \
    386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm",
);

/// Whether a build may go by a source: one for another platform, behind a tag, or of no target. Emptied it shows which.
fn may_not_be_built(file: &str, text: &str) -> bool {
    let stem = file.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    match Language::of(file) {
        Some(Language::Go) => {
            stem.split('_').skip(1).any(|part| PLATFORMS.has(part))
                || ["//go:build ", "// +build "].iter().any(|tag| text.contains(tag))
        }
        Some(Language::Rust) => !file.split('/').any(|folder| folder == "src"),
        _ => false,
    }
}

/// Whether it says that a source is built, and nothing about its lines.
fn is_probe(mutant: &Mutant) -> bool {
    mutant.what == EMPTY && Language::of(&mutant.place.file).is_some()
}

/// The sources that nothing notices the lack of.
fn unbuilt(all: &[Mutant]) -> BTreeSet<String> {
    let unneeded = all.iter().filter(|m| is_probe(m) && m.fate == Fate::Survived);
    unneeded.map(|mutant| mutant.place.file.clone()).collect()
}

/// The mutants of what is built, and those of what is not.
fn apart(all: Vec<Mutant>, unbuilt: &BTreeSet<String>) -> (Vec<Mutant>, Vec<Mutant>) {
    let own = all.into_iter().filter(|m| !is_probe(m));
    own.partition(|m| !unbuilt.contains(&m.place.file))
}

/// So many of them, the first of each part before the second of any; the order stays.
fn some_of_each(all: Vec<(Change, Vec<Part>)>, most: usize) -> Vec<(Change, Vec<Part>)> {
    let mut met: BTreeMap<(String, Vec<Part>), usize> = BTreeMap::new();
    let mut turns = Vec::new();
    for (n, (change, parts)) in all.iter().enumerate() {
        let met = met.entry((change.file.clone(), parts.clone())).or_default();
        *met += 1;
        turns.push((*met, n));
    }
    turns.sort_unstable();
    let taken: BTreeSet<usize> = turns.into_iter().take(most).map(|(_, n)| n).collect();
    let all = all.into_iter().enumerate().filter(|(n, _)| taken.contains(n));
    all.map(|(_, one)| one).collect()
}

/// The parts of each change by numbers.
fn numbered(changes: &[Change], parts: &[Vec<Part>]) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<(&str, &Part), usize> = BTreeMap::new();
    let mut numbers = Vec::new();
    for (change, parts) in changes.iter().zip(parts) {
        let mut own = Vec::new();
        for part in parts {
            let next = known.len();
            own.push(*known.entry((change.file.as_str(), part)).or_insert(next));
        }
        numbers.push(own);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(file: &str, what: &str, fate: Fate) -> Mutant {
        let place = Place { file: file.into(), line: Some(1) };
        let (diff, parts) = (String::new(), Vec::new());
        Mutant { place, what: what.into(), diff, fate, parts, settled: None, by: None }
    }

    #[test]
    fn a_source_that_nothing_misses_is_not_built_here() {
        let all = [
            mutant("a_windows.go", "`==` for `!=`", Fate::Survived),
            mutant("a_windows.go", EMPTY, Fate::Survived),
            mutant("a_linux.go", EMPTY, Fate::NotViable),
            mutant("words.txt", EMPTY, Fate::Survived),
        ];
        assert_eq!(unbuilt(&all).into_iter().collect::<Vec<_>>(), ["a_windows.go"]);
        assert!(is_probe(&all[2]) && !is_probe(&all[3]));
        let (built, aside) = apart(all.to_vec(), &unbuilt(&all));
        assert_eq!((built.len(), aside.len()), (1, 1), "{built:?} {aside:?}");
    }

    #[test]
    fn sources_for_one_platform_or_of_no_package_may_not_be_built() {
        for (file, text) in [
            ("width_js.go", ""),
            ("a.go", "//go:build linux\n\npackage a\n"),
            ("fuzz/targets/a.rs", ""),
        ] {
            assert!(may_not_be_built(file, text), "{file}");
        }
        for file in ["width_table.go", "linux.go", "src/lib.rs", "sub/src/a.rs", "a_js.py"] {
            assert!(!may_not_be_built(file, "package a\n"), "{file}");
        }
    }
}
