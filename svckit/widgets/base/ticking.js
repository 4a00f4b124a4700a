// Clocks that run and times that run out, between one HTML and the next, without the kernel:
//
//   data-left="90"    the seconds that are left: as text, or as the value of a meter; at 0, Python is asked to look
//   data-runs         a <time> whose text runs on from its `datetime`
const UNITS = /** @type {[string, number][]} */ ([["days", 86_400], ["h", 3_600], ["min", 60], ["s", 1]]);
const TWO_DAYS = 2 * 86_400;

/**
 * Return seconds in their two largest units, as Python does (instants.py).
 * @param {number} seconds
 */
export function formatSpan(seconds) {
  let left = Math.max(0, Math.floor(seconds));
  const parts = (left >= TWO_DAYS ? UNITS : UNITS.slice(1)).map(([unit, size]) => {
    const count = Math.floor(left / size);
    left %= size;
    return count ? `${count} ${unit}` : "";
  });
  const first = parts.findIndex(Boolean);
  return first < 0 ? "0 s" : parts.slice(first, first + 2).filter(Boolean).join(" ");
}

/**
 * Return the time on the clock some seconds after an instant, in its own offset.
 * @param {string} instant
 * @param {number} passed
 */
export function runOn(instant, passed) {
  const then = new Date(Date.parse(`${instant.slice(0, 19)}Z`) + passed * 1000);
  return then.toISOString().slice(0, 19).replace("T", " ");
}

/**
 * Let the times in a view run.
 * @param {HTMLElement} root
 * @param {AbortSignal} gone
 * @returns {() => void} starts from the times of new HTML
 */
export function ticking(root, gone) {
  let began = Date.now();
  function draw() {
    const passed = (Date.now() - began) / 1000;
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-left]"))) {
      const left = Math.max(0, Number(node.dataset.left) - passed);
      if (node instanceof HTMLMeterElement) node.value = left;
      else node.textContent = formatSpan(left);
      if (!left) node.dataset.watch = "";
    }
    for (const node of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[data-runs]")))
      node.textContent = runOn(node.dateTime, passed);
  }
  const timer = setInterval(draw, 1000);
  gone.addEventListener("abort", () => clearInterval(timer));
  return () => {
    began = Date.now();
    draw();
  };
}
