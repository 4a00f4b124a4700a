// Prepended to each view's script. Data reaches the page through attributes and text only, never as markup.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Fill a node with one child per item of data. A child whose data and place are unchanged stays, and so does the focus
// or a click in progress.
const filled = new WeakMap(); // the children of each node, by their place and their data as text
function fill(node, data, make) {
  const before = filled.get(node) ?? new Map();
  const keys = data.map((each, index) => `${index} ${JSON.stringify(each)}`);
  const now = new Map(keys.map((key, index) => [key, before.get(key) ?? make(data[index], index)]));
  filled.set(node, now);
  for (const [key, made] of before) if (!now.has(key)) made.remove();
  [...now.values()].forEach((made, index) => {
    if (node.children[index] !== made) node.insertBefore(made, node.children[index] ?? null);
  });
}

// The same for a select, from pairs of a value and its label.
function choices(select, options) {
  fill(select, options, ([value, words]) => element("option", { value }, words));
}

// A button that copies a node's text, and a status line that confirms it.
function copyButton(label, node) {
  const status = element("span", { class: "svckit-muted", role: "status" });
  const button = element("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(node.textContent);
      status.textContent = "Copied";
    } catch {
      // An insecure page has no clipboard: select the text, so that one keystroke copies it.
      getSelection().selectAllChildren(node);
      status.textContent = "Selected, press Ctrl+C";
    }
  });
  return [button, status];
}

// The error line, hidden while there is no error. Returns a function that stops it.
function showErrors(model, alert) {
  function show() {
    alert.textContent = model.get("error");
    alert.hidden = !model.get("error");
  }
  model.on("change:error", show);
  show();
  return () => model.off("change:error", show);
}
