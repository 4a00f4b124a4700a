"""What is sent to the browser until explorers show: the script and the style once, and few messages."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm

from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets.base.assets import SharedCode
from svckit.widgets.explorers.explorer_panel import EXPLORERS

from .conftest import NOW

CODE = ("_esm", "_css", "zipped")
"""The traits that hold scripts and styles."""
Message = Mapping[str, Any]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """What widgets send from now on, as in a new kernel."""
    messages: list[Message] = []

    class Recording(BaseComm):
        def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
            messages.append({"type": msg_type, **(data or {})})

    monkeypatch.setattr(comm, "create_comm", Recording)
    monkeypatch.setattr(SharedCode, "_current", None)
    return messages


@pytest.fixture
def svc(sent: list[Message]) -> Iterator[Session]:
    """A session of 20 users, before anything is shown."""
    yield connect(users=20, now=NOW)
    shared = SharedCode._current
    assert shared is not None
    shared.close()


def code_of(sent: list[Message]) -> list[str]:
    return [message["state"][name] for message in sent for name in CODE if name in message.get("state", {})]


def test_the_first_table_takes_few_messages_and_little_code(svc: Session, sent: list[Message]) -> None:
    panel = svc.explore()
    panel._repr_mimebundle_()
    assert len(sent) <= 22
    assert len(json.dumps(sent)) <= 55_000
    assert sum(map(len, code_of(sent))) <= 30_000


def test_all_explorers_send_the_script_and_the_style_once(svc: Session, sent: list[Message]) -> None:
    panel = svc.explore()
    for name in EXPLORERS:
        panel.show(name)
    code = code_of(sent)
    assert sum(map(len, code)) <= 45_000
    loader, shared = sorted(set(code), key=len)
    assert (len(loader) < 1_000, code.count(shared)) == (True, 1)


def test_shared_script_comes_before_the_first_widget(svc: Session, sent: list[Message]) -> None:
    for _ in range(2):
        panel = svc.explore()
        (opened,) = (number for number, message in enumerate(sent) if "zipped" in message.get("state", {}))
        assert opened < min(
            number for number, message in enumerate(sent) if "_esm" in message.get("state", {})
        )
        panel.close()
        panel.head._shared.close()
        sent.clear()
    svc.explore().close()
