"""The scripts and styles of the views; the files are next to the views and are sent with each widget."""

import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["module", "style"]

WIDGETS = Path(__file__).parents[1]
IMPORT = re.compile(r'^import \{[^}]+\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)


def module(name: str) -> str:
    """Join an ES module with those that it imports, as a front end loads one script without any others.

    They share one scope, so no two of them may define the same name, and none may import one under another (tested).
    """
    files = dict.fromkeys(_follow(WIDGETS / name))
    return "".join(EXPORT.sub("", IMPORT.sub("", file.read_text("utf-8"))) for file in files)


def style(*names: str) -> str:
    """Join the files of a view's style, after the common theme."""
    return "".join(map(_read, ("base/theme.css", *names)))


def _follow(file: Path) -> Iterator[Path]:
    """Yield the modules that a module imports, and then itself."""
    for name in IMPORT.findall(file.read_text("utf-8")):
        yield from _follow((file.parent / name).resolve())
    yield file


def _read(name: str) -> str:
    return (WIDGETS / name).read_text("utf-8")
