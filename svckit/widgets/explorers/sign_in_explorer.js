// A sign-in in steps: controls, requests and responses of each step, and the lifetimes of its code and tokens.
function render({ model, el }) {
  const { root, ask, send, button, check, person, put, on, stop, remove } = explorer(model, el, "Sign-in");
  const counting = ticking();
  const about = element("p", { class: "svckit-muted" });
  const params = element("tbody");
  const actions = (...nodes) => element("div", { class: "svckit-actions" }, ...nodes);
  const columns = (...names) =>
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
  const parameters = element(
    "table",
    { class: "svckit-params" },
    element("caption", { class: "svckit-unseen" }, "Parameters of the authorization request"),
    columns("Parameter", "Value and meaning"),
    params,
  );
  const link = element("a", { target: "_blank", rel: "noopener noreferrer" }, "Open the login page in a new tab");
  const listening = element("p", { class: "svckit-muted", role: "status" });
  const user = person("Log in as the user", "user");
  const wrong = check("With a wrong password", "wrong");
  const redirect = element("pre", { tabindex: "0", "aria-label": "Redirect URL" });
  const tampered = check("Tamper with the state", "tampered");
  // A password field, because the URL contains the code; what is pasted is sent to Python and not kept here.
  const pasted = element("input", { type: "password", autocomplete: "off", spellcheck: "false" });
  const paste = element("button", { type: "button" }, "Use this URL");
  paste.addEventListener("click", () => {
    if (pasted.value) ask({ do: "paste", url: pasted.value });
    pasted.value = "";
  });
  const pasting = element(
    "label",
    { class: "svckit-wide" },
    element("span", {}, "Or paste the URL the browser was redirected to"),
    pasted,
  );
  const login = actions(user.label, wrong, button("Log in", "log_in"));
  const arrival = actions(pasting, paste);
  const checking = actions(button("Check the state", "check"), tampered);

  const controls = {
    request: [parameters, actions(button("Create the request", "request"), link)],
    login: [login, listening, arrival],
    redirect: [redirect, checking],
    exchange: [actions(button("Exchange the code", "exchange"))],
    renew: [actions(button("Renew", "renew"))],
  };
  const steps = Object.fromEntries(
    Object.keys(controls).map((name) => {
      const [title, state] = [element("h3"), element("span", { class: "svckit-state" })];
      const says = element("p", { role: "status" });
      const [summary, wire] = [element("summary"), element("div", { class: "svckit-wire" })];
      const details = element("details", {}, summary, wire);
      const node = element("li", {}, element("header", {}, title, state), ...controls[name], says, details);
      return [name, { node, title, state, says, details, summary, wire, key: "" }];
    }),
  );

  const rows = element("tbody");
  const lifetimes = element(
    "table",
    { class: "svckit-lifetimes" },
    element("caption", { class: "svckit-unseen" }, "Lifetimes"),
    columns("Credential", "Expires", "Left"),
    rows,
  );
  const picture = element("img", { class: "svckit-lanes", alt: "Timeline of the lifetimes of the code and the tokens" });
  const drawing = element("div", { tabindex: "0", role: "group", "aria-label": "Timeline" }, picture);
  drawing.className = "svckit-scroll";
  const own = element("ul", { "aria-label": "The session’s own tokens" });
  const ownHeading = element("h3", {}, "The session’s own tokens");
  const lifetimesHeading = element("h3", {}, "Lifetimes");
  root.append(
    about,
    element("ol", { class: "svckit-steps" }, ...Object.values(steps).map(({ node }) => node)),
    lifetimesHeading,
    lifetimes,
    drawing,
    ownHeading,
    own,
  );

  function showSteps(now) {
    const next = now.steps.find(({ state }) => state !== "done")?.name ?? "renew";
    now.steps.forEach(({ name, title, state, says, requests }, index) => {
      const step = steps[name];
      const able = now.ready[name] && !now.asking;
      step.title.textContent = `${index + 1}. ${title}`;
      step.state.textContent = { "not done yet": name === next ? "next" : "", done: "✓ done", failed: "✗ refused" }[state];
      step.node.dataset.state = name === next && state === "not done yet" ? "next" : state;
      step.says.textContent = says;
      step.says.hidden = !says;
      for (const each of step.node.querySelectorAll(".svckit-actions > button")) {
        const main = each !== paste && name === next;
        each.setAttribute("aria-disabled", !(able || (each === paste && now.ready.pasting)));
        each.classList.toggle("svckit-main", main);
      }
      const key = JSON.stringify(requests);
      step.details.hidden = !requests.length;
      if (step.key === key) return;
      step.key = key;
      const lines = requests.map(({ line }) => line).filter(Boolean);
      step.summary.textContent = lines.join("; ") || "As HTTP text and as curl";
      step.wire.replaceChildren(...requests.map(wireText));
      // Only the last step that ran is open.
      if (requests.length) for (const other of Object.values(steps)) other.details.open = other === step;
    });
  }

  function showLifetimes(now) {
    const drawn = now.lifetimes.map(({ credential, state, expires, left, duration, words, passes }) => {
      const bar = element("span");
      const range = { "aria-valuemin": 0, "aria-valuemax": duration };
      const name = `Time left for the ${credential}`;
      const gauge = element("div", { class: "svckit-left", role: "meter", "aria-label": name, ...range }, bar);
      const label = element("span", {}, words);
      const rest = element("div", {}, element("div", {}, gauge, label));
      if (passes) {
        const attributes = { "aria-label": `Move the clock past the expiry of the ${credential}` };
        rest.append(button("Move the clock past it", () => ({ do: "move_past_expiry", credential }), attributes));
      }
      const node = element(
        "tr",
        {},
        element("th", { scope: "row" }, credential),
        element("td", {}, expires),
        element("td", {}, rest),
      );
      function draw(passed) {
        const seconds = state === "valid" ? Math.max(0, left - passed) : 0;
        bar.style.setProperty("--svckit-used", duration ? seconds / duration : 0);
        gauge.setAttribute("aria-valuenow", Math.round(seconds));
        if (state === "valid") label.textContent = seconds > 0 || now.standing ? `${spanWords(seconds)} left` : "expired";
        gauge.setAttribute("aria-valuetext", label.textContent);
      }
      return { node, draw };
    });
    rows.replaceChildren(...drawn.map(({ node }) => node));
    counting.start(now.standing, (passed) => drawn.forEach(({ draw }) => draw(passed)));
    lifetimes.hidden = lifetimesHeading.hidden = drawing.hidden = !drawn.length;
    // An image cannot run scripts, and it takes the theme's colors from its color scheme.
    if (now.picture) picture.src = `data:image/svg+xml,${encodeURIComponent(now.picture)}`;
    else picture.removeAttribute("src");
  }

  let linked = null;
  on("view", () => {
    const now = model.get("view");
    now.ready.pasting = !now.form && now.link > 0 && !now.asking;
    about.textContent = now.about;
    params.replaceChildren(
      ...now.params.map(({ name, value, meaning }) => {
        const cell = element("div", {}, element("code", {}, value), element("span", {}, meaning));
        return element("tr", {}, element("th", { scope: "row" }, element("code", {}, name)), element("td", {}, cell));
      }),
    );
    parameters.hidden = !now.params.length;
    user.offer(now.people);
    put(user.control, now.draft.user);
    put(wrong.control, now.draft.wrong);
    put(tampered.control, now.draft.tampered);
    login.hidden = !now.form;
    arrival.hidden = now.form;
    pasted.disabled = !now.ready.pasting;
    listening.textContent = now.listening;
    listening.hidden = !now.listening;
    redirect.textContent = now.redirect;
    redirect.hidden = !now.redirect;
    checking.hidden = !now.form && !now.redirect;
    if (!now.link || linked !== now.link) {
      link.hidden = true;
      link.removeAttribute("href");
    }
    if (now.link && linked !== now.link) send({ do: "link" });
    linked = now.link;
    showSteps(now);
    showLifetimes(now);
    own.replaceChildren(...now.own.map(({ credential, words }) => element("li", {}, `${credential}: ${words}`)));
    own.hidden = ownHeading.hidden = !now.own.length;
  });
  const receiveLink = ({ link: url }) => {
    if (!url || !/^https?:/.test(url)) return;
    link.href = url;
    link.hidden = false;
  };
  model.on("msg:custom", receiveLink);
  stop(() => {
    counting.stop();
    model.off("msg:custom", receiveLink);
  });
  return remove;
}

export default { render };
