
// The keyboard focus, which must not fall back to the page when the focused element goes away.
const focusedIn = (node) => {
  const { activeElement } = node.getRootNode();
  return node.contains(activeElement) ? activeElement : null;
};

// Hide or show a node; if it has the focus, the focus moves to its heir.
function hide(node, hidden, heir) {
  const held = hidden && focusedIn(node);
  node.hidden = Boolean(hidden);
  if (held) heir?.focus();
}

// Refill a list; if it has the focus, the focus moves to the button now in the same place, or else to its heir.
function refill(list, nodes, heir) {
  const at = [...list.children].findIndex(focusedIn);
  list.replaceChildren(...nodes);
  if (at < 0) return;
  const buttons = list.querySelectorAll("button");
  (buttons[Math.min(at, buttons.length - 1)] ?? heir).focus();
}
