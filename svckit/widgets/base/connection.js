/**
 * What a view needs of the front end's model of a widget.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(event: string, handler: (...given: any[]) => void) => void} on
 * @property {(event: string, handler: (...given: any[]) => void) => void} off
 * @property {(content: object, callbacks?: unknown, buffers?: ArrayBuffer[]) => void} send
 */

/**
 * Listen to a widget's model as long as the view is there.
 * @param {Model} model
 * @param {string} event
 * @param {(...given: any[]) => void} handler
 * @param {AbortSignal} gone
 */
export function listen(model, event, handler, gone) {
  model.on(event, handler);
  gone.addEventListener("abort", () => model.off(event, handler));
}

// The connection from a view to Python. Once it is lost, because the kernel stopped or restarted, the view says so
// (theme.css) and sends no more requests.
/** @param {Model} model @param {HTMLElement} el @param {AbortSignal} gone */
export function connection(model, el, gone) {
  const show = (/** @type {boolean} */ live) => el.classList.toggle("jupyter-widgets-disconnected", !live);
  // The handler is called with the front end's own view, whose model knows the state.
  /** @this {any} */
  function changed() {
    show((this?.model ?? this)?.comm_live === true);
  }
  listen(model, "comm_live_update", changed, gone);
  return send;

  // Returns whether the request was sent.
  /** @param {object} request @param {ArrayBuffer[]} [buffers] */
  function send(request, buffers) {
    try {
      model.send(request, undefined, buffers);
    } catch {
      show(false);
      return false;
    }
    return true;
  }
}
