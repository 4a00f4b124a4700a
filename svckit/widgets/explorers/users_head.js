
// Above the users of a session: look again, and where they cannot be listed, read one by ID.
function render({ model, el }) {
  const { root, head, button, field, put, on, look, remove } = explorer(model, el, "Users of the session");
  head.hidden = true; // the table has one

  const pasted = element("input", { type: "text", spellcheck: "false" });
  const read = button("Read", "read", { title: "By an update without fields, which changes nothing; several IDs one after the other" });
  pasted.addEventListener("keydown", (event) => event.key === "Enter" && read.click());
  const who = field("User ID, login e-mail or externalKey:…", pasted, "pasted");
  who.className = "svckit-wide";
  root.append(element("div", { class: "svckit-actions svckit-looking" }, who, read, button("Refresh", "look")));
  const [bar, words] = [element("progress", { "aria-label": "Users read" }), element("span")];
  const reading = element("div", { class: "svckit-actions" }, bar, words, button("Stop reading", "stop"));
  root.append(reading);

  on("view", () => {
    const now = model.get("view");
    who.hidden = read.hidden = !now.reads;
    put(pasted, now.pasted);
    reading.hidden = !now.reading;
    words.textContent = now.reading;
    if (now.total) {
      bar.max = now.total;
      bar.value = now.done;
    } else bar.removeAttribute("value");
  });
  look(() => model.get("view").reading);
  return remove;
}

export default { render };
