// Entries that were typed or ticked and that Python has not yet acknowledged. A view from before the entry arrived must
// not undo it, nor be sent as if it had been typed. So each request carries a number, in whose order Python handles them;
// it acknowledges the last one, and a control keeps its value until its own number is acknowledged.
import { connection, listen } from "./connection.js";
import { focusedIn } from "./focus.js";

const PAUSE = 150; // milliseconds without typing after which the text is sent

/** @typedef {import("./morph.js").Control} Control */
/** @typedef {Control | object} Source a control, or a group of controls */

/** @param {import("./connection.js").Model} model @param {HTMLElement} el @param {AbortSignal} gone */
export function entries(model, el, gone) {
  const send = connection(model, el, gone);
  const here = Math.random().toString(36).slice(2); // this view's ID among all views of the widget
  /** @type {Map<Source, object>} */
  const unsent = new Map(); // the request
  /** @type {Map<Source, number>} */
  const unheard = new Map(); // the number of the last request
  /** @type {WeakMap<Source, Map<Control, string | boolean>>} */
  const latest = new WeakMap(); // the last view's value for each control
  let number = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {object} request @param {ArrayBuffer[]} [buffers] */
  function dispatch(request, buffers) {
    const next = number + 1;
    if (send({ ...request, entry: `${here} ${next}` }, buffers)) number = next; // no gap, for which Python would wait
    return next;
  }
  function flush() {
    clearTimeout(timer);
    for (const [source, request] of unsent) unheard.set(source, dispatch(request));
    unsent.clear();
  }
  const held = (/** @type {Source} */ source) => unsent.has(source) || unheard.has(source);
  const isChosen = (/** @type {Control} */ control) => control.type === "checkbox" || control.tagName === "SELECT"; // else typed

  /** @param {Control} control @param {string | boolean} value */
  function apply(control, value) {
    if (control.type === "checkbox" || typeof value === "boolean")
      /** @type {HTMLInputElement} */ (control).checked = Boolean(value);
    else if (isChosen(control) || !focusedIn(control)) control.value = value;
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
  listen(model, "change:heard", heard, gone);
  gone.addEventListener("abort", flush);

  return {
    here,
    held,
    send,
    // Send a request after all pending entries.
    /** @param {object} request @param {ArrayBuffer[]} [buffers] */
    ask(request, buffers) {
      flush();
      dispatch(request, buffers);
    },
    // Discard entries that were not sent.
    drop() {
      clearTimeout(timer);
      unsent.clear();
    },
    // Send nothing more until `resume`, but for what is asked.
    pause: () => clearTimeout(timer),
    resume() {
      if (unsent.size) timer = setTimeout(flush, PAUSE);
    },
    // Send entries in the order they were made: at once, or with `soon` after a pause in typing.
    /** @param {Source} source @param {object} request @param {{ soon?: boolean }} [options] */
    enter(source, request, { soon = false } = {}) {
      // A rejected text stays, so that it can be corrected; a choice is reverted.
      const values = latest.get(source);
      for (const control of values?.keys() ?? []) if (!isChosen(control)) values?.delete(control);
      unsent.delete(source);
      unsent.set(source, request);
      clearTimeout(timer);
      if (soon) timer = setTimeout(flush, PAUSE);
      else flush();
    },
    // Show Python's value, unless an entry is not yet acknowledged or the user is typing.
    /** @param {Control} control @param {string | boolean} value @param {Source} [source] */
    put(control, value, source = control) {
      latest.set(source, (latest.get(source) ?? new Map()).set(control, value));
      if (!held(source)) apply(control, value);
    },
  };
}
