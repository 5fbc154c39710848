import test from "node:test";
import assert from "node:assert/strict";
import { size } from "../src/size.js";

test("bytes", () => {
  assert.equal(size(12), "12 B");
});
