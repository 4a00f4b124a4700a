"""What Python puts into a view is read by the view's script or template, under the same names."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from jinja2.meta import find_referenced_templates

from svckit import frames, widgets
from svckit.display.templates import TEMPLATES
from svckit.session.session import Session
from svckit.widgets.base.assets import module


def record_of(svc: Session) -> widgets.RecordView:
    view = widgets.RecordView()
    view.show(svc.users.read("u-001"), title="User", key="u-001")
    return view


def rules_shown(svc: Session) -> widgets.RulesExplorer:
    explorer = widgets.RulesExplorer(svc)
    explorer.select("file.stored", deviation=True)
    explorer.sweep("transfer")
    explorer.wait()
    return explorer


def fake_full(svc: Session) -> widgets.FakeExplorer:
    svc.notify("hello")
    explorer = widgets.FakeExplorer(svc)
    explorer.add_stub(path="/groups")
    explorer.take_snapshot()
    return explorer


WIDGETS: dict[str, tuple[Callable[[Session], Any], str]] = {
    "panel": (lambda svc: svc.explore(), "explorers/explorer_panel.html"),
    "files": (widgets.FilesExplorer, "explorers/files.html"),
    "inbox": (widgets.InboxExplorer, "explorers/inbox.html"),
    "notifications": (widgets.NotificationsExplorer, "explorers/notifications.html"),
    "sign_in": (widgets.SignInExplorer, "explorers/sign_in.html"),
    "statuses": (widgets.StatusesExplorer, "explorers/statuses_head.html"),
    "time": (widgets.TimeExplorer, "explorers/time.html"),
    "traffic": (widgets.TrafficExplorer, "explorers/traffic/traffic.html"),
    "users": (widgets.UsersExplorer, "explorers/users_head.html"),
    "bulk edit": (lambda svc: widgets.BulkEdit(svc, ["u-001"], task="Sales"), "explorers/bulk_edit.html"),
    "rules": (rules_shown, "explorers/fake/rules_head.html"),
    "fake": (fake_full, "explorers/fake/fake.html"),
    "user form": (lambda svc: widgets.UserForm(svc, "u-001"), "form/form.html"),
    "record": (record_of, "record/record.html"),
    "table": (lambda svc: widgets.PagedTable(frames.users(svc)), "table/table.html"),
}


def names_in(view: Any) -> Iterator[str]:
    """Yield the keys of a view and of what is in it."""
    if isinstance(view, dict):
        for name, value in view.items():
            yield name
            yield from names_in(value)
    elif isinstance(view, list | tuple):
        for value in view:
            yield from names_in(value)


def sources(template: str) -> Iterator[str]:
    """Yield the source of a template and of those that it uses."""
    source = TEMPLATES.loader.get_source(TEMPLATES, template)[0]  # type: ignore[union-attr]
    yield source
    for name in find_referenced_templates(TEMPLATES.parse(source)):
        yield from sources(str(name))


@pytest.mark.parametrize("name", WIDGETS)
def test_each_part_of_a_view_is_read(name: str, svc: Session) -> None:
    make, template = WIDGETS[name]
    made = make(svc)
    widget = getattr(made, "head", made)
    read = [*sources(f"widgets/{template}"), *sources("widgets/base/view.html")]
    known = set(re.findall(r"\w+", " ".join([module("base/live.js"), *read])))
    unread = [key for key in dict.fromkeys(names_in(widget.view)) if key not in known]
    made.close()
    assert unread == []
