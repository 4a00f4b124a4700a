const EVERY = 1000; // milliseconds

/**
 * Have Python look for changes every second, while the view is seen and its HTML wants it: `data-watch` is of the whole
 * view, `data-watch="session"` only of the line about the session.
 * @param {import("./connection.js").Model} model
 * @param {HTMLElement} el
 * @param {(request: object) => boolean} send returns false once the kernel is gone
 */
export function watch(model, el, send) {
  let waiting = false; // for the last look, so that they do not pile up while a cell runs
  const listen = (/** @type {{ looked?: boolean }} */ { looked }) => {
    if (looked) waiting = false;
  };
  const timer = setInterval(() => {
    if (waiting || !el.isConnected || el.offsetParent === null) return;
    const ofView = el.querySelector('[data-watch=""]');
    if (!ofView && !el.querySelector("[data-watch]")) return;
    waiting = true;
    if (!send(ofView ? { do: "watch" } : { do: "watch", only: "session" })) clearInterval(timer);
  }, EVERY);
  model.on("msg:custom", listen);
  return () => {
    clearInterval(timer);
    model.off("msg:custom", listen);
  };
}
