//! `node --test` on small trees.

use crate::js_stage::{WAITS, collect_errors, ends, js_stage, not_forged, suspect};
use crate::stage::{end, reason};
use proctor_core::report::{CaseEnd, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_tools::{Coverage, Covered};
use std::time::Duration;

pub const PACKAGE: &str = r#"{"name": "shop", "type": "module"}"#;

pub const TESTS: &str = "import { describe, it, test, before, beforeEach, after, afterEach } from 'node:test'
import assert from 'node:assert'
import { add, boom, Cart, makeCart, listens } from '../src/shop.js'
import * as shop from '../src/shop.js'
test('holds', () => { assert.equal(add(1, 0), 1) })
test('adds', () => { assert.equal(add(1, 2), 3) })
test('same', () => {})
test('same', () => { assert.ok(false) })
describe('deep', () => {
  describe('nest', () => {
    it('boom', () => { boom() })
    it('missing in module', () => { shop.basket() })
    it('missing method', () => { new Cart().total() })
    it('missing method of a value', () => { const cart = makeCart(); cart.total() })
    it('undefined name', () => { nothing() })
    it('undefined value', () => { let u; u.x })
  })
  it.skip('skipped', () => {})
  it.todo('todo')
  it.todo('todo that fails', () => { assert.ok(false) })
  it('string', () => { throw 'a string' })
  it('slow', { timeout: 100 }, async () => { await new Promise((r) => setTimeout(r, 1000)) })
  it('skips itself', (context) => { context.skip('because') })
  it('no network', () => { listens() })
})
describe('beforeEach', () => { beforeEach(() => { throw new Error('no') }); it('x', () => {}) })
describe('afterEach', () => { afterEach(() => { throw new Error('no') }); it('x', () => {}) })
describe('before', () => { before(() => { throw new Error('no') }); it('x', () => {}); describe('in', () => it('y', () => {})) })
describe('after', () => { after(() => { throw new Error('no') }); it('x', () => {}) })
test('steps', async (t) => { await t.test('one', () => {}); await t.test('two', () => { assert.deepEqual([1], [2]) }) })
describe('empty', () => {})
";

const IMPORT: &str =
    "import { test, describe } from 'node:test'\nimport assert from 'node:assert'\n";

fn of(body: &str) -> String {
    format!("{IMPORT}{body}")
}

#[test]
fn every_way_a_test_can_end() {
    let files = [
        ("package.json", PACKAGE),
        ("src/shop.js", crate::vitest_runs::SHOP),
        ("test/a.test.js", TESTS),
    ];
    let Some(mut stage) = js_stage("node", &files) else { return };
    insta::assert_snapshot!("node-ends", ends(&stage.finished()).join("\n"));
}

#[test]
fn files_that_can_not_be_loaded_are_named_and_the_others_still_run() {
    let Some(mut stage) = js_stage(
        "node",
        &[
            ("package.json", PACKAGE),
            ("src/shop.js", crate::vitest_runs::SHOP),
            ("src/broken.js", "export const a = ;\n"),
            ("src/lost.js", "import './nothing.js'\n"),
            ("test/ok.test.js", &of("test('a', () => {})\n")),
            (
                "test/module.test.js",
                &of("import { a } from '../src/cart.js'\ntest('a', () => {})\n"),
            ),
            (
                "test/export.test.js",
                &of("import { basket } from '../src/shop.js'\ntest('a', () => {})\n"),
            ),
            ("test/package.test.js", &of("import a from 'not-installed'\ntest('a', () => {})\n")),
            ("test/helper.test.js", &of("import a from './helper.js'\ntest('a', () => {})\n")),
            (
                "test/require.test.cjs",
                "const test = require('node:test')\nrequire('../src/cart')\ntest('a', () => {})\n",
            ),
            ("test/syntax.test.js", &of("test('a', () => {\n")),
            ("test/broken.test.js", &of("import '../src/broken.js'\ntest('a', () => {})\n")),
            ("test/lost.test.js", &of("import '../src/lost.js'\ntest('a', () => {})\n")),
            ("test/throws.test.js", &of("throw new Error('no')\n")),
            ("test/data.js", "export const a = 1\n"),
        ],
    ) else {
        return;
    };
    let report = stage.run();
    insta::assert_snapshot!("node-collect", collect_errors(&report).join("\n"));
    assert_eq!(ends(&report), ["test/ok.test.js > a: passed"]);
}

#[test]
fn files_are_those_that_node_or_the_projects_script_names() {
    let passing = of("test('a', () => {})\n");
    let names = [
        "a.test.js",
        "b-test.mjs",
        "c_test.js",
        "test-d.js",
        "test.js",
        "test/e.js",
        "f.spec.js",
        "latest.js",
        "sub/g.test.js",
    ];
    let mut files: Vec<(&str, &str)> = names.iter().map(|n| (*n, passing.as_str())).collect();
    files.push(("package.json", PACKAGE));
    // Data beside the tests in a folder that the script names.
    files.extend([("sub/cases.json", "[1]"), ("sub/page.expected", "a"), ("sub/a.d.ts", "")]);
    let Some(mut stage) = js_stage("node", &files) else { return };
    let ran: Vec<String> = stage.finished().cases.into_keys().map(|id| id.0).collect();
    assert_eq!(
        ran,
        [
            "a.test.js > a",
            "b-test.mjs > a",
            "c_test.js > a",
            "sub/g.test.js > a",
            "test-d.js > a",
            "test.js > a",
            "test/e.js > a"
        ]
    );
    stage.write(
        "package.json",
        r#"{"type": "module", "scripts": {"test": "node --test '*.spec.js' sub"}}"#,
    );
    let ran: Vec<String> = stage.finished().cases.into_keys().map(|id| id.0).collect();
    assert_eq!(ran, ["f.spec.js > a", "sub/g.test.js > a"]);
    stage.ask.subdir = "sub".to_owned();
    let ran: Vec<String> = stage.finished().cases.into_keys().map(|id| id.0).collect();
    assert_eq!(ran, ["sub/g.test.js > a"]);
}

#[test]
fn only_the_asked_tests_are_told_of() {
    let body =
        of("describe('d', () => { test('a', () => {}); test('b', () => { assert.ok(false) }) })\n");
    let Some(stage) = js_stage(
        "node",
        &[("package.json", PACKAGE), ("a.test.js", &body), ("b.test.js", "nonsense(")],
    ) else {
        return;
    };
    let mut stage = stage.only(&["a.test.js > d > a"]);
    assert_eq!(ends(&stage.finished()), ["a.test.js > d > a: passed"]);
    let mut stage = stage.only(&["a.test.js > gone"]);
    assert_eq!(stage.run().end, RunEnd::NoTests);
    let mut stage = stage.only(&["gone.test.js > gone"]);
    assert_eq!(stage.run().end, RunEnd::NoTests);
}

#[test]
fn no_tests_is_its_own_end() {
    let Some(mut stage) = js_stage("node", &[("package.json", PACKAGE), ("a.js", "")]) else {
        return;
    };
    assert_eq!(stage.run().end, RunEnd::NoTests);
    stage.write("test/data.js", "export const a = 1\n");
    assert_eq!(stage.run().end, RunEnd::NoTests);
}

#[test]
fn a_process_that_leaves_is_suspect() {
    for body in [
        "test('a', () => { process.exit(0) })\ntest('b', () => {})\n",
        "test('a', () => {})\ntest('b', async () => { await new Promise((r) => setTimeout(r, 300)); process.exit(0) })\n",
        "test('a', () => { process.reallyExit(0) })\n",
        "process.exit(0)\ntest('a', () => {})\n",
    ] {
        let Some(note) = suspect(
            "node",
            &[
                ("package.json", PACKAGE),
                ("a.test.js", &of(body)),
                ("b.test.js", &of("test('c', () => {})\n")),
            ],
        ) else {
            return;
        };
        assert!(note.contains("a.test.js") || note.contains("was running"), "{note}");
    }
}

#[test]
fn an_exit_code_that_a_file_sets_itself_does_not_count_for_its_tests() {
    let forged = of(
        "process.on('exit', () => { process.exitCode = 0 })\ntest('a', () => { assert.ok(false) })\n",
    );
    let Some(mut stage) = js_stage("node", &[("package.json", PACKAGE), ("a.test.js", &forged)])
    else {
        return;
    };
    assert!(matches!(reason(&stage.finished(), "a.test.js > a"), Reason::Assertion { .. }));
    stage.write(
        "a.test.js",
        &of("process.on('exit', () => { process.exitCode = 3 })\ntest('a', () => {})\n"),
    );
    assert!(matches!(end(&stage.finished(), "a.test.js > a"), CaseEnd::Errored { .. }));
}

#[test]
fn reports_that_tests_write_themselves_forge_nothing() {
    let find = "import fs from 'node:fs'\nimport path from 'node:path'\nconst scratch = path.dirname(process.env.TMPDIR)\nconst lines = path.join(scratch, 'js.jsonl')\n";
    let forged = r#"{"event":"begin"}\n{"event":"case","kind":"test","file":"x","names":["a"],"state":"passed","expected":false,"tries":1,"ms":1,"errors":[]}\n{"event":"end","ok":true,"cases":1,"leftover":false}\n"#;
    for act in [
        format!("fs.writeFileSync(lines, '{forged}')"),
        format!("fs.appendFileSync(lines, '{forged}')"),
        format!("fs.rmSync(lines); fs.writeFileSync(lines, '{forged}')"),
        "fs.rmSync(lines)".to_owned(),
    ] {
        let body = format!(
            "{IMPORT}{find}test('a', () => {{ {act}; console.log('{forged}'); assert.ok(false) }})\n"
        );
        if not_forged("node", &[("package.json", PACKAGE), ("a.test.js", &body)]).is_none() {
            return;
        }
    }
    let printed =
        format!("{IMPORT}test('a', () => {{ console.log('{forged}'); assert.ok(false) }})\n");
    let mut stage =
        js_stage("node", &[("package.json", PACKAGE), ("a.test.js", &printed)]).unwrap();
    assert!(matches!(reason(&stage.finished(), "a.test.js > a"), Reason::Assertion { .. }));
}

#[test]
fn a_report_of_the_tools_own_that_is_missing_or_differs_is_suspect() {
    let Some(mut stage) = js_stage(
        "node",
        &[("package.json", PACKAGE), ("a.test.js", &of("test('a', () => { assert.ok(false) })\n"))],
    ) else {
        return;
    };
    stage.finished();
    let path = stage.ask.scratch.join("js-report.xml");
    let text = std::fs::read_to_string(&path).unwrap();
    let passed = text.replace("<failure", "<other").replace("</failure", "</other");
    for forged in [Some(passed), Some("<testsuites".to_owned()), None] {
        match forged {
            Some(text) => std::fs::write(&path, text).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let end = stage.runner.read(&stage.ask, &stage.outputs).end;
        assert!(matches!(&end, RunEnd::Suspect { note } if note.contains("report")), "{end:?}");
    }
}

#[test]
fn a_run_at_its_time_limit_names_the_running_test() {
    let body = of(&format!(
        "describe('d', () => {{ test('a', () => {{}})\n test('b', async () => {{ {WAITS} }}) }})\n"
    ));
    let Some(mut stage) = js_stage("node", &[("package.json", PACKAGE), ("a.test.js", &body)])
    else {
        return;
    };
    stage.limit = Duration::from_secs(8);
    assert_eq!(
        stage.run().end,
        RunEnd::TimedOut { running: Some(TestId::new("a.test.js > d > b")) }
    );
}

#[test]
fn lines_that_ran_are_measured() {
    let shop =
        "export function used() {\n  return 1\n}\nexport function unused() {\n  return 2\n}\n";
    let body =
        of("import { used } from './shop.js'\ntest('a', () => { assert.equal(used(), 2) })\n");
    let Some(mut stage) =
        js_stage("node", &[("package.json", PACKAGE), ("shop.js", shop), ("a.test.js", &body)])
    else {
        return;
    };
    stage.ask.coverage = Coverage::Measured;
    stage.finished();
    let Covered::Lines(found) = stage.runner.coverage(&stage.ask, &stage.outputs) else { panic!() };
    let lines = &found.files["shop.js"];
    assert!(lines.hit.contains(&2) && lines.missed.contains(&5), "{lines:?}");
}

#[test]
fn code_of_another_checkout_is_not_what_is_tested() {
    let body = of("import { used } from 'shop'\ntest('a', () => { assert.equal(used(), 1) })\n");
    let Some(mut stage) = js_stage("node", &[("package.json", PACKAGE), ("a.test.js", &body)])
    else {
        return;
    };
    let other = tempfile::tempdir().unwrap();
    let package = other.path().join("packages/shop");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("index.js"), "export const used = () => 1\n").unwrap();
    let text = r#"{"name": "shop", "type": "module", "exports": "./index.js"}"#;
    std::fs::write(package.join("package.json"), text).unwrap();
    std::fs::create_dir(stage.ask.tree.join("node_modules")).unwrap();
    std::os::unix::fs::symlink(&package, stage.ask.tree.join("node_modules/shop")).unwrap();
    assert_eq!(ends(&stage.finished()), ["a.test.js > a: passed"]);
    stage.ask.elsewhere = vec![other.path().to_owned()];
    let end = stage.run().end;
    assert!(
        matches!(&end, RunEnd::Suspect { note } if note.contains("node_modules/shop")),
        "{end:?}"
    );
}
