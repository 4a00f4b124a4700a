/**
 * Count the seconds in a view down (`data-left`, how many are left), without the kernel.
 * @param {HTMLElement} root
 */
export function counting(root) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const stop = () => clearInterval(timer);
  return {
    stop,
    // Start again from what new HTML says.
    start() {
      stop();
      const nodes = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-left]"));
      if (!nodes.length) return;
      const began = Date.now();
      timer = setInterval(() => {
        const passed = Math.floor((Date.now() - began) / 1000);
        for (const node of nodes) node.textContent = `${Math.max(0, Number(node.dataset.left) - passed)} s`;
      }, 1000);
    },
  };
}
