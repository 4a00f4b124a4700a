import { listen } from "./connection.js";

/**
 * Show the picture whose bytes are in the trait `picture`, beside the HTML; `data-picture` is its media type.
 * @param {import("./connection.js").Model} model
 * @param {HTMLElement} root
 * @param {AbortSignal} gone
 */
export function pictures(model, root, gone) {
  /** @type {BlobPart | null} */
  let shown = null;
  let url = "";

  function forget() {
    if (url) URL.revokeObjectURL(url);
    url = "";
  }
  function show() {
    const image = /** @type {HTMLImageElement | null} */ (root.querySelector("img[data-picture]"));
    const bytes = image && model.get("picture");
    if (bytes !== shown) {
      forget();
      shown = bytes;
      if (bytes) url = URL.createObjectURL(new Blob([bytes], { type: image?.dataset.picture }));
    }
    if (image && image.src !== url) image.src = url;
  }
  for (const change of ["change:html", "change:picture"]) listen(model, change, show, gone); // after the HTML is in place
  show();
  gone.addEventListener("abort", forget);
}
