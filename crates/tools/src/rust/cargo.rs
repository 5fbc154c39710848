//! cargo: which step of a test run follows which. First everything is built, and the compiler's messages are read;
//! then either nextest lists and runs the tests, or each test binary is run by itself; then doctests; then, where it
//! is asked for, the lines that ran are counted. Reading is `read`'s.
//!
//! Where some targets do not compile, the binaries that were built are run all the same (without nextest, which would
//! build again), so that their tests still have a result. nextest runs with a configuration of ours: the
//! repository's retries, filters and scripts do not count.
//!
//! The order of the tests is left as written: nextest gives each test a process of its own, so that no order can matter,
//! and libtest has no stable way to another one.

use super::build::{Build, TestBinary};
use super::course::Course;
use super::harness::{self, Harness};
use super::steps::{self, LIST, RUN, asked_binaries};
use super::{cover, doc, read};
use crate::ask::{
    Ask, Coverage, Covered, Footing, Nextest, Plan, Runner, Step, StepEnd, StepOutput, Tools,
};
use crate::at_hand::AtHand;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_core::words::TestId;
use proctor_lang::rust::items;
use proctor_lang::tree::Tree;
use std::path::PathBuf;

/// Rust's cargo, with or without nextest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cargo;

impl Runner for Cargo {
    fn name(&self) -> &'static str {
        "cargo"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cargo"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        let mut files = Vec::new();
        if ask.tools.nextest == Nextest::Installed {
            files.push((steps::config_file(ask), nextest_config(ask).into_bytes()));
        }
        files.extend(ask.starter().map(|(_, script)| script));
        let mut folders = vec![ask.home(), ask.temp(), ask.cache.clone()];
        if ask.coverage == Coverage::Measured {
            folders.push(cover::counts_folder(ask));
        }
        Plan { files, folders }
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        let goes_on = |s: &StepOutput| matches!(s.end, StepEnd::Exited(_) | StepEnd::Signalled(_));
        if !done.iter().all(goes_on) {
            return None;
        }
        match Course::of(ask, done) {
            Course::NotBegun | Course::Cleaned => Some(steps::build_step(ask)),
            Course::Stale(packages) => Some(steps::clean_step(ask, &packages)),
            Course::HalfBuilt => Some(steps::libraries_step(ask)),
            Course::Broke(_) => None,
            Course::Built { code, build, rest } => {
                if build.trouble.is_some() || !build.finished || !build.stale.is_empty() {
                    return None;
                }
                after_build(ask, code, &build, rest)
            }
        }
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        read::read(ask, done)
    }

    /// The built test binaries, each started by itself: nextest would ask cargo, which would build what it thinks is old.
    fn upon(&self, ask: &Ask, done: &[StepOutput]) -> Option<Footing> {
        let Course::Built { code: 0, build, rest } = Course::of(ask, done) else { return None };
        let made = done.len().checked_sub(rest.len())?;
        let whole = build.finished && build.trouble.is_none() && build.stale.is_empty();
        if !whole || ask.coverage == Coverage::Measured {
            return None;
        }
        let mut kept = done.get(..made)?.to_vec();
        // How doctests are run is the same for all of them. Nothing is built for the question: it was asked of this tree.
        let found = rest.iter().find(|s| s.label == doc::FIND && s.end == StepEnd::Exited(0));
        let writes = doc::are_wanted(ask, &build) && found.is_none();
        kept.extend(found.cloned());
        let alike = ask.tools.nextest == Nextest::Absent;
        let tools = Tools { nextest: Nextest::Absent, ..ask.tools.clone() };
        Some(Footing { ask: Ask { tools, ..ask.clone() }, kept, writes, alike })
    }

    /// Doctests are.
    fn compiles(&self, id: &TestId) -> bool {
        doc::item_of(id).is_some()
    }

    fn coverage(&self, ask: &Ask, done: &[StepOutput]) -> Covered {
        cover::read(ask, done)
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        let own = &ask.tools.extra_args;
        let whole = steps::scope(ask).iter().any(|word| word == "--workspace");
        let all: &[&str] = &["cargo", "test", "--workspace"];
        let said = !whole || own.iter().any(|word| word == "--workspace");
        let words = if said { &all[..2] } else { all };
        let target = ask.cache.join("target");
        AtHand::of(ask, "cargo", words).with("CARGO_TARGET_DIR", target.to_string_lossy())
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

/// How nextest ends where cargo can't tell it of every package, also of those that this build has no need of.
const NO_METADATA: i32 = 102;

/// Whether nextest runs the tests: only of a build without errors, and where cargo can tell it of the packages.
pub(crate) fn with_nextest(ask: &Ask, code: i32, rest: &[StepOutput]) -> bool {
    let fails = |s: &StepOutput| s.label == LIST && s.end == StepEnd::Exited(NO_METADATA);
    code == 0 && ask.tools.nextest == Nextest::Installed && !rest.iter().any(fails)
}

/// The binaries that are run by themselves.
pub(crate) fn single_binaries<'a>(
    ask: &Ask,
    (code, build): (i32, &'a Build),
    rest: &[StepOutput],
) -> Vec<&'a TestBinary> {
    let mut binaries = asked_binaries(ask, build);
    if with_nextest(ask, code, rest) {
        binaries.retain(|b| b.harness == Harness::Own);
    }
    binaries
}

fn after_build(ask: &Ask, code: i32, build: &Build, rest: &[StepOutput]) -> Option<Step> {
    let ended = |label: &str| rest.iter().find(|s| s.label == label).map(|s| &s.end);
    if with_nextest(ask, code, rest) {
        for label in [LIST, RUN] {
            match ended(label) {
                None => return Some(steps::nextest_step(ask, build, label)),
                Some(StepEnd::Exited(0)) => {}
                Some(StepEnd::Exited(100)) if label == RUN => {}
                Some(_) => return None,
            }
        }
    }
    let binaries = single_binaries(ask, (code, build), rest);
    if binaries.iter().any(|b| b.kind == "proc-macro") && ended(cover::LIBDIR).is_none() {
        return Some(cover::libdir_step(ask));
    }
    for binary in binaries {
        let Some(step) = rest.iter().find(|s| s.label == binary.id) else {
            return Some(steps::binary_step(ask, build, binary, rest));
        };
        let again = binary.harness == Harness::Own && harness::needs_bare_run(step);
        if again && ended(&harness::bare_label(binary)).is_none() {
            return Some(steps::bare_step(ask, build, binary, rest));
        }
    }
    if doc::are_wanted(ask, build) {
        let Some(find) = rest.iter().find(|s| s.label == doc::FIND) else {
            return Some(doc::find_step(ask));
        };
        if find.end == StepEnd::Exited(0) {
            let runs = doc::runs(ask, find).unwrap_or_default();
            if let Some(run) = runs.iter().find(|run| ended(&run.label()).is_none()) {
                return Some(doc::run_step(ask, run));
            }
        }
    }
    cover::next(ask, build, rest)
}

pub(crate) fn junit_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("junit.xml")
}

fn nextest_config(ask: &Ask) -> String {
    let path = toml::Value::String(junit_file(ask).to_string_lossy().into_owned());
    format!(
        "[profile.default]\nretries = 0\nfail-fast = false\n\n[profile.default.junit]\npath = {path}\n\
         store-success-output = true\nstore-failure-output = true\n"
    )
}
