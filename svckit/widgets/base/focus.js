
// The keyboard's focus, which must not fall to the page where what had it goes away.
const focusedIn = (node) => {
  const { activeElement } = node.getRootNode();
  return node.contains(activeElement) ? activeElement : null;
};

// Hide a node, or show it; the focus that is in it goes to its heir.
function hide(node, hidden, heir) {
  const held = hidden && focusedIn(node);
  node.hidden = Boolean(hidden);
  if (held) heir?.focus();
}

// Fill a list anew; the focus that is in it goes to the button that has come to the same place, or else to its heir.
function refill(list, nodes, heir) {
  const at = [...list.children].findIndex(focusedIn);
  list.replaceChildren(...nodes);
  if (at < 0) return;
  const buttons = list.querySelectorAll("button");
  (buttons[Math.min(at, buttons.length - 1)] ?? heir).focus();
}
