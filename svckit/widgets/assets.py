"""The scripts and styles of the views, which lie beside this module and are sent with each widget."""

from pathlib import Path

__all__ = ["script", "style"]

HERE = Path(__file__).parent


def script(name: str) -> str:
    """A view's script, with what all of them use."""
    return _read("dom.js") + _read(name)


def style(name: str) -> str:
    """A view's style, on top of the common theme."""
    return _read("theme.css") + _read(name)


def _read(name: str) -> str:
    return (HERE / name).read_text("utf-8")
