"""Sample users, and widgets whose callbacks do not swallow what goes wrong."""

from collections.abc import Iterator
from typing import Any

import pytest
from ipywidgets.widgets.widget import _instances

from svckit.widgets import callbacks

Record = dict[str, Any]


@pytest.fixture(autouse=True)
def _failures_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "reraise", True)


@pytest.fixture(autouse=True)
def _nothing_is_left_open() -> Iterator[None]:
    before = set(_instances)
    yield
    left = [widget for key, widget in list(_instances.items()) if key not in before]
    for widget in left:
        widget.close()
    assert not left, "close() left widgets behind"


@pytest.fixture
def users() -> list[Record]:
    return [user(number) for number in range(1, 24)]


def user(number: int) -> Record:
    return {
        "domainId": 10000001,
        "userId": f"u-{number:03}",
        "email": f"user{number}@example.com",
        "userName": {"lastName": f"Last{number:03}", "firstName": "First"},
        "isSuspended": number % 7 == 0,
        "task": None,
        "organizations": [
            {
                "domainId": 10000001,
                "primary": True,
                "organizationName": "Main",
                "orgUnits": [{"orgUnitId": "o-1", "primary": True, "orgUnitName": "Sales"}],
            }
        ],
    }
