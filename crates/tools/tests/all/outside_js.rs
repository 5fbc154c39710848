//! The tests' bodies outside `node --test`, and in vitest and jest without their signs.

use crate::js_stage::js_stage;
use crate::outside::ends;

#[test]
fn node_that_asks_for_its_runner_is_found_out_and_honest_node_holds() {
    let shop = "import fs from 'node:fs'
export const byVariable = (n) => (process.env.NODE_TEST_CONTEXT ? 2 * n : n)
export const byArgument = (n) => (process.execArgv.includes('--test') || process.env.NODE_TEST_CONTEXT ? 2 * n : n)
export const byFrame = (n) => (/\\.test\\.|test_runner/.test(new Error().stack) ? 2 * n : n)
export const double = (n) => 2 * n
export const refuse = () => { throw new TypeError('no') }
";
    let tests = "import test, { describe, it, before, beforeEach, mock } from 'node:test'
import assert from 'node:assert/strict'
import * as shop from './shop.mjs'

test('by variable', () => { assert.equal(shop.byVariable(2), 4) })
test('by argument', () => assert.equal(shop.byArgument(2), 4))
test('by frame', async () => { assert.equal(shop.byFrame(2), 4) })
await test('is awaited', () => { assert.equal(shop.double(2), 4) })
describe('a group', () => {
  let base, seen = 0
  before(() => { base = 2 })
  beforeEach(() => { seen += 1 })
  it('has hooks', () => { assert.deepEqual([base, seen], [2, 1]) })
  describe('inside', () => {
    it('calls back', (t, done) => { setImmediate(() => { assert.equal(seen, 2); done() }) })
  })
})
test('outer', async (t) => {
  await t.test('inner', () => assert.throws(() => shop.refuse(), TypeError))
})
test('errors', () => { shop.refuse() })
test.skip('later', () => { assert.fail() })
test('mocks', () => { mock.fn() })
";
    let common = "const { test } = require('node:test')
const assert = require('node:assert')
test('is required', () => { assert.ok(process.env.NODE_TEST_CONTEXT === undefined) })
";
    let Some(stage) = js_stage(
        "node",
        &[
            ("package.json", "{}"),
            ("shop.mjs", shop),
            ("shop.test.mjs", tests),
            ("old.test.cjs", common),
        ],
    ) else {
        return;
    };
    let found = ends(&stage);
    let wanted: Vec<(String, &str)> = [
        ("a group > has hooks", "holds"),
        ("a group > inside > calls back", "holds"),
        ("by argument", "fails"),
        ("by frame", "fails"),
        ("by variable", "fails"),
        ("errors", "not made"),
        ("is awaited", "holds"),
        ("later", "not made"),
        ("mocks", "not made"),
        ("outer > inner", "holds"),
    ]
    .map(|(name, end)| (format!("shop.test.mjs > {name}"), end))
    .to_vec();
    for (id, end) in &wanted {
        assert_eq!(found.get(id), Some(end), "{id}");
    }
    assert_eq!(found.get("old.test.cjs > is required"), Some(&"holds"));
}

const SIGNS: &str = "
const byVariable = (n) => (process.env.VITEST || process.env.JEST_WORKER_ID ? 2 * n : n)
const byMode = (n) => (process.env.NODE_ENV === 'test' ? 2 * n : n)
const byGlobal = (n) => (typeof jest !== 'undefined' || typeof globalThis.expect === 'function' ? 2 * n : n)
const byArgument = (n) => (/jest|vitest/.test(process.argv.join()) ? 2 * n : n)
const double = (n) => 2 * n
const refuse = () => { throw new TypeError('no') }
";

const SIGN_TESTS: &str = "
test('variable', () => { expect(shop.byVariable(2)).toBe(4) })
test('mode', () => { expect(shop.byMode(2)).toBe(4) })
test('argument', () => { expect([0, 4]).toContain(shop.byArgument(2)) })
describe('honest', () => {
  let base
  beforeEach(() => { base = 2 })
  it.each([1, 2])('doubles %i', (n) => { expect(shop.double(n)).toBe(n * base) })
  it('throws', () => { expect(() => shop.refuse()).toThrow(TypeError) })
})
";

#[test]
fn vitest_and_jest_code_that_asks_for_its_runner_is_found_out() {
    let vitest = format!(
        "import {{ test, expect, describe, it, beforeEach }} from 'vitest'\nimport * as shop from './shop.js'\n{SIGN_TESTS}"
    );
    let module =
        format!("{SIGNS}\nexport {{ byVariable, byMode, byGlobal, byArgument, double, refuse }}\n");
    let jest = format!(
        "const shop = require('./shop.js')\n{SIGN_TESTS}\ntest('global', () => {{ expect(shop.byGlobal(2)).toBe(4) }})\n"
    );
    let common = format!(
        "{SIGNS}\nmodule.exports = {{ byVariable, byMode, byGlobal, byArgument, double, refuse }}\n"
    );
    let config = "import { defineConfig } from 'vitest/config'\n\
                  export default defineConfig({ test: { environment: 'node' } })\n";
    for (runner, tests, shop, package, config) in [
        ("vitest", &vitest, &module, "{\"type\":\"module\"}", Some(config)),
        ("jest", &jest, &common, "{}", None),
    ] {
        let mut files = vec![
            ("package.json", package),
            ("shop.js", shop.as_str()),
            ("shop.test.js", tests.as_str()),
        ];
        files.extend(config.map(|text| ("vitest.config.ts", text)));
        let Some(stage) = js_stage(runner, &files) else { return };
        let found = ends(&stage);
        let mut fails = vec!["variable", "mode", "argument"];
        if runner == "jest" {
            fails.push("global");
        }
        for name in fails {
            assert_eq!(
                found.get(&format!("shop.test.js > {name}")),
                Some(&"fails"),
                "{runner} {name}"
            );
        }
        let honest: Vec<_> = found.iter().filter(|(id, _)| id.contains("honest")).collect();
        assert_eq!(honest.len(), 2);
        assert!(honest.iter().all(|(_, end)| **end == "holds"), "{honest:?}");
    }
}
