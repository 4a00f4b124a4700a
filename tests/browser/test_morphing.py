"""New HTML is morphed into place: what a person is doing in the view goes on, whatever arrives meanwhile."""

from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, expect

from svckit.session.session import Session
from svckit.widgets import InboxExplorer, SignInExplorer
from svckit.widgets.base.assets import WIDGETS

from .conftest import ShowSlow

pytestmark = pytest.mark.wide

MODULE = (WIDGETS / "base" / "morph.js").read_text("utf-8")
MORPH = """([module, before, after]) => {
    const blob = new Blob([module], { type: "text/javascript" });
    return import(URL.createObjectURL(blob)).then(({ morphChildren, parse }) => {
        const root = document.body.appendChild(document.createElement("div"));
        const put = (control, value) => {};
        morphChildren(root, parse(before), put);
        const nodes = new Map([...root.querySelectorAll("*")].map((node) => [node, node.dataset.key]));
        const moves = new MutationObserver(() => {});
        moves.observe(root, { childList: true, subtree: true });
        morphChildren(root, parse(after), put);
        const added = moves.takeRecords().flatMap(({ addedNodes }) => [...addedNodes]);
        const moved = added.filter((node) => nodes.has(node)).map((node) => node.dataset.key);
        const kept = [...root.querySelectorAll("[data-key]")].filter((node) => nodes.get(node) === node.dataset.key);
        return [root.innerHTML, kept.map((node) => node.dataset.key), moved];
    });
}"""


@pytest.fixture
def inbox(svc: Session) -> InboxExplorer:
    explorer = InboxExplorer(svc)
    explorer.receive_here()
    for text in ("first", "second", "third"):
        explorer.write(text=text)
        explorer.send()
        explorer.wait()
    return explorer


def test_typing_goes_on_with_its_selection(slow: ShowSlow, inbox: InboxExplorer) -> None:
    front = slow(inbox)
    front.page.get_by_text("Write to the bot…").click()
    text = front.page.get_by_role("textbox", name="Text", exact=True)
    text.fill("hello")
    text.evaluate("control => control.setSelectionRange(1, 3)")
    inbox.write(postback="start")  # arrives before what was typed has been received
    front.catch_up()
    expect(front.page.get_by_label("Postback (optional)")).to_have_value("start")
    expect(text).to_be_focused()
    expect(text).to_have_value("hello")
    assert text.evaluate("control => [control.selectionStart, control.selectionEnd]") == [1, 3]
    front.let_through()
    assert inbox.draft.fields == {"text": "hello", "postback": "start"}
    expect(text).to_have_value("hello")


def test_open_details_and_scroll_positions_stay(slow: ShowSlow, inbox: InboxExplorer) -> None:
    front = slow(inbox)
    front.page.get_by_text("Assumptions behind it").click()
    rows = front.page.get_by_role("group", name="Deliveries, rows")
    rows.evaluate("node => { node.style = 'max-height: 40px; overflow: auto'; node.scrollTop = 30; }")
    inbox.write(change=True)
    front.catch_up()
    expect(front.page.get_by_role("status").filter(has_text="does not match")).to_be_visible()
    expect(front.page.get_by_role("list", name="Assumptions behind it")).to_be_visible()
    assert rows.evaluate("node => node.scrollTop") == 30


def test_code_follows_the_draft_and_is_copied(slow: ShowSlow, inbox: InboxExplorer) -> None:
    front = slow(inbox)
    front.page.get_by_text("Write to the bot…").click()
    front.page.get_by_text("Code", exact=True).click()
    inbox.write(text="hello")
    front.catch_up()
    code = front.page.get_by_label("Python", exact=True)
    expect(code).to_be_visible()
    expect(code).to_contain_text('{"type": "text", "text": "hello"}')
    front.page.get_by_role("button", name="Copy: Python").click()
    front.page.wait_for_function(
        "() => String(getSelection()).startsWith('svc.fake.callbacks.send(')"
    )  # no clipboard


def test_the_focused_row_stays_while_rows_arrive(slow: ShowSlow, inbox: InboxExplorer) -> None:
    front = slow(inbox)
    rows = front.page.get_by_role("row")
    rows.nth(1).focus()
    front.page.keyboard.press("ArrowDown")
    front.page.keyboard.press("ArrowDown")
    expect(rows.nth(3)).to_be_focused()
    inbox.send()
    inbox.wait()
    front.catch_up()
    expect(rows).to_have_count(5)
    expect(rows.nth(4)).to_be_focused()
    assert front.page.locator("tr[tabindex='0']").count() == 1
    front.page.keyboard.press("Enter")
    front.let_through()
    expect(front.page.get_by_role("heading", name="Delivery 1 to bot-1")).to_be_visible()


def test_a_pasted_secret_stays_until_it_is_sent_and_no_longer(slow: ShowSlow, svc: Session) -> None:
    svc.profile = replace(svc.profile, is_fake=False, redirect_uri="https://app.example.com/callback")
    explorer = SignInExplorer(svc)
    explorer.request()
    front = slow(explorer)
    pasted = front.page.get_by_label("Or paste the URL")
    pasted.fill("https://app.example.com/callback?code=Qx7&state=Rk9")
    front.page.get_by_role("button", name="Create the request").focus()
    explorer.refresh()
    front.catch_up()
    expect(pasted).to_have_value("https://app.example.com/callback?code=Qx7&state=Rk9")
    front.let_through_to("link")
    front.page.get_by_role("button", name="Use this URL").click()
    front.let_through()
    expect(pasted).to_have_value("")
    assert explorer.flow.redirect == "https://app.example.com/callback?code=***&state=***"
    assert "Qx7" not in explorer.html


def morph(chromium: BrowserContext, before: str, after: str) -> tuple[str, list[str], list[str]]:
    """Return the HTML that a page then has, and the keys of the nodes that it kept, and of those that it moved."""
    page = chromium.new_page()
    html, kept, moved = page.evaluate(MORPH, [MODULE, before, after])
    page.close()
    return html.replace('"', "'"), kept, moved


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("<p data-key='a'>1</p>", "<p data-key='a'>2</p>", ["a"]),
        ("<p>x</p><p data-key='a'></p>", "<p data-key='a'></p>", ["a"]),
        ("<p data-key='a'></p>", "<p>new</p><p data-key='a'></p><p>end</p>", ["a"]),
        ("<p data-key='a'></p>", "<div data-key='a'></div>", []),
        ("<p data-key='a'></p><p data-key='a'></p>", "<p data-key='a'></p>", ["a"]),
        ("text", "<b>bold</b> text", []),
        ("<i>gone</i>\n<p data-key='a'></p>", "<p data-key='a'></p>", ["a"]),
        (
            "<p data-key='a'></p>\n\n<b>gone</b>\n<p data-key='b'></p>",
            "<p data-key='a'></p>\n<p data-key='b'></p>",
            ["a", "b"],
        ),
        ("<p data-key='a'></p><p>old</p>", "<p>new</p><p data-key='a'></p><p>old</p>", ["a"]),
        (
            "<div><p data-key='a'></p></div><p>old</p>",
            "<p>new</p><div><p data-key='a'></p></div><p>old</p>",
            ["a"],
        ),
    ],
)
def test_the_page_has_the_new_html_and_a_click_under_way_is_not_lost(
    chromium: BrowserContext, before: str, after: str, kept: list[str]
) -> None:
    assert morph(chromium, before, after) == (after, kept, [])  # what has a key stays in its place


def test_nodes_change_places(chromium: BrowserContext) -> None:
    after = "<p data-key='b'></p><p data-key='a'></p>"
    html, kept, _ = morph(chromium, "<p data-key='a'></p><p data-key='b'></p>", after)
    assert (html, kept) == (after, ["b", "a"])
