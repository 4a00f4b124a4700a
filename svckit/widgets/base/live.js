// The one script of all views. Python renders a view's HTML; here it is morphed into place, and what a person presses or
// types is sent to Python.
//
//   data-do="send" data-with='{"number": 1}'   pressed: {"do": "send", "number": 1}
//   data-field="text"                          typed, ticked or chosen: {"do": "write", "field": "text", "text": "…"}
//   data-takes="url"                           pressed: also sends, and clears, what is typed into data-own="url"
//   data-link="1"                              a link whose URL Python sends in a message (secret_links.js)
//   data-enter="show"                          the Enter key in it presses the action of that name
//   data-key="row-1"                           the same node in the next HTML
//   data-heir="send"                           which action, field or key has the focus once this node is gone
//   data-go="telephone"                        pressed: the focus goes to the field, or into the node, of that name
//   data-copy="event"                          pressed: copies the text of the nearest node with that key
//   data-late                                  typed: sent when the field is left, and not at each key
//   data-leaves                                typed, and left: also sends {"do": "leave", "field": …}
//   data-saves                                 pressed: the request names this view, which gets the file or the text to copy
//   data-arrives                               what was just opened: its first field has the focus, and is in sight
//   data-opened                                what opened: its first control has the focus; Escape presses its data-close
//   data-watch, data-watch="session"           Python looks for changes every second while the view is seen
//   data-follow                                a list that keeps its end in sight
//   data-left="90", data-runs                  a time that runs (ticking.js)
//   data-offers, data-drop                     a file input, and where files are dropped (local_files.js)
//   data-picture="image/png"                   an image, from the bytes of the trait `picture`
//   data-question                              a question: its Cancel has the focus, later that which asked
//   data-replaced                              another view is in charge: nothing is sent any more
import { copy, copyText, findNearest } from "./clipboard.js";
import { dragColumns, layOut } from "./columns.js";
import { listen } from "./connection.js";
import { entries } from "./entries.js";
import { following } from "./following.js";
import { press, requestOf, settle } from "./grid.js";
import { localFiles } from "./local_files.js";
import { morphChildren, parse, valueOf } from "./morph.js";
import { pictures } from "./pictures.js";
import { find, refocus, remember } from "./refocus.js";
import { save } from "./saving.js";
import { secretLinks } from "./secret_links.js";
import { pressTab, settleTabs, watchPanels } from "./tabs.js";
import { ticking } from "./ticking.js";
import { watch } from "./watching.js";

const LONGEST_PRESS = 1000; // milliseconds, as not every press is released in the page
const ENDS = ["pointerup", "click"]; // of a press
const COMPOSING = 229; // the code of a key that belongs to an input method; in Safari that is all that says so
const CHOSEN = "select, input[type=checkbox], input[type=radio], input[type=date], [data-late]";

/** @typedef {import("./morph.js").Control} Control */

/** @param {Event} event */
const targetOf = ({ target }) => /** @type {HTMLElement} */ (target);

/** @param {HTMLElement} root @param {string} selector */
const findAll = (root, selector) => /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector));

/** @param {{ model: import("./connection.js").Model, el: HTMLElement }} view */
function render({ model, el }) {
  const ended = new AbortController(); // aborted once the view is gone
  const gone = ended.signal;
  const { here, ask, drop, enter, pause, put, resume, send } = entries(model, el, gone);
  const root = document.createElement("div");
  const restartTimes = ticking(root, gone);
  const showEnds = following(root, gone);
  const followLinks = secretLinks(model, root, send, gone);
  el.append(root);

  let arriving = 0;
  function arrive() {
    if (root.isConnected) findAll(root, "[data-arrives] [data-field]")[0]?.focus();
    else arriving = requestAnimationFrame(arrive); // it is not in the page yet
  }

  // From press to release nothing moves, or what was pressed would no longer be under the pointer, and not be clicked.
  let pressed = 0;
  let late = false;
  function hold() {
    clearTimeout(pressed);
    pressed = window.setTimeout(release, LONGEST_PRESS);
  }
  function release() {
    clearTimeout(pressed);
    pressed = 0;
    if (late) show();
  }
  // After the click, which a mouse makes at once and a finger later.
  /** @param {Event} event */
  function releaseSoon(event) {
    if (event.type === "click" || /** @type {PointerEvent} */ (event).pointerType === "mouse") setTimeout(release);
  }

  function show() {
    late = pressed !== 0;
    if (late) return;
    const focus = remember(root);
    const arrived = root.querySelector("[data-arrives]");
    morphChildren(root, parse(model.get("html")), put);
    for (const grid of /** @type {NodeListOf<HTMLTableElement>} */ (root.querySelectorAll("[role=grid]"))) {
      settle(grid);
      layOut(grid);
    }
    settleAllTabs();
    restartTimes();
    showEnds();
    refocus(root, focus);
    if (root.querySelector("[data-arrives]") !== arrived) arrive();
    followLinks();
    if (root.querySelector("[data-replaced]")) drop();
  }

  function settleAllTabs() {
    for (const list of findAll(root, "[role=tablist]")) settleTabs(list, here);
  }

  // What is typed in such a field is sent at no other time, and not kept here.
  /** @param {HTMLElement} node */
  function take({ dataset: { takes } }) {
    /** @type {HTMLInputElement | null} */
    const control = takes ? root.querySelector(`[data-own="${takes}"]`) : null;
    if (!takes || !control) return {};
    const { value } = control;
    control.value = "";
    return { [takes]: value };
  }

  /** @param {HTMLElement | null | undefined} node */
  function go(node) {
    node?.closest("details")?.setAttribute("open", "");
    node?.focus();
  }

  root.addEventListener("click", (event) => {
    if (targetOf(event).matches("input[aria-disabled=true]")) event.preventDefault();
    /** @type {HTMLElement | null} */
    const node = targetOf(event).closest("[data-do], [data-copy], [data-go]");
    if (!node || !root.contains(node) || node.getAttribute("aria-disabled") === "true") return;
    if (node.dataset.copy) copy(node, findNearest(node, node.dataset.copy));
    else if (node.dataset.go) go(find(root, node.dataset.go));
    else if (node.matches("tr")) node.focus();
    if (!node.dataset.do) return;
    ask({ ...requestOf(node, event.shiftKey), ...(node.hasAttribute("data-saves") ? { view: here } : take(node)) });
  });
  // With Shift, rows are chosen, and not their text.
  root.addEventListener("mousedown", (event) => {
    if (event.shiftKey && targetOf(event).closest("[data-shift] tr")) event.preventDefault();
  });
  root.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === COMPOSING) return;
    const opened = event.key === "Escape" && targetOf(event).closest("[data-opened]");
    const close = opened && opened.querySelector("[data-close]");
    if (close instanceof HTMLElement) {
      event.stopPropagation();
      close.click();
      return;
    }
    press(event, (given) => given.do && ask(given));
    pressTab(event);
    const action = event.key === "Enter" && targetOf(event).dataset.enter;
    if (action) find(root, action)?.click();
  });

  /** @param {Event} event */
  function write(event) {
    const control = /** @type {Control} */ (targetOf(event));
    const { field } = control.dataset;
    if (field) enter(control, { do: "write", field, text: valueOf(control) }, { soon: !control.matches(CHOSEN) });
  }
  root.addEventListener("input", (event) => {
    if (!(/** @type {InputEvent} */ (event).isComposing || targetOf(event).matches(CHOSEN))) write(event);
  });
  root.addEventListener("change", (event) => {
    const { field, leaves } = targetOf(event).dataset;
    if (targetOf(event).matches(CHOSEN)) write(event);
    if (leaves !== undefined) ask({ do: "leave", field });
  });
  // While an input method composes text, nothing is sent: it is one entry once it is done. If that is cancelled, the text is
  // as it was, and no entry.
  let before = "";
  root.addEventListener("compositionstart", (event) => {
    pause();
    before = /** @type {Control} */ (targetOf(event)).value;
  });
  root.addEventListener("compositionend", (event) => {
    const control = /** @type {Control} */ (targetOf(event));
    resume();
    if (control.value !== before && !control.matches(CHOSEN)) write(event);
  });
  root.addEventListener("focusin", (event) => {
    const node = targetOf(event);
    // Only suggestions that start with its text are offered, so typing replaces it.
    if (node instanceof HTMLInputElement && node.hasAttribute("list")) node.select();
    const grid = node.matches("tbody > tr") && node.closest("table[role=grid]");
    if (grid) settle(/** @type {HTMLTableElement} */ (grid));
    settleAllTabs();
  });
  root.addEventListener("focusout", settleAllTabs);

  /** @param {{ view?: string, text?: string, file: string, type: string }} content @param {BlobPart[]} buffers */
  const saved = (content, buffers) => {
    if (content.view !== here) return;
    if (content.text === undefined) save(content, buffers);
    else copyText(root, content.text);
  };
  listen(model, "change:html", show, gone);
  listen(model, "msg:custom", saved, gone);
  const ofPage = { capture: true, signal: gone }; // a view beside this one would move as well
  document.addEventListener("pointerdown", hold, ofPage);
  for (const end of ENDS) document.addEventListener(end, releaseSoon, ofPage);
  document.addEventListener("pointercancel", release, ofPage); // it became a scroll
  show();
  watch(model, el, send, gone);
  watchPanels(root, settleAllTabs, gone);
  localFiles(model, root, here, ask, gone);
  pictures(model, root, gone);
  dragColumns(root, ask, gone);
  return () => {
    clearTimeout(pressed);
    cancelAnimationFrame(arriving);
    ended.abort();
  };
}

export default { render };
