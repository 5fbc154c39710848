import test from "node:test";
import assert from "node:assert/strict";
import { Money } from "../src/money.js";

test("amount", () => {
  assert.equal(new Money(3, "EUR").amount, 3);
});

test("a sum", () => {
  assert.deepEqual(new Money(3, "EUR").plus(new Money(4, "EUR")), new Money(7, "EUR"));
});
