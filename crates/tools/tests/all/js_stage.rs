//! Stages for JavaScript tools. vitest, jest and mocha are installed once, in `target/tools/js` (scripts/setup does that), the
//! others in `target/tools/js-more` (scripts/setup-more does), and each tree has a link to them.

use crate::stage::{Stage, program, with_program, works};
use proctor_core::report::{Case, CaseEnd, CollectError, Owner, Reason, RunEnd, TestReport};
use std::path::PathBuf;

/// A body that waits for ever, and ends with the process that started its own: a stage ends only the outermost.
pub const WAITS: &str = "const parent = () => process.getBuiltinModule('node:fs')\
    .readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[1]; const first = parent(); \
    await new Promise(() => { setInterval(() => { \
    if (parent() !== first) process.kill(process.pid, 'SIGKILL') }, 50) })";

/// `PROCTOR_JS_TOOLS` names another folder of packages, to try other versions.
fn packages(runner: &str) -> PathBuf {
    if let Some(other) = std::env::var_os("PROCTOR_JS_TOOLS") {
        return PathBuf::from(other);
    }
    let folder = if MORE.contains(&runner) { "js-more" } else { "js" };
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/tools")
        .join(folder)
        .join("node_modules")
}

/// Those that only slow tests drive.
const MORE: [&str; 6] = ["ava", "jasmine", "tap", "tape", "uvu", "playwright"];

/// A tree with these files for one of the tools; none where it is not installed, which in CI is a failure.
pub fn js_stage(runner: &str, files: &[(&str, &str)]) -> Option<Stage> {
    let node = program("node").filter(|node| works(node, &["--version"]));
    let package = if runner == "playwright" { "@playwright/test" } else { runner };
    let there = runner == "node" || packages(runner).join(package).is_dir();
    let Some(node) = node.filter(|_| there) else {
        let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(
            !in_ci || MORE.contains(&runner),
            "{runner} is not installed, and in CI no test may be skipped"
        );
        println!("skipped: {runner} is not installed");
        return None;
    };
    let stage = Stage::new(runner, files, with_program("node", node));
    if runner != "node" {
        let packages = packages(runner).canonicalize().unwrap();
        std::os::unix::fs::symlink(packages, stage.ask.tree.join("node_modules")).unwrap();
    }
    Some(stage)
}

/// A tree for a runtime with tests of its own; none where it is not installed.
pub fn runtime_stage(name: &str, files: &[(&str, &str)]) -> Option<Stage> {
    let program = packages("ava").join(".bin").join(name);
    if !works(&program, &["--version"]) {
        println!("skipped: {name} is not installed; scripts/setup-more installs it");
        return None;
    }
    Some(Stage::new(name, files, with_program(name, program)))
}

/// What a run that must be suspect says.
pub fn suspect(runner: &str, files: &[(&str, &str)]) -> Option<String> {
    let mut stage = js_stage(runner, files)?;
    match stage.run().end {
        RunEnd::Suspect { note } => Some(note),
        end => panic!("{end:?}\n{}", said(&stage)),
    }
}

/// Whatever a test that fails did to the reports: its run is suspect, or it is told of as failed.
pub fn not_forged(runner: &str, files: &[(&str, &str)]) -> Option<()> {
    let mut stage = js_stage(runner, files)?;
    let report = stage.run();
    let failed =
        |case: &Case| matches!(&case.end, CaseEnd::Failed { reason: Reason::Assertion { .. } });
    let honest = report.end == RunEnd::Finished
        && report.cases.len() == 1
        && report.cases.values().all(failed);
    assert!(honest || matches!(report.end, RunEnd::Suspect { .. }), "{report:?}\n{}", said(&stage));
    Some(())
}

/// What the tool itself said, for a test that fails.
pub fn said(stage: &Stage) -> String {
    let channels = stage.outputs.iter().flat_map(|o| [&o.stdout, &o.stderr]);
    channels.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

/// How each test ended, in one line each.
pub fn ends(report: &TestReport) -> Vec<String> {
    report
        .cases
        .iter()
        .map(|(id, case)| match &case.end {
            CaseEnd::Failed { reason } => format!("{id}: {}", shown(reason)),
            end => format!("{id}: {}", end.word()),
        })
        .collect()
}

/// A reason without its text: word, name and owner, place.
pub fn shown(reason: &Reason) -> String {
    let at = reason.place().map(|p| format!(" at {p}")).unwrap_or_default();
    match reason {
        Reason::Assertion { .. } => format!("assertion{at}"),
        Reason::Panic { .. } => format!("panic{at}"),
        Reason::Other { .. } => format!("other{at}"),
        Reason::Missing { name, owner, .. } => {
            let owner = match owner {
                Owner::Project => "project",
                Owner::Elsewhere => "elsewhere",
                Owner::TestItself => "test",
            };
            format!("missing {name} of {owner}{at}")
        }
    }
}

/// The files that could not be loaded, in one line each.
pub fn collect_errors(report: &TestReport) -> Vec<String> {
    let RunEnd::CollectFailed { errors } = &report.end else { panic!("{:?}", report.end) };
    let mut list: Vec<String> = errors
        .iter()
        .map(|CollectError { place, reason }| format!("{place}: {}", shown(reason)))
        .collect();
    list.sort();
    list
}
