"""What text does to the text around it, and what nobody can see in it, is shown in a browser as text shows it."""

from collections.abc import Callable
from typing import Any

import pytest
from bs4 import BeautifulSoup

from svckit import frames, widgets
from svckit.session.session import Session

KEPT = "\u202e\u2066\u200b\xad\ufeff"
UNSEEN = f"\x00\x1b\x9b{KEPT}"
NAME = f"{KEPT}nimda{UNSEEN}"
SHOWN = NAME.encode("unicode_escape").decode()


def read(html: str) -> BeautifulSoup:
    """Return what a browser makes of HTML."""
    return BeautifulSoup(html, "html.parser")


@pytest.fixture
def named(svc: Session) -> Session:
    svc.users.update("u-001", user_name={"lastName": NAME}, nick_name=NAME, task="a\r\nb")
    return svc


def table(svc: Session) -> widgets.PagedTable:
    return widgets.PagedTable(frames.users(svc), columns=["nick_name"])


def record(svc: Session) -> widgets.RecordView:
    view = widgets.RecordView()
    view.show(svc.users.read("u-001"), title=NAME, key="u-001")
    return view


def room(svc: Session) -> widgets.NotificationsExplorer:
    explorer = widgets.NotificationsExplorer(svc)
    explorer.write(title=NAME, text='ask <m userId="u-001"> again', label="Open", url="https://example.com/")
    return explorer


@pytest.mark.parametrize("make", [table, record, room])
def test_what_cannot_be_seen_is_shown(named: Session, make: Callable[[Session], Any]) -> None:
    widget = make(named)
    for html in (widget.html, widget.to_html()):
        assert not set(UNSEEN).intersection(read(html).text)
        assert SHOWN in read(html).text
        assert r"\r" not in html  # a line end is not


def test_a_card_shows_it(named: Session) -> None:
    html = named.users.read("u-001")._repr_html_()
    assert SHOWN in html
    assert not set(UNSEEN).intersection(html)


def test_a_mention_is_isolated_from_the_text_around_it(named: Session) -> None:
    explorer = room(named)
    for html in (explorer.html, explorer.to_html()):
        assert [isolated.text for isolated in read(html)("bdi")] == [f"@{SHOWN}"]


def test_the_value_of_a_field_stays_as_it_is(named: Session) -> None:
    form = widgets.UserForm(named, "u-001")
    form.read()
    assert read(form.html).select(f'[value^="{KEPT}nimda"]')


def test_what_is_searched_for_stays_as_it_is(named: Session) -> None:
    shown = table(named)
    shown.search(KEPT)
    assert read(shown.html)(value=KEPT)
