
// The statuses of one user: the current and the reserved one, on a timeline.
function render({ model, el }) {
  const { root, head, button, check, person, put, on, watch, remove } = explorer(model, el, "Statuses");
  const now = element("span", { class: "svckit-muted", role: "timer" });
  head.append(now, button("Refresh", "refresh"));
  const note = element("p", { class: "svckit-muted" });

  const user = person("User: ID, login e-mail or externalKey:…", "pasted", { picked: () => show.click() });
  const show = button("Show", () => ({ do: "choose", user: user.control.value }));
  user.control.addEventListener("keydown", (event) => event.key === "Enter" && show.click());
  const choice = element("div", { class: "svckit-actions" }, user.label, show);

  const slots = element("div", { class: "svckit-slots" });
  const line = element("div", { class: "svckit-time", role: "img" });
  const next = element("span");
  const transition = element("div", { class: "svckit-actions" }, next, button("Move the clock there", "move_to_next"));
  const rule = element("p", { class: "svckit-muted" });

  const setting = check("Profile statuses are enabled for the domain", "enabled");
  const unknown = button("", "send_unknown");
  const refused = element(
    "details",
    {},
    element("summary", {}, "Requests that the service refuses"),
    element("div", { class: "svckit-actions" }, setting, unknown),
  );
  const userName = element("strong", { class: "svckit-whose" });
  choice.append(userName);
  root.append(note, choice, slots, line, transition, rule, refused);

  function slot({ heading, lines }, absent) {
    const words = lines.flatMap(([label, value]) => [element("dt", {}, label), element("dd", {}, value)]);
    const content = lines.length ? element("dl", {}, ...words) : element("p", { class: "svckit-muted" }, absent);
    return element("section", { "aria-label": heading }, element("h3", {}, heading), content);
  }

  function bar({ lane, label, left, width, open, words }, now) {
    const drawn = element("span", { class: "svckit-bar", title: words }, label);
    drawn.style.left = `${left * 100}%`;
    drawn.style.width = `${width * 100}%`;
    if (left <= now && now < left + width) drawn.style.textIndent = `${((now - left) / width) * 100}%`; // next to the line for now
    drawn.dataset.open = open.map((each) => (each ? "open" : "closed")).join(" ");
    return element("div", {}, element("span", {}, lane), element("div", { class: "svckit-track" }, drawn));
  }

  function showLine(now) {
    line.hidden = !now;
    const key = JSON.stringify(now);
    if (!now || line.dataset.key === key) return;
    line.dataset.key = key;
    const marks = now.ticks.map(({ at, label }) => {
      const tick = element("span", { class: "svckit-tick" }, label);
      tick.style.left = `${at * 100}%`;
      return tick;
    });
    const here = element("span", { class: "svckit-now", title: "now" }, "now");
    here.style.left = `${now.now * 100}%`;
    line.style.setProperty("--svckit-now", `${now.now * 100}%`);
    const scale = element("div", { class: "svckit-track svckit-scale" }, ...marks, here);
    line.setAttribute("aria-label", `Timeline, ${now.caption}. ${now.bars.map(({ words }) => words).join("; ")}`);
    line.replaceChildren(...now.bars.map((each) => bar(each, now.now)), element("div", {}, element("span", {}, now.caption), scale));
  }

  on("view", () => {
    const view = model.get("view");
    now.textContent = `${view.now}${view.standing ? ", clock stands still" : ""}`;
    note.textContent = view.note;
    note.hidden = !view.note;
    user.offer(view.people);
    put(user.control, view.pasted || view.user);
    userName.textContent = view.name;
    fill(slots, view.slots, (each) => slot(each, view.absent));
    showLine(view.line);
    next.textContent = `Next: ${view.transition}`;
    transition.hidden = !view.transition;
    transition.lastElementChild.hidden = !view.movable;
    rule.textContent = view.rule;
    rule.hidden = !view.rule || !view.line;
    setting.hidden = view.enabled === null;
    put(setting.control, view.enabled !== false);
    unknown.textContent = `Send ${view.unknown}, which is not one of the user’s statuses`;
  });
  watch(() => !model.get("view").standing);
  return remove;
}

export default { render };
