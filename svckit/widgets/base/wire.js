// A request as HTTP text and as curl, and its response, side by side where there is room.
function wireText({ request, response, curl }) {
  const text = (name, content) => element("pre", { tabindex: "0", "aria-label": name }, content);
  const heading = (name, ...more) => element("header", {}, element("h4", {}, name), ...more);
  const shell = text("As curl", curl);
  return element(
    "div",
    { class: "svckit-columns" },
    element(
      "div",
      {},
      heading("Request"),
      text("Request", request),
      heading("As curl", ...copyButton("Copy", shell)),
      shell,
    ),
    element("div", {}, heading("Response"), text("Response", response)),
  );
}

