"""The script and the style of the views, which all widgets of a kernel share."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from gzip import compress
from pathlib import Path
from typing import ClassVar

import traitlets

from svckit.widgets.base.untyped import Widget

__all__ = ["SharedCode", "module", "style"]

WIDGETS = Path(__file__).parents[1]
IMPORT = re.compile(r'^import \{[^}]+\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
COMMENT = re.compile(r"^ *(?://.*|/\*\* .* \*/)\n", re.MULTILINE)


class SharedCode(Widget):
    """The model of the script and the style, to which every widget refers, so that they are sent only once.

    The script of the widgets themselves, ``loader.js``, gets it from the front end's own models, and so finds it again
    when a page is loaded again.
    """

    zipped: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode().tag(sync=True)
    """The JSON of both, in base64, as not every front end takes bytes."""
    _current: ClassVar["SharedCode | None"] = None

    @classmethod
    def get(cls) -> "SharedCode":
        """Return the open one, or a new one."""
        if cls._current is None or cls._current.comm is None:  # it is closed with all other widgets
            code = json.dumps({"script": module("base/live.js"), "style": style()})
            cls._current = cls(zipped=b64encode(compress(code.encode())).decode())
        return cls._current


def module(name: str) -> str:
    """Join an ES module with those that it imports, as a front end loads one script without any others.

    Lines that are comments are left out.
    They share one scope, so no two of them may define the same name, and none may import one under another (tested).
    """
    files = dict.fromkeys(_follow(WIDGETS / name))
    script = "".join(IMPORT.sub("", file.read_text("utf-8")) for file in files)
    return EXPORT.sub("", COMMENT.sub("", script))


def style() -> str:
    """Join the styles: the theme, then what views have in common, then their own."""
    base = WIDGETS / "base"
    files = [(file.name != "theme.css", file.parent != base, file) for file in WIDGETS.rglob("*.css")]
    return "".join(file.read_text("utf-8") for *_, file in sorted(files))


def _follow(file: Path) -> Iterator[Path]:
    """Yield the modules that a module imports, and then itself."""
    for name in IMPORT.findall(file.read_text("utf-8")):
        yield from _follow((file.parent / name).resolve())
    yield file
