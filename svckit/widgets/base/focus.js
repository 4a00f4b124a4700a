// The keyboard focus, which must not fall back to the page when the focused element goes away.
/** @param {Node} node @returns {HTMLElement | null} */
export const focusedIn = (node) => {
  const { activeElement } = /** @type {Document | ShadowRoot} */ (node.getRootNode());
  return node.contains(activeElement) ? /** @type {HTMLElement} */ (activeElement) : null;
};
