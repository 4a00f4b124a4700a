// One field of a form: its label and help, its state (left, set or cleared), and its input.

const LEFT_OUT = "Leave out"; // for a field in an object that is set, which is sent whole
const STATE_WORDS = { set: "Set", clear: "Clear (null)" };
const LONG = 150; // a text that may be longer gets several lines
let lineCount = 0;

function option(value, words) {
  return element("option", { value }, words);
}

function controlOf({ kind, name, choices, most }) {
  const labelled = { "aria-label": name };
  switch (kind) {
    case "object":
    case "list":
      return null;
    case "flag":
    case "choice": {
      const values = kind === "flag" ? ["yes", "no"] : choices;
      return element("select", labelled, option("", "–"), ...values.map((value) => option(value, value)));
    }
    case "json":
      return element("textarea", { ...labelled, rows: 2, spellcheck: "false", placeholder: "JSON" });
    case "text":
      if (most > LONG) return element("textarea", { ...labelled, rows: 2 });
      return element("input", { ...labelled, type: "text", spellcheck: "false" });
    case "date":
      return element("input", { ...labelled, type: "date" });
    case "integer":
      return element("input", { ...labelled, type: "text", inputmode: "numeric" });
    default:
      return element("input", { ...labelled, type: "text", placeholder: "2026-06-01T09:00:00+09:00" });
  }
}

function formLine(field, { enter, put, held, ask, left }) {
  const { path, name, label, depth, kind, states, item } = field;
  const id = `svckit-form-${(lineCount += 1)}`;
  const control = controlOf(field);
  const state = element("select", { "aria-label": `${name}: what to do` });
  for (const each of states) state.append(option(each, each === "leave" ? (depth ? LEFT_OUT : left) : STATE_WORDS[each]));
  const counter = element("span", { class: "svckit-counter" });
  const current = element("p", { class: "svckit-muted svckit-current" });
  const limits = element("p", { class: "svckit-muted" }, field.limits);
  const problem = element("p", { class: "svckit-problem", id });
  const title = element("div", {}, element("strong", {}, label), element("p", { class: "svckit-muted" }, field.help));
  const buttons = [];

  function button(words, does) {
    const node = element("button", { type: "button", "aria-label": `${words} ${name}` }, words);
    node.addEventListener("click", () => ask({ do: does, path }));
    buttons.push(node);
  }
  if (kind === "list") button("Add", "add");
  if (item) button("Remove", "remove");

  const typed = element("div", { class: "svckit-typed" }, ...(control ? [control] : []), counter, ...buttons);
  const choice = states.length > 1 ? state : element("span", { class: "svckit-muted" }, item ? "" : "Required");
  const node = element("div", { class: "svckit-line" }, title, choice, element("div", {}, typed, problem, current, limits));
  node.style.setProperty("--svckit-depth", depth);
  const counted = field.counted && /^at most [^;]*$/.test(field.limits); // the counter already shows it
  limits.hidden = !control || !field.limits || counted;

  const count = (length) => {
    counter.hidden = !field.counted;
    counter.textContent = `${length} / ${field.most}`;
    counter.classList.toggle("svckit-over", length > field.most);
  };

  control?.addEventListener(control.tagName === "SELECT" ? "change" : "input", () => {
    count([...control.value].length); // characters as the check counts them, not UTF-16 code units
    enter(control, { do: "enter", path, text: control.value }, { soon: true });
  });
  state.addEventListener("change", () => enter(state, { do: "turn", path, state: state.value }));

  function update(now) {
    Object.assign(field, now);
    node.dataset.state = now.state;
    put(state, now.state);
    if (control) {
      put(control, now.text);
      control.setAttribute("aria-invalid", Boolean(now.problem));
      if (now.problem) control.setAttribute("aria-describedby", id);
      else control.removeAttribute("aria-describedby");
    }
    if (!control || !held(control)) count(now.count);
    current.textContent = `Now: ${now.current}`;
    current.title = now.current;
    current.hidden = !now.current;
    problem.textContent = now.problem;
    problem.hidden = !now.problem;
  }

  function focus() {
    node.scrollIntoView({ block: "nearest" });
    (control ?? (states.length > 1 ? state : buttons[0]))?.focus();
  }

  return { node, path, update, focus };
}

