"""The scripts and styles of the views, which lie beside this module and are sent with each widget."""

from pathlib import Path

__all__ = ["script", "style"]

HERE = Path(__file__).parent


def script(*names: str) -> str:
    """A view's script, of one file or more, with what all of them use."""
    return "".join(map(_read, ("dom.js", "focus.js", "connection.js", *names)))


def style(*names: str) -> str:
    """A view's style, of one file or more, on top of the common theme."""
    return "".join(map(_read, ("theme.css", *names)))


def _read(name: str) -> str:
    return (HERE / name).read_text("utf-8")
