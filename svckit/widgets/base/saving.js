/**
 * Save a file that Python sent, gzipped, on the person's computer.
 * @param {{ file: string, type: string }} content its name and its media type
 * @param {BlobPart[]} buffers
 */
export async function save({ file, type }, [content]) {
  const plain = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"));
  offerDownload(new Blob([await new Response(plain).arrayBuffer()], { type }), file);
}

/** @param {Blob} blob @param {string} name */
export function offerDownload(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
