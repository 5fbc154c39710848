import test from "node:test";
import assert from "node:assert/strict";
import { size } from "../src/size.js";

test("bytes", () => {
  assert.equal(size(12), "12 B");
});

test("large", () => {
  assert.equal(size(1536), "1.5 KB");
  assert.equal(size(2097152), "2 MB");
});
