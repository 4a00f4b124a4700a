/**
 * Copy a text that Python sent for the button in front of a view's `clipboard` and its status.
 * @param {HTMLElement} root
 * @param {string} text
 */
export function copyText(root, text) {
  const node = root.querySelector("[data-key=clipboard]");
  const button = node?.previousElementSibling?.previousElementSibling;
  if (!node || !(button instanceof HTMLElement)) return;
  node.textContent = text;
  copy(button, node);
}

/**
 * Return the node with a key that is nearest to a button, outwards.
 * @param {HTMLElement} button
 * @param {string} key
 */
export function findNearest(button, key) {
  for (let around = button.parentElement; around; around = around.parentElement) {
    const found = around.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (found) return found;
  }
  return null;
}

/**
 * Copy the text of a node, and say so after the button that was pressed.
 * @param {HTMLElement} button
 * @param {Element | null} node
 */
export async function copy(button, node) {
  if (!node) return;
  const status = button.nextElementSibling;
  let words = "Copied";
  try {
    await navigator.clipboard.writeText(node.textContent ?? "");
  } catch {
    // An insecure page has no clipboard: select the text, so that one keystroke copies it.
    getSelection()?.selectAllChildren(node);
    words = "Selected, press Ctrl+C";
  }
  if (status?.matches("[role=status]")) status.textContent = words;
}
