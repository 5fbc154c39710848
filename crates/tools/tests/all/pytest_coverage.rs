//! Which lines pytest's tests run.

use crate::pytest_tools::{bare_venv, plugins};
use crate::stage::{Stage, with_program};
use proctor_core::report::RunEnd;
use proctor_tools::{Coverage, Covered};

const SHOP: &str = "def price(x):\n    if x:\n        return 3\n    return 4  # pragma: no cover\n";
/// What pytest itself needs.
const PYTEST: [&str; 7] =
    ["pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments"];
const TEST: &str = "import shop\ndef test_a(): assert shop.price(1) == 3\n";

#[test]
fn lines_that_ran_and_lines_that_did_not_are_told_also_where_the_project_measures_itself() {
    let Some(python) = plugins() else { return };
    let ini = "[tool.pytest.ini_options]\naddopts = '--cov=shop --cov-fail-under=100'\n[tool.coverage.run]\nomit = ['*']\n";
    let files = [
        ("app/src/shop.py", SHOP),
        ("app/src/unused.py", "x = 1\n"),
        ("app/tests/test_a.py", TEST),
        ("app/pyproject.toml", ini),
    ];
    let mut stage = Stage::new("pytest", &files, with_program("python", python));
    stage.ask.subdir = "app".to_owned();
    stage.ask.coverage = Coverage::Measured;
    let report = stage.run();
    assert_eq!(report.end, RunEnd::Finished);
    let Covered::Lines(lines) = stage.runner.coverage(&stage.ask, &stage.outputs) else {
        panic!("{:?}", stage.runner.coverage(&stage.ask, &stage.outputs))
    };
    let shown = |file: &str| format!("{:?} {:?}", lines.files[file].hit, lines.files[file].missed);
    assert_eq!(shown("app/src/shop.py"), "{1, 2, 3} {4}");
    assert_eq!(shown("app/src/unused.py"), "{} {1}");
    assert!(
        !lines.files.contains_key("app/tests/test_a.py"),
        "which lines of tests run says nothing"
    );
    assert!(!stage.ask.tree.join("app/.coverage").exists());
}

#[test]
fn a_failing_run_is_judged_and_measured_and_one_that_leaves_is_not_measured() {
    let Some(python) = plugins() else { return };
    let files = [("shop.py", "def price(x): return 4\n"), ("test_a.py", TEST)];
    let mut stage = Stage::new("pytest", &files, with_program("python", python));
    stage.ask.coverage = Coverage::Measured;
    assert_eq!(stage.finished().counts().failed, 1);
    let covered = stage.runner.coverage(&stage.ask, &stage.outputs);
    assert!(matches!(covered, Covered::Lines(_)), "{covered:?}");
    stage.write("shop.py", "import os\ndef price(x): os._exit(0)\n");
    assert!(matches!(stage.run().end, RunEnd::Suspect { .. }));
    let covered = stage.runner.coverage(&stage.ask, &stage.outputs);
    assert!(matches!(covered, Covered::Unreadable { .. }), "{covered:?}");
}

#[test]
fn without_the_tool_the_tests_still_run_and_the_remedy_is_named() {
    let Some(outer) = plugins() else { return };
    let files = [("shop.py", SHOP), ("test_a.py", TEST)];
    let mut stage = Stage::new("pytest", &files, with_program("python", outer.clone()));
    let at = std::path::PathBuf::from(stage.root()).join("venv");
    bare_venv(&outer, &at, &PYTEST);
    stage.ask.tools = with_program("python", at.join("bin/python"));
    stage.ask.coverage = Coverage::Measured;
    assert_eq!(stage.finished().counts().passed, 1);
    let covered = stage.runner.coverage(&stage.ask, &stage.outputs);
    let Covered::ToolMissing { tool, install } = covered else { panic!("{covered:?}") };
    assert_eq!(tool, "coverage.py");
    assert!(install.ends_with("venv/bin/python -m pip install coverage"), "{install}");
}
