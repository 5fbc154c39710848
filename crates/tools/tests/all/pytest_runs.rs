//! How pytest runs as a whole end.

use crate::stage::{end, pytest, reason};
use proctor_core::report::{CaseEnd, Owner, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_tools::Manner;
use std::time::Duration;

fn suspect(files: &[(&str, &str)]) -> Option<String> {
    let report = pytest(files)?.run();
    match report.end {
        RunEnd::Suspect { note } => Some(note),
        other => panic!("not suspect: {other:?}"),
    }
}

#[test]
fn tests_that_observe_end_as_they_do_else_and_no_account_of_a_failure_is_made() {
    let test = "def test_a__o0():\n    print('a')\n    assert 1 == 2\ndef test_b__o0(capfd):\n    print('b')\n    assert capfd.readouterr().out == 'b\\n'\n";
    let Some(mut stage) = pytest(&[("tests/test_a.py", test)]) else { return };
    stage.ask.manner = Manner::Observing;
    let report = stage.finished();
    assert!(matches!(end(&report, "tests/test_a.py::test_a__o0"), CaseEnd::Failed { .. }));
    assert_eq!(end(&report, "tests/test_a.py::test_b__o0"), &CaseEnd::Passed);
    let said = String::from_utf8_lossy(&stage.outputs.last().unwrap().stdout).into_owned();
    assert!(!said.contains("in test_a__o0"), "{said}");
    stage.write("tests/test_b.py", "import none\n");
    assert!(matches!(stage.run().end, RunEnd::CollectFailed { .. }));
}

#[test]
fn a_run_with_every_kind_of_end_is_finished() {
    let Some(mut stage) = pytest(&[(
        "tests/test_a.py",
        "
import pytest, unittest
def test_ok(): assert 1 + 1 == 2
def test_bad(): assert 1 + 1 == 3
@pytest.mark.skip(reason='later')
def test_skip(): assert False
@pytest.mark.xfail
def test_xfail(): assert False
@pytest.mark.xfail
def test_xpass(): assert True
@pytest.mark.parametrize('x', [1, 'a/b', 'ü'])
def test_p(x): assert x
@pytest.fixture
def broken(): raise ValueError('no')
def test_setup(broken): pass
@pytest.fixture
def leaves():
    yield
    raise ValueError('late')
def test_teardown(leaves): pass
class TestC:
    def test_m(self): assert True is not None
class Suite(unittest.TestCase):
    def test_u(self): self.assertEqual(1, 1)
    def test_sub(self):
        with self.subTest(i=1): self.assertTrue([1])
class Broken(unittest.TestCase):
    def setUp(self): raise ValueError('no')
    def test_v(self): pass
",
    )]) else {
        return;
    };
    let report = stage.finished();
    let word = |name: &str| end(&report, &format!("tests/test_a.py::{name}")).word();
    for (name, wanted) in [
        ("test_ok", "passed"),
        ("test_bad", "failed"),
        ("test_skip", "skipped"),
        ("test_xfail", "skipped"),
        ("test_xpass", "skipped"),
        ("test_p[1]", "passed"),
        ("test_p[a/b]", "passed"),
        ("test_setup", "errored"),
        ("test_teardown", "errored"),
        ("TestC::test_m", "passed"),
        ("Suite::test_u", "passed"),
        ("Suite::test_sub", "passed"),
        ("Broken::test_v", "errored"),
    ] {
        assert_eq!(word(name), wanted, "{name}");
    }
    assert_eq!(report.cases.len(), 14);
    assert_eq!(
        end(&report, "tests/test_a.py::test_skip"),
        &CaseEnd::Skipped { why: "Skipped: later".to_owned() }
    );
    assert_eq!(
        end(&report, "tests/test_a.py::test_xfail"),
        &CaseEnd::Skipped { why: "expected to fail".to_owned() }
    );
}

#[test]
fn ids_and_items_are_the_same() {
    let source = "import unittest\ndef test_a(): assert f\nf = 1\nclass TestB:\n    def test_c(self): assert f\nclass D(unittest.TestCase):\n    def test_e(self): self.assertTrue(f)\n";
    let Some(mut stage) =
        pytest(&[("pkg/tests/test_x.py", source), ("pkg/pytest.ini", "[pytest]\n")])
    else {
        return;
    };
    stage.ask.subdir = "pkg".to_owned();
    let report = stage.finished();
    let tree = proctor_lang::FolderTree::new(&stage.ask.tree);
    let items = stage.runner.items(&tree, &["pkg/tests/test_x.py".to_owned()]);
    let mut ids: Vec<TestId> = items.into_iter().map(|i| i.id).collect();
    ids.sort();
    assert_eq!(report.cases.keys().cloned().collect::<Vec<_>>(), ids);
    assert_eq!(ids[2].as_str(), "pkg/tests/test_x.py::test_a");
}

#[test]
fn only_the_asked_tests_run() {
    let source = "import pytest\n@pytest.mark.parametrize('x', [1, 2])\ndef test_p(x): assert x\ndef test_q(): assert False\n";
    let Some(stage) = pytest(&[("test_a.py", source), ("test_b.py", "import nothing_here\n")])
    else {
        return;
    };
    let report = stage.only(&["test_a.py::test_p"]).finished();
    let ids: Vec<&str> = report.cases.keys().map(TestId::as_str).collect();
    assert_eq!(ids, ["test_a.py::test_p[1]", "test_a.py::test_p[2]"]);
}

#[test]
fn no_tests_is_its_own_end() {
    let Some(mut stage) = pytest(&[("a.py", "")]) else { return };
    assert_eq!(stage.run().end, RunEnd::NoTests);
    let Some(stage) = pytest(&[("test_a.py", "def test_a(): pass\n")]) else { return };
    assert_eq!(stage.only(&["test_a.py::test_b"]).run().end, RunEnd::NoTests);
}

#[test]
fn files_that_can_not_be_collected_are_named_and_the_others_still_run() {
    let Some(mut stage) = pytest(&[
        ("shop/__init__.py", ""),
        ("tests/test_ok.py", "def test_a(): assert True\n"),
        ("tests/test_syntax.py", "def test_a(:\n"),
        ("tests/test_missing.py", "from shop import cart\ndef test_b(): assert cart\n"),
        ("tests/test_file.py", "open('nothing.txt')\n"),
    ]) else {
        return;
    };
    let report = stage.run();
    let RunEnd::CollectFailed { errors } = &report.end else { panic!("{:?}", report.end) };
    assert_eq!(report.cases.len(), 1);
    let of = |file: &str| &errors.iter().find(|e| e.place.file == file).unwrap().reason;
    assert!(
        matches!(of("tests/test_syntax.py"), Reason::Other { message, place: Some(place) } if message.contains("SyntaxError") && place.line == Some(1))
    );
    let Reason::Missing { name, owner, .. } = of("tests/test_missing.py") else {
        panic!("{errors:?}")
    };
    assert_eq!((name.as_str(), *owner), ("shop.cart", Owner::Project));
    assert!(matches!(of("tests/test_file.py"), Reason::Other { .. }));
}

#[test]
fn a_run_at_its_time_limit_names_the_running_test() {
    let Some(mut stage) =
        pytest(&[("test_a.py", "def test_a(): pass\ndef test_b():\n    while True: pass\n")])
    else {
        return;
    };
    stage.limit = Duration::from_secs(4);
    let report = stage.run();
    assert_eq!(report.end, RunEnd::TimedOut { running: Some(TestId::new("test_a.py::test_b")) });
    assert!(report.passed(&TestId::new("test_a.py::test_a")));
}

#[test]
fn leaving_the_process_with_success_is_suspect() {
    let Some(note) = suspect(&[("test_a.py", "import os\ndef test_a(): os._exit(0)\n")]) else {
        return;
    };
    assert!(note.contains("test_a.py::test_a"), "{note}");
}

#[test]
fn a_killed_run_and_a_broken_tool_are_crashes() {
    for (source, said) in [
        ("import os, signal\ndef test_a(): os.kill(os.getpid(), signal.SIGKILL)\n", "signal 9"),
        ("import sys\nsys.exit(0)\n", "exit 3"),
    ] {
        let Some(mut stage) = pytest(&[("test_a.py", source)]) else { return };
        let report = stage.run();
        assert!(
            matches!(&report.end, RunEnd::Crashed { note } if note.contains(said)),
            "{:?}",
            report.end
        );
    }
    let Some(mut stage) =
        pytest(&[("test_a.py", ""), ("pytest.ini", "[pytest]\naddopts = --no-such-option\n")])
    else {
        return;
    };
    let end = stage.run().end;
    assert!(matches!(&end, RunEnd::Crashed { note } if note.contains("no-such-option")), "{end:?}");
}

#[test]
fn hooks_that_forge_the_outcome_are_suspect() {
    let failing = ("test_a.py", "def test_a(): assert 1 == 2\n");
    let rewrites = "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    r = out.get_result()\n    r.outcome = 'passed'\n    r.longrepr = None\n";
    let Some(note) = suspect(&[failing, ("conftest.py", rewrites)]) else { return };
    assert!(note.contains("reported as passed"), "{note}");
    let status = "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n";
    let note = suspect(&[failing, ("conftest.py", status)]).unwrap();
    assert!(note.contains("ended with 0"), "{note}");
    let exits = "import os\ndef pytest_unconfigure(config): os._exit(0)\n";
    let note = suspect(&[failing, ("conftest.py", exits)]).unwrap();
    assert!(note.contains("process with 0"), "{note}");
    let note = suspect(&[
        ("test_a.py", "def test_a(): assert True\n"),
        ("pytest.ini", "[pytest]\naddopts = --collect-only\n"),
    ])
    .unwrap();
    assert!(note.contains("run none"), "{note}");
}

#[test]
fn a_junit_file_that_is_missing_or_differs_is_suspect() {
    let Some(mut stage) = pytest(&[("test_a.py", "def test_a(): assert 1 == 2\n")]) else { return };
    stage.finished();
    let junit = stage.ask.scratch.join("junit.xml");
    let text = std::fs::read_to_string(&junit).unwrap();
    let passed = text.replace("<failure", "<other").replace("</failure", "</other");
    for forged in [Some(passed), Some("<testsuites".to_owned()), None] {
        match forged {
            Some(text) => std::fs::write(&junit, text).unwrap(),
            None => std::fs::remove_file(&junit).unwrap(),
        }
        let end = stage.runner.read(&stage.ask, &stage.outputs).end;
        assert!(matches!(&end, RunEnd::Suspect { note } if note.contains("JUnit")), "{end:?}");
    }
}

#[test]
fn options_of_the_project_that_stop_early_do_not_count() {
    let Some(mut stage) = pytest(&[
        ("test_a.py", "def test_a(): assert 1 == 2\ndef test_b(): assert 1 == 1\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-x --ff'\n"),
    ]) else {
        return;
    };
    assert_eq!(stage.finished().cases.len(), 2);
    stage.ask.tools.extra_args = vec!["-x".to_owned()];
    let report = stage.finished();
    assert!(matches!(reason(&report, "test_a.py::test_a"), Reason::Assertion { .. }));
}

#[test]
fn a_source_folder_is_on_the_path_and_the_tree_stays_clean() {
    let Some(mut stage) = pytest(&[
        ("src/shop/__init__.py", "price = 3\n"),
        ("tests/test_a.py", "from shop import price\ndef test_a(tmp_path): assert price == 3\n"),
    ]) else {
        return;
    };
    stage.finished();
    let tree = &stage.ask.tree;
    let mut names: Vec<String> = std::fs::read_dir(tree)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["src", "tests"]);
    assert!(!tree.join("tests/__pycache__").exists() && !tree.join(".pytest_cache").exists());
}

#[test]
fn what_unittest_finds_and_pytest_does_not_is_run_where_the_project_says_nothing_else() {
    let case =
        "import unittest\nclass Shop(unittest.TestCase):\n    def test_a(self): assert 1 == 1\n";
    let files = [
        ("test.py", case),
        ("shop/tests.py", "def test_b(): assert 1 == 1\n"),
        // A script of such a name is not imported.
        ("tools/test.py", "import sys\nsys.exit(3)\n"),
        ("test_c.py", "def test_c(): assert 1 == 1\n"),
    ];
    let Some(mut stage) = pytest(&files) else { return };
    let ids = |stage: &mut crate::stage::Stage| {
        let report = stage.finished();
        report.cases.keys().map(|id| id.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        ids(&mut stage),
        ["shop/tests.py::test_b", "test.py::Shop::test_a", "test_c.py::test_c"]
    );
    stage.write("pytest.ini", "[pytest]\npython_files = test_*.py\n");
    assert_eq!(ids(&mut stage), ["test_c.py::test_c"]);
    // One that is asked for by its id runs once.
    stage.write("pytest.ini", "[pytest]\n");
    let mut stage = stage.only(&["test.py::Shop::test_a"]);
    assert_eq!(ids(&mut stage), ["test.py::Shop::test_a"]);
}
