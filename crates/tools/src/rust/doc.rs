//! Doctests: whether there are any, how they are run, and what came of them.
//!
//! libtest gives JSON on a stable toolchain only with `RUSTC_BOOTSTRAP`, and cargo must not see that: build scripts
//! that ask for it would be run again and their crates built anew, twice in each run. So cargo is asked what it would
//! run (with a program in rustdoc's place that does nothing), and rustdoc is then run that way by itself.
//! rustdoc counts a doctest that leaves its process with success as passed; it tells nothing that would show it.

use super::build::Build;
use super::libtest::{self, Closed, LibtestEnd, Told};
use super::missing::{Names, workspace_root};
use super::read::{Cases, asked, broken};
use super::steps::{LIBTEST_JSON, cargo_env, chooses_targets, program, scope};
use super::{panic, shellwords};
use crate::ask::{Ask, Selection, Step, StepEnd, StepOutput, slashed};
use proctor_core::report::{Case, CaseEnd, Place, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_lang::tree::{FolderTree, Tree, text};
use proctor_lang::zone::has_ending;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(crate) const FIND: &str = "cargo test --doc";

/// How one library's doctests are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocRun {
    pub package: String,
    env: BTreeMap<String, String>,
    args: Vec<String>,
}

impl DocRun {
    pub(crate) fn label(&self) -> String {
        format!("doctests of {}", self.package)
    }
}

/// Whether doctests are asked for and some source may hold one.
pub(crate) fn are_wanted(ask: &Ask, build: &Build) -> bool {
    let asked_for = match &ask.only {
        Selection::All => true,
        Selection::Ids(ids) => ids.iter().any(|id| item_of(id).is_some()),
    };
    asked_for && !chooses_targets(ask) && hold_code(ask, build)
}

fn hold_code(ask: &Ask, build: &Build) -> bool {
    let tree = FolderTree::new(&ask.tree);
    let real = ask.tree.canonicalize().unwrap_or_else(|_| ask.tree.clone());
    let mut folders = vec![slashed(Path::new(&ask.subdir))];
    for library in &build.libraries {
        let inside = library.folder.strip_prefix(&ask.tree);
        let inside = inside.or_else(|_| library.folder.strip_prefix(&real));
        folders.extend(inside.ok().map(slashed));
    }
    let listed =
        |path: &String| folders.iter().any(|f| f.is_empty() || path.starts_with(&format!("{f}/")));
    let paths = tree.paths();
    let mut sources = paths.iter().filter(|p| has_ending(p, "rs") && listed(p));
    sources.any(|path| text(&tree, path).is_some_and(|source| may_hold_code(&source)))
}

/// Whether a doc comment or attribute in a source may hold a code block, fenced or indented.
fn may_hold_code(source: &str) -> bool {
    let fenced = |text: &str| text.contains("```") || text.contains("~~~");
    let in_lines = source.lines().map(str::trim_start).any(|line| {
        let body = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let indented = |b: &str| b.starts_with("     ") || b.starts_with('\t');
        let attribute = line.match_indices("doc").any(|(at, _)| {
            let after = line.get(at + 3..).unwrap_or("").trim_start();
            after.starts_with('=') && !after.starts_with("==") && !line.starts_with("//")
        });
        body.is_some_and(|b| fenced(b) || indented(b)) || attribute
    });
    in_lines || ((source.contains("/**") || source.contains("/*!")) && fenced(source))
}

/// Asks cargo how it would run the doctests. It builds libraries only, so tests that do not compile don't matter.
pub(crate) fn find_step(ask: &Ask) -> Step {
    let mut argv = vec![program(ask)];
    argv.extend(
        ["test", "--doc", "--no-fail-fast", "-vv", "--message-format=json"].map(OsString::from),
    );
    argv.extend(scope(ask));
    argv.push("--".into());
    argv.extend(words(ask).into_iter().map(OsString::from));
    let mut env = cargo_env(ask);
    env.insert("RUSTDOC".into(), nothing(ask).into());
    Step { label: FIND.to_owned(), argv, cwd: ask.workdir(), env }
}

/// What the test program that rustdoc is gets told: how to speak, and which tests are wanted.
fn words(ask: &Ask) -> Vec<String> {
    let mut words: BTreeSet<&str> = BTreeSet::new();
    if let Selection::Ids(ids) = &ask.only {
        // rustdoc splits its filters at white space: the item's name, or the file's, gives no test too few.
        let items = ids.iter().filter_map(item_of);
        words.extend(items.filter_map(|item| item.split(' ').next_back()));
    }
    LIBTEST_JSON.into_iter().chain(words).map(str::to_owned).collect()
}

/// The arguments of rustdoc for this ask, whichever tests were wanted when cargo was asked.
fn args_for(ask: &Ask, run: &DocRun) -> Vec<OsString> {
    let mut args = Vec::new();
    let mut given = run.args.iter();
    while let Some(arg) = given.next() {
        if arg == TEST_ARGS {
            given.next();
        } else {
            args.push(OsString::from(arg));
        }
    }
    args.extend(words(ask).into_iter().flat_map(|word| [TEST_ARGS.into(), word.into()]));
    args
}

/// What stands before each of them.
const TEST_ARGS: &str = "--test-args";

/// A program that does nothing.
fn nothing(ask: &Ask) -> PathBuf {
    ask.tools.program("true")
}

/// What cargo would run. The error says what can't be trusted about it.
pub(crate) fn runs(ask: &Ask, find: &StepOutput) -> Result<Vec<DocRun>, String> {
    let marker = nothing(ask).to_string_lossy().into_owned();
    let known = Build::read(ask, &find.stdout).libraries;
    let mut runs: Vec<DocRun> = Vec::new();
    for words in shellwords::running(&String::from_utf8_lossy(&find.stderr)) {
        let Some(at) = words.iter().position(|word| *word == marker) else {
            continue;
        };
        let (before, args) = (words.get(..at), words.get(at + 1..));
        let env: BTreeMap<String, String> = before
            .unwrap_or_default()
            .iter()
            .filter_map(|word| word.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let args = args.unwrap_or_default().to_vec();
        let crate_name = args
            .iter()
            .position(|arg| arg == "--crate-name")
            .and_then(|at| args.get(at + 1))
            .cloned()
            .unwrap_or_default();
        let get = |key: &str| env.get(key).cloned().unwrap_or_default();
        let (package, folder) = (get("CARGO_PKG_NAME"), PathBuf::from(get("CARGO_MANIFEST_DIR")));
        let library = known.iter().find(|l| l.package == package && l.crate_name == crate_name);
        if library.is_none_or(|l| l.folder != folder) || runs.iter().any(|r| r.package == package) {
            return Err(format!(
                "cargo said how to run doctests of {package}, which it did not build"
            ));
        }
        runs.push(DocRun { package, env, args });
    }
    Ok(runs)
}

pub(crate) fn run_step(ask: &Ask, run: &DocRun) -> Step {
    let mut env = cargo_env(ask);
    for (key, value) in &run.env {
        env.insert(key.into(), value.into());
    }
    env.insert("RUSTC_BOOTSTRAP".into(), "1".into());
    let given = ask.tools.programs.get("rustdoc").cloned();
    let beside = run.env.get("CARGO").map(|cargo| Path::new(cargo).with_file_name("rustdoc"));
    let rustdoc = given.or(beside).unwrap_or_else(|| PathBuf::from("rustdoc"));
    let mut argv: Vec<OsString> = vec![rustdoc.into()];
    argv.extend(args_for(ask, run));
    let root = workspace_root(&FolderTree::new(&ask.tree), &slashed(Path::new(&ask.subdir)));
    Step { label: run.label(), argv, cwd: ask.tree.join(root), env }
}

/// The doctests' cases, and how their part of the run ended. A build with errors has been reported already; what
/// could not be found because of it is not said twice.
pub(crate) fn read(ask: &Ask, steps: &[StepOutput], code: i32, names: &Names) -> (Cases, RunEnd) {
    let mut cases = Cases::new();
    let Some(find) = steps.iter().find(|s| s.label == FIND) else {
        let note = "the doctests were not looked for".to_owned();
        return (cases, RunEnd::Suspect { note });
    };
    let runs = match (&find.end, runs(ask, find)) {
        (StepEnd::Exited(0), Ok(runs)) => runs,
        (_, Err(note)) => return (cases, RunEnd::Suspect { note }),
        (StepEnd::Exited(_), Ok(_)) if code != 0 => return (cases, RunEnd::Finished),
        (end, Ok(_)) => {
            let errors = Build::read(ask, &find.stdout).errors;
            let end = match end {
                StepEnd::Exited(_) if !errors.is_empty() => RunEnd::CollectFailed { errors },
                end => broken(FIND, end, find, None),
            };
            return (cases, end);
        }
    };
    let mut end = RunEnd::Finished;
    for run in &runs {
        let Some(step) = steps.iter().find(|s| s.label == run.label()) else {
            if end == RunEnd::Finished {
                end = RunEnd::Suspect { note: format!("the {} were not run", run.label()) };
            }
            continue;
        };
        let told = libtest::read(&step.stdout);
        let ids = ids(&run.package, &told);
        for (name, told_end) in &told.ends {
            if let Some(id) = ids.get(name).filter(|id| asked(ask, id)) {
                let case = Case { end: case_end(name, told_end, names), took_ms: None };
                cases.insert(id.clone(), case);
            }
        }
        if end == RunEnd::Finished {
            end = end_of(run, step, &told, &ids);
        }
    }
    (cases, end)
}

fn end_of(run: &DocRun, step: &StepOutput, told: &Told, ids: &BTreeMap<String, TestId>) -> RunEnd {
    let what = run.label();
    let suspect = |note: String| RunEnd::Suspect { note };
    let counted = Closed::count(&told.ends);
    match (&step.end, told.closed) {
        (StepEnd::Exited(_), _) if told.twice.is_some() => {
            suspect(format!("{what} told twice: {}", told.twice.as_deref().unwrap_or("")))
        }
        (StepEnd::Exited(code), None) => suspect(format!(
            "rustdoc ended with {code} before it told the result of the {what}\n{}",
            step.tail()
        )),
        (StepEnd::Exited(code @ (0 | 101)), Some(closed))
            if closed == counted && (closed.failed > 0) == (*code == 101) =>
        {
            RunEnd::Finished
        }
        (StepEnd::Exited(code), Some(_)) => suspect(format!(
            "rustdoc ended with {code}, which its events of the {what} do not bear out"
        )),
        (other, _) => {
            let running = told.running.as_ref().and_then(|name| ids.get(name)).cloned();
            broken(&format!("rustdoc with the {what}"), other, step, running)
        }
    }
}

fn case_end(name: &str, told: &LibtestEnd, names: &Names) -> CaseEnd {
    let output = match told {
        LibtestEnd::Ok => return CaseEnd::Passed,
        LibtestEnd::Ignored(_) => return CaseEnd::Skipped { why: "ignored".to_owned() },
        LibtestEnd::Failed(output) => output,
    };
    // rustdoc gives compiler errors and the like as text only: nothing is read out of it.
    if !output.starts_with("Test executable failed") {
        let message = output.trim().to_owned();
        return CaseEnd::Failed { reason: Reason::Other { message, place: None } };
    }
    // A panic in the example itself has a line of the code that rustdoc made of it, so lines of that file say nothing.
    let own = names.place(name.split(" - ").next().unwrap_or(name));
    let mend = |place: Option<Place>| {
        place.map(|p| if p.file == own { Place { line: None, ..p } } else { p })
    };
    panic::end_for(match panic::reason(output, "main", names) {
        Reason::Assertion { message, place } => Reason::Assertion { message, place: mend(place) },
        Reason::Panic { message, place } => Reason::Panic { message, place: mend(place) },
        Reason::Other { message, place } => Reason::Other { message, place: mend(place) },
        missing @ Reason::Missing { .. } => missing,
    })
}

/// Ids for the names that rustdoc gives: without line numbers, which an edit above would move.
fn ids(package: &str, told: &Told) -> BTreeMap<String, TestId> {
    let mut by_item: BTreeMap<String, Vec<(u32, &String)>> = BTreeMap::new();
    for name in told.ends.keys().chain(told.running.as_ref()) {
        let (item, line) = without_line(name);
        by_item.entry(item).or_default().push((line, name));
    }
    let mut ids = BTreeMap::new();
    for (item, mut blocks) in by_item {
        blocks.sort();
        blocks.dedup();
        for (index, (_, name)) in blocks.into_iter().enumerate() {
            let number = if index == 0 { String::new() } else { format!(" #{}", index + 1) };
            ids.insert(name.clone(), TestId::new(format!("{package}::doc {item}{number}")));
        }
    }
    ids
}

/// `src/lib.rs - add (line 3)` is `src/lib.rs - add` at 3, `src/lib.rs - (line 1)` is `src/lib.rs`.
fn without_line(name: &str) -> (String, u32) {
    let cut = name
        .rsplit_once(" (line ")
        .and_then(|(item, rest)| Some((item, rest.strip_suffix(')')?.parse::<u32>().ok()?)));
    match cut {
        Some((item, line)) => (item.strip_suffix(" -").unwrap_or(item).to_owned(), line),
        None => (name.to_owned(), 0),
    }
}

/// What a doctest's id names, without its number; none for other tests' ids.
pub(crate) fn item_of(id: &TestId) -> Option<&str> {
    let (binary, rest) = id.as_str().split_once(' ')?;
    // A test target may be named `doc`; but no test's name begins with a file.
    let file = rest.split(' ').next()?;
    (binary.ends_with("::doc") && file.contains('.')).then_some(())?;
    let item = match rest.rsplit_once(" #") {
        Some((item, number)) if number.parse::<u32>().is_ok() => item,
        _ => rest,
    };
    Some(item)
}

#[cfg(test)]
#[path = "doc_tests.rs"]
mod tests;
