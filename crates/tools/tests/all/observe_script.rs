//! Observing tests of JavaScript and TypeScript, run by the tools themselves: what their channel says.

use crate::js_stage::{js_stage, said};
use crate::stage::Stage;
use proctor_core::report::{CaseEnd, TestReport};
use proctor_experiments::{Channel, Sample, helping_file, observing, read_channel};

const NAME: &str = "seen-9f31";

/// The file with all of its tests that can observe, once each, those in others left out.
fn rewritten(file: &str, text: &str) -> String {
    let mut samples = Vec::new();
    let mut end = 0;
    for line in (1..).take(text.lines().count()) {
        if let Some(span) = proctor_experiments::span(file, text, line).filter(|s| s.start >= end) {
            end = span.end;
            samples.push(Sample { number: samples.len(), line, copies: vec![Vec::new()] });
        }
    }
    observing(file, text, &samples, &Channel(NAME.into())).unwrap().text
}

fn ran(mut stage: Stage, file: &str, text: &str) -> (String, TestReport) {
    stage.write(file, &rewritten(file, text));
    let report = stage.run();
    let channel = stage.ask.scratch.join("tmp").join(NAME);
    let bytes = std::fs::read(channel).unwrap_or_else(|e| panic!("{e}\n{}", said(&stage)));
    let mut shown = String::new();
    for ((sample, _), rows) in read_channel(&bytes) {
        for row in rows {
            let holds = if row.holds { "holds" } else { "fails" };
            let raised = row.raised.map(|x| format!(" raised {x}")).unwrap_or_default();
            let sides = row.sides.join(" | ");
            let at = format!("{sample}: case {} site {}.{}", row.case, row.site, row.nth);
            shown.extend([at.as_str(), " ", holds, " ", &sides, &raised, "\n"]);
        }
    }
    assert!(!stage.ask.tree.join("__snapshots__").exists());
    (shown, report)
}

/// None of the copies fails, whatever it sees.
fn all_passed(report: &TestReport) {
    assert!(!report.cases.is_empty(), "{report:?}");
    let failed: Vec<_> = report.cases.iter().filter(|(_, c)| c.end != CaseEnd::Passed).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

const SHOP: &str = "export const net = (n, off = 0) => { if (n < 0) throw new RangeError('below zero'); return n - off }
export const later = async (n) => net(n)
export class Cart { constructor() { this.items = [1]; Object.defineProperty(this, 'sum', { enumerable: true, get() { throw new Error('no') } }) } }
";

/// What jest and vitest share.
const SHARED: &str = "describe('net', () => {
  let rate
  beforeEach(() => { rate = 10 })
  it('compares', () => {
    expect(net(200, rate)).toBe(190)
    expect(net(200, rate)).toBe(1)
    expect(net(1)).not.toEqual({ a: 1 })
    expect(net(-1)).toBe(2)
    for (const n of [1, 2]) expect(n).toBeLessThan(2)
  })
})
test.each([[1, 2], [2, 5]])('table %i', (a, b) => { expect(a + 1).toBe(b) })
it.each`
a | b
${1} | ${2}
`('$a is less', ({ a, b }) => expect(a).toBeLessThan(b))
test('waits', async () => {
  expect(await later(3)).toBe(3)
  expect(await later(-3)).toBe(3)
  await expect(later(4)).resolves.toBe(5)
  await expect(later(-4)).rejects.toThrow('below')
  await expect(later(4)).rejects.toThrow('below')
  await expect(Promise.resolve({ b: 1 })).resolves.toMatchSnapshot()
})
test('throws', () => {
  expect(() => net(-1)).toThrow(RangeError)
  expect(() => net(1)).toThrow('below')
  expect(() => net(1)).not.toThrow()
  expect(() => net(-1)).toThrowErrorMatchingSnapshot()
})
test('snapshots', () => {
  expect({ a: [1, 'x'] }).toMatchSnapshot()
  expect(5).toMatchInlineSnapshot(`7`)
})
test('ends early', () => { expect(1).toBe(1); null.x; expect(2).toBe(2) })
test('values', () => {
  const odd = { a: undefined, b: NaN, c: -0, d: 10n, e: Symbol('s'), f: new Date(0), g: /x/g, h: new Map([[1, { k: 2 }]]), i: new Set(['v']), j: new TypeError('t'), k: new Uint8Array([1, 2]), l: Promise.resolve(), m: net, n: class Own {}, o: [1, , 3], p: Object.create(null) }
  odd.self = odd
  expect(odd).toBeDefined()
  expect(new Cart()).toBeDefined()
  expect('x'.repeat(700)).toHaveLength(700)
  expect(Array.from({ length: 70 }, (_, n) => n)).toHaveLength(70)
  expect([[[[[[[1]]]]]]]).toBeDefined()
  expect('half \\ud83d').toBeDefined()
  expect(undefined).toBeNoMatcherAtAll()
  const fn = MOCK.fn()
  fn(1, 'a')
  expect(fn).toHaveBeenCalledWith(1, 'b')
})
test('never ends', async () => { await new Promise(() => {}) }, 6000)
";

#[test]
fn vitest_tells_what_its_tests_see() {
    let Some(stage) = js_stage("vitest", &[("shop.js", SHOP)]) else { return };
    let text = format!(
        "import {{ describe, it, test, expect, vi, beforeEach }} from 'vitest'
import {{ net, later, Cart, missing }} from './shop.js'
vi.mock('./shop.js', async (original) => ({{ ...(await original()), mocked: 1 }}))
{}test('chains', ({{ expect, task }}) => {{
  expect(net(3)).to.equal(3)
  expect(net(3) === 3).to.be.true
  expect(net(3)).to.be.null
  expect([1, 2]).to.be.an('array').that.includes(3)
  expect.soft(net(3)).toBe(4)
  expect(missing()).toBe(1)
  expect(task.name).toContain('chains')
}})
const more = test.extend({{ shelf: async ({{}}, use) => use(7) }})
more('fixtures', ({{ shelf }}) => {{ expect(shelf).toBe(7) }})
",
        SHARED.replace("MOCK", "vi").replace("toBeNoMatcherAtAll", "toBeNull")
    );
    let (shown, report) = ran(stage, "a.test.js", &text);
    insta::assert_snapshot!("observe-vitest", shown);
    all_passed(&report);
}

#[test]
fn jest_tells_what_its_tests_see() {
    let package = r#"{"name": "shop", "jest": {"transform": {}}}"#;
    let shop = SHOP.replace("export const ", "exports.").replace("=> net(", "=> exports.net(");
    let shop = shop.replace("export class Cart", "exports.Cart = class Cart");
    let Some(stage) = js_stage("jest", &[("package.json", package), ("shop.js", &shop)]) else {
        return;
    };
    let text = format!(
        "/**\n * @jest-environment node\n */\n'use strict'\nconst {{ net, later, Cart, missing }} = require('./shop.js')\n{}\
test('is called back', (done) => {{ setTimeout(() => {{ expect(net(1)).toBe(2); done() }}, 1) }})
test('is called back with an error', (done) => {{ setTimeout(() => done(new Error('no')), 1) }})
test('takes the missing', () => {{ expect(missing()).toBe(1) }})
test.each([[1, 2]])('table with an end %i', (a, b, done) => {{ expect(a).toBe(b); done() }})
test('keeps its time', () => {{ jest.useFakeTimers(); expect(Date.now() > 1).toBe(true); jest.useRealTimers() }})
",
        SHARED.replace("MOCK", "jest")
    );
    let (shown, report) = ran(stage, "a.test.js", &text);
    insta::assert_snapshot!("observe-jest", shown);
    all_passed(&report);
}

#[test]
fn node_tells_what_its_tests_see() {
    let package = r#"{"name": "shop", "type": "module"}"#;
    let Some(stage) = js_stage("node", &[("package.json", package), ("shop.js", SHOP)]) else {
        return;
    };
    let text = "import test, { describe, it, beforeEach, mock } from 'node:test'
import assert, { deepStrictEqual as same } from 'node:assert'
import { net, later, missing, Cart as Basket } from './shop.js'
describe('net', () => {
  let rate
  beforeEach(() => { rate = 10 })
  it('compares', () => {
    assert(net(5))
    assert.ok(net(0), 'said')
    assert.strictEqual(net(200, rate), 190, 'said')
    assert.equal(net(-1), 2)
    same({ a: [1] }, { a: [2] })
    assert.throws(() => net(-1), RangeError)
    assert.throws(() => net(1))
    assert.match('abc', /c/)
    assert.fail('no')
  })
})
test('waits', async (t) => {
  assert.equal(await later(3), 3)
  assert.equal(await later(-3), 3)
  await assert.rejects(later(-1), RangeError)
  await assert.rejects(() => later(1))
  await t.test('inner', () => { assert.equal(1, 2) })
})
test('is called back', (t, done) => { setTimeout(() => { assert.equal(net(1), 2); done() }, 1) })
test('takes the missing', () => { assert.equal(missing(1), 2) })
test('shows its mocks', () => { const f = mock.fn(); f(1, 2); assert.equal(f.mock.callCount(), 1); assert.ok(f) })
test('never ends', async () => { await new Promise(() => {}) })
test('shows a value', () => { same(new Basket(), 1) })
";
    let (shown, report) = ran(stage, "a.test.js", text);
    insta::assert_snapshot!("observe-node", shown);
    all_passed(&report);
}

#[test]
fn types_are_no_hindrance() {
    let package = r#"{"name": "shop", "jest": {"transform": {"\\.ts$": "ts-jest"}}}"#;
    let config =
        r#"{"compilerOptions": {"strict": true, "module": "commonjs", "target": "es2020"}}"#;
    let shop = "export const net = (n: number): number => n\n";
    let text = "import { net } from './shop'
import type { Some } from './types'
jest.mock('./shop', () => ({ net: (n: number) => n + 1 }))
interface Row { a: number; b: number }
test.each<Row>([{ a: 1, b: 2 }])('typed $a', ({ a, b }: Row) => {
  expect<number>(net(a) as number).toBe(b)
})
test('typed and waiting', async (): Promise<void> => { expect((await Promise.resolve(net(1)))!).toBe(3) })
";
    let files = [
        ("package.json", package),
        ("tsconfig.json", config),
        ("shop.ts", shop),
        ("types.ts", "export type Some = 1\n"),
    ];
    let Some(stage) = js_stage("jest", &files) else { return };
    // The globals of jest have no types in this tree, and what is rewritten has none at all.
    let (shown, report) = ran(stage, "a.test.ts", text);
    all_passed(&report);
    let Some(stage) =
        js_stage("vitest", &[("shop.ts", shop), ("types.ts", "export type Some = 1\n")])
    else {
        return;
    };
    let text = text.replace("jest.mock", "vi.mock");
    let text = format!("import {{ test, expect, vi }} from 'vitest'\n{text}");
    let (again, report) = ran(stage, "a.test.ts", &text);
    all_passed(&report);
    assert_eq!(shown, again);
    insta::assert_snapshot!("observe-types", shown);
}

#[test]
fn a_context_that_only_takes_notes_is_judged_here() {
    let tape = "exports.test = (title, fn) => {
  const note = () => {}
  fn({ plan: note, end: note, equal: note, deepEqual: note, ok: note, notOk: note, throws: (f) => { try { f() } catch {} } })
}
";
    let text = "const { test } = require('./tape.js')
test('notes', (t) => {
  t.plan(6)
  t.equal(1, 1)
  t.equal(1, 2, 'said')
  t.deepEqual({ a: [1] }, { a: [1] })
  t.deepEqual({ a: [1] }, { a: [2] })
  t.ok(0)
  t.throws(() => null.x)
  t.throws(() => 1)
  t.same(1, 1)
  t.end()
})
";
    let Some(stage) = js_stage("node", &[("tape.js", tape)]) else { return };
    let (shown, _) = ran(stage, "a.test.js", text);
    insta::assert_snapshot!("observe-notes", shown);
}

#[test]
fn a_context_that_says_whether_a_check_held_is_believed() {
    let ava = "exports.test = (title, fn) => fn({ plan: () => {}, deepEqual: (a, b) => JSON.stringify(a) === JSON.stringify(b) })\n";
    let text = "const { test } = require('./ava.js')
test('bare', (t) => {
  t.deepEqual(Object.assign(Object.create(null), { a: 1 }), { a: 1 })
  t.deepEqual(Object.create(null), { a: 1 })
})
";
    let Some(stage) = js_stage("node", &[("ava.js", ava)]) else { return };
    let (shown, _) = ran(stage, "a.test.js", text);
    assert!(shown.contains("site 0.0 holds") && shown.contains("site 1.0 fails"), "{shown}");
}

#[test]
fn what_should_be_is_told_and_nothing_fails() {
    let should = "Object.defineProperty(Object.prototype, 'should', { get() {
  const equal = (b) => { if (this.valueOf() !== b) throw new Error('not equal') }
  return { equal, have: { property: (k, v) => { if (this[k] !== v) throw new Error('no property') } } }
} })
";
    let text = "require('./should.js')
const test = require('node:test')
test('should', async () => {
  (2 + 3).should.equal(5)
  'ab'.toUpperCase().should.equal('ab')
  const made = { a: 1 }
  made.should.have.property('a', 1)
  ;(await made).should.have.property('b', 2)
  made.missing.should.equal(1)
})
";
    let Some(stage) = js_stage("node", &[("should.js", should)]) else { return };
    let (shown, report) = ran(stage, "a.test.js", text);
    all_passed(&report);
    let ends: Vec<&str> = shown.lines().filter_map(|line| line.split(' ').nth(5)).take(5).collect();
    assert_eq!(ends, ["holds", "fails", "holds", "fails", "fails"], "{shown}");
    assert!(shown.contains(r#""AB" | "ab""#), "{shown}");
}

#[test]
fn what_babel_puts_first_stays_first() {
    let package = r#"{"name": "shop", "jest": {}}"#;
    let babel = r#"{"presets": [["@babel/preset-env", {"targets": {"node": "current"}}]]}"#;
    let files = [("package.json", package), (".babelrc", babel), ("shop.js", SHOP)];
    let text = "import { net } from './shop.js'
import { missing } from './shop.js'
jest.mock('./shop.js', () => ({ net: () => 7 }))
test('mocked', function () { expect(net(1)).toBe(7); expect(missing(1)).toBe(7) })
";
    let Some(stage) = js_stage("jest", &files) else { return };
    let (shown, report) = ran(stage, "a.test.js", text);
    insta::assert_snapshot!("observe-babel", shown);
    all_passed(&report);
}

#[test]
fn what_helpers_of_scripts_assert_is_told_by_the_test_that_runs() {
    let helper = "import assert from 'node:assert'\nexport const check = (x, y) => { assert.equal(x, y) }\nexport const later = async (x, y) => { await null; assert.equal(x, y) }\nexport const both = (x) => { try { assert.equal(x, 1); return true } catch { return false } }\n";
    let helper = helping_file("helper.js", helper, &Channel(NAME.into())).unwrap();
    let package = r#"{"name": "shop", "type": "module"}"#;
    let files = [("package.json", package), ("helper.js", helper.as_str())];
    let Some(stage) = js_stage("node", &files) else { return };
    let text = "import test, { beforeEach } from 'node:test'
import assert from 'node:assert'
import { both, check, later } from './helper.js'
const assertNear = (x, y) => { assert.ok(Math.abs(x - y) < 2) }
beforeEach(() => { check(1, 1) })
test('a', async () => {
  check(5, 5)
  check(5, 6)
  await later(5, 7)
  assertNear(5, 9)
  assert.ok(!both(2))
  assert.throws(() => check(1, 2))
  await assert.rejects(() => later(1, 2))
})
test('b', { concurrency: true }, async (t) => {
  await Promise.all([later(1, 2), later(3, 3)])
})
";
    let (shown, report) = ran(stage, "a.test.js", text);
    insta::assert_snapshot!("observe-node-helpers", shown);
    all_passed(&report);
}
