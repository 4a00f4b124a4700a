/**
 * Save a file that Python sent, gzipped, on the person's computer.
 * @param {{ file: string, type: string }} content its name and its media type
 * @param {BlobPart[]} buffers
 */
export async function save({ file, type }, [content]) {
  const plain = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"));
  const blob = new Blob([await new Response(plain).arrayBuffer()], { type });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
