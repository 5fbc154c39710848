//! Observing tests of pytest and unittest, run by pytest itself: what their channel says.

use crate::stage::{Stage, pytest};
use proctor_experiments::{Channel, Sample, helping_file, observing, read_channel};

const NAME: &str = "seen-9f31";

fn channel() -> Channel {
    Channel(NAME.into())
}

/// The file with all of its tests observing, once each.
fn rewritten(file: &str, text: &str) -> String {
    let lines = text.lines().zip(1..).filter(|(line, _)| line.trim().starts_with("def test"));
    let samples: Vec<Sample> = lines
        .enumerate()
        .map(|(number, (_, line))| Sample { number, line, copies: vec![Vec::new()] })
        .collect();
    observing(file, text, &samples, &channel()).unwrap().text
}

/// What the tests see; those whose names have no mark of a copy run as they are written.
fn seen(mut stage: Stage, file: &str, text: &str) -> String {
    stage.write(file, &rewritten(file, text));
    let report = stage.run();
    assert!(!report.cases.is_empty(), "{report:?}");
    let bytes = std::fs::read(stage.ask.scratch.join("tmp").join(NAME)).unwrap();
    let mut shown = String::new();
    for ((sample, _), rows) in read_channel(&bytes) {
        for row in rows {
            let holds = if row.holds { "holds" } else { "fails" };
            let raised = row.raised.map(|x| format!(" raised {x}")).unwrap_or_default();
            let (site, sides) = (row.site, row.sides.join(" | "));
            let site = if site > 9999 { site % 1000 + 10_000 } else { site };
            let row = format!("{sample}: {site}.{} {holds} {sides}{raised}\n", row.nth);
            shown.push_str(&row);
        }
    }
    shown
}

#[test]
fn what_helpers_of_python_assert_is_told_by_the_test_that_runs() {
    let helper = "def check(x, y):\n    assert x == y\n\n\ndef both(x):\n    try:\n        assert x == 1\n    except AssertionError:\n        return False\n    return True\n\n\nclass Mixin:\n    def _same(self, x, y):\n        self.assertEqual(x, y)\n";
    let text = "import unittest\n\nimport pytest\nfrom helper import Mixin, both, check\n\n\ndef assert_near(x, y):\n    assert abs(x - y) < 2\n\n\n@pytest.fixture\ndef given():\n    assert_near(1, 1)\n    return 5\n\n\ndef test_a(given):\n    check(given, 5)\n    check(given, 6)\n    assert_near(given, 9)\n    assert not both(2)\n\n\ndef test_b():\n    with pytest.raises(AssertionError):\n        check(1, 2)\n\n\nclass TestC(Mixin, unittest.TestCase):\n    def test_c(self):\n        self._same(1, 2)\n        self._same(2, 2)\n        self.assertRaises(AssertionError, self._same, 1, 2)\n";
    let helper = helping_file("helper.py", helper, &channel()).unwrap();
    let Some(stage) = pytest(&[("helper.py", helper.as_str())]) else { return };
    insta::assert_snapshot!("observe-pytest-helpers", seen(stage, "test_a.py", text));
}

#[test]
fn values_that_can_not_be_shown_are_said_so_and_end_nothing() {
    let text = "import itertools\nimport time\n\n\nclass Bad:\n    def __repr__(self):\n        raise ValueError('no')\n\n    def __eq__(self, other):\n        return True\n\n\nclass Endless(list):\n    def __iter__(self):\n        return itertools.count()\n\n\nclass Deep:\n    def __init__(self):\n        self.me = self\n\n\ndef test_a():\n    assert Bad() == 1\n    assert Endless() == []\n    assert Deep() != 1\n    x = []\n    x.append(x)\n    assert x == x\n    assert object() is not None\n    assert 'a' * 5000 == 'b'\n    assert '\\ud800' == 1\n    assert itertools.count() != 1\n    assert list(range(1000)) == 1\n";
    let Some(stage) = pytest(&[]) else { return };
    insta::assert_snapshot!("observe-pytest-values", seen(stage, "test_a.py", text));
}
