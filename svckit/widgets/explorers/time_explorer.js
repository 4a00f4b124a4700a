// A fake's clock with its events, and faults to inject and try.
function render({ model, el }) {
  const { root, ask, button, check, field, put, on, watch, stop, remove } = explorer(model, el, "Time");
  const counting = ticking();
  let due = Infinity; // the time of the next event, by this machine's clock
  const actions = (...nodes) => element("div", { class: "svckit-actions" }, ...nodes);
  const wide = (label) => {
    label.classList.add("svckit-wide");
    return label;
  };

  const note = element("p");
  const now = element("time", { class: "svckit-instant" });
  const state = element("span", { class: "svckit-muted" });
  const moves = actions();
  const to = element("input", { type: "datetime-local", step: "1" });
  const move = button("Move", () => {
    ask({ do: "write", field: "to", text: to.value }); // the user may not have changed the initial value
    return { do: "move_to" };
  });
  const next = button("Move to the next event", "move_to_next");
  const moved = element("p", { role: "status" });
  const changed = element("ul", { class: "svckit-events", "aria-label": "Events of the move" });
  const upcoming = element("h3");
  const coming = element("ul", { class: "svckit-events", "aria-label": "Upcoming events" });
  const clock = element(
    "div",
    {},
    element("h3", {}, "Clock"),
    element("header", {}, now, state),
    moves,
    actions(wide(field("Set clock to (in its UTC offset)", to, "to")), move),
    actions(next, button("Refresh", "refresh")),
    moved,
    changed,
    upcoming,
    coming,
  );

  const kind = element("select");
  const words = element("p", { class: "svckit-muted" });
  const list = `svckit-targets-${Math.random().toString(36).slice(2)}`;
  const target = element("input", { type: "text", spellcheck: "false", list });
  const targets = element("datalist", { id: list });
  const times = element("input", { type: "number", min: 1, placeholder: "always" });
  const options = actions();
  const standing = element("ul", { class: "svckit-faults", "aria-label": "Faults" });
  const inject = button("Inject", "inject");
  const clear = button("Remove all", "remove_all");
  const attempt = element("select");
  const user = element("input", { type: "text", spellcheck: "false" });
  const userField = field("User ID", user, "user");
  const send = button("Try it", "attempt");
  const says = element("p", { role: "status" });
  const wire = element("div", { class: "svckit-wire" });
  const sent = element("details", {}, element("summary", {}, "Requests and responses"), wire);
  const retries = element("p", { class: "svckit-muted" });
  const faults = element(
    "div",
    {},
    element("h3", {}, "Faults"),
    actions(wide(field("Kind of fault", kind, "kind"))),
    words,
    actions(wide(field("Operation, path, or * for all", target, "target")), field("Repeat", times, "times")),
    targets,
    options,
    actions(inject),
    standing,
    actions(clear),
    element("h3", {}, "Try"),
    actions(wide(field("Request to send", attempt, "attempt")), userField, send),
    retries,
    says,
    sent,
  );
  const both = element("div", { class: "svckit-columns" }, clock, faults);
  root.append(note, both);

  function event({ at, kind, words, in: left }, isToCome) {
    const span = element("span", { class: "svckit-muted" }, isToCome ? left : at);
    const text = element("p", {}, isToCome ? `${words}, ${at}` : words);
    return { node: element("li", {}, element("header", {}, element("strong", {}, kind), span), text), span };
  }

  function more(count) {
    return count ? [element("li", { class: "svckit-muted" }, `and ${count} more`)] : [];
  }

  function showClock(view) {
    fill(moves, view.moves, (by) => button(`+ ${by}`, () => ({ do: "move", by })));
    put(to, view.form.to || view.now.slice(0, 19));
    next.setAttribute("aria-disabled", !view.coming.length);
    moved.textContent = view.moved && !view.changed.length ? `${view.moved}: no events` : view.moved;
    moved.hidden = !view.moved;
    changed.replaceChildren(...view.changed.map((each) => event(each, false).node), ...more(view.unlisted));
    changed.hidden = !view.changed.length;
    upcoming.textContent = view.coming.length ? "Upcoming events" : "No upcoming events";
    const lines = view.coming.map((each) => ({ ...event(each, true), left: each.left }));
    coming.replaceChildren(...lines.map(({ node }) => node), ...more(view.further));
    state.textContent = view.standing ? "stands until moved" : "runs with the system clock";
    due = view.standing || !lines.length ? Infinity : Date.now() + 1000 * lines[0].left;
    const began = Date.parse(view.now);
    counting.start(view.standing, (passed) => {
      // A clock that runs is in UTC.
      const running = () => new Date(began + passed * 1000).toISOString().replace(/\.\d+Z$/, "+00:00");
      now.textContent = view.standing ? view.now : running();
      now.dateTime = now.textContent;
      for (const { span, left } of lines) span.textContent = left > passed ? `in ${spanWords(left - passed)}` : "now";
    });
  }

  function showForm({ form, faults: listed }) {
    choices(kind, form.kinds.map(({ kind: value, label }) => [value, label]));
    put(kind, form.kind);
    words.textContent = form.words;
    put(target, form.target);
    choices(targets, form.targets.map((name) => [name, name]));
    put(times, form.times);
    const kinds = form.options.map(({ name, label, value }) => ({ name, label, ticked: typeof value === "boolean" }));
    fill(options, kinds, ({ name, label, ticked }) => {
      if (ticked) return check(label, name);
      return field(label, element("input", { type: "text", inputmode: "decimal" }), name);
    });
    form.options.forEach(({ value }, index) => {
      put(options.children[index].control, value);
    });
    options.hidden = !form.options.length;
    const kept = listed.map(({ label, target: where, remaining, used }, number) => {
      const title = element("p", {}, element("strong", {}, label), ` for ${where}`);
      const count = element("p", { class: "svckit-muted" }, `${remaining}; applied ${used} times`);
      const name = { "aria-label": `Remove ${label} for ${where}` };
      const drop = button("Remove", () => ({ do: "remove", number }), name);
      return element("li", {}, element("div", {}, title, count), drop);
    });
    const none = element("li", { class: "svckit-muted" }, "No faults are injected.");
    refill(standing, listed.length ? kept : [none], inject);
    clear.setAttribute("aria-disabled", !listed.length);
  }

  function showTried({ form, tries, tried, retries: count }) {
    choices(attempt, tries.map(({ attempt: value, words: label }) => [value, label]));
    put(attempt, form.attempt);
    put(user, form.user);
    userField.hidden = form.attempt !== "read";
    send.setAttribute("aria-disabled", tried.running);
    retries.textContent = `The session retries requests that are safe to repeat, up to ${count} times.`;
    retries.hidden = !count;
    const mark = tried.running ? "" : tried.failed ? "✗ " : "✓ ";
    says.textContent = `${mark}${tried.says}`;
    says.classList.toggle("svckit-error", tried.failed);
    says.hidden = !tried.says;
    sent.hidden = !tried.requests.length;
    fill(wire, tried.requests, (each, index) => {
      const title = element("h4", {}, `${index + 1}. ${each.line}`);
      return element("div", {}, title, wireText(each));
    });
  }

  on("view", () => {
    const view = model.get("view");
    note.textContent = view.note;
    note.hidden = !view.note;
    both.hidden = Boolean(view.note);
    if (view.note) return;
    showClock(view);
    showForm(view);
    showTried(view);
  });
  watch(() => Date.now() >= due);
  stop(counting.stop);
  return remove;
}

export default { render };
