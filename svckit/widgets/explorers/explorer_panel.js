// The service of a session, and tabs to choose one of its explorers.
function render({ model, el }) {
  const { send, remove } = connection(model, el);
  const badge = element("span", { class: "svckit-badge" });
  const profile = element("span", { class: "svckit-title" });
  const url = element("code");
  const alert = element("p", { class: "svckit-error", role: "alert" });
  const choices = element("div", { role: "tablist", "aria-label": "Explorers" });
  const root = element(
    "header",
    { class: "svckit svckit-panel-head", "data-lm-suppress-shortcuts": "true" },
    element("div", {}, profile, badge, url),
    choices,
    alert,
  );
  el.append(root);
  const tabs = new Map();
  const prefix = `svckit-tab-${Math.random().toString(36).slice(2)}`; // a page may show a panel more than once

  // The Tab key reaches one tab only: the focused one, or else the selected one.
  function rove(to) {
    for (const tab of tabs.values()) tab.tabIndex = tab === to ? 0 : -1;
  }
  const shown = () => tabs.get(model.get("view").shown);
  choices.addEventListener("focusin", ({ target }) => rove(target));
  choices.addEventListener("focusout", ({ relatedTarget }) => choices.contains(relatedTarget) || rove(shown()));
  // Arrows only move the focus; Enter and Space select a tab, because its explorer may have to load data first.
  choices.addEventListener("keydown", (event) => {
    const all = [...tabs.values()];
    const at = all.indexOf(event.target);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1 };
    if (at < 0 || !(event.key in steps)) return;
    all[steps[event.key] % all.length].focus();
    event.preventDefault();
    event.stopPropagation();
  });

  // The explorers are siblings of this head, each in its own node, added when it is first shown.
  const observer = new MutationObserver(tieUp);
  let box = null;
  let waiting = 0;
  function tieUp() {
    // A node may be added before the class that says which explorer it is.
    for (const node of box.children) observer.observe(node, { attributeFilter: ["class"] });
    for (const [name, tab] of tabs) {
      const panel = box.querySelector(`:scope > .svckit-explorer-${name}`);
      if (!panel) continue;
      panel.id ||= `${prefix}-${name}-panel`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      tab.setAttribute("aria-controls", panel.id);
    }
  }
  function find() {
    box = root.closest(".svckit-panel-of-explorers");
    if (!box) {
      waiting = requestAnimationFrame(find); // the head is not in the page yet
      return;
    }
    observer.observe(box, { childList: true });
    tieUp();
  }

  function show() {
    const now = model.get("view");
    profile.textContent = `Session: ${now.profile}`;
    badge.textContent = now.badge;
    root.dataset.badge = now.badge;
    url.textContent = now.url;
    for (const name of now.names) {
      if (!tabs.has(name)) {
        const words = name[0].toUpperCase() + name.slice(1);
        const made = element("button", { type: "button", role: "tab", id: `${prefix}-${name}` }, words);
        made.addEventListener("click", () => send({ do: "show", name }));
        tabs.set(name, made);
        choices.append(made);
      }
      tabs.get(name).setAttribute("aria-selected", name === now.shown);
    }
    if (!choices.contains(root.getRootNode().activeElement)) rove(shown());
  }
  model.on("change:view", show);
  const stopErrors = showErrors(model, alert);
  show();
  find();
  return () => {
    remove();
    cancelAnimationFrame(waiting);
    observer.disconnect();
    model.off("change:view", show);
    stopErrors();
  };
}

export default { render };
