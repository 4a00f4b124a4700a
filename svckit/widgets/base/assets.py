"""The scripts and styles of the views, which lie beside the views and are sent with each widget."""

from pathlib import Path

__all__ = ["script", "style"]

WIDGETS = Path(__file__).parents[1]


def script(*names: str) -> str:
    """A view's script, of one file or more, with what all of them use."""
    return "".join(map(_read, ("base/dom.js", "base/focus.js", "base/connection.js", *names)))


def style(*names: str) -> str:
    """A view's style, of one file or more, on top of the common theme."""
    return "".join(map(_read, ("base/theme.css", *names)))


def _read(name: str) -> str:
    return (WIDGETS / name).read_text("utf-8")
