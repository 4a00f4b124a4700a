"""Write down which assumptions responses rest on, and which packages of extras are imported.

Python runs this file as it starts if the folder is on its path: in the kernel of a notebook, and in what that starts.
The files `assumed.txt` and `packages.txt` are written beside it.
"""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

OWN = {"__main__", "fakes", "runpy", "svckit"}
"""Those whose imports count: cells of a notebook, commands, and the product. Others try what they can do without."""
noted: set[tuple[str, str]] = set()


def note(kind: str, name: str) -> None:
    """Add a name to a file, on a line of its own."""
    if (kind, name) not in noted:
        noted.add((kind, name))
        with Path(__file__).with_name(f"{kind}.txt").open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")


class Finder:
    """Sees each import of a module that is not loaded, and leaves it to others."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Note a package that svckit or a cell asks for."""
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith("importlib"):
            frame = frame.f_back  # type: ignore[assignment]
        asking = frame.f_globals.get("__name__", "").partition(".")[0] if frame else ""
        if name in PACKAGES and asking in OWN:
            note("packages", name)


with suppress(ImportError):  # another Python, without svckit
    from fakes.parts.journal import Journal
    from svckit.extras import EXTRAS

    PACKAGES = {*EXTRAS, "typer"} - {"keyring"}  # which svckit uses only if it is there
    append = Journal.append

    def append_noted(journal: Journal, entry: Any, *rest: Any) -> None:
        """Record a request, and note what its response rests on."""
        append(journal, entry, *rest)
        for rule in entry.assumed:
            note("assumed", rule)

    Journal.append = append_noted  # type: ignore[method-assign]
    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]
