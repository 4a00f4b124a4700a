"""Widgets whose callbacks do not swallow what goes wrong."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from ipywidgets.widgets.widget import _instances

from svckit.session.session import Session
from svckit.widgets.base import callbacks
from svckit.widgets.base.assets import SharedCode
from svckit.widgets.explorers.explorer_box import WidgetBox
from svckit.widgets.explorers.explorer_panel import EXPLORERS

NOW = "2026-06-01T09:00:00+09:00"
EVIL = "<script>window.__xss = 1</script>"
OPENED = {*EXPLORERS.values(), "UserForm", "StatusForm", "BulkEdit", "PagedTable", "PlainTable", "RecordView"}


@pytest.fixture(autouse=True)
def _failures_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "reraise", True)


@pytest.fixture
def as_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let failures be shown by the widget alone, and not raised."""
    monkeypatch.setattr(callbacks, "reraise", False)


@pytest.fixture(autouse=True)
def _nothing_is_left_open() -> Iterator[None]:
    """Close the explorers, forms and tables that a test opened; their parts are closed with them."""
    SharedCode.get()  # stays open as long as the kernel
    before = set(_instances)
    yield
    opened = _find_others(before)
    parts = {part for widget in opened if isinstance(widget, WidgetBox) for part in widget.children}
    for widget in opened:
        if widget not in parts and (isinstance(widget, WidgetBox) or type(widget).__name__ in OPENED):
            widget.close()
    left = _find_others(before)
    for widget in left:
        widget.close()
    assert not left, "close() left widgets behind"


def _find_others(before: set[str]) -> list[Any]:
    return [widget for key, widget in list(_instances.items()) if key not in before]


def as_real(svc: Session) -> Session:
    """The session, which takes its fake for the real service."""
    svc.profile = replace(svc.profile, name="work", is_fake=False)
    return svc


@pytest.fixture
def real(svc: Session) -> Session:
    """A session that takes its fake for the real service, of which it can list nothing."""
    svc = as_real(svc)
    svc.fake = None
    return svc


def ask(widget: Any, *buffers: bytes, **request: object) -> dict[str, Any]:
    """Do what the browser asks for, and give what it would be shown."""
    asked = getattr(widget, "head", widget)
    asked._receive(asked, request, [memoryview(each) for each in buffers])
    shown: dict[str, Any] = asked.view
    return shown
