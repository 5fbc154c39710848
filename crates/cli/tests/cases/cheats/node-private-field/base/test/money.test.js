import test from "node:test";
import assert from "node:assert/strict";
import { Money } from "../src/money.js";

test("amount", () => {
  assert.equal(new Money(3, "EUR").amount, 3);
});
