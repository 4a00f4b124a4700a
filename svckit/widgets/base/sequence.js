
// A sequence diagram with the layout that Python computed. It is drawn with nodes, never from markup.
function sequence({ width, height, lanes, arrows }, label) {
  const draw = (tag, attributes = {}, text = "") => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.textContent = text;
    return node;
  };
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });
  for (const { name, x } of lanes) {
    svg.append(
      draw("text", { class: "svckit-lane", x, y: 18 }, name),
      draw("line", { class: "svckit-life", x1: x, y1: 26, x2: x, y2: height }),
    );
  }
  for (const { from, to, middle, y, kind, tip, text, whole } of arrows) {
    const words = draw("text", { x: middle, y: y - 4 }, text);
    words.append(draw("title", {}, whole));
    svg.append(
      words,
      draw("line", { class: `svckit-${kind}`, x1: from, y1: y, x2: to, y2: y }),
      draw("path", { class: "svckit-tip", d: tip }),
    );
  }
  return svg;
}
