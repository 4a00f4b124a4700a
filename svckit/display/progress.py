"""Progress of what takes a while: a bar if somebody watches, or lines for a log.

Bars are drawn by ``tqdm.auto`` (extra ``lab``): as widgets in a notebook, else on standard error. They show no times
and no rates, and neither do lines, so a notebook stores the same output in every run.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Literal

from svckit.display.terminal import on_one_line

__all__ = ["Advance", "progress_bar"]

Advance = Callable[[int], object]
"""A function that moves a bar by a number of steps, backward if it is negative."""

SOON = 1.0  # seconds; a shorter task needs no bar
LINES = 10  # of a task in a log
LAYOUT = "{desc}: {percentage:3.0f}% |{bar}| {n_fmt} of {total_fmt}"


@contextmanager
def progress_bar(
    words: str, total: int | None, *, unit: Literal["bytes", "items"], shown: bool | None = None
) -> Iterator[Advance]:
    """Show a bar that runs to `total` and then stays, or a line for each tenth of it.

    Args:
        words: the task, such as ``upload report.pdf``.
        total: the number of steps, if it is known.
        unit: ``bytes``, shown in multiples of 1024, or ``items``.
        shown: ``True`` for at once, ``False`` for never; by default after one second, in a notebook or at a
            terminal, if tqdm is installed. Anywhere else, such as in a log, ``True`` writes lines to standard error.

    Examples:
        >>> with progress_bar("count", 3, unit="items", shown=False) as advance:
        ...     advance(3)
    """
    if shown and sys.stderr and not _is_watched():
        yield _write_lines(on_one_line(words), total, unit)
        return
    draw = None if shown is False or not _is_watched() else _load_tqdm()
    if draw is None:
        yield lambda _: None
        return
    scale = {"unit_scale": True, "unit_divisor": 1024} if unit == "bytes" else {}
    delay = 0.0 if shown else SOON
    with draw(desc=on_one_line(words), total=total, bar_format=LAYOUT, delay=delay, **scale) as bar:
        yield bar.update


def _write_lines(words: str, total: int | None, unit: str) -> Advance:
    """Return a function that writes a line for each tenth, without control characters."""
    done = written = 0

    def advance(steps: int) -> None:
        nonlocal done, written
        done += steps
        tenths = done * LINES // total if total else 0
        if total and tenths > written:
            written = tenths
            line = f"{words}: {done * 100 // total}%, {done} of {total} {unit}"
            print(line, file=sys.stderr, flush=True)

    return advance


def _load_tqdm() -> Any:
    try:
        return import_module("tqdm.auto").tqdm
    except ModuleNotFoundError:
        return None


def _is_watched() -> bool:
    """Return whether somebody watches: at a terminal, or in a notebook, whose kernel has imported IPython."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel") or bool(sys.stderr and sys.stderr.isatty())
