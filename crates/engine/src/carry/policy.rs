//! What a phase may change, decided by the bytes of files and never by asking git. What it may not is put back,
//! and the agent is told.

use super::held::View;
use super::tidy::{Texts, Tidying};
use super::{Halt, Job};
use proctor_core::brief::Probe;
use proctor_core::words::{Phase, TreeId};
use proctor_lab::sources;
use proctor_lang::{MemoryTree, Zone, deciding_part, join_rust, split_rust, zone};
use proctor_tools::is_manifest;
use proctor_world::listing::{Entry, Listing, Mode, changes, on_disk};
use proctor_world::shadow::Shadow;
use std::path::{Component, Path};

/// The tree after a turn with everything unlawful put back.
pub(super) struct Lawful {
    pub(super) listing: Listing,
    pub(super) changed: Vec<String>,
    /// Each with why.
    pub(super) put_back: Vec<String>,
}

/// The files of a turn: as the user's base has them, as the turn found them, as it left them.
pub(super) struct Trees<'a> {
    pub(super) base: &'a Listing,
    pub(super) before: &'a Listing,
    pub(super) after: &'a Listing,
    /// What of the tree before was shown.
    pub(super) view: &'a View,
}

/// What becomes of one changed file.
enum Ruling {
    Keep,
    PutBack(&'static str),
    /// Keep a text that is neither the old nor the new file: one part of it was unlawful.
    Mend(Vec<u8>, &'static str),
}

const NOT_A_TEST: &str =
    "only test files, fixtures and snapshots may change while tests are written";
const OLD_TESTS: &str = "tests that were there before stay";
const UNPROVABLE: &str =
    "tidied tests are proven with mutants, and those are turned off (`[gates] probe = \"off\"`)";
const SEALED: &str = "tests are sealed; only write_tests may change them";
const BROUGHT: &str = "tests that a person brought stay as they are";
const DECIDES: &str = "it decides how tests run";
const LEADS_OUT: &str = "a link may not lead out of the tree";
const READ_ONLY: &str = "a turn that only reads may not change anything";

impl Job {
    /// Holds a worktree's files against what the phase may change.
    pub(super) fn lawful(
        &self,
        shadow: &Shadow,
        phase: Phase,
        Trees { base, before, after, view }: &Trees<'_>,
    ) -> Result<Lawful, Halt> {
        let dir = self.worktree();
        let touched: Vec<String> =
            changes(before, after).into_iter().map(|(path, _)| path).collect();
        let old = sources(shadow, before, |path| touched.iter().any(|t| t == path))?.0;
        let tidying = self.tidying(shadow, phase, (*base, &touched))?;
        let mut lawful =
            Lawful { listing: (*after).clone(), changed: Vec::new(), put_back: Vec::new() };
        for path in touched {
            let new = after
                .get(&path)
                .filter(|e| is_file(e.mode))
                .and_then(|_| std::fs::read(on_disk(&dir, &path)).ok());
            let lost = base.contains_key(&path) && !after.contains_key(&path);
            let link = after.get(&path).filter(|entry| entry.mode == Mode::Link);
            let ruling = if link.is_some() && leads_out(&dir, &path) {
                Ruling::PutBack(LEADS_OUT)
            } else if lost && phase == Phase::WriteTests && self.zone(&path) == Zone::Test {
                Ruling::PutBack(OLD_TESTS)
            } else {
                let old = before.get(&path).and(old.get(&path)).map(Vec::as_slice);
                let tidied = match &tidying {
                    Some(tidying) if !view.alters(&path) => {
                        let base = base.get(&path).and(tidying.base.get(&path));
                        let texts = Texts {
                            base: base.and_then(|b| text(b)),
                            old: old.and_then(text),
                            new: new.as_deref().and_then(text),
                        };
                        self.may_be_tidied(tidying, &path, texts)
                    }
                    // On the plain way nobody sealed anything: what was there stays, what is new is judged by the gate.
                    _ if !self.run.brief.assignment.route.has_red_gate() => {
                        if base.contains_key(&path) { Err(OLD_TESTS) } else { Ok(()) }
                    }
                    _ => Err(SEALED),
                };
                self.rule(phase, &path, (old, new.as_deref()), tidied)
            };
            match ruling {
                Ruling::Keep => lawful.changed.push(path),
                Ruling::PutBack(why) => {
                    lawful.put_back.push(format!("{path}: {why}"));
                    match before.get(&path) {
                        Some(entry) => lawful.listing.insert(path, entry.clone()),
                        None => lawful.listing.remove(&path),
                    };
                }
                Ruling::Mend(text, why) => {
                    lawful.put_back.push(format!("{path} (in part): {why}"));
                    let mode = after.get(&path).map_or(Mode::File, |entry| entry.mode);
                    let oid = shadow.write_blob(&text)?;
                    let entry = Entry { mode, oid };
                    if before.get(&path) != Some(&entry) {
                        lawful.changed.push(path.clone());
                    }
                    lawful.listing.insert(path, entry);
                }
            }
        }
        Ok(lawful)
    }

    /// Whose a file is. What a person brought as a test is one, wherever it lies.
    pub(super) fn zone(&self, path: &str) -> Zone {
        let brought = self.run.brief.brought_tests.iter().any(|file| file.path == path);
        if brought { Zone::Test } else { proctor_lang::zone(path) }
    }

    /// By what a refactoring's changes of tests are told apart; none where it made none.
    fn tidying(
        &self,
        shadow: &Shadow,
        phase: Phase,
        (base, touched): (&Listing, &[String]),
    ) -> Result<Option<Tidying>, Halt> {
        if phase != Phase::Refactor || !touched.iter().any(|path| may_hold_tests(path)) {
            return Ok(None);
        }
        let suite = self.suite(shadow, &MemoryTree::default())?;
        let manifests = sources(shadow, base, is_manifest)?;
        let base = sources(shadow, base, |path| touched.iter().any(|t| t == path))?.0;
        Ok(Some(Tidying { suite, manifests, base }))
    }

    /// Whether a change of tests may be a tidying, which the gate then has to prove.
    fn may_be_tidied(
        &self,
        tidying: &Tidying,
        path: &str,
        texts: Texts<'_>,
    ) -> Result<(), &'static str> {
        if self.run.brief.brought_tests.iter().any(|file| file.path == path) {
            return Err(BROUGHT);
        }
        if let Some(why) = tidying.objection(path, texts) {
            return Err(why);
        }
        match self.run.brief.rules.probe {
            Probe::Full => Ok(()),
            Probe::Off => Err(UNPROVABLE),
        }
    }

    fn rule(
        &self,
        phase: Phase,
        path: &str,
        (old, new): (Option<&[u8]>, Option<&[u8]>),
        tidied: Result<(), &'static str>,
    ) -> Ruling {
        match (phase, self.zone(path)) {
            (
                Phase::Review
                | Phase::Diagnose
                | Phase::Audit
                | Phase::Suggest
                | Phase::Scout
                | Phase::Classify,
                _,
            ) => Ruling::PutBack(READ_ONLY),
            (_, Zone::Deciding) => Ruling::PutBack(DECIDES),
            (Phase::WriteTests, Zone::Test) => Ruling::Keep,
            (Phase::WriteTests, Zone::Production) => inline_tests_only(path, old, new),
            (Phase::Refactor | Phase::Implement, Zone::Test) => {
                tidied.map_or_else(Ruling::PutBack, |()| Ruling::Keep)
            }
            (Phase::Refactor | Phase::Implement, Zone::Production) => {
                production(path, old, new, tidied)
            }
        }
    }
}

/// A tree with the changes that were made to tests between two others, inline ones included, and no other.
pub(crate) fn with_tests_of(
    shadow: &Shadow,
    tree: &TreeId,
    (before, after): (&TreeId, &TreeId),
) -> Result<TreeId, Halt> {
    let mut listing = (*shadow.list(tree)?).clone();
    let (old, new) = (shadow.list(before)?, shadow.list(after)?);
    for (path, _) in changes(&old, &new) {
        let entry = match (zone(&path), new.get(&path)) {
            (Zone::Test, entry) => entry.cloned(),
            (Zone::Production | Zone::Deciding, Some(entry)) if is_rust(&path) => {
                let Some(here) = listing.get(&path) else { continue };
                let texts = shadow.read_blobs(&[here.oid.as_str(), entry.oid.as_str()])?;
                let [Some(here), Some(there)] = [0, 1].map(|n| texts.get(n).and_then(|t| text(t)))
                else {
                    continue;
                };
                let oid = shadow.write_blob(join_rust(here, &parts(there).tests).as_bytes())?;
                Some(Entry { mode: entry.mode, oid })
            }
            (Zone::Production | Zone::Deciding, _) => continue,
        };
        match entry {
            Some(entry) => listing.insert(path, entry),
            None => listing.remove(&path),
        };
    }
    Ok(shadow.write_tree(&listing)?)
}

/// Whether a link's target lies outside the tree, as it is written.
fn leads_out(dir: &Path, path: &str) -> bool {
    let Ok(target) = std::fs::read_link(on_disk(dir, path)) else { return false };
    // How many folders below the top the link itself lies.
    let mut depth = path.matches('/').count();
    for part in target.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => return true,
            Component::CurDir => {}
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
        }
    }
    false
}

fn is_file(mode: Mode) -> bool {
    matches!(mode, Mode::File | Mode::Exec)
}

pub(crate) fn is_rust(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|ending| ending == "rs")
}

/// The tester may change the test items of a Rust source, and nothing else in it.
fn inline_tests_only(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Ruling {
    let texts = (old.and_then(text), new.and_then(text));
    let (true, (Some(old), Some(new))) = (is_rust(path), texts) else {
        return Ruling::PutBack(NOT_A_TEST);
    };
    let (before, after) = (parts(old), parts(new));
    if before.production == after.production {
        return Ruling::Keep;
    }
    if before.tests == after.tests {
        return Ruling::PutBack(NOT_A_TEST);
    }
    Ruling::Mend(join_rust(old, &after.tests).into_bytes(), NOT_A_TEST)
}

/// A Rust source as production lines and test items; blank lines and line ends don't count.
pub(crate) struct Parts {
    pub(crate) production: Vec<String>,
    pub(crate) tests: Vec<String>,
}

pub(crate) fn parts(source: &str) -> Parts {
    let lines = |text: &str| {
        text.lines().map(str::trim_end).filter(|l| !l.is_empty()).map(str::to_owned).collect()
    };
    match split_rust(source) {
        Some(split) => Parts { production: lines(&split.production), tests: split.tests },
        None => Parts { production: lines(source), tests: Vec::new() },
    }
}

/// What becomes of a production file in which something is sealed: none where it may stay as it is, else the text that takes
/// its place and why; the sealed file itself where it is not in parts that the two disagree.
pub(crate) fn with_seal(
    path: &str,
    sealed: &[u8],
    now: Option<&[u8]>,
) -> Option<(Vec<u8>, &'static str)> {
    match production(path, Some(sealed), now, Err(SEALED)) {
        Ruling::Keep => None,
        Ruling::PutBack(why) => Some((sealed.to_owned(), why)),
        Ruling::Mend(text, why) => Some((text, why)),
    }
}

/// The coder may change production code, but neither inline tests nor the tables that decide how tests run.
fn production(
    path: &str,
    old: Option<&[u8]>,
    new: Option<&[u8]>,
    tidied: Result<(), &'static str>,
) -> Ruling {
    // A file that is not there decides what an empty one does.
    let part = |bytes: Option<&[u8]>| deciding_part(path, bytes.unwrap_or_default());
    if part(old) != part(new) {
        return Ruling::PutBack(DECIDES);
    }
    if !is_rust(path) {
        return Ruling::Keep;
    }
    let sealed = old.and_then(text).map(|old| parts(old).tests).unwrap_or_default();
    match new.and_then(text) {
        None if !sealed.is_empty() => Ruling::PutBack(SEALED),
        None => Ruling::Keep,
        Some(new) if parts(new).tests == sealed => Ruling::Keep,
        Some(new) => match tidied {
            Ok(()) if !sealed.is_empty() => Ruling::Keep,
            Ok(()) => Ruling::Mend(join_rust(new, &sealed).into_bytes(), SEALED),
            Err(why) => Ruling::Mend(join_rust(new, &sealed).into_bytes(), why),
        },
    }
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Whether a file can hold tests.
pub(crate) fn may_hold_tests(path: &str) -> bool {
    proctor_lang::zone(path) == Zone::Test || is_rust(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a file: kept, put back, or mended into a text.
    fn word(ruling: Ruling) -> String {
        match ruling {
            Ruling::Keep => "keep".to_owned(),
            Ruling::PutBack(_) => "put back".to_owned(),
            Ruling::Mend(text, _) => String::from_utf8(text).unwrap(),
        }
    }

    fn coder(path: &str, old: Option<&str>, new: Option<&str>) -> String {
        word(production(path, old.map(str::as_bytes), new.map(str::as_bytes), Err(SEALED)))
    }

    fn tester(path: &str, old: Option<&str>, new: Option<&str>) -> String {
        word(inline_tests_only(path, old.map(str::as_bytes), new.map(str::as_bytes)))
    }

    #[test]
    fn a_manifest_may_change_but_not_the_tables_that_decide_how_tests_run() {
        let plain = "[project]\nname = \"a\"\n";
        let more = "[project]\nname = \"a\"\ndependencies = [\"b\"]\n";
        let rigged = "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"--co\"\n";
        assert_eq!(coder("pyproject.toml", Some(plain), Some(more)), "keep");
        assert_eq!(coder("pyproject.toml", Some(plain), Some(rigged)), "put back");
        assert_eq!(coder("pyproject.toml", Some(rigged), Some(plain)), "put back");
        assert_eq!(coder("pyproject.toml", Some(rigged), None), "put back");
        assert_eq!(coder("pyproject.toml", None, Some(plain)), "keep");
        assert_eq!(coder("pyproject.toml", None, Some(rigged)), "put back", "also in a new file");
        assert_eq!(
            coder("Cargo.toml", Some("[package]\n"), Some("[package]\nautotests = false\n")),
            "put back"
        );
    }

    const CODE: &str = "pub fn f() -> u8 {\n    1\n}\n";
    const TEST: &str = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {\n        assert_eq!(super::f(), 1);\n    }\n}\n";

    #[test]
    fn inline_tests_are_the_testers_and_the_rest_of_the_file_is_the_coders() {
        let (both, better) = (format!("{CODE}{TEST}"), CODE.replace('1', "2"));
        let loose = both.replace("assert_eq!(super::f(), 1)", "super::f()");
        assert_eq!(tester("src/lib.rs", Some(CODE), Some(&both)), "keep");
        assert_eq!(
            tester("src/lib.rs", Some(&both), Some(&better)),
            CODE.to_owned(),
            "its own tests may go"
        );
        assert_eq!(tester("src/lib.rs", Some(CODE), Some(&better)), "put back");
        assert_eq!(tester("calc.py", Some("a"), Some("b")), "put back");
        assert_eq!(coder("src/lib.rs", Some(CODE), Some(&better)), "keep");
        let mended = coder("src/lib.rs", Some(&both), Some(&better));
        assert!(
            mended.contains("    2\n") && mended.contains("assert_eq!(super::f(), 1)"),
            "{mended}"
        );
        let mended = coder("src/lib.rs", Some(&both), Some(&loose));
        assert!(mended.contains("assert_eq!(super::f(), 1)"), "{mended}");
        assert_eq!(coder("src/lib.rs", Some(&both), None), "put back");
    }
}
