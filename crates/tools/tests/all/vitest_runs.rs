//! vitest on small trees.

use crate::js_stage::{WAITS, collect_errors, ends, js_stage, not_forged, said, suspect};
use crate::stage::{end, reason};
use proctor_core::report::{CaseEnd, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_lang::FolderTree;
use proctor_tools::{Coverage, Covered};
use std::time::Duration;

pub const SHOP: &str = "export function add(a, b) { return a - b }
export function boom() {
  const none = null
  return none.y
}
export class Cart { items = [] }
export const makeCart = () => new Cart()
export const shelf = {}
export function listens() { throw Object.assign(new Error('getaddrinfo ENOTFOUND shop.example'), { code: 'ENOTFOUND' }) }
";

pub const TESTS: &str = "import { describe, it, test, expect, beforeEach, beforeAll, afterEach, afterAll } from 'vitest'
import assert from 'node:assert'
import { add, boom, basket, Cart, makeCart, shelf, listens } from '../src/shop.js'
import * as shop from '../src/shop.js'
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
    it('missing object', () => { basket.total })
    it('missing method', () => { new Cart().total() })
    it('missing method of a value', () => { const cart = makeCart(); cart.total() })
    it('undefined name', () => { nothing() })
    it('undefined value', () => { let u; u.x })
    it('undefined result', () => { const u = shelf.get; u?.x; [][0].x })
  })
  it.skip('skipped', () => {})
  it.todo('todo')
  it.fails('fails', () => { expect(1).toBe(2) })
  it.fails('fails not', () => { expect(1).toBe(1) })
  it('string', () => { throw 'a string' })
  it('slow', async () => { await new Promise(() => {}) }, 100)
  it('not rejected', async () => { await expect(Promise.resolve(1)).rejects.toThrow() })
  it('skips itself', (context) => { context.skip('because') })
  it('exits', () => { process.exit(0) })
  it('no network', () => { listens() })
})
describe('beforeEach', () => { beforeEach(() => { throw new Error('no') }); it('x', () => {}) })
describe('afterEach', () => { afterEach(() => { throw new Error('no') }); it('x', () => {}) })
describe('beforeAll', () => { beforeAll(() => { throw new Error('no') }); it('x', () => {}); describe('in', () => it('y', () => {})) })
describe('afterAll', () => { afterAll(() => { throw new Error('no') }); it('x', () => {}) })
it.each([1, 2])('each %i', (n) => { expect(n).toBe(1) })
it('retried', { retry: 2 }, () => { globalThis.n = (globalThis.n ?? 0) + 1; expect(globalThis.n).toBe(2) })
it('snapshot', () => { expect({ a: 1 }).toMatchSnapshot() })
";

const IMPORT: &str = "import { test, expect, describe } from 'vitest'\n";

fn of(body: &str) -> String {
    format!("{IMPORT}{body}")
}

#[test]
fn every_way_a_test_can_end() {
    let Some(mut stage) = js_stage("vitest", &[("src/shop.js", SHOP), ("tests/a.test.js", TESTS)])
    else {
        return;
    };
    let report = stage.finished();
    insta::assert_snapshot!("vitest-ends", ends(&report).join("\n"));
    assert!(!stage.ask.tree.join("tests/__snapshots__").exists());
}

#[test]
fn files_that_can_not_be_loaded_are_named_and_the_others_still_run() {
    let Some(mut stage) = js_stage(
        "vitest",
        &[
            ("package.json", r#"{"name": "shop", "type": "module"}"#),
            ("src/shop.js", SHOP),
            ("src/broken.js", "export const a = ;\n"),
            ("src/lost.js", "import './nothing.js'\nexport const a = 1\n"),
            ("tests/ok.test.js", &of("test('a', () => { expect(1).toBe(1) })\n")),
            (
                "tests/module.test.js",
                &of("import { a } from '../src/cart.js'\ntest('a', () => { expect(a).toBe(1) })\n"),
            ),
            (
                "tests/package.test.js",
                &of("import a from 'not-installed'\ntest('a', () => { expect(a).toBe(1) })\n"),
            ),
            (
                "tests/helper.test.js",
                &of("import a from './helper.js'\ntest('a', () => { expect(a).toBe(1) })\n"),
            ),
            ("tests/syntax.test.js", &of("test('a', () => {\n")),
            ("tests/types.test.ts", &of("const a: number = ;\n")),
            ("tests/broken.test.js", &of("import '../src/broken.js'\ntest('a', () => {})\n")),
            ("tests/lost.test.js", &of("import '../src/lost.js'\ntest('a', () => {})\n")),
            ("tests/throws.test.js", &of("throw new Error('no')\n")),
            ("tests/empty.test.js", "export const a = 1\n"),
        ],
    ) else {
        return;
    };
    let report = stage.run();
    insta::assert_snapshot!("vitest-collect", collect_errors(&report).join("\n"));
    assert_eq!(ends(&report), ["tests/ok.test.js > a: passed"]);
}

#[test]
fn ids_are_those_of_the_sources_also_below_a_folder() {
    let Some(mut stage) = js_stage(
        "vitest",
        &[
            ("pkg/package.json", "{}"),
            (
                "pkg/src/a.test.ts",
                &of(
                    "describe('d', () => { test('x', () => { const n: number = 1; expect(n).toBe(1) }) })\n",
                ),
            ),
        ],
    ) else {
        return;
    };
    stage.ask.subdir = "pkg".to_owned();
    let report = stage.finished();
    let tree = FolderTree::new(&stage.ask.tree);
    let items = stage.runner.items(&tree, &["pkg/src/a.test.ts".to_owned()]);
    assert_eq!(ends(&report), [format!("{}: passed", items[0].id)]);
    assert_eq!(items[0].id.as_str(), "pkg/src/a.test.ts > d > x");
}

#[test]
fn only_the_asked_tests_run() {
    let body = of(
        "describe('d', () => { test('a (1)', () => {}); test('ab', () => { expect(1).toBe(2) }) })\ntest.each([1, 2])('n %i', () => {})\ntest('a (1)', () => {})\n",
    );
    let files = [("a.test.js", body.as_str()), ("b.test.js", "nonsense(")];
    let Some(stage) = js_stage("vitest", &files) else { return };
    let mut stage = stage.only(&["a.test.js > d > a (1)"]);
    assert_eq!(ends(&stage.finished()), ["a.test.js > d > a (1): passed"]);
    let mut stage = stage.only(&["a.test.js > n …"]);
    assert_eq!(ends(&stage.finished()), ["a.test.js > n 1: passed", "a.test.js > n 2: passed"]);
    let mut stage = stage.only(&["a.test.js > gone"]);
    assert_eq!(stage.run().end, RunEnd::NoTests);
}

#[test]
fn no_tests_is_its_own_end_whatever_the_configuration_says() {
    let config = "export default { test: { passWithNoTests: true } }\n";
    let Some(mut stage) = js_stage(
        "vitest",
        &[("vitest.config.js", config), ("package.json", r#"{"type": "module"}"#)],
    ) else {
        return;
    };
    assert_eq!(stage.run().end, RunEnd::NoTests, "{}", said(&stage));
}

#[test]
fn options_of_the_project_that_stop_early_or_leave_out_do_not_count() {
    let config =
        "export default { test: { bail: 1, retry: 3, testNamePattern: /b/, allowOnly: false } }\n";
    let body = of(
        "test('a', () => { expect(1).toBe(2) })\ntest('b', () => { expect(globalThis.n = (globalThis.n ?? 0) + 1).toBe(2) })\n",
    );
    let only = of("test.only('a', () => {})\ntest('b', () => {})\n");
    let Some(mut stage) = js_stage(
        "vitest",
        &[
            ("package.json", r#"{"type": "module"}"#),
            ("vitest.config.js", config),
            ("a.test.js", &body),
            ("b.test.js", &only),
        ],
    ) else {
        return;
    };
    assert_eq!(
        ends(&stage.finished()),
        [
            "a.test.js > a: assertion at a.test.js:2",
            "a.test.js > b: assertion at a.test.js:3",
            "b.test.js > a: passed",
            "b.test.js > b: skipped"
        ]
    );
}

#[test]
fn snapshots_are_not_written_whatever_the_configuration_wants() {
    let config = "export default { test: { update: true } }\n";
    let body = of("test('a', () => { expect(1).toMatchSnapshot() })\n");
    let files = [
        ("package.json", r#"{"type": "module"}"#),
        ("vitest.config.js", config),
        ("a.test.js", body.as_str()),
    ];
    let Some(mut stage) = js_stage("vitest", &files) else { return };
    assert_eq!(ends(&stage.finished()), ["a.test.js > a: assertion at a.test.js:2"]);
    assert!(!stage.ask.tree.join("__snapshots__").exists());
}

#[test]
fn a_process_that_leaves_is_suspect() {
    for body in [
        "test('a', () => { process.reallyExit(0) })\n",
        "process.reallyExit(0)\ntest('a', () => {})\n",
    ] {
        let Some(note) = suspect(
            "vitest",
            &[("a.test.js", &of(body)), ("b.test.js", &of("test('b', () => {})\n"))],
        ) else {
            return;
        };
        assert!(note.contains("before its"), "{note}");
    }
}

#[test]
fn a_configuration_that_forges_the_exit_code_is_suspect() {
    let config = "process.on('exit', () => { process.exitCode = 0 })\nexport default {}\n";
    let failing = of("test('a', () => { expect(1).toBe(2) })\n");
    let files = [
        ("package.json", r#"{"type": "module"}"#),
        ("vitest.config.js", config),
        ("a.test.js", failing.as_str()),
    ];
    let Some(note) = suspect("vitest", &files) else { return };
    assert!(note.contains("ended with 0"), "{note}");
    let teardown = "export default function () { return () => process.exit(0) }\n";
    let config = "export default { test: { globalSetup: './g.js' } }\n";
    let files = [files[0], ("vitest.config.js", config), ("g.js", teardown), files[2]];
    suspect("vitest", &files).unwrap();
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
        "fs.appendFileSync(lines, 'x')".to_owned(),
    ] {
        let body = format!(
            "{IMPORT}{find}test('a', () => {{ {act}; console.log('{forged}'); expect(1).toBe(2) }})\n"
        );
        if not_forged("vitest", &[("a.test.js", &body)]).is_none() {
            return;
        }
    }
    let printed =
        format!("{IMPORT}test('a', () => {{ console.log('{forged}'); expect(1).toBe(2) }})\n");
    let mut stage = js_stage("vitest", &[("a.test.js", &printed)]).unwrap();
    assert!(matches!(reason(&stage.finished(), "a.test.js > a"), Reason::Assertion { .. }));
}

#[test]
fn a_report_of_the_tools_own_that_is_missing_or_differs_is_suspect() {
    let Some(mut stage) =
        js_stage("vitest", &[("a.test.js", &of("test('a', () => { expect(1).toBe(2) })\n"))])
    else {
        return;
    };
    stage.finished();
    let path = stage.ask.scratch.join("js-report.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let passed = text.replace("\"status\":\"failed\"", "\"status\":\"passed\"");
    for forged in [Some(passed), Some("{".to_owned()), None] {
        match forged {
            Some(text) => std::fs::write(&path, text).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let end = stage.runner.read(&stage.ask, &stage.outputs).end;
        assert!(matches!(&end, RunEnd::Suspect { note } if note.contains("report")), "{end:?}");
    }
}

#[test]
fn an_error_outside_of_tests_leaves_no_test_of_its_file_passed() {
    let body = of(
        "test('a', () => { Promise.reject(new Error('late')) })\ntest('b', () => { expect(1).toBe(2) })\n",
    );
    let Some(mut stage) =
        js_stage("vitest", &[("a.test.js", &body), ("b.test.js", &of("test('c', () => {})\n"))])
    else {
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
fn a_tool_that_is_not_there_is_named_with_what_brings_it() {
    let Some(mut stage) =
        js_stage("vitest", &[("package.json", r#"{"devDependencies": {"vitest": "3"}}"#)])
    else {
        return;
    };
    std::fs::remove_file(stage.ask.tree.join("node_modules")).unwrap();
    let end = stage.run().end;
    assert!(matches!(&end, RunEnd::Crashed { note } if note.contains("`npm ci`")), "{end:?}");
    stage.write("package.json", "{}");
    let end = stage.run().end;
    assert!(
        matches!(&end, RunEnd::Crashed { note } if note.contains("npm install --save-dev vitest")),
        "{end:?}"
    );
}

#[test]
fn a_configuration_that_is_broken_is_a_crash() {
    let Some(mut stage) = js_stage(
        "vitest",
        &[
            ("vitest.config.js", "throw new Error('no config')\n"),
            ("a.test.js", &of("test('a', () => {})\n")),
        ],
    ) else {
        return;
    };
    let end = stage.run().end;
    assert!(matches!(&end, RunEnd::Crashed { note } if note.contains("no config")), "{end:?}");
}

#[test]
fn lines_that_ran_are_measured_also_where_a_test_fails_and_thresholds_are_not_met() {
    let config =
        "export default { test: { coverage: { thresholds: { lines: 100, functions: 100 } } } }\n";
    let shop =
        "export function used() {\n  return 1\n}\nexport function unused() {\n  return 2\n}\n";
    let body = of(
        "import { used } from './shop.js'\ntest('a', () => { expect(used()).toBe(1) })\ntest('b', () => { expect(used()).toBe(2) })\n",
    );
    let Some(mut stage) = js_stage(
        "vitest",
        &[
            ("package.json", r#"{"type": "module"}"#),
            ("vitest.config.js", config),
            ("shop.js", shop),
            ("a.test.js", &body),
        ],
    ) else {
        return;
    };
    stage.ask.coverage = Coverage::Measured;
    stage.finished();
    let Covered::Lines(found) = stage.runner.coverage(&stage.ask, &stage.outputs) else { panic!() };
    let lines = &found.files["shop.js"];
    assert!(lines.hit.contains(&2) && lines.missed.contains(&5), "{lines:?}");
    assert!(!stage.ask.tree.join("coverage").exists());
}

#[test]
fn a_project_without_a_coverage_tool_is_told_what_to_install() {
    let Some(mut stage) = js_stage("vitest", &[("a.test.js", &of("test('a', () => {})\n"))]) else {
        return;
    };
    let all = std::fs::read_link(stage.ask.tree.join("node_modules")).unwrap();
    std::fs::remove_file(stage.ask.tree.join("node_modules")).unwrap();
    std::fs::create_dir(stage.ask.tree.join("node_modules")).unwrap();
    std::os::unix::fs::symlink(all.join("vitest"), stage.ask.tree.join("node_modules/vitest"))
        .unwrap();
    stage.ask.coverage = Coverage::Measured;
    assert!(stage.finished().passed(&TestId::new("a.test.js > a")));
    let covered = stage.runner.coverage(&stage.ask, &stage.outputs);
    assert!(
        matches!(&covered, Covered::ToolMissing { install, .. } if install.contains("@vitest/coverage-v8"))
    );
}

#[test]
fn the_tree_stays_clean() {
    let Some(mut stage) = js_stage("vitest", &[("a.test.js", &of("test('a', () => {})\n"))]) else {
        return;
    };
    stage.finished();
    let mut names: Vec<String> = std::fs::read_dir(&stage.ask.tree)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["a.test.js", "node_modules"]);
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn a_run_at_its_time_limit_keeps_what_it_knew() {
        let body =
            of(&format!("test('a', () => {{}})\ntest('b', async () => {{ {WAITS} }}, 600000)\n"));
        let Some(mut stage) = js_stage("vitest", &[("a.test.js", &body)]) else { return };
        stage.limit = Duration::from_secs(12);
        assert_eq!(
            stage.run().end,
            RunEnd::TimedOut { running: Some(TestId::new("a.test.js > b")) }
        );
    }
}

/// vitest before 2 has a suite without a name around everything in a file, and later ones do not: ids are the same.
#[test]
fn titles_of_older_versions_are_those_of_newer_ones() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("reporter");
    std::fs::create_dir(&folder).unwrap();
    let reporter = include_str!("../../src/js/proctor_vitest.mjs");
    std::fs::write(folder.join("reporter.mjs"), reporter).unwrap();
    let script = "
import Reporter from './reporter.mjs'
const file = { filepath: '/a.test.js', tasks: [] }
const around = { type: 'suite', name: '', file, tasks: [] }
const named = { type: 'suite', name: 'cart', file, suite: around, tasks: [] }
named.tasks.push({ type: 'test', name: 'adds', file, suite: named, result: { state: 'pass' } })
around.tasks.push(named)
file.tasks.push(around)
const reporter = new Reporter()
reporter.onInit({ config: { root: '/' } })
reporter.onFinished([file], [])
";
    std::fs::write(folder.join("run.mjs"), script).unwrap();
    let done = std::process::Command::new("node").arg(folder.join("run.mjs")).status();
    assert!(done.is_ok_and(|status| status.success()));
    let lines = std::fs::read_to_string(dir.path().join("js.jsonl")).unwrap();
    assert!(lines.contains(r#""names":["cart","adds"]"#), "{lines}");
}
