
// A notification being written, its preview, and how much of the rate limit is left.
function render({ model, el }) {
  const { root, button, field, person, put, on, watch, stop, remove } = explorer(model, el, "Notifications");
  const control = (tag, attributes = {}) => element(tag, attributes);
  let counting = null;

  const webhook = control("select");
  const title = control("input", { type: "text" });
  const text = control("textarea", { rows: 4 });
  const label = control("input", { type: "text" });
  const url = control("input", { type: "text", inputmode: "url", placeholder: "https://", spellcheck: "false" });
  const mentioned = person("Mention: user ID");
  const add = button("Mention", () => ({ do: "mention", user: mentioned.control.value.trim() }));
  const mention = element("div", { class: "svckit-actions" }, mentioned.label, add);
  const problems = element("ul", { class: "svckit-muted", "aria-label": "Fix before sending" });
  const setup = element("p", { class: "svckit-muted" });
  const send = button("Send", "send", { class: "svckit-main" });
  const compose = element(
    "div",
    {},
    field("To", webhook, "webhook"),
    field("Title", title, "title"),
    field("Text", text, "text"),
    mention,
    field("Button label", label, "label"),
    field("Button URL", url, "url"),
    problems,
    setup,
    element("div", { class: "svckit-actions" }, send),
  );

  const room = element("div", { class: "svckit-room", role: "group", "aria-label": "Preview" });
  const bar = element("span");
  const gauge = element("div", { class: "svckit-gauge", role: "meter", "aria-label": "Rate used" }, bar);
  const words = element("p", { role: "status" });
  const average = element("p", { class: "svckit-muted" });
  const count = control("input", { type: "number", min: 1, class: "svckit-count" });
  const burst = button("Burst", "burst");
  const halt = button("Stop", "stop");
  const pass = button("Move the clock to the reset", "move_to_reset");
  const sent = element("span", { class: "svckit-muted" });
  const log = element("ul", { class: "svckit-log", "aria-label": "Sent notifications" });
  const curl = element("pre", { tabindex: "0", "aria-label": "Request as curl" });
  const asCurl = element("div", {}, element("header", {}, element("h3", {}, "As curl"), ...copyButton("Copy", curl)), curl);
  const right = element(
    "div",
    {},
    element("h3", {}, "Preview"),
    room,
    element("h3", {}, "Rate, from the last response’s headers"),
    gauge,
    words,
    average,
    element("div", { class: "svckit-actions" }, field("Notifications", count, "count"), burst, halt, pass, sent),
    log,
    asCurl,
  );
  root.append(element("div", { class: "svckit-columns" }, compose, right));

  function showRoom({ title, pieces, label, url, link, notLinked }) {
    const message = element("p");
    message.append(...pieces.map(({ text, user }) => (user ? element("mark", { title: user }, text) : text)));
    room.replaceChildren(element("strong", {}, title), message);
    if (link) {
      room.append(element("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, label || link));
    } else if (label || url) {
      room.append(element("span", { class: "svckit-nolink" }, `${label || "…"}: ${url || "no URL yet"}`));
      if (notLinked) room.append(element("p", { class: "svckit-muted" }, notLinked));
    }
  }

  function showRate({ used, limit, refused, left, standing, words: summary, average: note }) {
    clearInterval(counting);
    bar.style.setProperty("--svckit-used", Math.min(used / limit, 1));
    gauge.dataset.refused = refused;
    for (const [name, value] of Object.entries({ valuemin: 0, valuemax: limit, valuenow: used, valuetext: summary })) {
      gauge.setAttribute(`aria-${name}`, value);
    }
    words.textContent = summary;
    average.textContent = note;
    average.hidden = !note;
    hide(pass, !(standing && left), send);
    if (standing || !left) return;
    const ends = Date.now() + left * 1000;
    counting = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
      words.textContent = summary.replace(/\d+ s$/, `${seconds} s`);
      if (seconds === 0) clearInterval(counting);
    }, 1000);
  }

  on("view", () => {
    const now = model.get("view");
    choices(webhook, now.webhooks.map((name) => [name, name]));
    mentioned.offer(now.people);
    put(webhook, now.draft.webhook);
    put(title, now.draft.title);
    put(text, now.draft.text);
    put(label, now.draft.label);
    put(url, now.draft.url);
    put(count, now.draft.count);
    title.placeholder = now.room.listed ? now.room.title : "";
    count.max = now.max;
    problems.replaceChildren(...now.problems.map((problem) => element("li", {}, problem)));
    problems.hidden = !now.problems.length;
    setup.textContent = now.setup;
    setup.hidden = !now.setup;
    const ready = !now.problems.length && !now.asking && !now.burst.running;
    for (const each of [send, burst]) each.setAttribute("aria-disabled", !ready);
    halt.setAttribute("aria-disabled", !now.burst.running);
    sent.textContent = now.burst.count ? `${now.burst.sent} of ${now.burst.count} sent` : "";
    showRoom(now.room);
    showRate(now.rate);
    log.replaceChildren(
      ...now.log.map(({ outcome, text, times }) =>
        element("li", {}, element("strong", {}, times > 1 ? `${outcome} × ${times}` : outcome), element("span", {}, text)),
      ),
    );
    log.hidden = !now.log.length;
    curl.textContent = now.curl;
    asCurl.hidden = !now.curl;
  });
  watch();
  stop(() => clearInterval(counting));
  return remove;
}

export default { render };
