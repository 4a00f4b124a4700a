// Lists that keep their end in sight (`data-follow`), until the person scrolls away from it.

/** @param {Element} node */
const isAtEnd = (node) => node.scrollTop + node.clientHeight >= node.scrollHeight - 4;

/**
 * Follow the lists of a view.
 * @param {HTMLElement} root
 * @param {AbortSignal} gone
 * @returns {() => void} shows their ends after new HTML
 */
export function following(root, gone) {
  /** @type {WeakSet<Element>} */
  const left = new WeakSet(); // the lists that the person has scrolled away
  const lists = () => root.querySelectorAll("[data-follow]");
  function show() {
    for (const list of lists()) if (!left.has(list)) list.scrollTop = list.scrollHeight;
  }
  const sized = new ResizeObserver(show); // nothing scrolls before it is in the page, or while it is hidden
  root.addEventListener("scroll", ({ target }) => {
    if (!(target instanceof Element) || !target.matches("[data-follow]")) return;
    if (isAtEnd(target)) left.delete(target);
    else left.add(target);
  }, { capture: true });
  gone.addEventListener("abort", () => sized.disconnect());
  return () => {
    for (const list of lists()) sized.observe(list);
    show();
  };
}
