// The columns of a table: how wide they are, which stay in sight, and headings that are dragged. The right edge of a heading
// sets the width; the rest of it takes the column to the place of another one.

const LEAST = 40; // pixels of a column
const SLOP = 8; // pixels that a press may move and still be a press

/**
 * Set the widths of columns, and the places of those that stay in sight, as their headings say.
 * @param {HTMLTableElement} grid
 */
export function layOut(grid) {
  let left = 0;
  for (const head of grid.tHead?.rows[0].cells ?? []) {
    const { width, pinned } = head.dataset;
    if (width === undefined && pinned === undefined && !head.style.length) continue;
    for (const { cells } of grid.rows) {
      const cell = cells[head.cellIndex];
      cell.toggleAttribute("data-pinned", pinned !== undefined);
      cell.style.minWidth = cell.style.maxWidth = width ? `${width}px` : "";
      cell.style.left = pinned === undefined ? "" : `${left}px`;
    }
    if (pinned !== undefined) left += head.offsetWidth;
  }
}

/** @param {HTMLElement} root @param {(request: object) => void} ask @param {AbortSignal} gone */
export function dragColumns(root, ask, gone) {
  const headAt = (/** @type {Event} */ { target }) =>
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest?.(".svckit-table thead th"));

  root.addEventListener("pointerdown", (down) => {
    const head = headAt(down);
    if (!head || down.button) return;
    const grid = /** @type {HTMLTableElement} */ (head.closest("table"));
    const sizes = /** @type {Element} */ (down.target).matches(".svckit-grip");
    const before = head.offsetWidth;
    const column = head.dataset.key;
    const ended = new AbortController();
    const page = { signal: AbortSignal.any([gone, ended.signal]) };
    let by = 0;
    const drag = (/** @type {PointerEvent} */ { clientX }) => {
      by = clientX - down.clientX;
      if (sizes) {
        head.dataset.width = String(Math.round(Math.max(LEAST, before + by)));
        layOut(grid);
      } else if (Math.abs(by) > SLOP) grid.dataset.dragged = "";
    };
    const drop = (/** @type {PointerEvent} */ event) => {
      ended.abort();
      delete grid.dataset.dragged;
      const at = headAt(event);
      if (event.type === "pointercancel" || !by) return;
      if (sizes) ask({ do: "resize", column, width: Number(head.dataset.width) });
      else if (Math.abs(by) > SLOP && at && at !== head && grid.contains(at)) ask({ do: "move", column, before: at.dataset.key });
    };
    document.addEventListener("pointermove", drag, page);
    document.addEventListener("pointerup", drop, page);
    document.addEventListener("pointercancel", drop, page);
  });
}
