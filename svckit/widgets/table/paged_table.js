// One page of a table. Python holds the rows and the state; this view shows them and sends requests.

const PAGES = [
  ["First", "«", () => 1],
  ["Previous", "‹", (view) => view.page - 1],
  ["Next", "›", (view) => view.page + 1],
  ["Last", "»", (view) => view.pageCount],
];

function render({ model, el }) {
  const { here, enter, ask, put, remove } = entries(model, el);
  const view = () => model.get("view");
  let active = 0; // the row that has, or would get, the keyboard's focus

  const title = element("span", { class: "svckit-title", "aria-hidden": "true" });
  const badge = element("span", { class: "svckit-badge" });
  const search = element("input", { type: "search", placeholder: "Search", spellcheck: "false" });
  const tools = element("div", { class: "svckit-tools", role: "toolbar" });
  const note = element("p", { class: "svckit-muted" });
  const filters = element("ul", { class: "svckit-filters", "aria-label": "Filters" });
  const alert = element("p", { class: "svckit-error", role: "alert" });
  const caption = element("caption", { class: "svckit-unseen" });
  const headings = element("tr");
  const body = element("tbody");
  // A plain table has no selected rows to assistive technology; a grid has.
  const table = element("table", { role: "grid" }, caption, element("thead", {}, headings), body);
  const scroll = element("div", { class: "svckit-scroll" }, table);
  const status = element("p", { class: "svckit-muted", role: "status" });
  const place = element("span", { class: "svckit-muted" });
  const buttons = PAGES.map(([name, sign, target]) => {
    const button = element("button", { type: "button", "aria-label": `${name} page`, title: `${name} page` }, sign);
    // Not `disabled`: a disabled button would lose the focus.
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") turn(target(view()));
    });
    return button;
  });
  const panel = tablePanel(model, ask, { enter, put });
  for (const [name, title] of [["columns", "Columns"], ["code", "Code"]]) {
    const tool = element("button", { type: "button", "data-panel": name }, title);
    tool.addEventListener("click", () => panel.toggle(tool, { panel: name }));
    tools.append(tool);
  }
  for (const format of ["csv", "json"]) {
    const title = `Save matching rows as ${format.toUpperCase()}`;
    const tool = element("button", { type: "button", title, "aria-label": title }, format.toUpperCase());
    tool.addEventListener("click", () => ask({ do: "export", format, view: here }));
    tools.append(tool);
  }
  const bar = element("progress", { "aria-label": "Progress" });
  const making = element("span", { role: "status" });
  const halt = element("button", { type: "button" }, "Cancel");
  halt.addEventListener("click", () => ask({ do: "stop" }));
  const progress = element("div", { class: "svckit-making" }, bar, making, halt);
  const pages = element("nav", {}, ...buttons.slice(0, 2), place, ...buttons.slice(2));
  const root = element(
    "div",
    // Keys typed here are not the notebook's shortcuts.
    { class: "svckit svckit-table", "data-lm-suppress-shortcuts": "true" },
    element("header", {}, title, badge, search, tools),
    note,
    filters,
    progress,
    panel.node,
    alert,
    scroll,
    element("footer", {}, status, pages),
  );
  el.append(root);

  function turn(page, row = 0) {
    active = row;
    ask({ do: "page", page });
  }

  function move(row) {
    const { page, pageCount, rows } = view();
    if (row < 0 && page > 1) turn(page - 1, Infinity);
    else if (row >= rows.length && page < pageCount) turn(page + 1);
    else {
      active = Math.min(Math.max(row, 0), rows.length - 1);
      mark(true);
    }
  }

  function choose(key, through) {
    if (!view().many) ask({ do: "select", key });
    else ask({ do: through ? "through" : "toggle", key });
  }

  // Give the active row the only tab stop of the body, and the focus if the body has it.
  function mark(focus) {
    [...body.rows].forEach((row, index) => row.setAttribute("tabindex", index === active ? "0" : "-1"));
    if (focus) body.rows[active]?.focus();
  }

  function heading({ name, label, numeric }) {
    const sort = element("button", { type: "button" }, label);
    sort.addEventListener("click", () => ask({ do: "sort", column: name }));
    const title = `Filter ${label}`;
    const filter = element("button", { type: "button", class: "svckit-funnel", title, "aria-label": title });
    filter.dataset.panel = "filter";
    filter.dataset.column = name;
    filter.addEventListener("click", () => panel.toggle(filter, { panel: "filter", column: name }));
    const both = element("div", {}, sort, filter);
    return element("th", { scope: "col", class: numeric ? "svckit-number" : "" }, both);
  }

  function showHeadings({ columns }) {
    const names = JSON.stringify(columns.map(({ name, label }) => [name, label]));
    if (headings.dataset.names !== names) {
      headings.dataset.names = names;
      headings.replaceChildren(...columns.map(heading));
      showPanel();
    }
    columns.forEach(({ sort, filtered }, index) => {
      headings.cells[index].setAttribute("aria-sort", sort);
      headings.cells[index].classList.toggle("svckit-filtered", filtered);
    });
  }

  function showFilters(now) {
    refill(
      filters,
      now.filters.map(({ column, label, words }) => {
        const text = `${label}: ${words}`;
        const clear = element("button", { type: "button", title: "Clear this filter" }, text);
        clear.addEventListener("click", () => ask({ do: "filter", column, conditions: {} }));
        return element("li", {}, clear);
      }),
      search,
    );
    filters.hidden = !now.filters.length;
  }

  function showRows({ columns, rows, many, first, matched }) {
    const focus = focusedIn(body);
    table.setAttribute("aria-rowcount", matched + 1);
    table.setAttribute("aria-multiselectable", many);
    body.replaceChildren(
      ...rows.map(({ key, cells, selected }, index) => {
        const row = element("tr", { "aria-selected": selected, "aria-rowindex": first + index + 1 });
        cells.forEach((cell, at) => {
          const kind = at === 0 ? ["th", { scope: "row" }] : ["td", {}];
          const node = element(...kind, cell);
          if (columns[at].numeric) node.className = "svckit-number";
          else node.title = cell;
          row.append(node);
        });
        row.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault()); // no text selection
        row.addEventListener("click", (event) => {
          active = index;
          mark(true);
          choose(key, event.shiftKey);
        });
        return row;
      }),
    );
    const chosen = rows.findIndex(({ selected }) => selected);
    if (!focus && chosen >= 0) active = chosen;
    active = Math.max(0, Math.min(active, rows.length - 1));
    mark(focus);
  }

  function show() {
    const now = view();
    title.textContent = caption.textContent = now.caption;
    badge.textContent = now.badge;
    badge.hidden = !now.badge;
    note.textContent = now.note;
    note.hidden = !now.note;
    search.setAttribute("aria-label", `Search ${now.caption}`);
    put(search, now.query);
    tools.setAttribute("aria-label", `Tools of ${now.caption}`);
    showFilters(now);
    showHeadings(now);
    showRows(now);
    scroll.style.minHeight = `${scroll.offsetHeight}px`; // a shorter page does not move the content below
    status.textContent = now.status;
    place.textContent = `Page ${now.page.toLocaleString("en")} of ${now.pageCount.toLocaleString("en")}`;
    pages.setAttribute("aria-label", `Pages of ${now.caption}`);
    buttons.forEach((button, index) => {
      button.setAttribute("aria-disabled", index < 2 ? now.page === 1 : now.page === now.pageCount);
    });
  }

  const keys = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    Home: () => move(0),
    End: () => move(view().rows.length - 1),
    PageDown: () => move(Infinity),
    PageUp: () => (view().page > 1 ? turn(view().page - 1) : move(0)),
    Enter: (event) => choose(view().rows[active].key, event.shiftKey),
    " ": (event) => choose(view().rows[active].key, event.shiftKey),
    Escape: () => view().many && ask({ do: "select", key: null }),
  };
  body.addEventListener("keydown", (event) => {
    const all = view().many && event.key === "a" && (event.ctrlKey || event.metaKey);
    const act = event.ctrlKey || event.altKey || event.metaKey ? null : keys[event.key];
    if (!act && !all) return;
    event.preventDefault();
    event.stopPropagation();
    if (all) ask({ do: "all" });
    else act(event);
  });

  async function save({ file, type, view }, [content]) {
    if (view !== here) return;
    const plain = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"));
    const blob = new Blob([await new Response(plain).arrayBuffer()], { type });
    const link = element("a", { href: URL.createObjectURL(blob), download: file });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  function showProgress() {
    const { running, words, done, total } = model.get("making");
    hide(progress, !running, tools.lastChild);
    making.textContent = words;
    bar.setAttribute("max", total || 1);
    bar.setAttribute("value", done);
  }

  function showPanel() {
    const { panel: open = "", column = "" } = model.get("panel");
    for (const button of root.querySelectorAll("[data-panel]")) {
      const own = button.dataset.panel === open && (button.dataset.column ?? "") === column;
      button.setAttribute("aria-expanded", own);
    }
  }

  search.addEventListener("input", () => enter(search, { do: "search", query: search.value }, { soon: true }));

  model.on("change:view", show);
  model.on("change:panel", showPanel);
  model.on("change:making", showProgress);
  const stopErrors = showErrors(model, alert);
  model.on("msg:custom", save);
  show();
  showPanel();
  showProgress();
  return () => {
    remove();
    panel.remove();
    model.off("change:view", show);
    model.off("change:panel", showPanel);
    model.off("change:making", showProgress);
    stopErrors();
    model.off("msg:custom", save);
  };
}

export default { render };
