
// Above the users of a session: look again, and where they cannot be listed, read one by ID.
function render({ model, el }) {
  const { root, head, button, field, put, on, remove } = explorer(model, el, "Users of the session");
  head.hidden = true; // the table has one

  const pasted = element("input", { type: "text", spellcheck: "false" });
  const read = button("Read", "read", { title: "By an update without fields, which changes nothing" });
  pasted.addEventListener("keydown", (event) => event.key === "Enter" && read.click());
  const who = field("User ID, login e-mail or externalKey:…", pasted, "pasted");
  who.className = "svckit-wide";
  root.append(element("div", { class: "svckit-actions svckit-looking" }, who, read, button("Refresh", "look")));

  on("view", () => {
    const now = model.get("view");
    who.hidden = read.hidden = !now.reads;
    put(pasted, now.pasted);
  });
  return remove;
}

export default { render };
