
// Exchanges as they happen, and the one that is selected. It looks for new ones while it is to be seen.
const COLUMNS = ["No.", "Method", "Address", "Answer", "Operation", "Assumed"];
const LOOK_EVERY = 1000;

function render({ model, el }) {
  const { root, head, ask, button, field, put, on, stop, remove } = explorer(model, el, "Traffic");
  let active = 0; // the row that has, or would get, the keyboard's focus
  let waiting = false; // for an answer to the last look, so that looks do not pile up while a cell runs

  const text = element("input", { type: "search", placeholder: "Words", spellcheck: "false" });
  const area = element("select");
  const only = element("select");
  for (const [value, words] of [["", "all"], ["failed", "failed"], ["assumed", "on assumptions"]]) {
    only.append(element("option", { value }, words));
  }
  const live = element("input", { type: "checkbox" });
  live.checked = true;
  const count = element("span", { class: "svckit-muted", role: "status" });
  head.append(count, element("label", { class: "svckit-live" }, live, element("span", {}, "Live")));
  const about = element("p", { class: "svckit-muted" });
  const filters = element(
    "div",
    { class: "svckit-actions" },
    field("Search", text, "text"),
    field("Where to", area, "area"),
    field("Answers", only, "only"),
  );

  const body = element("tbody");
  const headings = element("tr", {}, ...COLUMNS.map((name) => element("th", { scope: "col" }, name)));
  const caption = element("caption", { class: "svckit-unseen" }, "Exchanges");
  const table = element("table", { role: "grid" }, caption, element("thead", {}, headings), body);
  const scroll = element("div", { class: "svckit-exchanges" }, table);

  const title = element("h3");
  const at = element("span", { class: "svckit-muted" });
  const request = element("pre", { tabindex: "0", "aria-label": "Request" });
  const answer = element("pre", { tabindex: "0", "aria-label": "Answer" });
  const rules = element("ul", { class: "svckit-rules", "aria-label": "Rules the answer used" });
  const curl = element("pre", { tabindex: "0", "aria-label": "As curl" });
  const detail = element(
    "div",
    { class: "svckit-columns" },
    element("div", {}, element("header", {}, title, at, button("Close", () => ({ do: "select", number: null }))), request, answer),
    element("div", {}, element("header", {}, element("h3", {}, "As curl"), ...copyButton("Copy", curl)), curl, rules),
  );

  const drawing = element("div", { class: "svckit-drawing", tabindex: "0", role: "group", "aria-label": "Sequence diagram" });
  const mermaid = element("pre", { hidden: "" });
  const diagram = element(
    "details",
    {},
    element("summary", {}, "Sequence diagram"),
    drawing,
    element("div", { class: "svckit-actions" }, ...copyButton("Copy as Mermaid", mermaid)),
    mermaid,
  );
  root.append(about, filters, scroll, detail, diagram);

  const focused = () => root.getRootNode().activeElement;
  const choose = (row) => ask({ do: "select", number: row.selected ? null : row.number });

  function mark(focus) {
    [...body.rows].forEach((row, index) => row.setAttribute("tabindex", index === active ? "0" : "-1"));
    if (focus) body.rows[active]?.focus();
  }

  function line(row, index) {
    const assumed = row.assumed ? String(row.assumed) : "";
    const operation = [row.operation, row.step && `(${row.step})`, row.injected && `(injected: ${row.injected})`];
    const answered = row.failed ? `✗ ${row.outcome}` : row.outcome;
    const cells = [row.number, row.method, row.url, answered, operation.filter(Boolean).join(" "), assumed];
    const node = element("tr", { "aria-selected": row.selected });
    if (row.step) node.dataset.step = row.step;
    if (row.failed) node.dataset.failed = "true";
    node.append(
      ...cells.map((cell, at) => element(at ? "td" : "th", at ? { title: cell } : { scope: "row" }, String(cell))),
    );
    node.addEventListener("focus", () => (active = index));
    node.addEventListener("click", () => {
      active = index;
      mark(true);
      choose(row);
    });
    return node;
  }

  function showRows({ rows }) {
    const focus = body.contains(focused());
    const atEnd = scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 4;
    body.replaceChildren(...rows.map(line));
    const chosen = rows.findIndex(({ selected }) => selected);
    if (!focus) active = chosen >= 0 ? chosen : rows.length - 1;
    active = Math.max(0, Math.min(active, rows.length - 1));
    mark(focus);
    if (atEnd) scroll.scrollTop = scroll.scrollHeight; // the newest stay in sight
  }

  function showDetail(now) {
    detail.hidden = !now;
    if (!now) return;
    title.textContent = now.title;
    at.textContent = now.at;
    request.textContent = now.request;
    answer.textContent = now.answer;
    curl.textContent = now.curl;
    rules.hidden = !now.rules.length;
    rules.replaceChildren(
      ...now.rules.map(({ id, kind, text, others }) => {
        const words = [text, others && ` It could also be: ${others}.`].filter(Boolean).join("");
        const mark = element("span", { class: kind === "documented" ? "svckit-muted" : "svckit-assumed" }, kind);
        return element("li", {}, element("code", {}, id), mark, element("p", {}, words));
      }),
    );
  }

  body.addEventListener("keydown", (event) => {
    const rows = model.get("view").rows;
    const steps = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: rows.length - 1 };
    if (event.key === "Enter" || event.key === " ") choose(rows[active]);
    else if (event.key in steps) {
      active = Math.max(0, Math.min(steps[event.key], rows.length - 1));
      mark(true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  on("view", () => {
    const now = model.get("view");
    count.textContent = now.count;
    about.textContent = `Shown is ${now.about}.`;
    if (!area.options.length) {
      area.append(element("option", { value: "" }, "everywhere"));
      for (const { area: value, name } of now.areas) area.append(element("option", { value }, name));
    }
    put(text, now.draft.text);
    put(area, now.draft.area);
    put(only, now.draft.only);
    showRows(now);
    showDetail(now.detail);
    diagram.hidden = !now.arrows.length;
    drawing.replaceChildren(sequence(now.arrows, "Sequence diagram of the exchanges shown"));
    mermaid.textContent = now.mermaid;
  });

  const answered = ({ looked }) => {
    if (looked) waiting = false;
  };
  model.on("msg:custom", answered);
  const timer = setInterval(() => {
    if (!live.checked || waiting || !root.isConnected || root.offsetParent === null) return;
    waiting = true;
    model.send({ do: "look" });
  }, LOOK_EVERY);
  stop(() => {
    clearInterval(timer);
    model.off("msg:custom", answered);
  });
  return remove;
}

export default { render };
