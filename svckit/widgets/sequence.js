
// A sequence diagram: who was asked what, and what came back. It is drawn with nodes, never from markup.
function sequence(arrows, label) {
  const draw = (tag, attributes = {}, text = "") => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.textContent = text;
    return node;
  };
  const lanes = ["client", ...new Set(arrows.map(({ area }) => area))];
  const [wide, step, top] = [230, 46, 40];
  const width = Math.max(lanes.length, 2) * wide;
  const height = top + arrows.length * step + 16;
  const at = (lane) => wide / 2 + lanes.indexOf(lane) * wide;
  const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });

  for (const lane of lanes) {
    svg.append(
      draw("text", { class: "svckit-lane", x: at(lane), y: 18 }, lane),
      draw("line", { class: "svckit-life", x1: at(lane), y1: 26, x2: at(lane), y2: height }),
    );
  }
  function arrow(from, to, y, text, kind) {
    const way = Math.sign(to - from);
    const words = draw("text", { x: (from + to) / 2, y: y - 4 }, cut(text, Math.round(Math.abs(to - from) / 6.6)));
    words.append(draw("title", {}, text));
    svg.append(
      words,
      draw("line", { class: kind, x1: from, y1: y, x2: to - way * 2, y2: y }),
      draw("path", { class: "svckit-tip", d: `M ${to} ${y} l ${-way * 8} -4 v 8 z` }),
    );
  }
  arrows.forEach(({ area, asked, answered, failed }, index) => {
    const y = top + index * step + 10;
    arrow(at("client"), at(area), y, asked, "svckit-asked");
    arrow(at(area), at("client"), y + 20, failed ? `✗ ${answered}` : answered, "svckit-answered");
  });
  return svg;
}
