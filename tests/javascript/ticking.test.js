import assert from "node:assert/strict";
import { test } from "node:test";

import { formatSpan, runOn } from "../../svckit/widgets/base/ticking.js";

test("a clock runs on in its own offset", () => {
  assert.equal(runOn("2026-06-01T09:00:00+09:00", 0.9), "2026-06-01 09:00:00");
  assert.equal(runOn("2026-06-01T23:59:59.5-11:00", 2), "2026-06-02 00:00:01");
});

test("spans are in words as in Python", () => {
  const spans = JSON.parse(process.env.SPANS);
  assert.ok(Object.keys(spans).length > 5);
  for (const [seconds, words] of Object.entries(spans)) assert.equal(formatSpan(Number(seconds)), words);
});
