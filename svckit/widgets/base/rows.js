
// A table of rows to select one from, by click or by keyboard: arrows, Home, End, then Enter or the space bar.
function selectableRows(name, headings, { cells, dress = () => {}, choose }) {
  const body = element("tbody");
  const caption = element("caption", { class: "svckit-unseen" }, name);
  const titles = element("tr", {}, ...headings.map((words) => element("th", { scope: "col" }, words)));
  // A plain table has no selected rows to assistive technology; a grid has.
  const table = element("table", { role: "grid" }, caption, element("thead", {}, titles), body);
  const node = element("div", { class: "svckit-rows", role: "group", "aria-label": `${name}, rows` }, table);
  let rows = [];
  let active = 0; // the row that has, or would get, the keyboard's focus

  // Give the active row the only tab stop of the body, and the focus if the body has it.
  function mark(focus) {
    [...body.rows].forEach((row, index) => row.setAttribute("tabindex", index === active ? "0" : "-1"));
    if (focus) body.rows[active]?.focus();
  }

  function line(row, index) {
    const tr = element("tr", { "aria-selected": row.selected });
    tr.append(
      ...cells(row).map((cell, at) => element(at ? "td" : "th", at ? { title: cell } : { scope: "row" }, String(cell))),
    );
    dress(tr, row);
    tr.addEventListener("focus", () => (active = index));
    tr.addEventListener("click", () => {
      active = index;
      mark(true);
      choose(row);
    });
    return tr;
  }

  body.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: rows.length - 1 };
    if (event.key === "Enter" || event.key === " ") choose(rows[active]);
    else if (event.key in steps) {
      active = Math.max(0, Math.min(steps[event.key], rows.length - 1));
      mark(true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    node,
    // Focus the row that `is` accepts, or else the active one, or the whole table if it has no rows.
    focus(is) {
      const found = rows.findIndex(is);
      if (found >= 0) active = found;
      mark(true);
      if (!rows.length) node.focus();
    },
    show(now, fallback = active) {
      const focus = focusedIn(body);
      rows = now;
      fill(body, rows, line);
      node.tabIndex = rows.length ? -1 : 0; // without rows, the keyboard still scrolls the table
      const chosen = rows.findIndex(({ selected }) => selected);
      if (!focus) active = chosen >= 0 ? chosen : fallback;
      active = Math.max(0, Math.min(active, rows.length - 1));
      mark(focus);
    },
  };
}
