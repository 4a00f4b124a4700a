import assert from "node:assert/strict";
import { test } from "node:test";

import { step } from "../../svckit/widgets/base/grid.js";
import { stepRound } from "../../svckit/widgets/base/tabs.js";

test("keys move among rows, and stop at the ends", () => {
  const to = (key) => [0, 1, 2].map((at) => step(key, at, 3));
  assert.deepEqual(to("ArrowDown"), [1, 2, 2]);
  assert.deepEqual(to("ArrowUp"), [0, 0, 1]);
  assert.deepEqual(to("Home"), [0, 0, 0]);
  assert.deepEqual(to("End"), [2, 2, 2]);
  assert.equal(step("a", 0, 3), undefined);
});

test("keys move among tabs, round and round", () => {
  const to = (key) => [0, 1, 2].map((at) => stepRound(key, at, 3));
  assert.deepEqual(to("ArrowRight"), [1, 2, 0]);
  assert.deepEqual(to("ArrowLeft"), [2, 0, 1]);
  assert.deepEqual(to("End"), [2, 2, 2]);
  assert.equal(stepRound("Enter", 0, 3), undefined);
});
