// Links whose URL is a secret, which notebooks must not store with the HTML: `data-link` has the number of the link, and
// Python sends its URL in a message.
import { listen } from "./connection.js";

/**
 * @param {import("./connection.js").Model} model
 * @param {HTMLElement} root
 * @param {(request: object) => unknown} send
 * @param {AbortSignal} gone
 * @returns {() => void} asks for the URL of a link that is new
 */
export function secretLinks(model, root, send, gone) {
  /** @param {{ link?: string, number?: number }} content */
  function receive({ link, number }) {
    if (!link || !/^https?:/.test(link)) return;
    for (const node of root.querySelectorAll(`a[data-link="${number}"]`)) node.setAttribute("href", link);
  }
  listen(model, "msg:custom", receive, gone);
  return () => root.querySelector("a[data-link]:not([href])") && send({ do: "link" });
}
