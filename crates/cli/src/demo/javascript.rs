//! The demo's texts in JavaScript: one module and its tests, run by `node --test`. Only texts; the story is `demo_lesson`'s.

use crate::demo::lesson::Lesson;

pub const LESSON: Lesson = Lesson {
    bug: "median of [1, 2, 3, 4] is 3, and 2.5 would be right",
    details: "The median of a list of even length is the mean of the two values in its middle.",
    files: &[
        ("package.json", PROJECT),
        ("proctor.toml", SETTINGS),
        ("median.js", OLD_CODE),
        ("median.test.js", OLD_TESTS),
    ],
    first_commit: "median of a list, with a test",
    code: "median.js",
    test: "median.test.js",
    meek_tests: MEEK_TESTS,
    tests: TESTS,
    bent_tests: BENT_TESTS,
    wrong_code: WRONG_CODE,
    careless_code: CARELESS_CODE,
    good_code: GOOD_CODE,
    objection: "the length of an empty list is even too: median([]) was null, and now it is NaN",
};

const PROJECT: &str = r#"{
  "name": "little-stats",
  "version": "0.1.0",
  "type": "module",
  "scripts": { "test": "node --test" }
}
"#;

const SETTINGS: &str = r#"runner = "node"

[agents.scripted]
kind = "script"
file = "../scenario.json"
"#;

const OLD_CODE: &str = r"/** The value in the middle of the sorted list; null for an empty one. */
export function median(values) {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? null;
}
";

const OLD_TESTS: &str = r"import assert from 'node:assert/strict';
import test from 'node:test';
import { median } from './median.js';

test('median of three', () => {
  assert.equal(median([5, 1, 3]), 3);
});
";

const MEEK_TESTS: &str = r"import assert from 'node:assert/strict';
import test from 'node:test';
import { median } from './median.js';

test('median of three', () => {
  assert.equal(median([5, 1, 3]), 3);
});

test('median of four', () => {
  assert.equal(median([4, 1, 3, 2]), 3);
});
";

const TESTS: &str = r"import assert from 'node:assert/strict';
import test from 'node:test';
import { median } from './median.js';

test('median of three', () => {
  assert.equal(median([5, 1, 3]), 3);
});

test('median of four', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});
";

const BENT_TESTS: &str = r"import assert from 'node:assert/strict';
import test from 'node:test';
import { median } from './median.js';

test('median of three', () => {
  assert.equal(median([5, 1, 3]), 3);
});

test('median of four', () => {
  assert.equal(median([4, 1, 3, 2]), 2);
});
";

const WRONG_CODE: &str = r"/** The value in the middle of the sorted list; null for an empty one. */
export function median(values) {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.floor((ordered.length - 1) / 2)] ?? null;
}
";

const CARELESS_CODE: &str = r"/** The value in the middle of the sorted list; null for an empty one. */
export function median(values) {
  const ordered = values.toSorted((a, b) => a - b);
  const middle = Math.floor(ordered.length / 2);
  if (ordered.length % 2 === 0) return (ordered[middle - 1] + ordered[middle]) / 2;
  return ordered[middle];
}
";

const GOOD_CODE: &str = r"/** The value in the middle of the sorted list, or the mean of the two; null for an empty one. */
export function median(values) {
  const ordered = values.toSorted((a, b) => a - b);
  if (ordered.length === 0) return null;
  const middle = Math.floor(ordered.length / 2);
  if (ordered.length % 2 === 1) return ordered[middle];
  return (ordered[middle - 1] + ordered[middle]) / 2;
}
";
