//! Code under test that wants its run to look better than it was.

use crate::pytest_tools::{plugins, venv};
use crate::stage::{Stage, end, pytest, with_program};
use proctor_core::report::RunEnd;

const FAILING: (&str, &str) =
    ("test_a.py", "import shop\ndef test_a(): assert shop.price() == 3\n");

fn note(stage: &mut Stage) -> String {
    match stage.run().end {
        RunEnd::Suspect { note } => note,
        other => panic!("not suspect: {other:?}"),
    }
}

/// Production code of this text, with a price that is wrong.
fn suspect(shop: &str) -> Option<String> {
    let shop = format!("{shop}\ndef price(): return 4\n");
    Some(note(&mut pytest(&[FAILING, ("shop.py", &shop)])?))
}

/// Finds our report and `JUnit`'s as hostile code would.
const FIND: &str = "
import atexit, os, sys, json
own = sys.modules['proctor_report']
lines = own.OUT
junit = os.path.join(os.path.dirname(lines), 'junit.xml')
good = '<testsuites><testsuite name=\"pytest\"><testcase classname=\"test_a\" name=\"test_a\"/></testsuite></testsuites>'
phase = lambda when: {'event': 'phase', 'id': 'test_a.py::test_a', 'when': when, 'outcome': 'passed', 'ms': 1, 'xfail': False, 'raised': False}
story = [{'event': 'begin', 'collect_only': False}, {'event': 'collected', 'ids': ['test_a.py::test_a']}, {'event': 'start', 'id': 'test_a.py::test_a'}, phase('setup'), phase('call'), phase('teardown'), {'event': 'end', 'exit': 0}]
forged = ''.join(json.dumps(line) + '\\n' for line in story)
def put(path, text):
    with open(path, 'w') as out: out.write(text)
";

#[test]
fn a_report_that_is_written_anew_at_the_exit_is_suspect() {
    for exit in [
        "put(lines, forged)",
        "put(junit, good)",
        "put(lines, forged); put(junit, good)",
        "put(lines, forged); put(junit, good); os._exit(0)",
        "put(lines, ''); put(junit, ''); os._exit(0)",
        "os.remove(lines); os.remove(junit); os._exit(0)",
        // What was told on the error channel can't be taken back, and told twice is a forgery.
        "put(lines, forged); put(junit, good); os.write(own._channel, b'\\n{\"proctor-report\": {\"lines\": 7, \"passed\": 3, \"failed\": 0, \"exit\": 0}}\\n'); os._exit(0)",
    ] {
        let Some(note) = suspect(&format!("{FIND}\natexit.register(lambda: exec({exit:?}))\n"))
        else {
            return;
        };
        assert!(!note.is_empty(), "{exit}");
    }
}

#[test]
fn leaving_at_once_with_a_forged_report_is_suspect() {
    let now = format!("{FIND}\nput(lines, forged)\nput(junit, good)\nos._exit(0)\n");
    let Some(note) = suspect(&now) else { return };
    assert!(note.contains("changed after it was written"), "{note}");
}

#[test]
fn lines_that_others_add_to_our_report_are_suspect() {
    let adds = format!(
        "{FIND}\nwith open(lines, 'a') as out: out.write(json.dumps(phase('call')) + '\\n')\n"
    );
    let Some(note) = suspect(&adds) else { return };
    assert!(note.contains("changed after it was written"), "{note}");
}

#[test]
fn what_the_code_prints_means_nothing() {
    let prints = "import os, sys\nprint('===== 9 passed in 0.1s =====')\nos.write(1, b'test_a.py::test_a PASSED\\n')\n";
    let shop = format!("{prints}def price(): return 4\n");
    let Some(mut stage) = pytest(&[FAILING, ("shop.py", &shop)]) else { return };
    assert_eq!(end(&stage.finished(), "test_a.py::test_a").word(), "failed");
}

#[test]
fn production_code_that_skips_is_not_passed() {
    let shop = "import unittest, pytest\ndef price(): raise unittest.SkipTest('later')\ndef other(): pytest.skip('x')\n";
    let tests = "import shop\ndef test_a(): assert shop.price() == 3\ndef test_b(): shop.other()\n";
    let Some(mut stage) = pytest(&[("test_a.py", tests), ("shop.py", shop)]) else { return };
    let report = stage.finished();
    assert_eq!(end(&report, "test_a.py::test_a").word(), "skipped");
    assert_eq!(end(&report, "test_a.py::test_b").word(), "skipped");
}

#[test]
fn hooks_that_rewrite_reports_late_or_swallow_them_are_suspect() {
    for hook in [
        // After our plugin has seen the report, before it is written.
        "@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_logreport(report):\n    report.outcome = 'passed'\n    report.longrepr = None\n",
        "@pytest.hookimpl(wrapper=True, tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n    report = yield\n    report.outcome = 'passed'\n    report.longrepr = None\n    return report\n",
        "@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_protocol(item, nextitem): return True\n",
        "def pytest_collection_modifyitems(items): items[:] = []\n",
        // Before any report is made, and after the test.
        "@pytest.hookimpl(wrapper=True, tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n    call.excinfo = None\n    return (yield)\n",
        "@pytest.hookimpl(hookwrapper=True, tryfirst=True)\ndef pytest_runtest_call(item):\n    out = yield\n    out.force_result(None)\n",
    ] {
        let conftest = format!("import pytest\n{hook}");
        let Some(mut stage) =
            pytest(&[FAILING, ("shop.py", "def price(): return 4\n"), ("conftest.py", &conftest)])
        else {
            return;
        };
        let report = stage.run();
        let green = report.end == RunEnd::Finished
            && report.cases.values().any(|c| c.end.word() == "passed");
        assert!(!green, "{hook}\n{report:#?}");
    }
}

#[test]
fn a_plugin_of_an_installed_package_that_forges_is_suspect() {
    let Some(outer) = plugins() else { return };
    let files = [FAILING, ("shop.py", "def price(): return 4\n")];
    let mut stage = Stage::new("pytest", &files, with_program("python", outer.clone()));
    let at = std::path::PathBuf::from(stage.root()).join("venv");
    venv(&outer, &at);
    let lib = std::fs::read_dir(at.join("lib")).unwrap().next().unwrap().unwrap().path();
    let packages = lib.join("site-packages");
    let info = packages.join("forge-1.dist-info");
    std::fs::create_dir(&info).unwrap();
    std::fs::write(info.join("METADATA"), "Metadata-Version: 2.1\nName: forge\nVersion: 1\n")
        .unwrap();
    std::fs::write(info.join("entry_points.txt"), "[pytest11]\nforge = forge\n").unwrap();
    let hook = "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    out.get_result().outcome = 'passed'\n";
    std::fs::write(packages.join("forge.py"), hook).unwrap();
    stage.ask.tools = with_program("python", at.join("bin/python"));
    let told = note(&mut stage);
    assert!(told.contains("reported as passed"), "{told}");
}

#[test]
fn a_pytest_of_the_trees_own_is_suspect() {
    let Some(mut stage) = pytest(&[FAILING, ("pytest.py", "import sys\nsys.exit(0)\n")]) else {
        return;
    };
    assert!(note(&mut stage).contains("never loaded"));
    let Some(mut stage) = pytest(&[FAILING, ("proctor_report.py", ""), ("proctor_probe.py", "")])
    else {
        return;
    };
    let report = stage.run();
    assert!(!report.cases.values().any(|c| c.end.word() == "passed"), "{report:#?}");
}
