"""Widgets are of sessions without ``await``, and of open ones; what else they are given says what to give."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from svckit.session.connect import connect, connect_async
from svckit.widgets.explorers.explorer_panel import EXPLORERS, ExplorerPanel, open_explorer
from svckit.widgets.form.status_form import StatusForm
from svckit.widgets.form.user_form import UserForm

from .conftest import ask

WIDGETS: dict[str, Callable[[Any], Any]] = {
    **{name: partial(open_explorer, name) for name in EXPLORERS},
    "panel": ExplorerPanel.of,
    "user form": lambda svc: UserForm(svc, "u-001"),
    "status form": lambda svc: StatusForm(svc, "u-001"),
}


@pytest.mark.parametrize("name", WIDGETS)
def test_a_session_for_await_is_refused_with_what_to_do(name: str) -> None:
    async def main() -> None:
        async with connect_async() as svc:
            with pytest.raises(
                TypeError, match=r"nobody awaits a click: svckit\.connect\(svc\.fake\) connects"
            ):
                WIDGETS[name](svc)

    asyncio.run(main())


@pytest.mark.parametrize("name", sorted({*WIDGETS} - {"users"}))
def test_widgets_need_a_session(name: str) -> None:
    with pytest.raises(TypeError, match=r"needs a session from svckit\.connect.*; given a str"):
        WIDGETS[name]("work")


@pytest.mark.usefixtures("as_in_a_notebook")
@pytest.mark.parametrize(
    ("name", "field", "button"), [("user form", "nick_name", "submit"), ("users", "pasted", "read")]
)
def test_of_a_closed_session_it_says_so_in_its_place(name: str, field: str, button: str) -> None:
    with connect(now="2026-06-01T09:00:00+09:00") as svc:
        made = WIDGETS[name](svc)
    ask(made, do="write", field=field, text="Mina")
    view = ask(made, do=button)
    assert "the session is closed" in getattr(made, "head", made).error
    assert "Mina" in str(view)  # what was typed stays
