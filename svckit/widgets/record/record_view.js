// The fields of one record.

function line({ label, value, depth, heading }) {
  const name = element("th", { scope: heading ? "rowgroup" : "row" }, label);
  name.style.setProperty("--svckit-depth", Math.max(depth - 1, 0));
  if (!heading) return element("tr", {}, name, element("td", {}, value ?? "–"));
  name.colSpan = 2;
  return element("tr", { class: depth === 0 ? "svckit-group" : "" }, name);
}

function render({ model, el }) {
  const { send, remove } = connection(model, el);
  const title = element("strong", { class: "svckit-title" });
  const key = element("code");
  const [copy, status] = copyButton("Copy ID", key);
  const change = element("button", { type: "button" });
  change.addEventListener("click", () => send({ do: "change" }));
  const alert = element("p", { class: "svckit-error", role: "alert" });
  const head = element("header", {}, title, key, status, copy, change);
  const hint = element("p", { class: "svckit-muted" });
  const caption = element("caption", { class: "svckit-unseen" });
  const body = element("tbody");
  const table = element("table", {}, caption, body);
  const root = element(
    "section",
    // It scrolls, so the keyboard must reach it.
    { class: "svckit svckit-record", tabindex: "0", "data-lm-suppress-shortcuts": "true" },
    head,
    alert,
    hint,
    table,
  );
  el.append(root);

  function show() {
    const now = model.get("view");
    const filled = now.lines.length > 0;
    root.setAttribute("aria-label", now.title || "Record");
    title.textContent = caption.textContent = now.title;
    key.textContent = now.key;
    status.textContent = "";
    hint.textContent = now.hint;
    change.hidden = !now.changes;
    change.textContent = now.changing ? "Close the form" : "Change";
    change.setAttribute("aria-expanded", now.changing);
    head.hidden = table.hidden = !filled;
    hint.hidden = filled;
    body.replaceChildren(...now.lines.map(line));
  }

  model.on("change:view", show);
  const stopErrors = showErrors(model, alert);
  show();
  return () => {
    remove();
    model.off("change:view", show);
    stopErrors();
  };
}

export default { render };
