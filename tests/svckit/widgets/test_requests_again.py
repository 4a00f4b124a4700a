"""What failed is shown until something else is asked for, in the browser or from Python."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pandas as pd
import pytest

from svckit.session.session import Session
from svckit.widgets import (
    BulkEdit,
    ExplorerPanel,
    FakeExplorer,
    FilesExplorer,
    InboxExplorer,
    NotificationsExplorer,
    PagedTable,
    RulesExplorer,
    SignInExplorer,
    StatusesExplorer,
    TimeExplorer,
    TrafficExplorer,
    UserForm,
    UsersExplorer,
)

Call = Callable[[Any], object]

CALLS: dict[str, tuple[Callable[[Session], Any], Call]] = {
    "files": (FilesExplorer, lambda files: files.write(words="a")),
    "inbox": (InboxExplorer, lambda inbox: inbox.receive_here()),
    "notifications": (NotificationsExplorer, lambda notifications: notifications.mention("u-002")),
    "sign-in": (SignInExplorer, lambda steps: steps.request()),
    "statuses": (lambda svc: StatusesExplorer(svc).head, lambda head: head.choose("u-002")),
    "time": (TimeExplorer, lambda time: time.move(timedelta(hours=1))),
    "traffic": (TrafficExplorer, lambda traffic: traffic.filter(text="a")),
    "rules": (lambda svc: RulesExplorer(svc).head, lambda rules: rules.select("api.bearer")),
    "fake": (FakeExplorer, lambda fake: fake.add_user()),
    "users": (lambda svc: UsersExplorer(svc).head, lambda head: head.refresh()),
    "a bulk edit": (lambda svc: BulkEdit(svc, ["u-001"]), lambda edit: edit.write(task="Sales")),
    "a form": (lambda svc: UserForm(svc, "u-001"), lambda form: form.enter("nick_name", "Mina")),
    "a panel": (lambda svc: svc.explore().head, lambda head: ExplorerPanel.of(head._svc).show("files")),
    "a table": (
        lambda _: PagedTable(pd.DataFrame({"id": ["u-1"]}), key="id"),
        lambda table: table.search("u"),
    ),
}


@pytest.mark.usefixtures("as_in_a_notebook")
@pytest.mark.parametrize("kind", CALLS)
def test_what_failed_is_forgotten_with_the_next_call(kind: str, svc: Session) -> None:
    make, call = CALLS[kind]
    widget = make(svc)
    widget._receive(widget, {"do": "dance"}, [])
    assert "does not understand" in widget.error
    if hasattr(widget, "refresh"):
        widget._hear(widget, {"do": "watch"}, [])
        assert "does not understand" in widget.error  # nobody has asked for that
    call(widget)
    assert widget.error == ""
