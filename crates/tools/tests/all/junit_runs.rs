//! Commands that write `JUnit` XML, run for real.

use crate::stage::{Stage, end, program, reason, skipped, works};
use proctor_core::report::{CaseEnd, Reason, RunEnd};
use proctor_tools::{Covered, Tools};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

fn words(line: &[&str]) -> Vec<String> {
    line.iter().map(|w| (*w).to_owned()).collect()
}

fn stage(command: &[&str], reports: &[&str], files: &[(&str, &str)]) -> Option<Stage> {
    let python = program("python3").filter(|p| works(p, &["-s", "-m", "pytest", "--version"]));
    if python.is_none() {
        skipped("python3 with pytest");
        return None;
    }
    let tools = Tools { command: words(command), reports: words(reports), ..Tools::default() };
    Some(Stage::new("junit", files, tools))
}

const PYTEST: [&str; 7] =
    ["python3", "-m", "pytest", "-p", "no:cacheprovider", "--junitxml={report}", "tests"];

/// Writes a report by itself: a tool of which nothing is known.
const SCRIPT: &str = "import sys\nopen(sys.argv[1], 'w').write('<testsuite name=\"s\" tests=\"1\"><testcase classname=\"c\" name=\"a\"/></testsuite>')\n";

#[test]
fn any_command_that_writes_a_report_where_it_is_told_to_is_read() {
    let tests = "def test_adds(): assert 1 - 2 == 3\ndef test_holds(): assert 1 == 1\ndef test_breaks(): raise ValueError('x')\n";
    let Some(mut stage) = stage(&PYTEST, &["{report}"], &[("tests/test_a.py", tests)]) else {
        return;
    };
    let report = stage.finished();
    assert_eq!(end(&report, "tests.test_a::test_holds"), &CaseEnd::Passed);
    assert!(matches!(reason(&report, "tests.test_a::test_adds"), Reason::Assertion { .. }));
    assert!(matches!(reason(&report, "tests.test_a::test_breaks"), Reason::Other { .. }));
    assert!(matches!(
        stage.runner.coverage(&stage.ask, &stage.outputs),
        Covered::Unreadable { .. }
    ));
    let mut stage = stage.only(&["tests.test_a::test_holds"]);
    let report = stage.run();
    assert_eq!(report.cases.len(), 1);
}

#[test]
fn a_report_that_was_there_before_is_no_result() {
    let old = "<testsuite tests='1'><testcase name='a'/></testsuite>";
    let nothing = [("out/old.xml", old), ("nothing.py", "print('done')\n")];
    let Some(mut stage) = stage(&["python3", "nothing.py"], &["out"], &nothing) else {
        return;
    };
    let report = stage.run();
    assert!(
        matches!(&report.end, RunEnd::Crashed { note } if note.contains("no report") && note.contains("done"))
    );
}

#[test]
fn reports_are_found_by_pattern_and_a_program_by_its_path_in_the_tree() {
    let script = format!("#!/usr/bin/env python3\n{SCRIPT}");
    let files = [("tools/check", script.as_str()), ("build/.keep", ""), ("other.xml", "<html/>")];
    let Some(mut stage) = stage(&["./tools/check", "build/r1.xml"], &["build/r*.xml"], &files)
    else {
        return;
    };
    let path = stage.ask.tree.join("tools/check");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let report = stage.finished();
    assert_eq!(end(&report, "c::a"), &CaseEnd::Passed);
}

#[test]
fn a_command_that_hangs_was_ended_at_its_time_limit() {
    let Some(mut stage) = stage(
        &["python3", "wait.py"],
        &["{report}"],
        &[("wait.py", "input_ = __import__('threading').Event().wait()\n")],
    ) else {
        return;
    };
    stage.limit = Duration::from_secs(1);
    assert_eq!(stage.run().end, RunEnd::TimedOut { running: None });
}

#[test]
fn a_command_that_leaves_in_the_middle_has_no_result() {
    let leaves = "import os\ndef test_a(): os._exit(0)\n";
    let Some(mut stage) = stage(&PYTEST, &["{report}"], &[("tests/test_a.py", leaves)]) else {
        return;
    };
    assert!(matches!(stage.run().end, RunEnd::Crashed { .. }));
}
