// Change a part of the page into new HTML. Nodes that both have stay the same nodes, and so do focus, selection, scroll
// positions and open details. Children are matched by key, or else by their tag and their order.

const CONTROLS = "input, select, textarea";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
/** @typedef {(control: Control, value: string | boolean) => void} Put */

/**
 * Parse HTML into a fragment. Nothing in it runs or loads until it is in the page.
 * @param {string} html
 */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/**
 * Change the children of a node into those of another one.
 * @param {Node} node
 * @param {Node} goal what is left of it has no further use
 * @param {Put} put shows Python's value in a control
 */
export function morphChildren(node, goal, put) {
  const keyed = new Map([...keysOf(node)].map(([child, key]) => [key, child]));
  const keys = keysOf(goal);
  const wanted = new Set(keys.values());
  for (const [key, child] of keyed) if (!wanted.has(key)) child.remove();
  /** @type {ChildNode | null} */
  let place = node.firstChild;
  for (const next of Array.from(goal.childNodes)) {
    const key = keys.get(next);
    const same = key === undefined ? findUnkeyed(place, next) : keyed.get(key);
    if (same && same.nodeName === next.nodeName) {
      // What was before it is gone. To move it instead would take its focus, and a click that is under way.
      while (place && place !== same && keyOf(place) === undefined) place = drop(place);
      if (place && place === same) place = place.nextSibling;
      else node.insertBefore(same, place);
      morphNode(same, next, put);
    } else {
      node.insertBefore(next, place);
      adopt(next, put);
    }
  }
  while (place) place = drop(place);
}

/**
 * Return the value of a control in HTML, as `put` takes it.
 * @param {Control} control
 */
export function valueOf(control) {
  if (control.type === "checkbox" || control.type === "radio") return /** @type {HTMLInputElement} */ (control).checked;
  return control.value;
}

/** @param {Node} node @param {Node} goal @param {Put} put */
function morphNode(node, goal, put) {
  if (!(node instanceof Element) || !(goal instanceof Element)) {
    if (node.nodeValue !== goal.nodeValue) node.nodeValue = goal.nodeValue;
    return;
  }
  morphAttributes(node, goal);
  if (!node.matches(CONTROLS)) {
    morphChildren(node, goal, put);
    return;
  }
  const value = valueOf(/** @type {Control} */ (goal));
  if (node.hasAttribute("data-own")) return;
  if (node instanceof HTMLSelectElement) morphChildren(node, goal, put);
  put(/** @type {Control} */ (node), value);
}

// What the person or a script of the page has set, and Python does not know.
/** @param {Element} node @param {string} name */
const isOfThePage = (node, name) =>
  name === "style" ||
  (name === "href" && node.hasAttribute("data-link")) ||
  (name === "src" && node.hasAttribute("data-picture")) ||
  (name === "open" && node.tagName === "DETAILS") || (name === "tabindex" && node.tagName === "TR");

/** @param {Element} node @param {Element} goal */
function morphAttributes(node, goal) {
  for (const { name } of Array.from(node.attributes))
    if (!goal.hasAttribute(name) && !isOfThePage(node, name)) node.removeAttribute(name);
  for (const { name, value } of goal.attributes)
    if (node.getAttribute(name) !== value && !isOfThePage(node, name)) node.setAttribute(name, value);
}

/** @param {Node} node @param {Put} put */
function adopt(node, put) {
  if (!(node instanceof Element)) return;
  const controls = /** @type {Control[]} */ ([...(node.matches(CONTROLS) ? [node] : []), ...node.querySelectorAll(CONTROLS)]);
  for (const control of controls) put(control, valueOf(control));
}

/** @param {ChildNode} node */
function drop(node) {
  const rest = node.nextSibling;
  node.remove();
  return rest;
}

// The next sibling without a key that fits. One that is further on fits only if what is between is gone, and not if
// something new comes before it.
/** @param {ChildNode | null} place @param {Node} next */
function findUnkeyed(place, next) {
  const fits = (/** @type {Node} */ each) => each.nodeName === next.nodeName && keyOf(each) === undefined;
  const count = (/** @type {Node | null} */ from) => {
    let found = 0;
    for (let each = from; each; each = each.nextSibling) if (fits(each)) found += 1;
    return found;
  };
  if (next.nodeType === Node.TEXT_NODE) return place && fits(place) ? place : undefined;
  let near = place;
  while (near && near.nodeType === Node.TEXT_NODE) near = near.nextSibling;
  let same = near;
  while (same && !fits(same)) same = same.nextSibling;
  return same === near || count(same) >= count(next) ? (same ?? undefined) : undefined;
}

/** @param {Node} node */
function keyOf(node) {
  if (!(node instanceof HTMLElement)) return undefined;
  const { key, field, do: does, with: given = "" } = node.dataset;
  return key ?? (field && `field ${field}`) ?? (does && `do ${does} ${given}`);
}

// The children that have a key; where siblings have the same, their number is a part of it.
/** @param {Node} node */
function keysOf(node) {
  const counts = new Map();
  const keys = new Map();
  for (const child of node.childNodes) {
    const key = keyOf(child);
    if (key === undefined) continue;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    keys.set(child, `${key} ${counts.get(key)}`);
  }
  return keys;
}
