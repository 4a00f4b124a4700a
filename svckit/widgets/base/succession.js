
// Where another widget has taken the place of this one, nothing is left here but to say so.
function yieldPlace(model, { root, head, badge, end }) {
  function show() {
    const { takenOver, badge: real } = model.get("view");
    if (!takenOver) return;
    model.off("change:view", show);
    end();
    badge.textContent = real;
    head.replaceChildren(head.firstChild, badge);
    head.hidden = false;
    root.replaceChildren(head, element("p", { role: "status" }, takenOver));
  }
  model.on("change:view", show);
  queueMicrotask(show); // after the rest of what is shown is there
  return () => model.off("change:view", show);
}
