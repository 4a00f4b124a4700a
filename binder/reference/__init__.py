"""The pages of `notebooks/reference`, written from the product's own tables.

    python3 binder/run.py python -m binder.reference

Each module has the function `write`, which returns one page. The pages are the same on every machine.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from binder.reference import (
    admin,
    command_line,
    configuration,
    errors,
    faults,
    frames,
    limits,
    matrix,
    operations,
    rules,
    statuses,
)
from binder.reference.next_pages import write_next

__all__ = ["FOLDER", "PAGES"]

FOLDER = Path(__file__).resolve().parents[2] / "notebooks" / "reference"

WRITERS: Mapping[str, Callable[[], str]] = {
    "matrix.md": matrix.write,
    "operations.md": operations.write,
    "rules.md": rules.write,
    "limits.md": limits.write,
    "statuses.md": statuses.write,
    "errors.md": errors.write,
    "faults.md": faults.write,
    "frames.md": frames.write,
    "admin.md": admin.write,
    "command-line.md": command_line.write,
    "configuration.md": configuration.write,
}
"""What writes the pages, by the name of their file."""


def write_page(name: str) -> str:
    """Return a page with what to read next."""
    return f"{WRITERS[name]()}\n{write_next(name)}".rstrip() + "\n"


PAGES: Mapping[str, Callable[[], str]] = {name: partial(write_page, name) for name in WRITERS}
"""The pages by the name of their file."""
