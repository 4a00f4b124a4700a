
// The inbox of a bot: a member's message, the event it becomes, and its delivery.
const COLUMNS = ["No.", "Outcome", "Why", "Message", "Member", "Room", "Issued"];

function render({ model, el }) {
  const { root, head, ask, button, check, field, person, put, on, remove } = explorer(model, el, "Inbox");
  const refresh = button("Refresh", "refresh");
  head.append(refresh);
  const note = element("p", { class: "svckit-muted" });
  const heading = (words) => element("h3", {}, words);
  const block = (name) => element("pre", { tabindex: "0", "aria-label": name });
  const actions = (...children) => element("div", { class: "svckit-actions" }, ...children);

  const bot = element("select");
  const user = person("Member: user ID", "user");
  const room = element("select");
  const kind = element("select");
  const fields = element("div", { class: "svckit-columns svckit-message" });
  const problems = element("ul", { class: "svckit-muted", "aria-label": "Fix before sending" });
  const send = button("Write to the bot", "send", { class: "svckit-main" });
  const compose = element(
    "div",
    {},
    heading("As a member"),
    actions(field("Bot", bot, "bot"), user.label, field("Room", room, "room")),
    field("Message", kind, "kind"),
    fields,
    problems,
    actions(send),
  );
  const target = element("code", { class: "svckit-target" });
  const url = element("input", { type: "text", inputmode: "url", placeholder: "https://", spellcheck: "false" });
  const callback = field("Callback URL", url, "callback");
  callback.className = "svckit-wide";
  const callbacks = element(
    "div",
    {},
    heading("Callbacks"),
    target,
    actions(button("Receive them here", "receive_here"), button("Disconnect", "disconnect")),
    actions(callback, button("Send them to the URL", "send_to_url")),
  );

  const headers = element("textarea", { rows: 4, spellcheck: "false", placeholder: "X-…-Signature: …" });
  const body = element("textarea", { rows: 4, spellcheck: "false", placeholder: '{"type":"message",…}' });
  const paste = element(
    "div",
    {},
    heading("A callback received elsewhere"),
    field("Headers, one per line", headers, "headers"),
    field("Body, exactly as received", body, "body"),
    actions(button("Check the callback", "check", { class: "svckit-main" })),
  );
  const received = element("div", { class: "svckit-received" });
  callbacks.append(received);
  const top = element("div", { class: "svckit-columns" }, compose, paste, callbacks);

  const grid = selectableRows("Deliveries", COLUMNS, {
    cells: (row) => {
      const outcome = row.failed ? `✗ ${row.outcome}` : row.outcome;
      return [row.number, outcome, row.error, row.message, row.user, row.room, row.at];
    },
    dress: (line, row) => row.failed && (line.dataset.failed = "true"),
    choose: (row) => ask({ do: "select", number: row.number }),
  });
  grid.node.classList.add("svckit-deliveries");
  const log = element("div", {}, grid.node);

  const title = heading("");
  const reason = element("p");
  const event = block("Event");
  const sent = block("Headers as sent");
  const exact = block("Body as sent");
  const verdict = element("p", { class: "svckit-verdict", role: "status" });
  const change = check("Change a byte of the body first", "change");
  const rules = element("ul", { class: "svckit-muted", "aria-label": "Assumptions behind it" });
  const assumed = element("details", {}, element("summary", {}, "Assumptions behind it"), rules);
  const detail = element(
    "div",
    { class: "svckit-columns svckit-callback" },
    element("div", {}, title, reason, element("header", {}, heading("Event"), ...copyButton("Copy", event)), event, assumed),
    element(
      "div",
      {},
      element("header", {}, heading("Headers"), ...copyButton("Copy", sent)),
      sent,
      element("header", {}, heading("Body (signed)")),
      exact,
      verdict,
      change,
    ),
  );
  root.append(note, top, log, detail);

  function choose(select, options, value) {
    choices(select, options);
    put(select, value);
  }

  function showFields(now) {
    const kinds = now.map(({ name, label, help }) => ({ name, label, help }));
    fill(fields, kinds, ({ name, label, help }) => {
      const long = name === "text";
      const control = element(long ? "textarea" : "input", long ? { rows: 2 } : { type: "text", spellcheck: "false" });
      control.title = help;
      return field(label, control, name);
    });
    now.forEach(({ value }, index) => put(fields.children[index].lastElementChild, value));
  }

  function showCompose(now) {
    choose(bot, now.bots.map((id) => [id, id]), now.bot);
    bot.parentElement.hidden = now.bots.length < 2;
    user.offer(now.people);
    put(user.control, now.user);
    choose(room, now.rooms.map((id) => [id, id || "one-to-one with the bot"]), now.room);
    choose(kind, now.kinds.map((each) => [each, each]), now.kind);
    showFields(now.fields);
    problems.replaceChildren(...now.problems.map((problem) => element("li", {}, problem)));
    problems.hidden = !now.problems.length;
    send.setAttribute("aria-disabled", now.running || now.problems.length > 0);
    target.textContent = now.target;
    put(url, now.callback);
  }

  function receiver({ name, count, events, refused }) {
    const lines = [
      ...events.map(({ number, bot, user, message }) => `${number}. ${user || "?"} to ${bot || "?"}: ${message}`),
      ...refused.map(({ status, reason }) => `✗ refused with ${status}: ${reason}`),
    ];
    const list = element("ul", { "aria-label": `${name}: ${count}` }, ...lines.map((line) => element("li", {}, line)));
    return element("div", {}, heading(`${name}: ${count}`), list);
  }

  function showDetail(now) {
    detail.hidden = !now;
    if (!now) return;
    title.textContent = now.title;
    reason.textContent = now.reason;
    reason.hidden = !now.reason;
    event.textContent = now.check.event;
    sent.textContent = now.headers;
    const [before, byte, after] = now.check.body;
    exact.replaceChildren(before, ...(byte ? [element("mark", { title: "changed" }, byte)] : []), after);
    verdict.textContent = now.check.words;
    verdict.dataset.fits = now.check.matches;
    rules.replaceChildren(...now.rules.map(({ id, chosen, text }) => element("li", {}, `${id} (${chosen}): ${text}`)));
    assumed.hidden = !now.rules.length;
  }

  on("view", () => {
    const now = model.get("view");
    note.textContent = now.note;
    note.hidden = !now.note;
    for (const each of [compose, log]) each.hidden = !now.writes;
    for (const each of [...callbacks.children].slice(0, -1)) each.hidden = !now.writes;
    paste.hidden = now.writes;
    if (now.writes) showCompose(now);
    put(headers, now.pasted.headers);
    put(body, now.pasted.body);
    put(change.control, now.change);
    received.replaceChildren(...now.receivers.map(receiver));
    callbacks.hidden = !now.writes && !now.receivers.length;
    grid.show(now.rows, 0);
    log.hidden = !now.rows.length;
    showDetail(now.detail);
  });
  return remove;
}

export default { render };
