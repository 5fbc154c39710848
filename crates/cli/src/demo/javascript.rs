//! The demo's texts in JavaScript: one module and its tests, run by `node --test`. Only texts; the story is `demo_lesson`'s.

use crate::demo::lesson::{Answers, Lesson};

pub const LESSON: Lesson = Lesson {
    runner: "node",
    files: &[("package.json", PROJECT)],
    code: "median.js",
    test: "median.test.js",
    old_code: OLD_CODE,
    old_tests: OLD_TESTS,
    new_test: NEW_TEST,
    answers: Answers { today: "3", right: "2.5", bent: "2" },
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

const NEW_TEST: &str = r"
test('median of four', () => {
  assert.equal(median([4, 1, 3, 2]), WANTED);
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
