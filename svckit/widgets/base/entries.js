// Entries that were typed or ticked and that Python has not yet acknowledged. A view from before the entry arrived must
// not undo it, nor be sent as if it had been typed. So each request carries a number, Python acknowledges the last one,
// and a control keeps its value until its own number is acknowledged.
import { connection } from "./connection.js";

const PAUSE = 150; // milliseconds without typing after which the text is sent

/** @param {import("./connection.js").Model} model @param {HTMLElement} el */
export function entries(model, el) {
  const { send, remove: disconnect } = connection(model, el);
  const here = Math.random().toString(36).slice(2); // this view's ID among all views of the widget
  const unsent = new Map(); // the request, by its source: a control, or a group of controls
  const unheard = new Map(); // the number of the last request, by source
  const latest = new WeakMap(); // the last view's value for each control, by source
  let number = 0;
  let timer = null;

  function flush() {
    clearTimeout(timer);
    for (const [source, request] of unsent) {
      number += 1;
      unheard.set(source, number);
      send({ ...request, entry: `${here} ${number}` });
    }
    unsent.clear();
  }
  const held = (source) => unsent.has(source) || unheard.has(source);
  const isChosen = (control) => control.type === "checkbox" || control.tagName === "SELECT"; // else typed

  function apply(control, value) {
    if (control.type === "checkbox") control.checked = value;
    else if (isChosen(control) || control.getRootNode().activeElement !== control) control.value = value;
  }

  function heard() {
    const [from, last] = model.get("heard").split(" ");
    if (from !== here) return;
    for (const [source, each] of unheard) {
      if (each > Number(last)) continue;
      unheard.delete(source);
      if (!held(source)) for (const [control, value] of latest.get(source) ?? []) apply(control, value);
    }
  }
  model.on("change:heard", heard);

  return {
    here,
    held,
    send,
    // Send a request after all pending entries.
    ask(request, buffers) {
      flush();
      send(request, buffers);
    },
    // Discard entries that were not sent.
    drop() {
      clearTimeout(timer);
      unsent.clear();
    },
    // Send entries in the order they were made: at once, or with `soon` after a pause in typing.
    enter(source, request, { soon = false } = {}) {
      // A rejected text stays, so that it can be corrected; a choice is reverted.
      for (const control of latest.get(source)?.keys() ?? []) if (!isChosen(control)) latest.get(source).delete(control);
      unsent.delete(source);
      unsent.set(source, request);
      clearTimeout(timer);
      if (soon) timer = setTimeout(flush, PAUSE);
      else flush();
    },
    // Show Python's value, unless an entry is not yet acknowledged or the user is typing.
    put(control, value, source = control) {
      if (!latest.has(source)) latest.set(source, new Map());
      latest.get(source).set(control, value);
      if (!held(source)) apply(control, value);
    },
    remove() {
      model.off("change:heard", heard);
      flush();
      disconnect();
    },
  };
}
