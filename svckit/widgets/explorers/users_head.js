
// Above the users of a session: a button to refresh, and if users cannot be listed, a field to read them by ID.
function render({ model, el }) {
  const { root, head, button, field, put, on, watch, remove } = explorer(model, el, "Users of the session");
  head.hidden = true; // the table has one

  const pasted = element("input", { type: "text", spellcheck: "false" });
  const read = button("Read", "read", { title: "Sends an update without fields, which changes nothing; several IDs are read one by one" });
  pasted.addEventListener("keydown", (event) => event.key === "Enter" && read.click());
  const who = field("User ID, login e-mail or externalKey:…", pasted, "pasted");
  who.className = "svckit-wide";
  root.append(element("div", { class: "svckit-actions svckit-looking" }, who, read, button("Refresh", "refresh")));
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
  watch(() => model.get("view").reading);
  return remove;
}

export default { render };
