//! mocha on small trees, and the other tools that a few words describe.

use crate::js_stage::{WAITS, collect_errors, ends, js_stage, runtime_stage, suspect};
use crate::stage::{end, reason};
use proctor_core::report::{Reason, RunEnd};
use proctor_tools::Order;
use std::time::Duration;

const PACKAGE: &str = r#"{"name": "shop"}"#;

const SHOP: &str = crate::jest_runs::SHOP;

const MOCHA: &str = "const assert = require('node:assert')
const shop = require('../src/shop.js')
const { add, boom, basket, Cart, listens } = shop
it('holds', () => { assert.strictEqual(add(1, 0), 1) })
it('adds', () => { assert.strictEqual(add(1, 2), 3) })
it('same', () => {})
it('same', () => { assert.ok(false) })
describe('deep', () => {
  context('nest', () => {
    it('boom', () => { boom() })
    it('missing', () => { basket() })
    it('missing in module', () => { shop.basket() })
    it('missing method', () => { new Cart().total() })
    it('undefined name', () => { nothing() })
  })
  it.skip('skipped', () => {})
  it('to do')
  it('skips itself', function () { this.skip() })
  it('string', () => { throw 'a string' })
  it('slow', async function () { this.timeout(100); await new Promise(() => {}) })
  it('calls back', (done) => { setTimeout(() => done(new Error('late')), 10) })
  it('second try', function () { this.retries(1); assert.ok(this.test.currentRetry() === 1) })
  it('no network', () => { listens() })
})
describe('beforeEach', () => { beforeEach(() => { throw new Error('no') }); it('x', () => {}); it('y', () => {}) })
describe('beforeEach of the project', () => { beforeEach(() => { boom() }); it('x', () => {}) })
describe('afterEach', () => { afterEach(() => { throw new Error('no') }); it('x', () => {}) })
describe('before', () => { before(() => { throw new Error('no') }); it('x', () => {}); describe('in', () => it('y', () => {})) })
describe('after', () => { after(() => { throw new Error('no') }); it('x', () => {}) })
for (const n of [1, 2]) it(`each ${n}`, () => { assert.strictEqual(n, 1) })
";

fn mocha(files: &[(&str, &str)]) -> Option<crate::stage::Stage> {
    let mut all = vec![("package.json", PACKAGE), ("src/shop.js", SHOP)];
    all.extend(files);
    js_stage("mocha", &all)
}

#[test]
fn every_way_a_mocha_test_can_end() {
    let Some(mut stage) = mocha(&[("test/a.js", MOCHA)]) else { return };
    insta::assert_snapshot!("mocha-ends", ends(&stage.finished()).join("\n"));
}

#[test]
fn a_file_that_can_not_be_loaded_hides_no_other_of_mochas() {
    let files = [
        ("test/ok.js", "it('a', () => {})\n"),
        ("test/module.js", "require('../src/cart.js')\nit('a', () => {})\n"),
        ("test/export.mjs", "import { basket } from '../src/new.mjs'\nit('a', () => {})\n"),
        ("src/new.mjs", "export const add = 1\n"),
        ("test/syntax.js", "it('a', () => {\n"),
        ("test/throws.js", "throw new Error('no')\n"),
    ];
    let Some(mut stage) = mocha(&files) else { return };
    let report = stage.run();
    insta::assert_snapshot!("mocha-collect", collect_errors(&report).join("\n"));
    assert_eq!(ends(&report), ["test/ok.js > a: passed"]);
}

#[test]
fn what_a_project_has_loaded_into_node_is_there_when_mocha_loads_its_tests() {
    let package = r#"{"scripts": {"test": "mocha --import=./loads.mjs"}}"#;
    let files = [
        ("package.json", package),
        ("loads.mjs", "globalThis.loaded = true\n"),
        ("test/a.js", "it('a', () => { if (!globalThis.loaded) throw new Error('no') })\n"),
    ];
    let Some(mut stage) = js_stage("mocha", &files) else { return };
    assert_eq!(ends(&stage.finished()), ["test/a.js > a: passed"]);
}

#[test]
fn a_project_of_mocha_without_a_test_has_none() {
    let Some(mut stage) = mocha(&[]) else { return };
    assert_eq!(stage.run().end, RunEnd::NoTests);
}

#[test]
fn what_mochas_configuration_says_is_heard_where_it_leaves_out_no_test() {
    let rc = r#"{"spec": "checks/**/*.cjs", "require": ["./setup.cjs"], "bail": true, "grep": "nothing", "forbidOnly": true,
        "retries": 3, "dryRun": true, "parallel": true, "reporter": "dot"}"#;
    let files = [
        (".mocharc.json", rc),
        ("setup.cjs", "globalThis.ready = true\n"),
        (
            "checks/a.cjs",
            "it('fails', () => { throw new Error('x') })\nit('set up', () => { if (!ready) throw new Error('no') })\n",
        ),
        ("checks/b.cjs", "it.only('only', () => {})\nit('left out', () => {})\n"),
        ("test/other.js", "it('is not of this project', () => {})\n"),
    ];
    let Some(mut stage) = mocha(&files) else { return };
    assert_eq!(
        ends(&stage.finished()),
        [
            "checks/a.cjs > fails: skipped",
            "checks/a.cjs > set up: skipped",
            "checks/b.cjs > left out: skipped",
            "checks/b.cjs > only: passed",
        ]
    );
}

#[test]
fn mocha_runs_only_what_is_asked_for_and_in_another_order() {
    let source = "it('a', () => {})\nit('b', () => { throw new Error('no') })\ndescribe('c', () => { it('d', () => {}); it('e', () => {}) })\n";
    let Some(mut stage) = mocha(&[("test/a.js", source), ("test/b.js", source)]) else { return };
    stage = stage.only(&["test/a.js > a", "test/b.js > c > d…"]);
    let ran = ends(&stage.finished());
    assert_eq!(ran, ["test/a.js > a: passed", "test/b.js > c > d: passed"]);
    let Some(mut stage) = mocha(&[("test/a.js", source), ("test/b.js", source)]) else { return };
    stage.ask.order = Order::Shuffled(7);
    assert_eq!(ends(&stage.finished()).len(), 8);
}

#[test]
fn a_process_of_mocha_that_leaves_is_suspect() {
    for (body, wanted) in [
        ("process.exit(0)", "before its run did while `x` was running"),
        (
            "process.on('exit', () => { process.exitCode = 0 }); throw new Error('no')",
            "mocha ended with 0",
        ),
        (
            "require('fs').appendFileSync(process.env.HOME + '/../js.jsonl', '{\"event\":\"begin\"}\\n')",
            "someone else",
        ),
    ] {
        let source = format!("it('x', () => {{ {body} }})\n");
        let files = [("package.json", PACKAGE), ("test/a.js", &source)];
        let Some(note) = suspect("mocha", &files) else { return };
        assert!(note.contains(wanted), "{body}: {note}");
    }
}

#[test]
fn a_test_of_mocha_that_never_ends_is_named() {
    let source = format!("it('x', async function () {{ this.timeout(0); {WAITS} }})\n");
    let Some(mut stage) = mocha(&[("test/a.js", &source)]) else { return };
    stage.limit = Duration::from_secs(5);
    match stage.run().end {
        RunEnd::TimedOut { running } => assert_eq!(running.unwrap().0, "test/a.js > x"),
        other => panic!("{other:?}"),
    }
}

mod slow {
    use super::*;

    /// A tool with the same few tests in its words: one that holds, one that does not, one that breaks, one that is skipped.
    fn check(runner: &str, file: &str, source: &str, leaves: &str) {
        let more = [("package.json", PACKAGE), ("src/shop.js", SHOP)];
        let config = ("playwright.config.js", "module.exports = { testDir: 'test' }\n");
        let support =
            ("spec/support/jasmine.json", "{\"spec_dir\": \"test\", \"spec_files\": [\"*.*js\"]}");
        let mut files = vec![(file, source)];
        files.extend(more);
        match runner {
            "playwright" => files.push(config),
            "jasmine" => files.push(support),
            _ => {}
        }
        let Some(mut stage) = js_stage(runner, &files) else { return };
        let report = stage.finished();
        let id = |title: &str| format!("{file} > {title}");
        assert_eq!(end(&report, &id("holds")).word(), "passed", "{report:?}");
        assert!(matches!(reason(&report, &id("adds")), Reason::Assertion { .. }), "{report:?}");
        match reason(&report, &id("missing")) {
            Reason::Missing { name, .. } => assert_eq!(name, "basket"),
            other => panic!("{other:?}"),
        }
        assert!(matches!(reason(&report, &id("breaks")), Reason::Panic { .. }), "{report:?}");
        assert_eq!(end(&report, &id("left")).word(), "skipped", "{report:?}");
        let loads = if runner == "ava" { "import" } else { "require" };
        let lost = format!("{loads}('../src/cart.js')\n{source}").replace("import('", "import '");
        let lost = if loads == "import" { lost.replacen("')", "'", 1) } else { lost };
        files[0].1 = &lost;
        let Some(mut stage) = js_stage(runner, &files) else { return };
        let collected = collect_errors(&stage.run());
        assert!(collected.iter().any(|c| c.contains("missing src/cart.js")), "{collected:?}");
        files[0].1 = leaves;
        let Some(mut stage) = js_stage(runner, &files) else { return };
        let left = stage.run();
        assert!(
            matches!(left.end, RunEnd::Suspect { .. } | RunEnd::CollectFailed { .. }),
            "{left:?}"
        );
    }

    const REQUIRED: &str = "const { add, boom, basket } = require('../src/shop.js')\n";
    const IMPORTED: &str =
        "import shop from '../src/shop.js'\nconst { add, boom, basket } = shop\n";

    #[test]
    fn ava_tells_how_its_tests_end() {
        let head = format!("import test from 'ava'\n{IMPORTED}");
        let tests = "test('holds', (t) => { t.is(add(1, 0), 1) })\ntest('adds', (t) => { t.is(add(1, 2), 3) })\n\
            test('missing', (t) => { t.is(basket(), 1) })\ntest('breaks', (t) => { t.is(boom(), 1) })\ntest.skip('left', (t) => { t.pass() })\n";
        let leaves = "test('x', (t) => { process.exit(0) })\n";
        check("ava", "test/a.mjs", &format!("{head}{tests}"), &format!("{head}{leaves}"));
    }

    #[test]
    fn jasmine_tells_how_its_tests_end() {
        let tests = "it('holds', () => { expect(add(1, 0)).toBe(1) })\nit('adds', () => { expect(add(1, 2)).toBe(3) })\n\
            it('missing', () => { basket() })\nit('breaks', () => { boom() })\nxit('left', () => {})\n";
        let leaves = "it('x', () => { process.exit(0) })\n";
        check("jasmine", "test/a.js", &format!("{REQUIRED}{tests}"), leaves);
    }

    #[test]
    fn tap_tells_how_its_tests_end() {
        let head = format!("const t = require('tap')\n{REQUIRED}");
        let tests = "t.test('holds', async (t) => { t.equal(add(1, 0), 1) })\nt.test('adds', async (t) => { t.equal(add(1, 2), 3) })\n\
            t.test('missing', async (t) => { basket() })\nt.test('breaks', async (t) => { boom() })\nt.test('left', { skip: true }, async (t) => {})\n";
        let leaves = "t.test('x', async (t) => { process.exit(0) })\n";
        check("tap", "test/a.js", &format!("{head}{tests}"), &format!("{head}{leaves}"));
    }

    #[test]
    fn tape_tells_how_its_tests_end() {
        let head = format!("const test = require('tape')\n{REQUIRED}");
        let tests = "test('holds', (t) => { t.equal(add(1, 0), 1); t.end() })\ntest('adds', (t) => { t.equal(add(1, 2), 3); t.end() })\n\
            test('missing', (t) => { basket(); t.end() })\ntest('breaks', (t) => { boom(); t.end() })\ntest.skip('left', (t) => { t.end() })\n";
        let leaves = "test('x', (t) => { process.exit(0) })\n";
        check("tape", "test/a.js", &format!("{head}{tests}"), &format!("{head}{leaves}"));
    }

    #[test]
    fn uvu_tells_how_its_tests_end() {
        let head = format!(
            "const {{ test }} = require('uvu')\nconst assert = require('uvu/assert')\n{REQUIRED}"
        );
        let tests = "test('holds', () => { assert.is(add(1, 0), 1) })\ntest('adds', () => { assert.is(add(1, 2), 3) })\n\
            test('missing', () => { basket() })\ntest('breaks', () => { boom() })\ntest.skip('left', () => {})\ntest.run()\n";
        let leaves = "test('x', () => { process.exit(0) })\ntest.run()\n";
        check("uvu", "test/a.js", &format!("{head}{tests}"), &format!("{head}{leaves}"));
    }

    #[test]
    fn playwright_tells_how_its_tests_end() {
        let head = format!("const {{ test, expect }} = require('@playwright/test')\n{REQUIRED}");
        let tests = "test('holds', () => { expect(add(1, 0)).toBe(1) })\ntest('adds', () => { expect(add(1, 2)).toBe(3) })\n\
            test('missing', () => { basket() })\ntest('breaks', () => { boom() })\ntest.skip('left', () => {})\n";
        let leaves = "test('x', () => { process.exit(0) })\n";
        check(
            "playwright",
            "test/a.spec.js",
            &format!("{head}{tests}"),
            &format!("{head}{leaves}"),
        );
    }

    #[test]
    fn bun_and_deno_tell_how_their_tests_end() {
        let tests = "TEST('holds', () => { assert.strictEqual(add(1, 0), 1) })\nTEST('adds', () => { assert.strictEqual(add(1, 2), 3) })\n\
            TEST('missing', () => { basket() })\nTEST('breaks', () => { boom() })\nSKIP('left', () => {})\n";
        let head = "import assert from 'node:assert'\nimport shop from '../src/shop.cjs'\nconst { add, boom, basket } = shop\n";
        for (runner, import, test, skip) in [
            ("bun", "import { test } from 'bun:test'\n", "test", "test.skip"),
            ("deno", "", "Deno.test", "Deno.test.ignore"),
        ] {
            let body = tests.replace("TEST", test).replace("SKIP", skip);
            let whole = format!("{import}{head}{body}");
            let lost = format!(
                "{import}import {{ bag }} from '../src/bag.mjs'\n{test}('x', () => {{ bag() }})\n"
            );
            let files = [
                ("package.json", PACKAGE),
                ("src/shop.cjs", SHOP),
                ("src/bag.mjs", "export const total = 1\n"),
                ("test/a.test.js", &whole),
            ];
            let Some(mut stage) = runtime_stage(runner, &files) else { continue };
            let report = stage.finished();
            let told = ends(&report);
            let wanted = [
                "adds: assertion at test/a.test.js:",
                "breaks: panic at src/shop.cjs:",
                "holds: passed",
                "left: skipped",
                "missing: missing basket of project",
            ];
            assert_eq!(told.len(), 5, "{told:?}");
            for (line, wanted) in told.iter().zip(wanted) {
                assert!(
                    line.starts_with(&format!("test/a.test.js > {wanted}")),
                    "{runner}: {line}"
                );
            }
            let mut files = files.to_vec();
            files.push(("test/b.test.js", &lost));
            let Some(mut stage) = runtime_stage(runner, &files) else { continue };
            let report = stage.run();
            let collected = collect_errors(&report);
            assert_eq!(report.cases.len(), 5, "{runner}: {report:?}");
            assert!(
                collected.iter().any(|c| c.contains("missing bag of project")),
                "{collected:?}"
            );
        }
    }
}
