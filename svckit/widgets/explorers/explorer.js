
// Shared by all explorers: a head with a badge, an error line, a confirmation before writing to a real service, and
// fields whose text is sent to Python while the user types. Python holds the draft.
const LOOK_EVERY = 1000;

function explorer(model, el, name) {
  const { enter, ask, send, drop, put, remove: removeEntries } = entries(model, el);
  const stops = [removeEntries];

  function stop() {
    for (const each of stops.splice(0)) each();
  }
  function button(words, does, attributes = {}) {
    const made = element("button", { type: "button", ...attributes }, words);
    made.addEventListener("click", () => {
      if (made.getAttribute("aria-disabled") !== "true") ask(typeof does === "function" ? does() : { do: does });
    });
    return made;
  }
  function field(words, control, key) {
    const chosen = control.tagName === "SELECT";
    control.addEventListener(chosen ? "change" : "input", () =>
      enter(control, { do: "write", field: key, text: control.value }, { soon: !chosen }),
    );
    return element("label", {}, element("span", {}, words), control);
  }
  // A field for a user ID with suggestions; any other ID can be typed.
  function person(words, key, { picked = () => {} } = {}) {
    const list = `svckit-people-${Math.random().toString(36).slice(2)}`;
    const control = element("input", { type: "text", spellcheck: "false", autocomplete: "off", list });
    const label = key ? field(words, control, key) : element("label", {}, element("span", {}, words), control);
    const offered = element("datalist", { id: list });
    label.className = "svckit-wide";
    control.addEventListener("focus", () => control.select()); // only suggestions that start with its text are offered
    control.addEventListener("input", ({ inputType }) => inputType === "insertReplacementText" && picked());
    root.append(offered);
    return {
      label,
      control,
      offer: (people) => fill(offered, people, ({ id, name }) => element("option", { value: id }, name)),
    };
  }
  // A label with a checkbox, which is its `control`.
  function check(words, key) {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => enter(box, { do: "write", field: key, text: box.checked }));
    return element("label", { class: "svckit-check" }, box, element("span", {}, words));
  }
  function on(change, show) {
    const unlessMoved = () => model.get("view").takenOver || show();
    model.on(`change:${change}`, unlessMoved);
    stops.push(() => model.off(`change:${change}`, unlessMoved));
    unlessMoved();
  }

  // Have Python refresh the view periodically while it is visible.
  function watch(wanted = () => true) {
    let waiting = false; // for the last refresh, so that refreshes do not pile up while a cell runs
    const receiveReply = ({ looked }) => {
      if (looked) waiting = false;
    };
    model.on("msg:custom", receiveReply);
    const timer = setInterval(() => {
      if (!wanted() || waiting || !root.isConnected || root.offsetParent === null) return;
      waiting = true;
      if (!send({ do: "watch" })) clearInterval(timer);
    }, LOOK_EVERY);
    stops.push(() => {
      clearInterval(timer);
      model.off("msg:custom", receiveReply);
    });
  }

  const badge = element("span", { class: "svckit-badge" });
  const head = element("header", {}, element("span", { class: "svckit-title" }, name), badge);
  const alert = element("p", { class: "svckit-error", role: "alert" });
  const words = element("p");
  const cancel = button("Cancel", "cancel");
  let asker = null; // the focus returns to it
  const actions = element("div", { class: "svckit-actions" }, button("Send to REAL", "confirm"), cancel);
  const question = element("div", { class: "svckit-error", role: "group" }, words, actions);
  const root = element(
    "section",
    // Keys typed here do not trigger notebook shortcuts.
    { class: "svckit svckit-explorer", "aria-label": name, "data-lm-suppress-shortcuts": "true" },
    head,
    alert,
    question,
  );
  el.append(root);

  stops.push(showErrors(model, alert));
  on("view", () => {
    const now = model.get("view");
    const asked = question.hidden && now.asking;
    if (asked) asker = focusedIn(root);
    badge.textContent = now.badge;
    badge.hidden = !now.badge;
    words.textContent = now.asking ?? "";
    question.setAttribute("aria-label", now.asking ?? "");
    hide(question, !now.asking, asker);
    if (asked) cancel.focus();
  });

  function end() {
    drop();
    stop();
  }
  stops.push(yieldPlace(model, { root, head, badge, end }));

  return {
    root,
    head,
    ask,
    send,
    enter,
    button,
    check,
    field,
    person,
    put,
    on,
    watch,
    stop(more) {
      stops.push(more);
    },
    remove() {
      stop();
    },
  };
}
