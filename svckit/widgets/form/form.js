// A form: its fields, with the problems or the request preview beside them. Python holds and checks the entries.

function render({ model, el }) {
  const lines = new Map();
  const { enter, ask, drop, put, held, remove } = entries(model, el);

  function button(words, does) {
    const node = element("button", { type: "button" }, words);
    node.addEventListener("click", () => ask({ do: does }));
    return node;
  }

  const title = element("span", { class: "svckit-title" });
  const badge = element("span", { class: "svckit-badge" });
  const head = element("header", {}, title, badge);
  const alert = element("p", { class: "svckit-error", role: "alert" });
  const fields = element("div", { class: "svckit-fields", tabindex: "0", role: "group", "aria-label": "Fields" });
  const status = element("p", { role: "status" });
  const wrong = element("ul", { class: "svckit-wrong", "aria-label": "To correct" });
  const submit = button("", "submit");
  const actions = element("div", { class: "svckit-actions" }, submit, button("Start over", "reset"));
  const question = element("p");
  const cancel = button("Cancel", "cancel");
  const confirm = element("div", { class: "svckit-error", role: "group" });
  confirm.append(question, element("div", { class: "svckit-actions" }, button("Send to REAL", "confirm"), cancel));
  const json = element("pre", { tabindex: "0", "aria-label": "JSON that will be sent" });
  const curl = element("pre", { tabindex: "0", "aria-label": "The request as curl" });
  const preview = element(
    "div",
    { class: "svckit-preview" },
    element("header", {}, element("strong", {}, "Sent as JSON"), ...copyButton("Copy", json).toReversed()),
    json,
    element("header", {}, element("strong", {}, "As curl"), ...copyButton("Copy", curl).toReversed()),
    curl,
  );
  const side = element("div", { class: "svckit-side" }, status, wrong, confirm, actions, preview);
  const root = element(
    "section",
    // Keys typed here are not the notebook's shortcuts.
    { class: "svckit svckit-form", "data-lm-suppress-shortcuts": "true" },
    head,
    alert,
    element("div", { class: "svckit-halves" }, fields, side),
  );
  el.append(root);

  function showFields(now) {
    const keys = now.map(({ path, kind, depth, states }) => JSON.stringify([path, kind, depth, states]));
    const left = [...lines].find(([key, line]) => !keys.includes(key) && focusedIn(line.node))?.[1];
    for (const [key, line] of lines) {
      if (!keys.includes(key)) {
        line.node.remove();
        lines.delete(key);
      }
    }
    let next = fields.firstElementChild; // remaining lines are not moved, so that the focus stays
    now.forEach((field, index) => {
      if (!lines.has(keys[index])) lines.set(keys[index], formLine({ ...field }, { enter, put, held, ask, left: model.get("view").left }));
      const line = lines.get(keys[index]);
      if (line.node === next) next = next.nextElementSibling;
      else fields.insertBefore(line.node, next);
      line.update(field);
    });
    if (left) [...lines.values()].findLast(({ path }) => left.path.startsWith(path) || path === left.path)?.focus();
  }

  // Links to the fields with problems, which may be out of sight.
  function showWrong(now) {
    wrong.hidden = !now.length;
    fill(wrong, now, ({ path, words }) => {
      if (!path) return element("li", {}, words);
      const go = element("button", { type: "button" }, words);
      go.addEventListener("click", () => [...lines.values()].find((line) => line.path === path)?.focus());
      return element("li", {}, go);
    });
  }

  function statusText({ wrong, awaited, problems, empty, outcome: words }) {
    if (words) return words;
    if (awaited.length && !wrong.length && !empty) return `Required: ${awaited.join(", ")}`;
    if (problems.length && !empty) return `${problems.length} to correct before it can be sent`;
    return empty ? "Nothing to send: set or clear a field" : "Ready";
  }

  function show() {
    const now = model.get("view");
    title.textContent = now.title;
    if (now.takenOver) return;
    const asked = confirm.hidden && now.asking;
    root.setAttribute("aria-label", now.title);
    badge.textContent = now.badge;
    showFields(now.fields);
    status.textContent = statusText(now);
    showWrong(now.empty || now.outcome ? [] : now.wrong);
    submit.textContent = now.verb;
    submit.setAttribute("aria-disabled", now.empty || now.problems.length > 0);
    question.textContent = now.asking;
    confirm.setAttribute("aria-label", now.asking);
    actions.hidden = Boolean(now.asking);
    hide(confirm, !now.asking, submit);
    json.textContent = now.json;
    curl.textContent = now.curl;
    preview.hidden = now.empty || !now.curl;
    if (asked) cancel.focus();
  }

  model.on("change:view", show);
  const stopErrors = showErrors(model, alert);
  show();
  function stop() {
    remove();
    model.off("change:view", show);
    stopErrors();
  }
  function end() {
    drop();
    stop();
  }
  const stopYielding = yieldPlace(model, { root, head, badge, end });
  return () => {
    stop();
    stopYielding();
  };
}

export default { render };
