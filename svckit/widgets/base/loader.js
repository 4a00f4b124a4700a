// What every widget brings itself: this loads the script and the style of them all from the model that has them, once in
// each page for each kernel.
/** @param {string} zipped */
async function load(zipped) {
  const bytes = Uint8Array.from(atob(zipped), (mark) => mark.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { script, style } = await new Response(stream).json();
  const node = document.querySelector("style#svckit") ?? document.head.appendChild(document.createElement("style"));
  Object.assign(node, { id: "svckit", textContent: style });
  return import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
}

/** @param {{ model: any }} view */
async function render(view) {
  const { model } = view;
  const shared = await model.widget_manager.get_model(model.get("_shared").replace("IPY_MODEL_", ""));
  shared.loaded ??= load(shared.get("zipped"));
  return (await shared.loaded).default.render(view);
}

export default { render };
