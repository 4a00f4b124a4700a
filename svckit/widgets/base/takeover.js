
// Once another widget has replaced this one, only a message is left here.
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
  queueMicrotask(show); // after the rest is drawn
  return () => model.off("change:view", show);
}
