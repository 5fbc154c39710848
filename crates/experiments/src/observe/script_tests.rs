//! What tests of JavaScript and TypeScript become. What the tools make of it is in `tests/all/observe_script.rs`.

use super::super::{Channel, Observing, Sample, observing, span};
use proctor_lang::Edit;

fn sample(line: u32, copies: usize) -> Sample {
    Sample { number: 3, line, copies: vec![Vec::new(); copies] }
}

fn observed(file: &str, text: &str, line: u32) -> Observing {
    observing(file, text, &[sample(line, 2)], &Channel("c1".into())).unwrap()
}

/// The file without what it brings along.
fn own(file: &str, text: &str, line: u32) -> String {
    let text = observed(file, text, line).text;
    let (before, rest) = text.split_once("const __ob = (() => {").unwrap();
    format!("{before}<channel>{}", rest.split_once("\n})();").unwrap().1)
}

#[test]
fn a_test_of_jest_stands_there_once_a_copy_with_its_expectations_recorded() {
    let text = "const { net } = require('./shop')\n\ndescribe('net', () => {\n  beforeEach(() => {})\n  it('takes off', () => {\n    expect(net(200, 10)).toBe(180)\n    expect(net(1)).not.toEqual({ a: [1] });\n    for (const n of [1, 2]) expect(net(n), 'said').toBeDefined()\n    expect(() => net(-1)).toThrow('no')\n    expect({ a: 1 }).toMatchInlineSnapshot(`x`)\n    expect.assertions(4)\n  })\n})\n";
    insta::assert_snapshot!(own("shop.test.js", text, 5));
    assert_eq!(observed("shop.test.js", text, 5).lines.len(), 2);
}

#[test]
fn a_test_that_waits_keeps_its_waiting() {
    let text = "import { test, expect as wish } from 'vitest'\n\ntest.only('later', async ({ task }) => {\n  wish(await net(1)).toBe(2)\n  await wish(net(1)).resolves.toBe(2)\n  return wish(async () => { await net(1) }).rejects.toThrow()\n}, 100)\n";
    insta::assert_snapshot!(own("a.test.ts", text, 3));
}

#[test]
fn tables_and_callbacks_keep_what_they_take() {
    let text = "/** @jest-environment node */\n'use strict'\ntest.each([\n  [1, 2],\n])('adds %i', (a, b) => expect(a + 1).toBe(b))\ntest('ends', (done) => {\n  later((x) => { expect(x).to.be.true; done() })\n})\n";
    insta::assert_snapshot!(own("a.test.ts", text, 3));
    // Where the tool names the line of the title.
    assert_eq!(span("a.test.js", text, 5), span("a.test.js", text, 3));
    insta::assert_snapshot!(own("a.test.cjs", text, 6));
}

#[test]
fn asserts_of_node_are_checks_and_what_is_missing_does_not_end_the_file() {
    let text = "#!/usr/bin/env node\nimport { test } from 'node:test'\nimport assert, { strictEqual as same } from 'node:assert'\nimport shop, { net, gross as g } from './shop.js'\nimport * as all from './shop.js'\nimport data from './data.json' with { type: 'json' }\nimport type { Net } from './types.js'\n\ntest('net', { timeout: 9 }, async (t) => {\n  assert(net(1))\n  assert.strictEqual(net(1), 2, 'why')\n  same(\n    await net(1), // first\n    2,\n  )\n  await assert.rejects(() => net(), { name: 'E' })\n  t.assert.deepEqual(net(1), [2])\n  await t.test('inner', (u) => { u.equal(g(1), 1); u.match(1) })\n  assertNet(net(2))\n  await waitFor(() => assert.ok(net(3)))\n  'x'.match(/x/)\n})\n";
    insta::assert_snapshot!(own("a.test.mts", text, 9));
}

#[test]
fn literals_can_be_others_in_the_same_copy() {
    let text = "test('a', () => { expect(5).toBe(5); assert.equal(7, 8) })\n";
    let other = |was: &str, now: &str| {
        let from = text.find(was).unwrap();
        Edit { line: 1, from, to: from + was.len(), text: now.into(), what: String::new() }
    };
    let edits = vec![other("'a'", "'b'"), other("5", "6"), other("7", "70"), other("8", "80")];
    let sample = Sample { number: 0, line: 1, copies: vec![edits] };
    let made = observing("a.test.js", text, &[sample], &Channel("c1".into())).unwrap();
    assert!(made.text.ends_with(
        "/* ob_0_0_ */ test('b' + \" __o0\", __ob.of(0, 0, () => { __ob.expect(0, 0, 0, expect, () => (6)).toBe(5); \
        __ob.check(0, 0, 1, assert, \"equal\", () => [70, 80]) }))\n"
    ));
}

#[test]
fn every_variation_of_a_test_can_be_read() {
    let text = "test.each([[10, 'ab cd'], [20, 'x']])('adds %i', async (a, b) => {\n  expect(net(a, [3, 4])).toEqual([5, 6])\n  expect(await net('red shoe', 2.5)).toBe('red')\n  assert.equal(net(7), 'seven', `why`)\n})\n";
    let varying = crate::vary("a.test.js", text, 1, &|_| false).unwrap();
    let copies: Vec<_> = varying.variations.into_iter().map(|(_, edits)| edits).collect();
    assert!(copies.len() > 10);
    let sample = Sample { number: 1, line: 1, copies };
    let made =
        observing("a.test.js", text, std::slice::from_ref(&sample), &Channel("c1".into())).unwrap();
    let read = proctor_lang::Language::of("a.test.js").unwrap().parse(&made.text).unwrap();
    assert!(!read.root_node().has_error(), "{}", made.text);
    assert_eq!(made.lines.len(), sample.copies.len());
    assert_eq!(made.text.matches("__ob.expect(1,").count(), 2 * sample.copies.len());
    assert_eq!(made.text.matches("__ob.check(1,").count(), sample.copies.len());
}

#[test]
fn what_can_not_be_copied_is_no_sample() {
    for text in [
        "describe('a', () => {})",
        "test.skip('a', () => {})",
        "test(1, () => {})",
        "test('a', given)",
        "test('a', function* () {})",
        "if (x) test('a', () => {})",
        "const a = test('a', () => {})",
        "describe('a', () => test('b', () => {}))",
    ] {
        assert_eq!(span("a.test.js", text, 1), None, "{text}");
    }
    assert_eq!(span("a.test.js", "void test(`a ${b}`, () => {});", 1), Some(0..30));
    assert_eq!(span("a.test.js", "test(title, () => {})", 1), Some(0..21));
}
