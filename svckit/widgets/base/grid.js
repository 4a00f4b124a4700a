// The rows of a grid, by keyboard: arrows, Home, End, Page Up and Page Down move the focus; Enter or the space bar choose. One
// row at a time can be reached with Tab. A grid may name requests: for the pages before and after (`data-before`,
// `data-after`), to choose all rows (Ctrl+A, `data-all`) or none (Escape, `data-none`); with Shift, rows do `data-shift`.
import { focusedIn } from "./focus.js";

/** @type {WeakMap<HTMLTableElement, { from: string | undefined, to: number }>} */
const turns = new WeakMap(); // the page being left, by its first row, and which row of the next one gets the focus

/**
 * Return the row that a key moves to, if it moves at all.
 * @param {string} key
 * @param {number} at
 * @param {number} count
 * @returns {number | undefined}
 */
export function step(key, at, count) {
  /** @type {Record<string, number>} */
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1, PageDown: count - 1, PageUp: 0 };
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
  const turn = turns.get(grid);
  const entered = turn && rows[0] && rows[0].dataset.key !== turn.from ? rows.at(turn.to) : undefined;
  for (const row of rows) row.tabIndex = row === (entered ?? active) ? 0 : -1;
  if (!entered) return;
  turns.delete(grid);
  entered.focus();
}

/**
 * Return the request of a row, which is another one with Shift.
 * @param {HTMLElement} row
 * @param {boolean} shift
 */
export function requestOf(row, shift) {
  const { shift: does } = row.closest("table")?.dataset ?? {};
  return { do: (shift && row.matches("tr") && does) || row.dataset.do, ...JSON.parse(row.dataset.with ?? "{}") };
}

/**
 * Handle a key pressed in a grid.
 * @param {KeyboardEvent} event
 * @param {(request: { do?: string }) => void} ask
 */
export function press(event, ask) {
  const row = /** @type {HTMLElement} */ (event.target);
  if (!(row instanceof HTMLTableRowElement) || !row.matches("[role=grid] tbody > tr")) return;
  const { key } = event;
  const grid = /** @type {HTMLTableElement} */ (row.closest("table"));
  const rows = [.../** @type {HTMLTableSectionElement} */ (row.parentElement).rows];
  const to = step(key, rows.indexOf(row), rows.length);
  const { all, none, before, after } = grid.dataset;
  const leaves = key === "PageDown" || key === "PageUp" || (to !== undefined && rows[to] === row && key.startsWith("Arrow"));
  const request = leaves && (key.endsWith("Down") ? after : before);
  if (event.ctrlKey || event.metaKey || event.altKey) {
    if (!all || key !== "a" || event.altKey) return;
    ask(JSON.parse(all));
  } else if (key === "Enter" || key === " ") ask(requestOf(row, event.shiftKey));
  else if (key === "Escape" && none) ask(JSON.parse(none));
  else if (request) {
    turns.set(grid, { from: rows[0].dataset.key, to: key === "ArrowUp" ? -1 : 0 });
    ask(JSON.parse(request));
  } else if (to === undefined) return;
  else rows[to].focus();
  event.preventDefault();
  event.stopPropagation();
}
