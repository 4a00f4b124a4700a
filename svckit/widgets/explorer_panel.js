// Whom a session talks to, and which of its explorers is shown.
function render({ model, el }) {
  const badge = element("span", { class: "svckit-badge" });
  const profile = element("span", { class: "svckit-title" });
  const address = element("code");
  const alert = element("p", { class: "svckit-error", role: "alert" });
  const choices = element("nav", { "aria-label": "Explorers" });
  const root = element(
    "header",
    { class: "svckit svckit-panel-head", "data-lm-suppress-shortcuts": "true" },
    element("div", {}, profile, badge, address),
    choices,
    alert,
  );
  el.append(root);
  const buttons = new Map();

  function show() {
    const now = model.get("view");
    profile.textContent = `Session: ${now.profile}`;
    badge.textContent = now.badge;
    root.dataset.badge = now.badge;
    address.textContent = now.address;
    for (const name of now.names) {
      if (!buttons.has(name)) {
        const made = element("button", { type: "button" }, name[0].toUpperCase() + name.slice(1));
        made.addEventListener("click", () => model.send({ do: "show", name }));
        buttons.set(name, made);
        choices.append(made);
      }
      buttons.get(name).setAttribute("aria-pressed", name === now.shown);
    }
  }
  model.on("change:view", show);
  const stopErrors = showErrors(model, alert);
  show();
  return () => {
    model.off("change:view", show);
    stopErrors();
  };
}

export default { render };
