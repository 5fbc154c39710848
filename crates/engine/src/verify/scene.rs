//! What a branch changes, read from its two trees: which files are tests, which decide how tests run, which lines of
//! production code are new, and the trees that are made of both sides. Runs nothing.

use super::inert;
use crate::carry::policy::{is_rust, may_hold_tests, parts};
use proctor_core::branch::{BranchKind, Renamed, Role, Touched};
use proctor_core::item::{ItemChanges, TestItem};
use proctor_core::report::{CaseEnd, TestReport};
use proctor_core::words::{TestId, TreeId};
use proctor_experiments::{is_executable_source, is_generated, same_code};
use proctor_lab::Halt;
use proctor_lab::Suite;
use proctor_lab::sources_within;
use proctor_lang::zone::has_ending;
use proctor_lang::{
    MemoryTree, Zone, deciding_part, is_code, joined, names_dependencies, parent, python, zone,
};
use proctor_tools::is_manifest;
use proctor_world::listing::{Listing, Mode, changes};
use proctor_world::shadow::Shadow;
use similar::{ChangeTag, DiffTag, TextDiff};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A file that is larger is not read line by line.
const MOST_BYTES: usize = 1024 * 1024;
/// A file that is larger is not read at all: parsing one takes many times its size.
const MOST_READ: u64 = 8 * 1024 * 1024;
/// How many tests that stand in no text are run on the base's code.
const MOST_UNWRITTEN: usize = 200;
/// How alike two texts must be to be the same test under another name.
const ALIKE: f32 = 0.8;

/// One side of the branch.
pub(super) struct Side {
    pub(super) tree: TreeId,
    pub(super) listing: Arc<Listing>,
    /// Every path, with the text of the files that matter here.
    pub(super) texts: MemoryTree,
    /// Files that matter here and are too large to be read.
    larger: BTreeSet<String>,
}

pub(super) struct Scene {
    pub(super) base: Side,
    pub(super) head: Side,
    pub(super) kind: BranchKind,
    /// Every file that differs and can change what the program or its tests do.
    pub(super) touched: BTreeSet<String>,
    /// The lines of production code on head that the base does not have, by file.
    pub(super) lines: BTreeMap<String, BTreeSet<u32>>,
    pub(super) surroundings: Vec<Touched>,
    /// Files that differ and are no code, and that no code names.
    pub(super) documents: BTreeSet<String>,
    /// The same of sources that are generated or somebody else's: nobody breaks them on purpose, but they may know what
    /// the tests ask for.
    pub(super) generated: BTreeMap<String, BTreeSet<u32>>,
    /// Files that were too large or too strange to be read line by line.
    pub(super) unread: Vec<String>,
    /// Those among the files that differ that were not read at all.
    pub(super) too_large: Vec<String>,
    /// Sources and tests among them that are no UTF-8, or longer than what is read line by line.
    pub(super) unreadable: Vec<String>,
    /// What leads to something that is not among the changes: a link to a file that is there already or outside of the
    /// tree, another commit of a submodule.
    pub(super) elsewhere: Vec<String>,
    /// Data among the changes that no source names.
    pub(super) unnamed: BTreeSet<String>,
}

impl Side {
    fn read(shadow: &Shadow, tree: &TreeId, wanted: impl Fn(&str) -> bool) -> Result<Self, Halt> {
        let listing = shadow.list(tree)?;
        let (texts, larger) = sources_within(shadow, &listing, MOST_READ, wanted)?;
        Ok(Self { tree: tree.clone(), listing, texts, larger })
    }

    pub(super) fn text(&self, path: &str) -> Option<&str> {
        if !self.listing.contains_key(path) || self.larger.contains(path) {
            return None;
        }
        self.texts.0.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// Whether a path is a link or a submodule: what counts is somewhere else.
    fn leads(&self, path: &str) -> bool {
        let mode = self.listing.get(path).map(|entry| entry.mode);
        matches!(mode, Some(Mode::Link | Mode::Submodule))
    }

    pub(super) fn bytes(&self, path: &str) -> Option<&[u8]> {
        let read = self.listing.get(path).filter(|_| !self.larger.contains(path));
        read.and_then(|_| self.texts.0.get(path)).map(Vec::as_slice)
    }
}

/// Tests and production of one file that differ between two sides.
#[derive(Default)]
struct Differs {
    tests: Option<Differing>,
    code: Option<Differing>,
}

/// A part that differs.
struct Differing;

impl Scene {
    pub(super) fn read(shadow: &Shadow, base: &TreeId, head: &TreeId) -> Result<Self, Halt> {
        let (before, after) = (shadow.list(base)?, shadow.list(head)?);
        let differing: BTreeSet<String> =
            changes(&before, &after).into_iter().map(|(path, _)| path).collect();
        // A test may call what another test file defines: those are read as well.
        let wanted =
            |path: &str| is_manifest(path) || differing.contains(path) || zone(path) == Zone::Test;
        let base = Side::read(shadow, base, wanted)?;
        let head = Side::read(shadow, head, wanted)?;
        let mut scene = Self {
            base,
            head,
            kind: BranchKind::NothingExecutable,
            touched: BTreeSet::new(),
            lines: BTreeMap::new(),
            surroundings: Vec::new(),
            documents: differing
                .iter()
                .filter(|path| !is_executable_source(path))
                .cloned()
                .collect(),
            generated: BTreeMap::new(),
            unread: Vec::new(),
            too_large: Vec::new(),
            unreadable: Vec::new(),
            elsewhere: Vec::new(),
            unnamed: BTreeSet::new(),
        };
        let (mut tests, mut code) = (None, None);
        let named = scene.named_by_code(&differing);
        let counts = |path: &String| is_executable_source(path) || named.contains(path);
        for path in differing.into_iter().filter(counts) {
            let differs = scene.differs(&path);
            if differs.tests.is_none() && differs.code.is_none() {
                continue;
            }
            if scene.is_too_large(&path) {
                scene.too_large.push(path.clone());
            }
            if scene.is_unreadable(&path) {
                scene.unreadable.push(path.clone());
            } else if differs.code.is_some() && !scene.head.leads(&path) {
                scene.note_lines(&path);
            }
            tests = tests.or(differs.tests);
            code = code.or(differs.code);
            scene.touched.insert(path);
        }
        scene.kind = match (tests, code) {
            (None, None) => BranchKind::NothingExecutable,
            (Some(_), None) => BranchKind::TestsOnly,
            (None, Some(_)) => BranchKind::CodeOnly,
            (Some(_), Some(_)) => BranchKind::Both,
        };
        if scene.kind == BranchKind::NothingExecutable {
            scene.note_named(shadow)?;
        }
        scene.documents.retain(|path| !scene.touched.contains(path));
        scene.note_elsewhere(shadow)?;
        scene.note_unnamed(shadow)?;
        scene.note_surroundings();
        Ok(scene)
    }

    /// The lines of production code that the base does not have, whoever wrote them.
    pub(super) fn all_lines(&self) -> impl Iterator<Item = (&String, &BTreeSet<u32>)> {
        self.lines.iter().chain(&self.generated)
    }

    /// Documents that differ and that a changed line of code names: it may run them, or read its answers there.
    fn named_by_code(&self, all: &BTreeSet<String>) -> BTreeSet<String> {
        let (documents, sources): (Vec<&String>, Vec<&String>) =
            all.iter().partition(|path| !is_executable_source(path));
        if documents.is_empty() {
            return BTreeSet::new();
        }
        let added: Vec<String> = sources
            .into_iter()
            .filter(|path| zone(path) == Zone::Production && !is_manifest(path))
            .filter_map(|path| {
                let new = self.head.text(path).filter(|text| text.len() <= MOST_BYTES)?;
                let lines = differing(path, self.base.text(path).unwrap_or_default(), new);
                Some(
                    new.lines()
                        .zip(1_u32..)
                        .filter(|(_, n)| lines.contains(n))
                        .map(|(l, _)| l)
                        .collect(),
                )
            })
            .collect();
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let is_named = |path: &&String| added.iter().any(|text| text.contains(&name(path)));
        documents.into_iter().filter(is_named).cloned().collect()
    }

    /// Where only documents differ: those that code names are part of what it does.
    fn note_named(&mut self, shadow: &Shadow) -> Result<(), Halt> {
        let differing = changes(&self.base.listing, &self.head.listing);
        let documents: Vec<&String> = differing
            .iter()
            .map(|(path, _)| path)
            .filter(|path| !is_executable_source(path))
            .collect();
        let named = inert::named(shadow, [&self.base.listing, &self.head.listing], &documents)?;
        let is_test = |path: &String| zone(path) != Zone::Production;
        self.kind = match (named.iter().any(is_test), named.iter().all(is_test)) {
            _ if named.is_empty() => BranchKind::NothingExecutable,
            (_, true) => BranchKind::TestsOnly,
            (true, false) => BranchKind::Both,
            (false, false) => BranchKind::CodeOnly,
        };
        self.touched.extend(named);
        Ok(())
    }

    fn note_elsewhere(&mut self, shadow: &Shadow) -> Result<(), Halt> {
        let mut found = Vec::new();
        for path in self.touched.iter().filter(|path| self.head.leads(path)) {
            let link = self.head.listing.get(path).filter(|entry| entry.mode == Mode::Link);
            let oid: Vec<&str> = link.map(|entry| entry.oid.as_str()).into_iter().collect();
            let target = shadow.read_blobs_within(&oid, MOST_READ)?.pop().flatten();
            let target = target.and_then(|bytes| String::from_utf8(bytes).ok());
            let target = target.and_then(|target| joined(parent(path), &target));
            if !target.is_some_and(|target| self.touched.contains(&target)) {
                found.push(path.clone());
            }
        }
        self.elsewhere = found;
        Ok(())
    }

    /// Whose part of a file differs.
    fn differs(&self, path: &str) -> Differs {
        let (old, new) = (self.base.text(path), self.head.text(path));
        let leads = self.base.leads(path) || self.head.leads(path);
        if let (Some(old), Some(new)) = (old, new)
            && same_code(path, old, new)
            && self.mode(path)
            && !leads
        {
            return Differs::default();
        }
        if self.is_too_large(path) || leads {
            return match zone(path) {
                Zone::Test | Zone::Deciding => Differs { tests: Some(Differing), code: None },
                Zone::Production => Differs { tests: None, code: Some(Differing) },
            };
        }
        match zone(path) {
            Zone::Test | Zone::Deciding => Differs { tests: Some(Differing), code: None },
            Zone::Production if is_rust(path) => {
                let (before, after) = (parts(old.unwrap_or("")), parts(new.unwrap_or("")));
                Differs {
                    tests: (before.tests != after.tests).then_some(Differing),
                    code: (before.production != after.production).then_some(Differing),
                }
            }
            Zone::Production => Differs { tests: None, code: Some(Differing) },
        }
    }

    /// Whether both sides have the file in the same mode.
    fn mode(&self, path: &str) -> bool {
        let mode = |side: &Side| side.listing.get(path).map(|entry| entry.mode);
        mode(&self.base) == mode(&self.head)
    }

    fn is_too_large(&self, path: &str) -> bool {
        self.base.larger.contains(path) || self.head.larger.contains(path)
    }

    /// Whether a source that differs has lines that nobody can read: it is no UTF-8, says that it is not, or too long.
    fn is_unreadable(&self, path: &str) -> bool {
        let Some(bytes) = self.head.bytes(path).filter(|_| is_code(path)) else { return false };
        let long = bytes.len() > MOST_BYTES && zone(path) == Zone::Production;
        let encoded = |text: &str| has_ending(path, "py") && python::is_encoded(text);
        long || std::str::from_utf8(bytes).map_or(true, encoded)
    }

    fn note_lines(&mut self, path: &str) {
        if self.is_too_large(path) {
            return;
        }
        let Some(new) = self.head.bytes(path) else { return };
        let old = self.base.bytes(path).unwrap_or_default();
        let texts = (std::str::from_utf8(old), std::str::from_utf8(new));
        let large = new.len().max(old.len()) > MOST_BYTES;
        let (false, (Ok(old), Ok(new))) = (large, texts) else {
            self.unread.push(path.to_owned());
            return;
        };
        let mut lines = differing(path, old, new);
        if lines.is_empty() {
            lines = around_gaps(old, new);
        }
        let generated = is_generated(path, new);
        if generated {
            self.unread.push(path.to_owned());
        }
        if !lines.is_empty() {
            let known = if generated { &mut self.generated } else { &mut self.lines };
            known.insert(path.to_owned(), lines);
        }
    }

    /// Files beside the tests that are no tests, and what decides how tests run.
    fn note_surroundings(&mut self) {
        let mut found = Vec::new();
        for path in &self.touched {
            let role = match zone(path) {
                Zone::Deciding => Some(Role::Decides),
                Zone::Test => Some(Role::Supports),
                Zone::Production => {
                    let part =
                        |side: &Side| deciding_part(path, side.bytes(path).unwrap_or_default());
                    (part(&self.base) != part(&self.head)).then_some(Role::Decides)
                }
            };
            if let Some(role) = role {
                found.push(Touched { path: path.clone(), role });
            }
        }
        self.surroundings = found;
    }

    /// Leaves out of the surroundings the files that hold nothing but tests of their own: those are judged as tests.
    pub(super) fn keep_surroundings(&mut self, suite: &Suite) {
        let holds_tests = |side: &Side, path: &String| {
            !suite.items(&side.texts, std::slice::from_ref(path)).is_empty()
        };
        let (base, head) = (&self.base, &self.head);
        self.surroundings.retain(|touched| {
            let path = &touched.path;
            let tests = holds_tests(head, path) || holds_tests(base, path);
            touched.role == Role::Decides || !tests || shared(path)
        });
    }

    /// The tests that differ between the sides.
    pub(super) fn items(&self, suite: &Suite) -> ItemChanges {
        let paths: Vec<String> =
            self.touched.iter().filter(|path| may_hold_tests(path)).cloned().collect();
        let before = suite.items(&self.base.texts, &paths);
        let after = suite.items(&self.head.texts, &paths);
        ItemChanges::between(&before, &after)
    }

    /// The tests of a report that pass and that no text of head's tests stands for, where what changed of the tests may be
    /// about them. Where no test has another text, all are such: a table or a function beside them is another.
    pub(super) fn unwritten(&self, suite: &Suite, report: &TestReport) -> BTreeSet<TestId> {
        let changed: Vec<&String> =
            self.touched.iter().filter(|path| zone(path) == Zone::Test).collect();
        if changed.is_empty() {
            return BTreeSet::new();
        }
        let holds_tests = |path: &String| {
            !shared(path) && !suite.items(&self.head.texts, std::slice::from_ref(path)).is_empty()
        };
        // What holds tests matters to other files where they name it; anything else may be read by all.
        let alone = changed.iter().all(|path| holds_tests(path));
        let concerns = |id: &TestId| {
            let file = id.as_str().split("::").next().unwrap_or_default();
            let text = self.head.text(file).filter(|_| alone && file.len() < id.as_str().len());
            text.is_none_or(|text| {
                changed.iter().any(|path| *path == file || text.contains(stem(path)))
            })
        };
        let paths: Vec<String> =
            self.head.texts.0.keys().filter(|path| may_hold_tests(path)).cloned().collect();
        let written = suite.items(&self.head.texts, &paths);
        let items = self.items(suite);
        let fed = items.new.is_empty() && items.changed.is_empty();
        let passed = report.cases.iter().filter(|(_, case)| case.end == CaseEnd::Passed);
        let stands = |id: &TestId| !fed && written.iter().any(|item| item.covers(id));
        let unwritten = passed.filter(|(id, _)| concerns(id) && !stands(id));
        unwritten.map(|(id, _)| id.clone()).take(MOST_UNWRITTEN).collect()
    }

    /// Data that no source of either side names, so that emptying it can be noticed by nothing.
    pub(super) fn note_unnamed(&mut self, shadow: &Shadow) -> Result<(), Halt> {
        let is_data =
            |path: &&String| !is_code(path) && !is_manifest(path) && !names_dependencies(path);
        let data: Vec<&String> = self.lines.keys().filter(is_data).collect();
        let named = inert::named(shadow, [&self.base.listing, &self.head.listing], &data)?;
        self.unnamed = data.into_iter().filter(|path| !named.contains(*path)).cloned().collect();
        Ok(())
    }
}

/// Takes pairs of tests that were only renamed or moved out of the changes.
pub(super) fn take_renamed(items: &mut ItemChanges) -> Vec<Renamed> {
    let mut pairs = Vec::new();
    let mut gone = std::mem::take(&mut items.gone);
    gone.retain(|was| {
        let best = items
            .new
            .iter()
            .enumerate()
            .map(|(n, is)| (n, likeness(was, is)))
            .filter(|(_, alike)| *alike >= ALIKE)
            .max_by(|one, other| one.1.total_cmp(&other.1));
        let Some((n, _)) = best else { return true };
        pairs.push(Renamed { was: was.clone(), is: items.new.remove(n) });
        false
    });
    items.gone = gone;
    pairs
}

fn likeness(was: &TestItem, is: &TestItem) -> f32 {
    let name = |item: &TestItem| {
        let id = item.id.as_str();
        id.rsplit([':', '.', '/', '>', ' ']).next().unwrap_or(id).to_owned()
    };
    let plain = |item: &TestItem| item.text.replace(&name(item), "");
    let (old, new) = (plain(was), plain(is));
    if old == new {
        return 1.0;
    }
    TextDiff::from_words(&old, &new).ratio()
}

/// What other files call a module by.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Picked up by the test tool for every test beside it.
pub(super) fn shared(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "conftest.py" | "__init__.py")
}

/// The lines of a new text that its old one does not have. Blank lines and inline tests don't count.
pub(crate) fn differing(path: &str, old: &str, new: &str) -> BTreeSet<u32> {
    let production = is_rust(path).then(|| proctor_lang::split_rust(new)).flatten();
    let is_test = |line: &str| {
        production.as_ref().is_some_and(|split| !split.production.lines().any(|l| l == line))
    };
    let counts = |line: &str| !line.trim().is_empty() && !is_test(line);
    TextDiff::from_lines(old, new)
        .iter_all_changes()
        .filter(|change| change.tag() == ChangeTag::Insert)
        .filter(|change| counts(change.value().trim_end_matches(['\n', '\r'])))
        .filter_map(|change| u32::try_from(change.new_index()? + 1).ok())
        .collect()
}

/// Where lines were only taken away: those that stand around the gap now.
fn around_gaps(old: &str, new: &str) -> BTreeSet<u32> {
    let diff = TextDiff::from_lines(old, new);
    let count = u32::try_from(new.lines().count()).unwrap_or(u32::MAX);
    let mut found = BTreeSet::new();
    for op in diff.ops().iter().filter(|op| op.tag() == DiffTag::Delete) {
        let at = u32::try_from(op.new_range().start).unwrap_or(u32::MAX);
        found.extend([at, at.saturating_add(1)].into_iter().filter(|n| (1..=count).contains(n)));
    }
    found
}
