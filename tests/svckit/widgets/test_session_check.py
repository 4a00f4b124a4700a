"""Widgets are of sessions without ``await``, and of open ones; what else they are given says what to give."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from svckit.session.connect import connect, connect_async
from svckit.widgets.explorers.explorer_panel import EXPLORERS, ExplorerPanel
from svckit.widgets.form.status_form import StatusForm
from svckit.widgets.form.user_form import UserForm

WIDGETS: dict[str, Callable[[Any], Any]] = {
    **EXPLORERS,
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


def test_a_form_of_a_closed_session_says_so_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svckit.widgets.base.callbacks.reraise", False)
    with connect(now="2026-06-01T09:00:00+09:00") as svc:
        form = UserForm(svc, "u-001")
    form.enter("nick_name", "Mina")
    form._receive(form, {"do": "submit"}, [])
    assert "the session is closed" in form.error
    assert form.values == {"nick_name": "Mina"}  # what was typed stays
    form.close()


def test_an_explorer_of_a_closed_session_says_so_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svckit.widgets.base.callbacks.reraise", False)
    with connect(now="2026-06-01T09:00:00+09:00") as svc:
        explorer = EXPLORERS["users"](svc)
    head = explorer.head
    head.write("u-001")
    head._receive(head, {"do": "read"}, [])
    assert "the session is closed" in head.error
    explorer.close()
