//! Plugins that projects use and options that they set: none of them decides how a run ends, or breaks it.

use crate::pytest_tools::{plugins, python};
use crate::stage::{Stage, end, pytest, reason, with_program};
use proctor_core::report::{CaseEnd, Reason, TestReport};
use proctor_core::words::TestId;
use std::path::Path;

fn staged(files: &[(&str, &str)]) -> Option<Stage> {
    Some(Stage::new("pytest", files, with_program("python", plugins()?)))
}

fn word(report: &TestReport, id: &str) -> &'static str {
    end(report, id).word()
}

const SHOP: &str = "def add(a, b): return a + b\ndef never(): return 1\n";

#[test]
fn options_for_many_processes_retries_order_and_coverage_do_not_decide() {
    let ini = "[pytest]\naddopts = -n auto --reruns 3 --cov=shop --cov-fail-under=99 --cov-report=xml --randomly-seed=5 -p xdist\n";
    let tests = "
import os, pytest, shop
tries = []
def test_c(): assert shop.add(1, 2) == 3
def test_b(): assert 'PYTEST_XDIST_WORKER' not in os.environ
def test_a():
    tries.append(1)
    assert len(tries) > 1
@pytest.mark.flaky(reruns=2)
def test_marked():
    tries.append(1)
    assert len(tries) > 3
";
    let Some(mut stage) = staged(&[("shop.py", SHOP), ("test_a.py", tests), ("pytest.ini", ini)])
    else {
        return;
    };
    let report = stage.finished();
    assert_eq!(word(&report, "test_a.py::test_c"), "passed");
    assert_eq!(word(&report, "test_a.py::test_b"), "passed");
    assert!(matches!(reason(&report, "test_a.py::test_a"), Reason::Assertion { .. }));
    assert!(matches!(reason(&report, "test_a.py::test_marked"), Reason::Assertion { .. }));
    // The order of the source, and no reports of others in the tree.
    let said = String::from_utf8_lossy(&stage.outputs[0].stdout).into_owned();
    let at = |name: &str| said.find(&format!("::{name} ")).unwrap();
    assert!(at("test_c") < at("test_b") && at("test_b") < at("test_a"), "{said}");
    let mut names: Vec<String> = std::fs::read_dir(&stage.ask.tree)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["pytest.ini", "shop.py", "test_a.py"]);
    // Only coverage too low: the tests still pass.
    stage.write("test_a.py", "import shop\ndef test_a(): assert shop.add(1, 2) == 3\n");
    assert_eq!(word(&stage.finished(), "test_a.py::test_a"), "passed");
}

#[test]
fn a_test_at_its_own_limit_is_no_assertion() {
    let tests = "import pytest\n@pytest.mark.timeout(1)\ndef test_a():\n    while True: pass\ndef test_b(): assert 1 + 1 == 2\n";
    let ini = "[pytest]\ntimeout_method = thread\n";
    let Some(mut stage) = staged(&[("test_a.py", tests), ("pytest.ini", ini)]) else { return };
    let report = stage.finished();
    assert!(matches!(reason(&report, "test_a.py::test_a"), Reason::Other { .. }));
    assert_eq!(word(&report, "test_a.py::test_b"), "passed");
}

#[test]
fn an_option_of_a_plugin_that_is_not_installed_is_told() {
    let ini = "[pytest]\naddopts = --no-such-plugin-option=2\n";
    let Some(mut stage) = pytest(&[("test_a.py", "def test_a(): pass\n"), ("pytest.ini", ini)])
    else {
        return;
    };
    let end = format!("{:?}", stage.run().end);
    assert!(end.contains("Crashed") && end.contains("--no-such-plugin-option"), "{end}");
}

#[test]
fn tests_in_the_style_of_unittest_have_their_ends() {
    let Some(mut stage) = pytest(&[(
        "tests/test_a.py",
        "
import unittest
class A(unittest.TestCase):
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertNotEqual(i, 1)
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    @unittest.expectedFailure
    def test_unexpected(self): pass
    @unittest.skip('later')
    def test_skip(self): pass
    def test_skip_inside(self): raise unittest.SkipTest('now')
class B(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError('no')
    def test_b(self): pass
class C(unittest.TestCase):
    def tearDown(self): raise ValueError('no')
    def test_c(self): pass
class D(unittest.IsolatedAsyncioTestCase):
    async def test_d(self): self.assertEqual(1, 2)
",
    )]) else {
        return;
    };
    let report = stage.finished();
    for (name, wanted) in [
        ("A::test_sub", "failed"),
        ("A::test_expected", "skipped"),
        ("A::test_unexpected", "failed"),
        ("A::test_skip", "skipped"),
        ("A::test_skip_inside", "skipped"),
        ("B::test_b", "errored"),
        ("C::test_c", "errored"),
        ("D::test_d", "failed"),
    ] {
        assert_eq!(word(&report, &format!("tests/test_a.py::{name}")), wanted, "{name}");
    }
    let of = |name: &str| reason(&report, &format!("tests/test_a.py::{name}"));
    assert!(matches!(of("A::test_sub"), Reason::Assertion { .. }), "{:?}", of("A::test_sub"));
    assert!(matches!(of("D::test_d"), Reason::Assertion { .. }));
    assert!(matches!(of("A::test_unexpected"), Reason::Other { .. }));
}

#[test]
fn subtests_belong_to_their_test() {
    let tests = "
import pytest
def test_bad(subtests):
    for i in range(3):
        with subtests.test(i=i): assert i != 1
def test_good(subtests):
    with subtests.test('x'): assert 1 + 1 == 2
def test_skips(subtests):
    with subtests.test('x'): pytest.skip('later')
    with subtests.test('y'): assert 1 + 1 == 2
";
    let Some(mut stage) = pytest(&[("test_a.py", tests)]) else { return };
    let probe = "import pytest; print(int(pytest.__version__.split('.')[0]) >= 9)";
    if python(&stage.ask.tools.program("python"), &["-c", probe], Path::new("/")).trim() != "True" {
        println!("skipped: subtests came with pytest 9");
        return;
    }
    let report = stage.finished();
    assert!(matches!(reason(&report, "test_a.py::test_bad"), Reason::Assertion { .. }));
    assert_eq!(word(&report, "test_a.py::test_good"), "passed");
    assert_eq!(word(&report, "test_a.py::test_skips"), "skipped");
}

#[test]
fn doctests_parameters_and_packages_have_ids_of_the_trees_root() {
    let Some(mut stage) = pytest(&[
        ("app/pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--doctest-modules'\n"),
        (
            "app/src/acme/shop.py",
            "def add(a, b):\n    '''\n    >>> add(1, 2)\n    4\n    '''\n    return a + b\n",
        ),
        ("app/tests/__init__.py", ""),
        ("app/tests/deep/__init__.py", ""),
        (
            "app/tests/deep/test_a.py",
            "import pytest\nfrom acme.shop import add\n@pytest.mark.parametrize('x', ['a::b', 'c[d]', 'e f', '\\n', '', 'ü', '\\\\', '../x'])\ndef test_p(x): assert add(1, 1) == 2\n",
        ),
    ]) else {
        return;
    };
    stage.ask.subdir = "app".to_owned();
    let report = stage.finished();
    assert!(report.cases.keys().all(|id| id.as_str().starts_with("app/")), "{report:#?}");
    let doctest = end(&report, "app/src/acme/shop.py::shop.add");
    assert!(
        matches!(doctest, CaseEnd::Failed { reason: Reason::Assertion { place: Some(place), .. } }
            if place.to_string() == "app/src/acme/shop.py:3"),
        "{doctest:?}"
    );
    let whole = TestId::new("app/tests/deep/test_a.py::test_p");
    let cases: Vec<&TestId> = report.cases.keys().filter(|id| whole.covers(id)).collect();
    assert_eq!(cases.len(), 8);
    let only: Vec<String> = cases.iter().map(|id| id.as_str().to_owned()).collect();
    // Each id can be asked for again, alone and by the name that stands for all.
    let mut stage = stage.only(&[whole.as_str()]);
    assert_eq!(stage.finished().cases.len(), 8);
    for id in &only {
        stage = stage.only(&[id]);
        let ran: Vec<String> = stage.finished().cases.into_keys().map(|id| id.0).collect();
        assert_eq!(&ran, std::slice::from_ref(id));
    }
}

#[test]
fn a_fixture_that_breaks_in_a_conftest_is_no_failure() {
    let Some(mut stage) = pytest(&[
        (
            "tests/conftest.py",
            "import pytest\n@pytest.fixture(scope='session')\ndef db(): raise AssertionError('no database')\n",
        ),
        ("tests/test_a.py", "def test_a(db): assert 1 == 2\ndef test_b(): assert 1 + 1 == 2\n"),
    ]) else {
        return;
    };
    let report = stage.finished();
    let broken = end(&report, "tests/test_a.py::test_a");
    assert!(
        matches!(broken, CaseEnd::Errored { message } if message.contains("no database")),
        "{broken:?}"
    );
    assert_eq!(word(&report, "tests/test_a.py::test_b"), "passed");
}

#[test]
fn a_set_up_in_which_the_projects_own_code_breaks_is_a_failure() {
    let Some(mut stage) = pytest(&[
        ("shop.py", "def div(n): return 1 // n\ndef stop(): raise KeyError('late')\n"),
        (
            "tests/test_a.py",
            "import pytest, shop, unittest\n\
             @pytest.fixture\ndef broken(): return shop.div(0)\n\
             @pytest.fixture\ndef lacking(): return shop.basket()\n\
             @pytest.fixture\ndef late():\n    yield\n    shop.stop()\n\
             def test_broken(broken): assert broken == 1\n\
             def test_lacking(lacking): assert lacking == 1\n\
             def test_late(late): assert shop.div(1) == 1\n\
             class Suite(unittest.TestCase):\n    def setUp(self): self.n = shop.div(0)\n    def test_u(self): self.assertEqual(self.n, 1)\n",
        ),
    ]) else {
        return;
    };
    let report = stage.finished();
    let of = |name: &str| end(&report, &format!("tests/test_a.py::{name}"));
    let panics = |end: &CaseEnd| matches!(end, CaseEnd::Failed { reason: Reason::Panic { message, .. } } if message.contains("ZeroDivisionError"));
    assert!(panics(of("test_broken")), "{:?}", of("test_broken"));
    assert!(panics(of("Suite::test_u")), "{:?}", of("Suite::test_u"));
    let lacking = of("test_lacking");
    assert!(
        matches!(lacking, CaseEnd::Failed { reason: Reason::Missing { name, .. } } if name == "shop.basket"),
        "{lacking:?}"
    );
    // Nothing that comes after a test says anything about it.
    assert_eq!(of("test_late").word(), "errored");
}
