//! Another order of the tests, made out of a number: the same number gives the same order.

use crate::go_stage::go_stage;
use crate::js_stage::js_stage;
use crate::stage::{Stage, pytest};
use proctor_tools::Order;

/// The names that the tests wrote down, in the order in which they ran.
fn ran(stage: &mut Stage, order: Order) -> Vec<String> {
    let log = stage.ask.tree.join("ran.txt");
    stage.ask.order = order;
    std::fs::write(&log, "").unwrap();
    stage.finished();
    std::fs::read_to_string(log).unwrap().split_whitespace().map(str::to_owned).collect()
}

/// As written, twice with one number, and with some other numbers: all run the same tests, and not all in one order.
fn assert_shuffled(stage: &mut Stage, written: &[&str]) -> Vec<Vec<String>> {
    assert_eq!(ran(stage, Order::AsWritten), written);
    let mut orders = Vec::new();
    for seed in [77, 77, u32::MAX] {
        let mut found = ran(stage, Order::Shuffled(seed));
        orders.push(found.clone());
        found.sort();
        let mut all: Vec<&str> = written.to_vec();
        all.sort_unstable();
        assert_eq!(found, all);
    }
    assert_eq!(orders[0], orders[1]);
    assert!(orders.iter().any(|order| order != written), "{orders:?}");
    orders
}

#[test]
fn pytest_runs_files_classes_and_tests_in_another_order() {
    let tests = "
import pytest
def ran(name):
    with open('ran.txt', 'a') as log: log.write(name + '\\n')
class TestA:
    @pytest.fixture(scope='class', params=['x', 'y'])
    def made(self, request): return request.param
    def test_1(self, made): ran('a1' + made)
    def test_2(self, made): ran('a2' + made)
def test_b(): ran('b')
@pytest.mark.parametrize('n', [1, 2])
def test_c(n): ran('c%d' % n)
";
    let other = "def test_d():\n    with open('ran.txt', 'a') as log: log.write('d\\n')\n";
    let Some(mut stage) = pytest(&[("test_a.py", tests), ("test_d.py", other)]) else { return };
    let written = ["a1x", "a2x", "a1y", "a2y", "b", "c1", "c2", "d"];
    for order in assert_shuffled(&mut stage, &written) {
        let places: Vec<usize> = (0..8).filter(|n| order[*n].starts_with('a')).collect();
        assert_eq!(places[3] - places[0], 3, "a class stays together: {order:?}");
    }
}

#[test]
fn go_runs_the_tests_of_a_package_in_another_order() {
    let names = ["A", "B", "C", "D"];
    let body = |name: &&str| format!("func Test{name}(t *testing.T) {{ ran(\"{name}\") }}\n");
    let bodies = names.iter().map(body).collect::<Vec<_>>().concat();
    let source = format!(
        "package demo\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc ran(name string) {{\n\tlog, _ := \
         os.OpenFile(\"ran.txt\", os.O_APPEND|os.O_WRONLY, 0)\n\tlog.WriteString(name + \" \")\n}}\n{bodies}"
    );
    let Some(mut stage) = go_stage(&[("a_test.go", &source)]) else { return };
    assert_shuffled(&mut stage, &names);
}

const SCRIPT: &str = "const ran = (name) => fs.appendFileSync('ran.txt', name + ' ');
for (const name of ['a', 'b', 'c', 'd', 'e']) it('does ' + name, () => ran(name));
";

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn vitest_and_jest_run_the_tests_of_a_file_in_another_order() {
        let vitest = format!("import fs from 'node:fs'; import {{ it }} from 'vitest';\n{SCRIPT}");
        let jest = format!("const fs = require('node:fs');\n{SCRIPT}");
        for (runner, source) in [("vitest", vitest), ("jest", jest)] {
            let files = [("package.json", "{}"), ("a.test.js", source.as_str())];
            let Some(mut stage) = js_stage(runner, &files) else { return };
            assert_shuffled(&mut stage, &["a", "b", "c", "d", "e"]);
        }
    }
}
