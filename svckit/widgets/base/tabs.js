// Tabs, by keyboard: arrows, Home and End move the focus; Enter or the space bar select, because a panel may have to load
// data first. The Tab key reaches one tab. Panels are nodes beside the view, in the box that the list's `data-panels`
// selects; the `data-panel` of a tab selects its own.
import { focusedIn } from "./focus.js";

/**
 * Return the tab that a key moves to, if it moves at all.
 * @param {string} key
 * @param {number} at
 * @param {number} count
 * @returns {number | undefined}
 */
export function stepRound(key, at, count) {
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: at + 1, ArrowLeft: at - 1 + count, Home: 0, End: count - 1 };
  return key in steps ? steps[key] % count : undefined;
}

/** @param {HTMLElement} list */
const tabsOf = (list) => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);

/**
 * Handle a key pressed in a list of tabs.
 * @param {KeyboardEvent} event
 */
export function pressTab(event) {
  const tab = /** @type {HTMLElement} */ (event.target);
  if (!tab.matches("[role=tab]")) return;
  const all = tabsOf(/** @type {HTMLElement} */ (tab.closest("[role=tablist]")));
  const to = stepRound(event.key, all.indexOf(tab), all.length);
  if (to === undefined) return;
  all[to].focus();
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Give the focused tab of a list, or else the selected one, the tab stop, and tie all tabs to their panels.
 * @param {HTMLElement} list
 * @param {string} here the view's ID, as a page may show a view more than once
 */
export function settleTabs(list, here) {
  const focused = focusedIn(list);
  const box = list.closest(list.dataset.panels ?? "");
  for (const tab of tabsOf(list)) {
    const selected = tab.getAttribute("aria-selected") === "true";
    tab.tabIndex = (focused ? tab === focused : selected) ? 0 : -1;
    tab.id = `svckit-tab-${here}-${tab.textContent?.replaceAll(" ", "-")}`;
    const panel = box?.querySelector(`:scope > ${tab.dataset.panel}`);
    if (!panel) continue;
    panel.id ||= `${tab.id}-panel`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
  }
}

/**
 * Settle the tabs of a view, if it has any, whenever a panel comes.
 * @param {HTMLElement} root
 * @param {() => void} settle
 * @param {AbortSignal} gone
 */
export function watchPanels(root, settle, gone) {
  const list = /** @type {HTMLElement | null} */ (root.querySelector("[data-panels]"));
  /** @type {Element | null | undefined} */
  let box;
  let waiting = 0;
  const observer = new MutationObserver(look);
  function look() {
    // A node may be added before the class that says which panel it is.
    for (const node of box?.children ?? []) observer.observe(node, { attributeFilter: ["class"] });
    settle();
  }
  function find() {
    box = list?.closest(list.dataset.panels ?? "");
    if (box) {
      observer.observe(box, { childList: true });
      look();
    } else if (list) waiting = requestAnimationFrame(find); // it is not in the page yet
  }
  find();
  gone.addEventListener("abort", () => {
    cancelAnimationFrame(waiting);
    observer.disconnect();
  });
}
