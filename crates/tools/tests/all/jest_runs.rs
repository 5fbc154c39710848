//! jest on small trees.

use crate::js_stage::{WAITS, collect_errors, ends, js_stage, not_forged, said, suspect};
use crate::stage::{end, reason};
use proctor_core::report::{CaseEnd, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_tools::{Coverage, Covered};
use std::time::Duration;

pub const PACKAGE: &str = r#"{"name": "shop", "jest": {"transform": {}}}"#;

pub const SHOP: &str = "exports.add = function add(a, b) { return a - b }
exports.boom = function boom() {
  const none = null
  return none.y
}
exports.Cart = class Cart {}
exports.makeCart = () => new exports.Cart()
exports.listens = function listens() { throw Object.assign(new Error('getaddrinfo ENOTFOUND shop.example'), { code: 'ENOTFOUND' }) }
";

pub const TESTS: &str = "const assert = require('node:assert')
const shop = require('../src/shop.js')
const { add, boom, basket, Cart, makeCart, listens } = shop
const { bag } = require('../src/shop.js')
test('holds', () => { expect(add(1, 0)).toBe(1) })
test('adds', () => { expect(add(1, 2)).toBe(3) })
test('same', () => { expect(1).toBe(1) })
test('same', () => { expect(1).toBe(2) })
describe('deep', () => {
  describe('nest', () => {
    it('boom', () => { boom() })
    it('assert', () => { assert.strictEqual(add(1, 2), 3) })
    it('missing', () => { basket() })
    it('missing in module', () => { shop.basket() })
    it('missing object', () => { bag.total })
    it('missing method', () => { new Cart().total() })
    it('missing method of a value', () => { const cart = makeCart(); cart.total() })
    it('undefined name', () => { nothing() })
    it('undefined value', () => { let u; u.x })
  })
  it.skip('skipped', () => {})
  it.todo('todo')
  it.failing('fails', () => { expect(1).toBe(2) })
  it.failing('fails not', () => { expect(1).toBe(1) })
  it('string', () => { throw 'a string' })
  it('slow', async () => { await new Promise(() => {}) }, 100)
  it('not rejected', async () => { await expect(Promise.resolve(1)).rejects.toThrow() })
  it('wrong matcher', () => { expect(1).toHaveBeenCalled() })
  it('no network', () => { listens() })
})
describe('beforeEach', () => { beforeEach(() => { throw new Error('no') }); it('x', () => {}) })
describe('named hook', () => { function prepare() { boom() } beforeEach(prepare); it('x', () => {}) })
describe('afterEach', () => { afterEach(() => { throw new Error('no') }); it('x', () => {}) })
describe('beforeAll', () => { beforeAll(() => { throw new Error('no') }); it('x', () => {}); describe('in', () => it('y', () => {})) })
describe('slow hook', () => { beforeEach(async () => { await new Promise(() => {}) }, 100); it('x', () => {}) })
it.each([1, 2])('each %i', (n) => { expect(n).toBe(1) })
it('snapshot', () => { expect({ a: 1 }).toMatchSnapshot() })
";

#[test]
fn every_way_a_test_can_end() {
    let Some(mut stage) = js_stage(
        "jest",
        &[("package.json", PACKAGE), ("src/shop.js", SHOP), ("tests/a.test.js", TESTS)],
    ) else {
        return;
    };
    let report = stage.finished();
    insta::assert_snapshot!("jest-ends", ends(&report).join("\n"));
    assert!(!stage.ask.tree.join("tests/__snapshots__").exists());
}

#[test]
fn files_that_can_not_be_loaded_are_named_and_the_others_still_run() {
    let Some(mut stage) = js_stage(
        "jest",
        &[
            ("package.json", PACKAGE),
            ("src/shop.js", SHOP),
            ("src/broken.js", "exports.a = ;\n"),
            ("src/lost.js", "require('./nothing.js')\n"),
            ("tests/ok.test.js", "test('a', () => { expect(1).toBe(1) })\n"),
            (
                "tests/module.test.js",
                "const { a } = require('../src/cart.js')\ntest('a', () => { expect(a).toBe(1) })\n",
            ),
            (
                "tests/package.test.js",
                "const a = require('not-installed')\ntest('a', () => { expect(a).toBe(1) })\n",
            ),
            (
                "tests/helper.test.js",
                "const a = require('./helper.js')\ntest('a', () => { expect(a).toBe(1) })\n",
            ),
            ("tests/syntax.test.js", "test('a', () => {\n"),
            ("tests/broken.test.js", "require('../src/broken.js')\ntest('a', () => {})\n"),
            ("tests/lost.test.js", "require('../src/lost.js')\ntest('a', () => {})\n"),
            ("tests/throws.test.js", "throw new Error('no')\n"),
            ("tests/empty.test.js", "exports.a = 1\n"),
        ],
    ) else {
        return;
    };
    let report = stage.run();
    insta::assert_snapshot!("jest-collect", collect_errors(&report).join("\n"));
    assert_eq!(ends(&report), ["tests/ok.test.js > a: passed"]);
}

#[test]
fn what_the_type_checker_misses_is_a_missing_name() {
    let Some(mut stage) = js_stage(
        "jest",
        &[
            ("package.json", r#"{"name": "shop", "jest": {"preset": "ts-jest"}}"#),
            (
                "tsconfig.json",
                r#"{"compilerOptions": {"strict": true, "module": "commonjs", "target": "es2020", "types": ["jest"]}}"#,
            ),
            (
                "src/shop.ts",
                "export class Cart { items: number[] = [] }\nexport function add(a: number, b: number): number {\n  return a - b\n}\nexport function boom(): never {\n  throw new Error('x')\n}\n",
            ),
            (
                "src/export.test.ts",
                "import { basket } from './shop'\ntest('a', () => { expect(basket()).toBe(1) })\n",
            ),
            (
                "src/member.test.ts",
                "import { Cart } from './shop'\ntest('a', () => {\n  const cart = new Cart()\n  expect(cart.total()).toBe(1) })\n",
            ),
            (
                "src/module.test.ts",
                "import { Cart } from './nothing'\ntest('a', () => { expect(new Cart()).toBe(1) })\n",
            ),
            ("src/name.test.ts", "test('a', () => { expect(nothing()).toBe(1) })\n"),
            (
                "src/type.test.ts",
                "import { add } from './shop'\ntest('a', () => { expect(add('1', 2)).toBe(1) })\n",
            ),
            (
                "src/runs.test.ts",
                "import { add, boom } from './shop'\ntest('adds', () => {\n  expect(add(1, 2)).toBe(3) })\ntest('breaks', () => { boom() })\n",
            ),
        ],
    ) else {
        return;
    };
    let report = stage.run();
    insta::assert_snapshot!(
        "jest-types",
        [collect_errors(&report), ends(&report)].concat().join("\n")
    );
}

#[test]
fn only_the_asked_tests_run() {
    let body = "describe('d', () => { test('a (1)', () => {}); test('ab', () => { expect(1).toBe(2) }) })\ntest.each([1, 2])('n %i', () => {})\ntest('a (1)', () => {})\n";
    let Some(stage) = js_stage(
        "jest",
        &[("package.json", PACKAGE), ("a.test.js", body), ("b.test.js", "nonsense(")],
    ) else {
        return;
    };
    let mut stage = stage.only(&["a.test.js > d > a (1)"]);
    assert_eq!(ends(&stage.finished()), ["a.test.js > d > a (1): passed"]);
    let mut stage = stage.only(&["a.test.js > n …"]);
    assert_eq!(ends(&stage.finished()), ["a.test.js > n 1: passed", "a.test.js > n 2: passed"]);
    let mut stage = stage.only(&["a.test.js > gone"]);
    assert_eq!(stage.run().end, RunEnd::NoTests);
}

#[test]
fn no_tests_is_its_own_end_whatever_the_configuration_says() {
    let package = r#"{"jest": {"passWithNoTests": true}}"#;
    let Some(mut stage) = js_stage("jest", &[("package.json", package)]) else { return };
    assert_eq!(stage.run().end, RunEnd::NoTests, "{}", said(&stage));
    let Some(mut stage) = js_stage("jest", &[("a.js", "")]) else { return };
    assert_eq!(stage.run().end, RunEnd::NoTests, "{}", said(&stage));
}

#[test]
fn options_of_the_project_that_stop_early_or_forge_do_not_count() {
    let package = r#"{"jest": {"bail": 1, "testFailureExitCode": 0, "transform": {}}}"#;
    let tries = "jest.retryTimes(3)\nlet n = 0\ntest('a', () => { expect(++n).toBe(2) })\ntest('b', () => { expect(1).toBe(2) })\n";
    let only = "test.only('a', () => {})\ntest('b', () => {})\n";
    let Some(mut stage) = js_stage(
        "jest",
        &[
            ("package.json", package),
            ("a.test.js", tries),
            ("b.test.js", only),
            ("c.test.js", "test('c', () => { expect(1).toBe(2) })\n"),
        ],
    ) else {
        return;
    };
    assert_eq!(
        ends(&stage.finished()),
        [
            "a.test.js > a: errored",
            "a.test.js > b: assertion at a.test.js:4",
            "b.test.js > a: passed",
            "b.test.js > b: skipped",
            "c.test.js > c: assertion at c.test.js:1"
        ]
    );
}

#[test]
fn a_process_that_leaves_is_suspect() {
    for body in [
        "test('a', () => { process.exit(0) })\n",
        "process.exit(0)\ntest('a', () => {})\n",
        "test('a', () => { require('./leaves') })\n",
        "beforeEach(() => { process.reallyExit(0) })\ntest('a', () => {})\n",
    ] {
        let files = [
            ("package.json", PACKAGE),
            ("leaves.js", "process.exit(0)\n"),
            ("a.test.js", body),
            ("b.test.js", "test('b', () => {})\n"),
        ];
        let Some(note) = suspect("jest", &files) else { return };
        assert!(note.contains("a.test.js") || note.contains("while `a` was running"), "{note}");
    }
}

#[test]
fn hooks_of_the_whole_run_that_forge_its_end_are_suspect() {
    let package = r#"{"jest": {"transform": {}, "globalTeardown": "./t.js"}}"#;
    for teardown in [
        "module.exports = async () => { process.exit(0) }\n",
        "module.exports = async () => { process.reallyExit(0) }\n",
        "module.exports = async () => { process.exit = () => process.reallyExit(0) }\n",
    ] {
        let files = [
            ("package.json", package),
            ("t.js", teardown),
            ("a.test.js", "test('a', () => { expect(1).toBe(2) })\n"),
        ];
        let Some(note) = suspect("jest", &files) else { return };
        assert!(note.contains("with 0") || note.contains("report"), "{note}");
    }
}

#[test]
fn reports_that_tests_write_themselves_forge_nothing() {
    let find = "const fs = require('node:fs')\nconst path = require('node:path')\nconst scratch = path.dirname(process.env.TMPDIR)\nconst lines = path.join(scratch, 'js.jsonl')\n";
    let forged = r#"{"event":"begin"}\n{"event":"case","kind":"test","file":"x","names":["a"],"state":"passed","expected":false,"tries":1,"ms":1,"errors":[]}\n{"event":"end","ok":true,"cases":1,"leftover":false}\n"#;
    for act in [
        format!("fs.writeFileSync(lines, '{forged}')"),
        format!("fs.appendFileSync(lines, '{forged}')"),
        format!("fs.rmSync(lines); fs.writeFileSync(lines, '{forged}')"),
        "fs.rmSync(lines)".to_owned(),
        "fs.writeSync = () => 0; fs.rmSync(lines)".to_owned(),
    ] {
        let body = format!(
            "{find}test('a', () => {{ {act}; console.log('{forged}'); expect(1).toBe(2) }})\n"
        );
        if not_forged("jest", &[("package.json", PACKAGE), ("a.test.js", &body)]).is_none() {
            return;
        }
    }
    let patched =
        "require('node:fs').writeSync = () => 0\ntest('a', () => { expect(1).toBe(2) })\n";
    let mut stage = js_stage("jest", &[("package.json", PACKAGE), ("a.test.js", patched)]).unwrap();
    assert!(matches!(reason(&stage.finished(), "a.test.js > a"), Reason::Assertion { .. }));
}

#[test]
fn a_tear_down_of_the_whole_file_that_breaks_leaves_no_test_of_it_passed() {
    let body = "afterAll(() => { throw new Error('late') })\ntest('a', () => {})\ntest('b', () => { expect(1).toBe(2) })\n";
    let Some(mut stage) = js_stage(
        "jest",
        &[("package.json", PACKAGE), ("a.test.js", body), ("b.test.js", "test('c', () => {})\n")],
    ) else {
        return;
    };
    let report = stage.finished();
    assert_eq!(
        ends(&report),
        [
            "a.test.js > a: errored",
            "a.test.js > b: assertion at a.test.js:3",
            "b.test.js > c: passed"
        ]
    );
    assert!(
        matches!(end(&report, "a.test.js > a"), CaseEnd::Errored { message } if message.contains("late"))
    );
}

#[test]
fn a_snapshot_that_no_test_asks_for_is_no_contradiction() {
    let snapshot = "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`gone 1`] = `1`;\n";
    let Some(mut stage) = js_stage(
        "jest",
        &[
            ("package.json", PACKAGE),
            ("a.test.js", "test('a', () => {})\n"),
            ("__snapshots__/a.test.js.snap", snapshot),
        ],
    ) else {
        return;
    };
    assert!(stage.finished().passed(&TestId::new("a.test.js > a")));
}

#[test]
fn modules_of_ecmascript_run_where_the_projects_script_asks_for_it() {
    let package = r#"{"type": "module", "scripts": {"test": "NODE_OPTIONS=--experimental-vm-modules jest"}, "jest": {"transform": {}}}"#;
    let body =
        "import { add, basket } from './shop.js'\ntest('a', () => { expect(add(1, 2)).toBe(3) })\n";
    let Some(mut stage) = js_stage(
        "jest",
        &[
            ("package.json", package),
            ("shop.js", "export const add = (a, b) => a + b\n"),
            ("a.test.js", body),
        ],
    ) else {
        return;
    };
    assert_eq!(collect_errors(&stage.run()), ["a.test.js: missing basket of project at a.test.js"]);
    stage.write("shop.js", "export const add = (a, b) => a + b\nexport const basket = 1\n");
    assert_eq!(ends(&stage.finished()), ["a.test.js > a: passed"]);
}

#[test]
fn names_of_modules_that_babel_translates_are_found() {
    let package = r#"{"jest": {}, "babel": {"presets": [["@babel/preset-env", {"targets": {"node": "current"}}], "@babel/preset-typescript"]}}"#;
    let body = "import { add, basket } from './shop'\nimport * as shop from './shop'\ntest('a', () => { expect(add(1, 2)).toBe(3) })\ntest('b', () => {\n  basket(1)\n})\ntest('c', () => { shop.basket(1) })\n";
    let Some(mut stage) = js_stage(
        "jest",
        &[
            ("package.json", package),
            ("shop.ts", "export const add = (a: number, b: number) => a - b\n"),
            ("a.test.ts", body),
        ],
    ) else {
        return;
    };
    assert_eq!(
        ends(&stage.finished()),
        [
            "a.test.ts > a: assertion at a.test.ts:3",
            "a.test.ts > b: missing basket of project at a.test.ts:5",
            "a.test.ts > c: missing shop.basket of project at a.test.ts:7"
        ]
    );
}

#[test]
fn a_tool_that_is_not_there_or_badly_configured_is_a_crash() {
    let Some(mut stage) = js_stage(
        "jest",
        &[(
            "package.json",
            r#"{"devDependencies": {"jest": "30"}, "jest": {"preset": "none-such"}}"#,
        )],
    ) else {
        return;
    };
    let end = stage.run().end;
    assert!(matches!(&end, RunEnd::Crashed { note } if note.contains("none-such")), "{end:?}");
    std::fs::remove_file(stage.ask.tree.join("node_modules")).unwrap();
    let end = stage.run().end;
    assert!(matches!(&end, RunEnd::Crashed { note } if note.contains("`npm ci`")), "{end:?}");
}

#[test]
fn lines_that_ran_are_measured_also_where_a_test_fails_and_thresholds_are_not_met() {
    let package = r#"{"jest": {"transform": {}, "coverageThreshold": {"global": {"lines": 100}}}}"#;
    let shop = "exports.used = function () {\n  return 1\n}\nexports.unused = function () {\n  return 2\n}\n";
    let body = "const { used } = require('./shop')\ntest('a', () => { expect(used()).toBe(1) })\n";
    let Some(mut stage) =
        js_stage("jest", &[("package.json", package), ("shop.js", shop), ("a.test.js", body)])
    else {
        return;
    };
    stage.ask.coverage = Coverage::Measured;
    stage.finished();
    let Covered::Lines(found) = stage.runner.coverage(&stage.ask, &stage.outputs) else { panic!() };
    let lines = &found.files["shop.js"];
    assert!(lines.hit.contains(&2) && lines.missed.contains(&5), "{lines:?}");
    assert!(!stage.ask.tree.join("coverage").exists());
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn a_run_at_its_time_limit_names_the_running_test() {
        let body = format!("test('a', () => {{}})\ntest('b', async () => {{ {WAITS} }}, 600000)\n");
        let Some(mut stage) = js_stage("jest", &[("package.json", PACKAGE), ("a.test.js", &body)])
        else {
            return;
        };
        stage.limit = Duration::from_secs(12);
        assert_eq!(
            stage.run().end,
            RunEnd::TimedOut { running: Some(TestId::new("a.test.js > b")) }
        );
    }
}
