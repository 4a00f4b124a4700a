
// Requests as they happen, and the details of the selected one. The view refreshes while it is visible.
const COLUMNS = ["No.", "Method", "URL", "Status", "Operation", "Assumed"];

function render({ model, el }) {
  const { root, head, ask, button, field, put, on, watch, stop, remove } = explorer(model, el, "Traffic");
  let selected = null; // the number of the last selected request
  let following = true; // keep the newest in view until the user scrolls away

  const text = element("input", { type: "search", placeholder: "Words", spellcheck: "false" });
  const area = element("select");
  const only = element("select");
  for (const [value, words] of [["", "all"], ["failed", "failed"], ["assumed", "based on assumptions"]]) {
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
    field("Destination", area, "area"),
    field("Result", only, "only"),
  );

  const grid = selectableRows("Requests", COLUMNS, {
    cells(row) {
      const operation = [row.operation, row.step && `(${row.step})`, row.injected && `(injected: ${row.injected})`];
      const status = row.failed ? `✗ ${row.outcome}` : row.outcome;
      return [row.number, row.method, row.url, status, operation.filter(Boolean).join(" "), row.assumed || ""];
    },
    dress(line, row) {
      const [origin] = row.url.match(/^https?:\/\/[^/]+/) ?? [""];
      const url = line.children[COLUMNS.indexOf("URL")];
      url.replaceChildren(element("span", { class: "svckit-origin" }, origin), row.url.slice(origin.length));
      if (row.step) line.dataset.step = row.step;
      if (row.failed) line.dataset.failed = "true";
    },
    choose: (row) => ask({ do: "select", number: row.selected ? null : row.number }),
  });
  const scroll = grid.node;
  scroll.classList.add("svckit-exchanges");

  const title = element("h3");
  const at = element("span", { class: "svckit-muted" });
  const request = element("pre", { tabindex: "0", "aria-label": "Request" });
  const response = element("pre", { tabindex: "0", "aria-label": "Response" });
  const rules = element("ul", { class: "svckit-rules", "aria-label": "Rules the response used" });
  const curl = element("pre", { tabindex: "0", "aria-label": "As curl" });
  const detail = element(
    "div",
    { class: "svckit-columns" },
    element("div", {}, element("header", {}, title, at, button("Close", () => ({ do: "select", number: null }))), request, response),
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

  const follow = () => {
    if (following) scroll.scrollTop = scroll.scrollHeight;
  };
  scroll.addEventListener("scroll", () => {
    following = scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 4;
  });
  const sized = new ResizeObserver(follow); // nothing scrolls before it is in the page or while it is hidden
  sized.observe(scroll);

  function showRows({ rows }) {
    grid.show(rows, rows.length - 1);
    follow();
  }

  function showDetail(now, rows) {
    hide(detail, !now, { focus: () => grid.focus(({ number }) => number === selected) });
    selected = rows.find((row) => row.selected)?.number ?? selected;
    if (!now) return;
    title.textContent = now.title;
    at.textContent = now.at;
    request.textContent = now.request;
    response.textContent = now.response;
    curl.textContent = now.curl;
    rules.hidden = !now.rules.length;
    rules.replaceChildren(
      ...now.rules.map(({ id, kind, text, others }) => {
        const words = [text, others && ` Alternatives: ${others}.`].filter(Boolean).join("");
        const mark = element("span", { class: kind === "documented" ? "svckit-muted" : "svckit-assumed" }, kind);
        return element("li", {}, element("code", {}, id), mark, element("p", {}, words));
      }),
    );
  }

  on("view", () => {
    const now = model.get("view");
    count.textContent = now.count;
    about.textContent = now.about;
    choices(area, [["", "all"], ...now.areas.map(({ area: value, name }) => [value, name])]);
    put(text, now.draft.text);
    put(area, now.draft.area);
    put(only, now.draft.only);
    showRows(now);
    showDetail(now.detail, now.rows);
    diagram.hidden = !now.diagram.arrows.length;
    drawing.replaceChildren(sequence(now.diagram, "Sequence diagram of the requests shown"));
    mermaid.textContent = now.mermaid;
  });

  watch(() => live.checked);
  stop(() => sized.disconnect());
  return remove;
}

export default { render };
