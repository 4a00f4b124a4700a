// The keyboard focus, which must not fall back to the page when the focused element goes away.
/** @param {Node} node @returns {HTMLElement | null} */
export const focusedIn = (node) => {
  const { activeElement } = /** @type {Document | ShadowRoot} */ (node.getRootNode());
  return node.contains(activeElement) ? /** @type {HTMLElement} */ (activeElement) : null;
};

// Hide or show a node; if it has the focus, the focus moves to its heir.
/** @param {HTMLElement} node @param {unknown} hidden @param {HTMLElement | null} [heir] */
export function hide(node, hidden, heir) {
  const held = hidden && focusedIn(node);
  node.hidden = Boolean(hidden);
  if (held) heir?.focus();
}

// Refill a list; if it has the focus, the focus moves to the button now in the same place, or else to its heir.
/** @param {HTMLElement} list @param {HTMLElement[]} nodes @param {HTMLElement} heir */
export function refill(list, nodes, heir) {
  const at = [...list.children].findIndex(focusedIn);
  list.replaceChildren(...nodes);
  if (at < 0) return;
  const buttons = list.querySelectorAll("button");
  (buttons[Math.min(at, buttons.length - 1)] ?? heir).focus();
}
