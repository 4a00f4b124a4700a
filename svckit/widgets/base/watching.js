import { listen } from "./connection.js";

const EVERY = 1000; // milliseconds

/**
 * Have Python look for changes every second, while the view is seen and its HTML wants it: `data-watch` is of the whole
 * view, `data-watch="session"` only of the line about the session.
 * @param {import("./connection.js").Model} model
 * @param {HTMLElement} el
 * @param {(request: object) => boolean} send returns false once the kernel is gone
 * @param {AbortSignal} gone
 */
export function watch(model, el, send, gone) {
  let waiting = false; // for the last look, so that they do not pile up while a cell runs
  const timer = setInterval(() => {
    if (waiting || !el.isConnected || el.offsetParent === null) return;
    const ofView = el.querySelector('[data-watch=""]');
    if (!ofView && !el.querySelector("[data-watch]")) return;
    waiting = true;
    if (!send(ofView ? { do: "watch" } : { do: "watch", only: "session" })) clearInterval(timer);
  }, EVERY);
  listen(model, "msg:custom", (/** @type {{ looked?: boolean }} */ { looked }) => {
    if (looked) waiting = false;
  }, gone);
  gone.addEventListener("abort", () => clearInterval(timer));
}
