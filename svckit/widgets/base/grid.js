// The rows of a grid, by keyboard: arrows, Home and End move the focus; Enter or the space bar choose. One row at a time can
// be reached with Tab.
import { focusedIn } from "./focus.js";

/**
 * Return the row that a key moves to, if it moves at all.
 * @param {string} key
 * @param {number} at
 * @param {number} count
 * @returns {number | undefined}
 */
export function step(key, at, count) {
  /** @type {Record<string, number>} */
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  return key in steps ? Math.max(0, Math.min(steps[key], count - 1)) : undefined;
}

/**
 * Give one row of a grid the tab stop: the focused one, or else the selected, the last one, or the first.
 * @param {HTMLTableElement} grid
 */
export function settle(grid) {
  const rows = [...grid.tBodies[0].rows];
  const active =
    focusedIn(grid)?.closest("tr") ??
    rows.find((row) => row.getAttribute("aria-selected") === "true") ??
    rows.find((row) => row.tabIndex === 0) ??
    rows[0];
  for (const row of rows) row.tabIndex = row === active ? 0 : -1;
}

/**
 * Handle a key pressed in a grid.
 * @param {KeyboardEvent} event
 * @param {(row: HTMLTableRowElement) => void} choose
 */
export function press(event, choose) {
  const row = /** @type {HTMLElement} */ (event.target);
  if (!(row instanceof HTMLTableRowElement) || !row.matches("[role=grid] tbody > tr")) return;
  const rows = [...row.parentElement.rows];
  const to = step(event.key, rows.indexOf(row), rows.length);
  if (event.key === "Enter" || event.key === " ") choose(row);
  else if (to === undefined) return;
  else rows[to].focus();
  event.preventDefault();
  event.stopPropagation();
}
