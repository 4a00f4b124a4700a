"""A fake that stands for the network, for the doors that catch whole libraries."""

import sys

import pytest

from ..caller import make


@pytest.fixture
def served():
    """A fake beside that of the test, which listens on this machine."""
    with make().serve() as served:
        yield served


@pytest.fixture
def uncompiled(monkeypatch):
    """Fakes are served without the packages that make it fast."""
    for name in ("httptools", "uvloop"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "fakes.doors.compiled_connection", raising=False)


@pytest.fixture(params=["compiled", "uncompiled"])
def either(request):
    """Fakes are served in both ways."""
    if request.param == "uncompiled":
        request.getfixturevalue("uncompiled")
    else:
        pytest.importorskip("httptools")
