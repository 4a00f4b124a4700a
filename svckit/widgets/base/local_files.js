// Files of the person's computer, in pieces. Python is told the name and the size of those that were chosen or dropped, and
// then asks for one piece after the other; a file to save comes in pieces as well, each after the last was received.
import { listen } from "./connection.js";
import { offerDownload } from "./saving.js";

/** @typedef {(request: object, buffers?: ArrayBuffer[]) => void} Send */

/**
 * Take files from a view's file inputs (`data-offers`), and those dropped on a part of it (`data-drop`).
 * @param {import("./connection.js").Model} model
 * @param {HTMLElement} root
 * @param {string} here the view's ID
 * @param {Send} send
 * @param {AbortSignal} gone
 */
export function localFiles(model, root, here, send, gone) {
  /** @type {Map<string, File>} */
  const held = new Map();
  /** @type {{ number: number, pieces: BlobPart[] }} */
  let saving = { number: 0, pieces: [] };

  /** @param {Iterable<File>} files */
  function offer(files) {
    const named = [...files].map((file) => {
      const key = `${here}-${held.size + 1}`;
      held.set(key, file);
      return { key, name: file.name, size: file.size };
    });
    if (named.length) send({ do: "offer", files: named });
  }

  /** @param {{ key: string, offset: number, size: number }} need */
  async function give({ key, offset, size }) {
    const file = held.get(key);
    if (!file) return; // another view has it
    try {
      const piece = await file.slice(offset, offset + size).arrayBuffer();
      send({ do: "give", key, offset }, [piece]);
    } catch (failure) {
      send({ do: "unreadable", key, why: String(failure) }); // a folder, or a file that has changed
    }
  }

  /** @param {{ number: number, offset: number, file: string, size: number }} head @param {DataView<ArrayBuffer>} piece */
  function keep({ number, offset, file, size }, piece) {
    if (offset === 0) saving = { number, pieces: [] };
    saving.pieces.push(piece);
    const received = offset + piece.byteLength;
    if (received === size) {
      offerDownload(new Blob(saving.pieces), file);
      saving.pieces = [];
    }
    send({ do: "saved", number, received });
  }

  root.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.hasAttribute("data-offers")) return;
    offer(target.files ?? []);
    target.value = ""; // so that the same file can be chosen again
  });
  for (const kind of ["dragover", "dragleave", "drop"]) root.addEventListener(kind, (event) => drag(/** @type {DragEvent} */ (event)));

  /** @param {DragEvent} event */
  function drag(event) {
    const zone = /** @type {Element} */ (event.target).closest("[data-drop]");
    if (!zone || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation(); // the notebook takes files as well
    zone.toggleAttribute("data-over", event.type === "dragover");
    if (event.type === "drop") offer(event.dataTransfer.files);
  }

  /** @param {{ need?: any, piece?: any }} content @param {DataView<ArrayBuffer>[]} buffers */
  function hear({ need, piece }, buffers) {
    if (need) give(need);
    else if (piece?.view === here) keep(piece, buffers[0]);
  }
  listen(model, "msg:custom", hear, gone);
}
