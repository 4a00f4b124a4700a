"""The scripts and styles of the views; the files are next to the views and are sent with each widget."""

from pathlib import Path

__all__ = ["script", "style"]

WIDGETS = Path(__file__).parents[1]


def script(*names: str) -> str:
    """Join the files of a view's script, after the code that all views share."""
    return "".join(map(_read, ("base/dom.js", "base/focus.js", "base/connection.js", *names)))


def style(*names: str) -> str:
    """Join the files of a view's style, after the common theme."""
    return "".join(map(_read, ("base/theme.css", *names)))


def _read(name: str) -> str:
    return (WIDGETS / name).read_text("utf-8")
