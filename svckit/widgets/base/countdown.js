// Durations in words, and a timer that redraws every second without the kernel.
const UNITS = [["days", 86400], ["h", 3600], ["min", 60], ["s", 1]];

function spanWords(seconds) {
  let left = Math.max(0, Math.floor(seconds));
  const parts = (left >= 2 * 86400 ? UNITS : UNITS.slice(1)).map(([unit, size]) => {
    const count = Math.floor(left / size);
    left %= size;
    return count ? `${count} ${unit}` : "";
  });
  const first = parts.findIndex(Boolean);
  return first < 0 ? "0 s" : parts.slice(first, first + 2).filter(Boolean).join(" ");
}

// Calls `draw` with the seconds since the start, at once and then every second; with a standing clock only once.
function ticking() {
  let timer = null;
  const stop = () => clearInterval(timer);
  return {
    stop,
    start(standing, draw) {
      stop();
      const began = Date.now();
      draw(0);
      if (!standing) timer = setInterval(() => draw((Date.now() - began) / 1000), 1000);
    },
  };
}

