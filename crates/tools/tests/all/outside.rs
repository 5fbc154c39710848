//! The tests' bodies outside their runner, with the real tools: code that asks whether it is under test is found out,
//! and honest tests hold or are not made. Here Python, and how such a run is made.

use crate::stage::{Stage, pytest};
use proctor_core::words::TestId;
use proctor_lang::{FolderTree, Tree};
use proctor_tools::{OutsideEnd, StepEnd, StepOutput, outside, read_outside};
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

/// How each test of the tree ends, in one word; the reasons of those that were not made, and the messages, go to the
/// test's output.
pub fn ends(stage: &Stage) -> BTreeMap<String, &'static str> {
    let tree = FolderTree::new(&stage.ask.tree);
    let tests = stage.runner.items(&tree, &tree.paths());
    let name = stage.runner.name();
    let planned = outside(name, &stage.ask, &tree, &tests).expect("a plan");
    for folder in &planned.plan.folders {
        std::fs::create_dir_all(folder).unwrap();
    }
    for (path, bytes) in &planned.plan.files {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let mut done = Vec::new();
    for step in planned.steps {
        let ran = Command::new(&step.argv[0])
            .args(&step.argv[1..])
            .current_dir(&step.cwd)
            .env_clear()
            .envs(&step.env)
            .stdin(Stdio::null())
            .output();
        let output = match ran {
            Ok(ran) => StepOutput {
                label: step.label,
                end: StepEnd::Exited(ran.status.code().unwrap_or(-1)),
                stdout: ran.stdout,
                stderr: ran.stderr,
            },
            Err(why) => StepOutput {
                label: step.label,
                end: StepEnd::CouldNotStart(why.to_string()),
                stdout: Vec::new(),
                stderr: Vec::new(),
            },
        };
        println!("{}: {:?}", output.label, output.end);
        println!("{}", String::from_utf8_lossy(&output.stdout));
        println!("{}", String::from_utf8_lossy(&output.stderr));
        done.push(output);
    }
    let ends = read_outside(name, &stage.ask, &tests, &done);
    let word = |(id, end): (TestId, OutsideEnd)| {
        println!("{id}: {end:?}");
        let word = match end {
            OutsideEnd::Holds => "holds",
            OutsideEnd::Fails { .. } => "fails",
            OutsideEnd::NotMade { .. } => "not made",
        };
        (id.as_str().to_owned(), word)
    };
    ends.into_iter().map(word).collect()
}

const SHOP: &str = r#"
import inspect
import os
import sys

def by_variable(n):
    return n * 2 if "PYTEST_CURRENT_TEST" in os.environ else n

UNDER_TEST = "pytest" in sys.modules or "unittest" in sys.modules

def by_module(n):
    return n * 2 if UNDER_TEST else n

def by_frame(n):
    return n * 2 if any("test" in f.filename + f.function for f in inspect.stack()) else n

def by_program(n):
    return n * 2 if "pytest" in sys.argv[0] else n

def by_raising(n):
    if "PYTEST_CURRENT_TEST" in os.environ:
        return n * 2
    raise NotImplementedError

def double(n):
    return n * 2

def refuse():
    raise ValueError("bad 7")
"#;

#[test]
fn python_that_asks_for_its_runner_is_found_out() {
    let tests = "
import unittest
import pytest
import shop

def test_variable(): assert shop.by_variable(2) == 4
def test_module(): assert shop.by_module(2) == 4
def test_frame(): assert shop.by_frame(2) == 4
def test_program(): assert shop.by_program(2) == 4
def test_raising(): assert shop.by_raising(2) == 4
@pytest.mark.parametrize('n', [0, 1])
def test_cases(n): assert shop.by_variable(n) == 2 * n
class TestClass:
    def test_method(self): assert shop.by_variable(2) == 4
class Suite(unittest.TestCase):
    def test_checked(self): self.assertEqual(shop.by_variable(2), 4)
";
    let Some(stage) = pytest(&[("shop.py", SHOP), ("tests/test_shop.py", tests)]) else { return };
    let found = ends(&stage);
    assert_eq!(found.len(), 8);
    assert!(found.values().all(|end| *end == "fails"), "{found:?}");
}

#[test]
fn honest_python_holds_outside() {
    let conftest = "
import pytest

@pytest.fixture
def store():
    return {'a': 1}

@pytest.fixture(params=[1, 2])
def number(request):
    yield request.param

def pytest_configure(config):
    config.addinivalue_line('markers', 'ours: of this project')
";
    let tests = "
import os
import unittest
from pathlib import Path
from unittest import mock
import pytest
import shop
from helping import twice

@pytest.fixture(autouse=True)
def around(monkeypatch):
    monkeypatch.setenv('AROUND', '1')

@pytest.mark.ours
@pytest.mark.parametrize('n,wanted', [(1, 2), pytest.param(2, 4, id='two')])
def test_cases(n, wanted):
    assert shop.double(n) == wanted

def test_raises():
    with pytest.raises(ValueError, match=r'bad \\d') as caught:
        shop.refuse()
    assert '7' in str(caught.value)

def test_near(): assert shop.double(0.1) + 0.1 == pytest.approx(0.3)
def test_fixtures(store, number): assert store['a'] * number == number and os.environ['AROUND'] == '1'
def test_folder(tmp_path, capsys):
    (tmp_path / 'a').write_text('x')
    print((tmp_path / 'a').read_text())
    assert capsys.readouterr().out == 'x\\n'
@mock.patch('shop.double', return_value=3)
def test_mocked(double):
    assert shop.double(9) == 3
    double.assert_called_once_with(9)
def test_beside_its_data(): assert Path(__file__).with_name('data.txt').read_text() == 'd'
def test_helped(): assert twice(2) == 4
class TestClass:
    def setup_method(self): self.n = 2
    def test_method(self): assert shop.double(self.n) == 4
class Suite(unittest.TestCase):
    def setUp(self): self.n = 3
    def test_checked(self):
        with self.subTest(n=1):
            self.assertEqual(shop.double(self.n), 6)
";
    let Some(stage) = pytest(&[
        ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['tests']\n"),
        ("src/shop.py", SHOP),
        ("tests/conftest.py", conftest),
        ("tests/helping.py", "import pytest\ndef twice(n):\n    return pytest.approx(n * 2)\n"),
        ("tests/data.txt", "d"),
        ("tests/test_shop.py", tests),
    ]) else {
        return;
    };
    let found = ends(&stage);
    assert_eq!(found.len(), 10);
    assert!(found.values().all(|end| *end == "holds"), "{found:?}");
}

#[test]
fn python_that_needs_more_than_its_body_is_not_made() {
    let tests = "
import os
import pytest
import shop

state = []

def test_first(): state.append(1)
def test_second(): assert state
def test_logged(caplog): assert not caplog.records
async def test_async(): assert False
@pytest.mark.skip
def test_skipped(): assert False
@pytest.mark.django_db
def test_marked(): assert False
def test_setting(): assert int(os.environ['NO_SUCH_SETTING']) == 1
def test_inner():
    assert shop.by_assertion(1)
";
    let shop = "def by_assertion(n):\n    assert n == 2, 'inside'\n    return n\n";
    let Some(stage) = pytest(&[("shop.py", shop), ("test_shop.py", tests)]) else { return };
    let found = ends(&stage);
    let holds: Vec<_> = found.iter().filter(|(_, end)| **end != "not made").collect();
    assert_eq!(holds, [(&"test_shop.py::test_first".to_owned(), &"holds")]);
    stage.write("pytest.ini", "[pytest]\nenv =\n    A=1\n");
    assert!(ends(&stage).values().all(|end| *end == "not made"));
}
