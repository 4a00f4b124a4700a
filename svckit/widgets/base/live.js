// The one script of all views. Python renders a view's HTML; here it is morphed into place, and what a person presses or
// types is sent to Python.
//
//   data-do="send" data-with='{"number": 1}'   pressed: {"do": "send", "number": 1}
//   data-field="text"                          typed, ticked or chosen: {"do": "write", "field": "text", "text": "…"}
//   data-key="row-1"                           the same node in the next HTML
//   data-heir="send"                           which action, field or key has the focus once this node is gone
//   data-copy="event"                          pressed: copies the text of the nearest node with that key
//   data-watch, data-watch="session"           Python looks for changes every second while the view is seen
//   data-follow                                a list that keeps its end in sight
//   data-left="90", data-runs                  a time that runs (ticking.js)
//   data-question                              a question: its Cancel has the focus, later that which asked
//   data-replaced                              another view is in charge: nothing is sent any more
import { copy, findNearest } from "./clipboard.js";
import { entries } from "./entries.js";
import { following } from "./following.js";
import { press, settle } from "./grid.js";
import { morphChildren, parse, valueOf } from "./morph.js";
import { refocus, remember } from "./refocus.js";
import { save } from "./saving.js";
import { pressTab, settleTabs, watchPanels } from "./tabs.js";
import { ticking } from "./ticking.js";
import { watch } from "./watching.js";

const CHOSEN = "select, input[type=checkbox], input[type=radio], input[type=date]";

function render({ model, el }) {
  const { here, ask, drop, enter, put, send, remove } = entries(model, el);
  const stopWatching = watch(model, el, send);
  const root = document.createElement("div");
  const times = ticking(root);
  const ends = following(root);
  el.append(root);

  function show() {
    const focus = remember(root);
    morphChildren(root, parse(model.get("html")), put);
    for (const grid of root.querySelectorAll("[role=grid]")) settle(grid);
    settleAllTabs();
    times.restart();
    ends.show();
    refocus(root, focus);
    if (!root.querySelector("[data-replaced]")) return;
    drop();
    stopWatching();
  }

  function settleAllTabs() {
    for (const list of root.querySelectorAll("[role=tablist]")) settleTabs(list, here);
  }

  const request = ({ dataset }, more) => ({ do: dataset.do, ...JSON.parse(dataset.with ?? "{}"), ...more });

  root.addEventListener("click", (event) => {
    const node = event.target.closest("[data-do], [data-copy]");
    if (!node || !root.contains(node) || node.getAttribute("aria-disabled") === "true") return;
    if (node.dataset.copy) copy(node, findNearest(node, node.dataset.copy));
    else if (node.matches("tr")) node.focus();
    if (node.dataset.do) ask(request(node, node.hasAttribute("data-saves") ? { view: here } : {}));
  });
  root.addEventListener("keydown", (event) => {
    press(event, (row) => row.dataset.do && ask(request(row)));
    pressTab(event);
  });

  function write({ target }) {
    const { field } = target.dataset;
    if (field) enter(target, { do: "write", field, text: valueOf(target) }, { soon: !target.matches(CHOSEN) });
  }
  root.addEventListener("input", (event) => event.target.matches(CHOSEN) || write(event));
  root.addEventListener("change", (event) => event.target.matches(CHOSEN) && write(event));
  // Only suggestions that start with its text are offered, so typing replaces it.
  root.addEventListener("focusin", ({ target }) => {
    if (target.matches("input[list]")) target.select();
    else if (target.matches("[role=grid] tbody > tr")) settle(target.closest("table"));
    settleAllTabs();
  });
  root.addEventListener("focusout", settleAllTabs);

  const saved = (content, buffers) => content.view === here && save(content, buffers);
  model.on("change:html", show);
  model.on("msg:custom", saved);
  show();
  const stopPanels = watchPanels(root, settleAllTabs);
  return () => {
    model.off("change:html", show);
    model.off("msg:custom", saved);
    stopWatching();
    stopPanels();
    times.stop();
    ends.stop();
    remove();
  };
}

export default { render };
