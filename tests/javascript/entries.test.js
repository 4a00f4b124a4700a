import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { entries } from "../../svckit/widgets/base/entries.js";

/** The front end's model of a widget, and what it was asked to send. */
function model() {
  const handlers = {};
  const state = { heard: "" };
  return {
    sent: [],
    get: (name) => state[name],
    on: (event, handler) => (handlers[event] = handler),
    off: (event) => delete handlers[event],
    send(content) {
      this.sent.push(content);
    },
    acknowledge({ entry }) {
      state.heard = entry;
      handlers["change:heard"]();
    },
  };
}

const gone = new AbortController().signal;

const control = (type, value) => ({ type, value, tagName: "INPUT", contains: () => false, getRootNode: () => ({}) });

test("typing is sent after a pause, once", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const kernel = model();
  const { enter } = entries(kernel, {}, gone);
  const name = control("text", "");
  enter(name, { text: "M" }, { soon: true });
  enter(name, { text: "Mi" }, { soon: true });
  mock.timers.tick(149);
  assert.deepEqual(kernel.sent, []);
  mock.timers.tick(1);
  assert.deepEqual(kernel.sent.map(({ text }) => text), ["Mi"]);
  mock.timers.reset();
});

test("an action comes after what was typed before it", () => {
  const kernel = model();
  const { ask, enter } = entries(kernel, {}, gone);
  enter(control("text", ""), { text: "Mina" }, { soon: true });
  ask({ do: "send" });
  assert.deepEqual(kernel.sent.map((each) => each.do ?? each.text), ["Mina", "send"]);
  assert.deepEqual(kernel.sent.map(({ entry }) => entry.split(" ")[1]), ["1", "2"]);
});

test("a request that could not be sent leaves no gap in the numbers", () => {
  const kernel = model();
  const { ask } = entries(kernel, { classList: { toggle() {} } }, gone);
  const send = kernel.send;
  kernel.send = () => {
    throw new Error("Cannot send");
  };
  ask({ do: "send" });
  kernel.send = send;
  ask({ do: "send" });
  assert.deepEqual(kernel.sent.map(({ entry }) => entry.split(" ")[1]), ["1"]);
});

test("an older value does not undo what was typed, until that is acknowledged", () => {
  const kernel = model();
  const { enter, held, put } = entries(kernel, {}, gone);
  const name = control("text", "Mina");
  enter(name, { text: "Mina" });
  put(name, "older");
  assert.equal(name.value, "Mina");
  assert.ok(held(name));
  put(name, "MINA");
  kernel.acknowledge(kernel.sent[0]);
  assert.equal(name.value, "MINA");
  assert.ok(!held(name));
});

test("an acknowledgment of an earlier entry is not one of a later entry", () => {
  const kernel = model();
  const { enter, put } = entries(kernel, {}, gone);
  const box = Object.assign(control("checkbox"), { checked: true });
  enter(box, { text: true });
  box.checked = false;
  enter(box, { text: false });
  put(box, true);
  kernel.acknowledge(kernel.sent[0]);
  assert.equal(box.checked, false);
  put(box, false);
  kernel.acknowledge(kernel.sent[1]);
  assert.equal(box.checked, false);
});

test("entries that are dropped are never sent", () => {
  const kernel = model();
  const { ask, drop, enter } = entries(kernel, {}, gone);
  enter(control("text", ""), { text: "Mina" }, { soon: true });
  drop();
  ask({ do: "send" });
  assert.deepEqual(kernel.sent.map((each) => each.do), ["send"]);
});
