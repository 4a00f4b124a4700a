// Where the keyboard focus goes when new HTML takes the focused element away: to the element at the same place of its
// kind, or to its heir, and never to the page. What opens takes it, and gives it back when it closes.
import { focusedIn } from "./focus.js";

const CONTROL = "button, input, select, textarea, [tabindex]";

/** @type {WeakMap<HTMLElement, HTMLElement>} */
const askers = new WeakMap(); // what had the focus when a question appeared or something opened

const OPENED = "[data-question], [data-opened]";

/** @param {HTMLElement} root */
const peersOf = (root, /** @type {HTMLElement} */ node) =>
  /** @type {HTMLElement[]} */ ([...root.querySelectorAll(`[data-do="${node.dataset.do}"]`)])
    .filter((each) => each.dataset.heir === node.dataset.heir);

/**
 * Remember the focus before new HTML.
 * @param {HTMLElement} root
 */
export function remember(root) {
  const node = focusedIn(root);
  const index = node?.dataset.do ? peersOf(root, node).indexOf(node) : -1;
  return { node, index, opened: new Set(root.querySelectorAll(OPENED)) };
}

/**
 * Restore the focus after new HTML.
 * @param {HTMLElement} root
 * @param {ReturnType<typeof remember>} before
 */
export function refocus(root, { node, index, opened }) {
  const fresh = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(OPENED)]).find((each) => !opened.has(each));
  const asks = fresh?.matches("[data-question]");
  if (fresh && (asks || node?.hasAttribute("aria-expanded"))) {
    if (node) askers.set(fresh, node);
    /** @type {HTMLElement | null} */ (fresh.querySelector(asks ? "[data-do=cancel]" : "input, select, pre"))?.focus();
    return;
  }
  if (!node || focusedIn(root)) return;
  const heir = root.contains(node) ? node : findHeir(root, node, index);
  heir?.focus();
}

/** @param {HTMLElement} root @param {HTMLElement} node @param {number} index */
function findHeir(root, node, index) {
  const asker = askers.get(/** @type {HTMLElement} */ (node.closest(OPENED)));
  if (asker && root.contains(asker)) return asker;
  const peers = index < 0 ? [] : peersOf(root, node);
  return peers[Math.min(index, peers.length - 1)] ?? find(root, node.dataset.heir ?? "");
}

/**
 * Find an action, a field or a node by its name, or the first control in it.
 * @param {HTMLElement} root
 * @param {string} name
 * @returns {HTMLElement | null | undefined}
 */
export function find(root, name) {
  if (!name) return null;
  const named = ["do", "field", "key"].map((kind) => `[data-${kind}="${CSS.escape(name)}"]`).join();
  const node = /** @type {HTMLElement | null} */ (root.querySelector(named));
  return node?.matches(CONTROL) ? node : (node?.querySelector(CONTROL) ?? node);
}
