"""A kernel that responds when a test says so, and a page without Jupyter: fast, and in any order of events."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

# A front end whose kernel answers when the test says so: the widget's own script, and a model that takes its messages.
FRONT_END = """async ({ script, zipped, state }) => {
    const heard = {};
    window.sent = [];
    window.arrive = (name, value) => {
        state[name] = value;
        for (const each of heard[`change:${name}`] ?? []) each();
    };
    const model = {
        get: (name) => state[name],
        on: (name, each) => (heard[name] ??= []).push(each),
        off: (name, each) => (heard[name] = heard[name].filter((other) => other !== each)),
        widget_manager: { get_model: async () => (window.shared ??= { get: () => zipped }) },
        send: (content) => {
            if (window.ended) throw new Error("Cannot send");
            if (content.only !== "session") window.sent.push(content);
            else for (const each of heard["msg:custom"] ?? []) each({ looked: true }); // nothing new, at any time
        },
    };
    window.deliver = (content) => (heard["msg:custom"] ?? []).forEach((each) => each(content, []));
    const blob = new Blob([script], { type: "text/javascript" });
    const view = (await import(URL.createObjectURL(blob))).default;
    await view.render({ model, el: document.body.appendChild(document.createElement("div")) });
}"""

DRAWN_BY_JUPYTER = ("layout", "tabbable", "tooltip")


@dataclass
class Slow:
    """A widget in a page, with what is under way between the two held up until it is let through."""

    widget: Any
    page: Page
    state: dict[str, Any]

    def arrive(self, **values: Any) -> None:
        """Let the page have values, such as what the widget showed before."""
        for name, value in values.items():
            self.page.evaluate("([name, value]) => window.arrive(name, value)", [name, value])

    def deliver(self, content: dict[str, Any]) -> None:
        """Let the page have a message."""
        self.page.evaluate("content => window.deliver(content)", content)

    def let_through(self, count: int = 1) -> None:
        """Let the widget have the next requests, and the page what each has changed."""
        self.page.wait_for_function("count => window.sent.length >= count", arg=count)
        for content in self.page.evaluate("count => window.sent.splice(0, count)", count):
            self.widget._handle_custom_msg(content, [])
            self.catch_up()

    def let_through_to(self, do: str) -> None:
        """Let the widget have the requests up to the next of a kind, whatever the page looks at by itself before."""
        asked = ""
        while asked != do:
            self.page.wait_for_function("window.sent.length > 0")
            asked = self.page.evaluate("window.sent[0].do")
            self.let_through()

    def catch_up(self) -> None:
        """Let the page have what has changed."""
        now = shown(self.widget)
        self.arrive(**{name: value for name, value in now.items() if value != self.state[name]})
        self.state = now


def shown(widget: Any) -> dict[str, Any]:
    """What a widget shows, its number of the last entry behind all that it has changed."""
    own = (name for name in widget.keys if not name.startswith("_") and name not in DRAWN_BY_JUPYTER)
    return {name: getattr(widget, name) for name in sorted(own, key=lambda name: name == "heard")}


def show(page: Page, widget: Any) -> Slow:
    """Show a widget in a page."""
    state = shown(widget)
    own = {"script": str(widget._esm), "zipped": widget._shared.zipped}
    page.evaluate(FRONT_END, {**own, "state": {**state, "_shared": "IPY_MODEL_shared"}})
    return Slow(widget, page, state)
