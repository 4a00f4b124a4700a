"""The states in which notebooks passed, so that only what has changed since has to run again."""

import hashlib
import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from svckit.jupyter.bundled import PACKAGE
from svckit.jupyter.left_files import is_named, list_files, read_leaves
from svckit.local_files import write_atomically

__all__ = ["Passed", "describe_state"]


class Passed:
    """The digests of notebooks that passed, which a folder keeps.

    Args:
        folder: the folder, which need not exist; None to keep nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._states: dict[str, str] = {}
        if folder is not None:
            with suppress(OSError, ValueError):  # the first time, or somebody has edited it
                self._states = dict(json.loads((folder / "passed.json").read_text("utf-8")))

    def holds(self, path: Path, state: str) -> bool:
        """Return whether a notebook passed in this state."""
        return self._states.get(path.as_posix()) == state

    def add(self, path: Path, state: str) -> None:
        """Keep that a notebook passed."""
        self._states[path.as_posix()] = state
        if self._folder is None:
            return
        with suppress(OSError):  # where nothing can be written, it runs the next time too
            self._folder.mkdir(exist_ok=True)
            (self._folder / ".gitignore").write_text("*\n", "utf-8")
            with write_atomically(self._folder / "passed.json") as file:
                file.write(json.dumps(self._states, indent=1, sort_keys=True).encode())


def describe_state(path: Path, notebook: Any) -> str:
    """Return a digest of what the outputs of a notebook depend on.

    That is the notebook, the files in its folder but for other notebooks and those that it leaves, the versions of
    installed packages, and the source of svckit, which a checkout may change.
    """
    named = read_leaves(notebook)
    files = [
        name
        for name in list_files(path.resolve().parent)
        if name == path.name or not (name.endswith(".ipynb") or is_named(name, named))
    ]
    return hashlib.sha256(_digest(path.resolve().parent, files) + _describe_surroundings()).hexdigest()


@cache
def _describe_surroundings() -> bytes:
    packages = [path.name for folder in sys.path for path in sorted(Path(folder).glob("*.dist-info"))]
    sources = [_digest(root, list_files(root)) for root in (PACKAGE, PACKAGE.with_name("fakes"))]
    return b"\0".join([sys.version.encode(), json.dumps(packages).encode(), *sources])


def _digest(folder: Path, names: Iterable[str]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(names):
        with suppress(OSError), (folder / name).open("rb") as file:  # it may be gone, or a broken link
            digest.update(f"{name}\0".encode() + hashlib.file_digest(file, "sha256").digest())
    return digest.digest()
