"""Text that an input method composes, such as Japanese: it is sent once, and its keys do nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from svckit import frames
from svckit.session.session import Session
from svckit.widgets import PagedTable, UserForm
from svckit.widgets.explorers.statuses_explorer import StatusesHead

from .conftest import ShowSlow
from .slow_kernel import Slow

pytestmark = pytest.mark.wide

SYLLABLES = ("s", "さ", "さt", "さと", "さとう")

# What a pause in typing sends, at once and when the test says so.
KEEP_PAUSES = """() => {
    window.pauses = new Map();
    const [set, clear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
    window.setTimeout = (then, wait, ...given) => {
        const id = set(wait === 150 ? () => {} : then, wait, ...given);
        if (wait === 150) window.pauses.set(id, then);
        return id;
    };
    window.clearTimeout = (id) => {
        window.pauses.delete(id);
        clear(id);
    };
    window.stopTyping = () => {
        const due = [...window.pauses.values()];
        window.pauses.clear();
        for (const each of due) each();
    };
}"""


class InputMethod:
    """An input method of the browser, for what has the focus in a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._browser: CDPSession = page.context.new_cdp_session(page)

    def compose(self, *texts: str) -> None:
        """Show each text as the one that is being composed."""
        for text in texts:
            self._browser.send(
                "Input.imeSetComposition",
                {"text": text, "selectionStart": len(text), "selectionEnd": len(text)},
            )

    def accept(self, text: str) -> None:
        """End the composition with a text."""
        self._browser.send("Input.insertText", {"text": text})

    def press(self, key: str, *, says_so: bool = True) -> None:
        """Press a key that belongs to the composition; not every browser says so but by its code."""
        self._page.evaluate(
            """([key, isComposing]) => document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", { key, keyCode: 229, isComposing, bubbles: true, cancelable: true }))""",
            [key, says_so],
        )


def stop_typing(page: Page) -> list[Any]:
    """Let the pause pass after which text is sent, and return what was sent of it."""
    page.evaluate("window.stopTyping()")
    written: list[Any] = page.evaluate(
        "window.sent.map(({ field, text, do: does }) => [field ?? does, text])"
    )
    return written


@pytest.fixture
def start(slow: ShowSlow) -> Callable[[Any], Slow]:
    """Show a widget in a page where a pause in typing passes when the test says so."""

    def show(widget: Any) -> Slow:
        front = slow(widget)
        front.page.evaluate(KEEP_PAUSES)
        return front

    return show


@pytest.mark.parametrize("where", ["search", "form"])
def test_composed_text_is_sent_once(start: Callable[[Any], Slow], svc: Session, where: str) -> None:
    widget, role, name, field = {
        "search": (PagedTable(frames.users(svc)), "searchbox", "Search Table", "query"),
        "form": (UserForm(svc, "u-001"), "textbox", "Nick name", "nick_name"),
    }[where]
    front = start(widget)
    box = front.page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]  # a role of Playwright's own type
    box.fill("")
    front.page.evaluate("window.stopTyping(); window.sent.length = 0")
    method = InputMethod(front.page)
    for syllable in SYLLABLES:
        method.compose(syllable)
        assert stop_typing(front.page) == []
    method.accept("佐藤")
    assert stop_typing(front.page) == [[field, "佐藤"]]
    front.let_through()
    expect(box).to_have_value("佐藤")


def test_what_was_typed_before_waits_for_the_end_of_a_composition(
    start: Callable[[Any], Slow], svc: Session
) -> None:
    front = start(PagedTable(frames.users(svc)))
    front.page.get_by_role("searchbox").press_sequentially("u-001 ")
    method = InputMethod(front.page)
    method.compose("さ")
    assert stop_typing(front.page) == []
    method.compose("")
    assert stop_typing(front.page) == [["query", "u-001 "]]


@pytest.mark.parametrize("says_so", [True, False])
def test_escape_cancels_a_conversion_and_no_more(
    start: Callable[[Any], Slow], svc: Session, says_so: bool
) -> None:
    table = PagedTable(frames.users(svc), caption="Users")
    front = start(table)
    page = front.page
    page.get_by_role("button", name="Filter Display name", exact=True).press("Enter")
    front.let_through()
    box = page.get_by_label("Contains")
    expect(box).to_be_focused()
    method = InputMethod(page)
    method.compose(*SYLLABLES)
    method.press("Escape", says_so=says_so)
    method.compose("")
    assert stop_typing(page) == []
    expect(page.get_by_role("region", name="Filter Display name")).to_be_visible()
    assert not table.model.filters
    box.press("Escape")
    front.let_through()
    expect(page.get_by_role("region", name="Filter Display name")).to_have_count(0)


@pytest.mark.parametrize("says_so", [True, False])
def test_enter_takes_a_candidate_and_no_more(
    start: Callable[[Any], Slow], svc: Session, says_so: bool
) -> None:
    head = StatusesHead(svc)
    front = start(head)
    box = front.page.get_by_role("combobox", name="User")
    box.fill("")
    front.page.evaluate("window.stopTyping(); window.sent.length = 0")
    method = InputMethod(front.page)
    method.compose(*SYLLABLES)
    method.press("Enter", says_so=says_so)
    assert stop_typing(front.page) == []
    method.accept("u-002")
    box.press("Enter")
    assert stop_typing(front.page) == [["pasted", "u-002"], ["choose", None]]


@pytest.mark.parametrize("key", ["ArrowDown", "End", "PageDown", "Enter", " "])
def test_keys_of_a_composition_do_nothing_in_a_grid(
    start: Callable[[Any], Slow], svc: Session, key: str
) -> None:
    table = PagedTable(frames.users(svc), key="user_id")
    front = start(table)
    row = front.page.get_by_role("row", name="u-001")
    row.focus()
    InputMethod(front.page).press(key)
    assert stop_typing(front.page) == []
    expect(row).to_be_focused()
