"""Write down which assumptions responses rest on, and which packages of extras are imported.

Python runs this file as it starts if the folder is on its path: in the kernel of a notebook, and in what that starts.
The files `assumed.txt` and `packages.txt` are written beside it.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OWN = {"__main__", "fakes", "runpy", "svckit"}
"""Those whose imports count: cells of a notebook, commands, and the product. Others try what they can do without."""
PACKAGES = os.environ.get("SVCKIT_EXTRA_PACKAGES", "").split()
FINDERS: list[Any] = sys.meta_path
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
    def find_spec(name: str, *_: object) -> Any:
        """Note a package that svckit or a cell asks for; prepare the journal, once somebody imports it."""
        if name == "fakes.parts.journal":  # earlier, pytest would warn that svckit was imported before it
            return find_journal(name)
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith("importlib"):
            frame = frame.f_back  # type: ignore[assignment]
        asking = frame.f_globals.get("__name__", "").partition(".")[0] if frame else ""
        if name in PACKAGES and asking in OWN:
            note("packages", name)
        return None


def find_journal(name: str) -> Any:
    """Return the specification of the journal's module, which notes what each response rests on."""
    FINDERS.remove(Finder)
    spec = find_spec(name)
    FINDERS.insert(0, Finder)
    loader: Any = spec and spec.loader
    execute = loader.exec_module

    def execute_noting(module: Any) -> None:
        execute(module)
        append = module.Journal.append

        def append_noted(journal: Any, entry: Any, *rest: Any) -> None:
            append(journal, entry, *rest)
            for rule in entry.assumed:
                note("assumed", rule)

        module.Journal.append = append_noted

    loader.exec_module = execute_noting
    return spec


FINDERS.insert(0, Finder)
