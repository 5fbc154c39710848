//! What vitest, jest and `node --test` left behind for small trees, read without them.

use crate::js_stage::js_stage;
use crate::recorded::scene;
use crate::stage::replay;
use crate::{jest_runs, node_runs, vitest_runs};
use proctor_tools::Nextest;

fn check(name: &str, runner: &str, files: &[(&str, &str)]) {
    scene(name, || js_stage(runner, files), replay(runner, Nextest::Absent, files));
}

#[test]
fn each_way_a_vitest_test_can_end() {
    check(
        "vitest-mixed",
        "vitest",
        &[("src/shop.js", vitest_runs::SHOP), ("tests/a.test.js", vitest_runs::TESTS)],
    );
}

#[test]
fn vitest_files_that_can_not_be_loaded() {
    let missing = "import { test, expect } from 'vitest'\nimport { basket } from '../src/basket.js'\ntest('a', () => { expect(basket).toBe(1) })\n";
    let syntax = "import { test } from 'vitest'\ntest('a', () => {\n";
    check("vitest-collect", "vitest", &[("tests/a.test.js", missing), ("tests/b.test.js", syntax)]);
}

#[test]
fn a_vitest_process_that_leaves() {
    check(
        "vitest-left",
        "vitest",
        &[(
            "a.test.js",
            "import { test } from 'vitest'\ntest('a', () => { process.reallyExit(0) })\n",
        )],
    );
}

#[test]
fn each_way_a_jest_test_can_end() {
    let files = [
        ("package.json", jest_runs::PACKAGE),
        ("src/shop.js", jest_runs::SHOP),
        ("tests/a.test.js", jest_runs::TESTS),
    ];
    check("jest-mixed", "jest", &files);
}

#[test]
fn jest_files_that_can_not_be_loaded() {
    let missing = "const { basket } = require('../src/basket.js')\ntest('a', () => { expect(basket).toBe(1) })\n";
    let files = [
        ("package.json", jest_runs::PACKAGE),
        ("tests/a.test.js", missing),
        ("tests/b.test.js", "test('a', () => {\n"),
    ];
    check("jest-collect", "jest", &files);
}

#[test]
fn a_jest_process_that_leaves() {
    let files = [
        ("package.json", jest_runs::PACKAGE),
        ("a.test.js", "test('a', () => { process.exit(0) })\n"),
    ];
    check("jest-left", "jest", &files);
}

#[test]
fn each_way_a_test_of_nodes_own_can_end() {
    let files = [
        ("package.json", node_runs::PACKAGE),
        ("src/shop.js", vitest_runs::SHOP),
        ("test/a.test.js", node_runs::TESTS),
    ];
    check("node-mixed", "node", &files);
}

#[test]
fn files_of_nodes_own_tests_that_can_not_be_loaded() {
    let missing = "import test from 'node:test'\nimport { basket } from '../src/basket.js'\ntest('a', () => { basket() })\n";
    let syntax = "import test from 'node:test'\ntest('a', () => {\n";
    check(
        "node-collect",
        "node",
        &[
            ("package.json", node_runs::PACKAGE),
            ("test/a.test.js", missing),
            ("test/b.test.js", syntax),
        ],
    );
}

#[test]
fn a_process_of_nodes_own_tests_that_leaves() {
    let left = "import test from 'node:test'\ntest('a', () => { process.exit(0) })\n";
    check("node-left", "node", &[("package.json", node_runs::PACKAGE), ("a.test.js", left)]);
}
