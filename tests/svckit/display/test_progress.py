"""Bars: where people look, and nowhere else."""

import io
import sys
from types import SimpleNamespace

import pytest

from svckit.display.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(shown: bool | None, stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", stderr)
    with progress_bar("upload a.txt", 4096, unit="bytes", shown=shown) as advance:
        advance(1024)
        advance(3072)
    return stderr.getvalue()


def test_a_bar_says_how_far_it_is_and_nothing_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    last = drawn(True, io.StringIO(), monkeypatch).strip().rpartition("\r")[2]
    assert last.startswith("upload a.txt: 100% |")
    assert last.endswith("| 4.00k of 4.00k")


@pytest.mark.parametrize("shown", [None, False])
def test_where_nobody_looks_there_is_none(shown: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(shown, io.StringIO(), monkeypatch) == ""


def test_what_is_done_at_once_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(None, Terminal(), monkeypatch).strip() == ""


def test_without_tqdm_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert drawn(True, io.StringIO(), monkeypatch) == ""


@pytest.mark.parametrize(("kernel", "asked"), [({"kernel": object()}, True), ({}, False)])
def test_a_notebook_is_watched(
    kernel: dict[str, object], asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = []
    shell = SimpleNamespace(**kernel)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr("svckit.display.progress._load_tqdm", lambda: asking.append(True))
    drawn(None, io.StringIO(), monkeypatch)
    assert bool(asking) is asked
