"""What failed is shown until something else is asked for, in the browser or from Python."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pandas as pd
import pytest

from svckit.session.session import Session
from svckit.widgets import BulkEdit, ExplorerPanel, PagedTable, UserForm
from svckit.widgets.explorers.explorer_panel import open_explorer

Call = Callable[[Any], object]

MAKE: dict[str, Call] = {
    "a bulk edit": lambda svc: BulkEdit(svc, ["u-001"]),
    "a form": lambda svc: UserForm(svc, "u-001"),
    "a panel": ExplorerPanel.of,
    "a table": lambda _: PagedTable(pd.DataFrame({"id": ["u-1"]}), key="id"),
}
CALLS: dict[str, Call] = {
    "files": lambda files: files.write(words="a"),
    "inbox": lambda inbox: inbox.receive_here(),
    "notifications": lambda notifications: notifications.mention("u-002"),
    "sign-in": lambda steps: steps.request(),
    "statuses": lambda head: head.choose("u-002"),
    "time": lambda time: time.move(timedelta(hours=1)),
    "traffic": lambda traffic: traffic.filter(text="a"),
    "rules": lambda rules: rules.select("api.bearer"),
    "fake": lambda fake: fake.add_user(),
    "users": lambda head: head.refresh(),
    "a bulk edit": lambda edit: edit.write(task="Sales"),
    "a form": lambda form: form.enter("nick_name", "Mina"),
    "a panel": lambda head: ExplorerPanel.of(head._svc).show("files"),
    "a table": lambda table: table.search("u"),
}


@pytest.mark.usefixtures("as_in_a_notebook")
@pytest.mark.parametrize("kind", CALLS)
def test_what_failed_is_forgotten_with_the_next_call(kind: str, svc: Session) -> None:
    made = MAKE[kind](svc) if kind in MAKE else open_explorer(kind, svc)
    widget = getattr(made, "head", made)
    widget._receive(widget, {"do": "dance"}, [])
    assert "does not understand" in widget.error
    if hasattr(widget, "refresh"):
        widget._hear(widget, {"do": "watch"}, [])
        assert "does not understand" in widget.error  # nobody has asked for that
    CALLS[kind](widget)
    assert widget.error == ""
