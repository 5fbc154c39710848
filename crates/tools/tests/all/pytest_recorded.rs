//! What pytest left behind for small trees, read without it.

use crate::recorded::scene;
use crate::stage::{pytest, replay};
use proctor_tools::Nextest;

const PYTHON: &str = "import pytest, shop\ndef test_holds(): assert shop.add(1, 0) == 1\ndef test_adds(): assert shop.add(1, 2) == 3\ndef test_missing(): shop.basket()\ndef test_breaks(): shop.div(1)\n@pytest.mark.skip(reason='later')\ndef test_skipped(): pass\n@pytest.fixture\ndef broken(): raise ValueError('no')\ndef test_setup(broken): pass\n";
const SHOP: &str = "def add(a, b): return a - b\ndef div(a): return a / 0\n";

fn check(name: &str, files: &[(&str, &str)]) {
    scene(name, || pytest(files), replay("pytest", Nextest::Absent, files));
}

#[test]
fn each_way_a_test_can_end() {
    check("pytest-mixed", &[("shop.py", SHOP), ("tests/test_a.py", PYTHON)]);
}

#[test]
fn files_that_can_not_be_collected() {
    let missing = "from shop import basket\ndef test_a(): assert basket()\n";
    check(
        "pytest-collect",
        &[("shop.py", SHOP), ("tests/test_a.py", missing), ("tests/test_b.py", "def test_b(:\n")],
    );
}

#[test]
fn a_test_that_leaves_without_a_report() {
    check("pytest-left", &[("test_a.py", "import os\ndef test_a(): os._exit(0)\n")]);
}

#[test]
fn a_file_with_a_syntax_error_alone() {
    check("pytest-syntax", &[("shop.py", "def add(:\n"), ("tests/test_a.py", "import shop\n")]);
}

#[test]
fn a_fixture_of_a_conftest_that_breaks() {
    let conftest = "import pytest\n@pytest.fixture\ndef db():\n    yield 1\n    raise ValueError('late')\n@pytest.fixture\ndef gone(nothing): pass\n";
    let tests = "def test_late(db): assert db\ndef test_gone(gone): pass\n";
    check("pytest-fixture", &[("tests/conftest.py", conftest), ("tests/test_a.py", tests)]);
}

#[test]
fn a_run_that_came_to_its_limit() {
    let files = [("test_a.py", "def test_a(): pass\ndef test_b():\n    while True: pass\n")];
    let live = || {
        let mut stage = pytest(&files)?;
        stage.limit = std::time::Duration::from_secs(4);
        Some(stage)
    };
    scene("pytest-limit", live, replay("pytest", Nextest::Absent, &files));
}

#[test]
fn a_tree_without_tests() {
    check("pytest-none", &[("shop.py", SHOP)]);
}

#[test]
fn tests_that_are_skipped_or_expected_to_fail() {
    let tests = "import pytest\n@pytest.mark.skipif(True, reason='never here')\ndef test_skip(): pass\n@pytest.mark.xfail(reason='known')\ndef test_xfail(): assert 1 == 2\n@pytest.mark.xfail\ndef test_xpass(): pass\n@pytest.mark.xfail(strict=True)\ndef test_strict(): pass\ndef test_inside(): pytest.skip('now')\n";
    check("pytest-skips", &[("test_a.py", tests)]);
}

#[test]
fn tests_in_the_style_of_unittest() {
    let tests = "import unittest\nclass A(unittest.TestCase):\n    def test_sub(self):\n        for i in range(3):\n            with self.subTest(i=i): self.assertNotEqual(i, 1)\n    @unittest.expectedFailure\n    def test_unexpected(self): pass\n    def test_skip(self): self.skipTest('now')\nclass B(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls): raise ValueError('no')\n    def test_b(self): pass\n";
    check("pytest-unittest", &[("tests/test_a.py", tests)]);
}

#[test]
fn code_of_the_users_own_checkout() {
    let files = [("test_a.py", "import shop\ndef test_a(): assert shop.add(1, 0) == 1\n")];
    let live = || {
        let mut stage = pytest(&files)?;
        let user = std::path::PathBuf::from(stage.root()).join("user");
        std::fs::create_dir(&user).unwrap();
        std::fs::write(user.join("shop.py"), SHOP).unwrap();
        stage.write("conftest.py", &format!("import sys\nsys.path.append({user:?})\n"));
        stage.ask.elsewhere = vec![user];
        Some(stage)
    };
    scene("pytest-wrong-code", live, replay("pytest", Nextest::Absent, &files));
}
