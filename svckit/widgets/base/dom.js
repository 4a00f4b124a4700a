// Put before each view's script. Data reaches the page through attributes and text only, never as markup.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Fill a node with what is made of each of the data. What is made of the same at the same place stays, and with it the
// focus, or a click that is halfway done.
const filled = new WeakMap(); // what was made, by the place and the data as text, of each node
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

// The same of a select, from pairs of a value and its words.
function choices(select, options) {
  fill(select, options, ([value, words]) => element("option", { value }, words));
}

// A button that copies a node's text, and the place where it says so.
function copyButton(label, node) {
  const told = element("span", { class: "svckit-muted", role: "status" });
  const button = element("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(node.textContent);
      told.textContent = "Copied";
    } catch {
      // No clipboard on a page that is not secure: select the text, so that one keystroke copies it.
      getSelection().selectAllChildren(node);
      told.textContent = "Selected, press Ctrl+C";
    }
  });
  return [button, told];
}

// The line for what went wrong, hidden while nothing did. Gives what ends it.
function showErrors(model, alert) {
  function show() {
    alert.textContent = model.get("error");
    alert.hidden = !model.get("error");
  }
  model.on("change:error", show);
  show();
  return () => model.off("change:error", show);
}
