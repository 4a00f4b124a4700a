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
    last = drawn(True, Terminal(), monkeypatch).strip().rpartition("\r")[2]
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
    assert drawn(True, Terminal(), monkeypatch) == ""


def test_a_log_gets_a_line_for_each_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with progress_bar("upload a\r.txt", 4096, unit="bytes", shown=True) as advance:
        for steps in (0, 1000, 24, -1024, 1024, 3072):
            advance(steps)
    assert log.getvalue().splitlines() == [
        "upload a\\r.txt: 24%, 1000 of 4096 bytes",
        "upload a\\r.txt: 100%, 4096 of 4096 bytes",
    ]


@pytest.mark.parametrize("total", [None, 0])
def test_a_log_gets_no_line_for_an_unknown_end(total: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with progress_bar("download", total, unit="bytes", shown=True) as advance:
        advance(10)
    assert log.getvalue() == ""


def test_without_standard_error_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress_bar("download", 10, unit="bytes", shown=True) as advance:
        advance(10)
    assert capsys.readouterr().out == ""


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
