
// The panel above a table's rows. It is rebuilt when another one opens, and otherwise only updated, so that text being
// typed stays.

const PANELS = {
  filter: (now) => `Filter ${now.label}`,
  columns: () => "Columns",
  code: () => "Code for this view",
};

function tablePanel(model, ask, { enter, put }) {
  const heading = element("strong");
  const clear = element("button", { type: "button" }, "Clear");
  const close = element("button", { type: "button" }, "Close");
  const content = element("div", { class: "svckit-panel-content" });
  const node = element("section", { class: "svckit-panel" }, element("header", {}, heading, clear, close), content);
  let opener = null; // where the focus returns to
  let source = null; // the source of its entries: all of them together
  let update = () => {};
  let current = "";

  const labelled = (words, control) => element("label", {}, element("span", {}, words), control);

  function checkbox(on) {
    const box = element("input", { type: "checkbox" });
    box.checked = on;
    return box;
  }

  function filterContent(now) {
    const boxes = new Map(now.choices.map((choice) => [choice.text, checkbox(choice.on)]));
    const counts = new Map(now.choices.map((choice) => [choice.text, element("span", { class: "svckit-muted" })]));
    const contains = element("input", { type: "text", spellcheck: "false" });
    const [low, high] = ["text", "text"].map((type) => element("input", { type, size: 12 }));
    const missing = element("select");
    for (const [value, words] of [["", "included"], ["only", "only these"], ["without", "excluded"]]) {
      missing.append(element("option", { value }, words));
    }
    const send = ({ soon = false } = {}) => {
      const chosen = [...boxes].filter(([, box]) => box.checked).map(([text]) => text);
      const blank = { only: true, without: false }[missing.value];
      const conditions = {
        choices: chosen.length ? chosen : null,
        contains: contains.value || null,
        low: low.value.trim() || null,
        high: high.value.trim() || null,
        missing: blank ?? null,
      };
      enter(source, { do: "filter", column: now.column, conditions }, { soon });
    };

    if (boxes.size) {
      const choices = [...boxes].map(([text, box]) => {
        box.addEventListener("change", () => send());
        return element("label", {}, box, element("span", {}, text || "(blank)"), counts.get(text));
      });
      const legend = element("legend", { class: "svckit-unseen" }, `Choices of ${now.label}`);
      content.append(element("fieldset", { class: "svckit-choices" }, legend, ...choices));
    }
    if (now.contains !== null) {
      contains.addEventListener("input", () => send({ soon: true }));
      content.append(labelled("Contains", contains));
    }
    if (now.range) {
      for (const [words, control] of [["From", low], ["To", high]]) {
        control.placeholder = now.range.numbers ? "" : "YYYY-MM-DD";
        control.addEventListener("change", () => send()); // not at each key: an unfinished date is invalid
        content.append(labelled(words, control));
      }
      content.append(element("span", { class: "svckit-muted" }, now.range.hint));
    }
    if (now.missing !== null) {
      missing.addEventListener("change", () => send());
      content.append(labelled("Blank cells", missing));
    }
    return (then) => {
      for (const { text, count, on } of then.choices) {
        if (!boxes.has(text)) continue;
        put(boxes.get(text), on, source);
        counts.get(text).textContent = count.toLocaleString("en");
      }
      put(contains, then.contains ?? "", source);
      put(low, then.range?.low ?? "", source);
      put(high, then.range?.high ?? "", source);
      put(missing, then.missing ?? "", source);
    };
  }

  function columnsContent(now) {
    const boxes = now.columns.map(({ label, shown }) => {
      const box = checkbox(shown);
      box.addEventListener("change", () => {
        const columns = now.columns.filter((_, index) => boxes[index].checked).map((column) => column.name);
        if (columns.length) enter(source, { do: "columns", columns });
        else box.checked = true; // one column stays
      });
      content.append(element("label", {}, box, element("span", {}, label)));
      return box;
    });
    return (then) => then.columns.forEach(({ shown }, index) => put(boxes[index], shown, source));
  }

  function codeContent() {
    const code = element("pre", { tabindex: "0", "aria-label": "Code for this view" });
    content.append(code, ...copyButton("Copy", code));
    return (then) => (code.textContent = then.code);
  }

  const contents = { filter: filterContent, columns: columnsContent, code: codeContent };

  function show() {
    const now = model.get("panel");
    const choices = (now.choices ?? []).map(({ text }) => text);
    const structure = JSON.stringify([now.panel, now.column, choices, now.columns?.map(({ name }) => name)]);
    node.hidden = !now.panel;
    if (now.panel && structure !== current) {
      source = {};
      heading.textContent = PANELS[now.panel](now);
      node.setAttribute("aria-label", heading.textContent);
      clear.hidden = now.panel !== "filter";
      content.replaceChildren();
      update = contents[now.panel](now);
      if (opener) content.querySelector("input, select, pre")?.focus();
    }
    current = now.panel ? structure : "";
    if (now.panel) update(now);
  }

  function shut() {
    ask({ do: "open", panel: "" });
    opener?.focus();
    opener = null;
  }

  clear.addEventListener("click", () => {
    ask({ do: "filter", column: model.get("panel").column, conditions: {} });
  });
  close.addEventListener("click", shut);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    shut();
  });
  model.on("change:panel", show);
  show();

  return {
    node,
    toggle(button, panel) {
      const open = button.getAttribute("aria-expanded") === "true";
      opener = open ? null : button;
      ask({ do: "open", ...(open ? { panel: "" } : panel) });
    },
    remove() {
      model.off("change:panel", show);
    },
  };
}
