"""Find the files that a notebook leaves in its folder when it runs.

The metadata of the notebook names the files that it is meant to leave, relative to it; a folder includes its content:

    {"svckit": {"leaves": ["report.csv", "pictures/*.svg", "results"]}}
"""

import os
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from svckit.jupyter.finding import Finding

__all__ = ["find_written_files", "is_named", "list_files", "read_leaves", "report_left_files"]

TOOL_FOLDERS = frozenset({".ipynb_checkpoints", "__pycache__"})
MOST_NAMES = 5
"""The number of files that a finding names."""
REMEDY = (
    "remove them in the last cell, write to a temporary folder, or, if readers need them, name them in the "
    'metadata of the notebook: {{"svckit": {{"leaves": {names}}}}}'
)


def list_files(folder: Path) -> dict[str, int]:
    """List the files in a folder with the time of their last change, in nanoseconds.

    Hidden folders, virtual environments and the caches of Jupyter and Python are left out.
    """
    times = {}
    for place, folders, files in os.walk(folder):
        for name in files:
            path = os.path.join(place, name)
            if os.path.lexists(path):  # another program may have removed it
                times[Path(path).relative_to(folder).as_posix()] = os.lstat(path).st_mtime_ns
        folders[:] = [name for name in folders if not _is_left_out(os.path.join(place, name), name)]
    return times


def _is_left_out(path: str, name: str) -> bool:
    return name.startswith(".") or name in TOOL_FOLDERS or os.path.exists(os.path.join(path, "pyvenv.cfg"))


def find_written_files(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Find files that were created or changed; not notebooks that existed, as JupyterLab may save them meanwhile.

    Examples:
        >>> find_written_files({"a.txt": 1, "b.csv": 1}, {"a.txt": 1, "b.csv": 2, "c.txt": 2})
        ['b.csv', 'c.txt']
    """
    return [
        path
        for path, time in sorted(after.items())
        if before.get(path) != time and not (path in before and path.endswith(".ipynb"))
    ]


def report_left_files(left: Sequence[str]) -> list[Finding]:
    """Return the finding for files that a notebook leaves and that its metadata does not name, if there are any.

    Examples:
        >>> [finding] = report_left_files(["c.txt"])
        >>> print(finding.message)
        it leaves c.txt in its folder
    """
    if not left:
        return []
    more = f" and {len(left) - MOST_NAMES} more" if len(left) > MOST_NAMES else ""
    message = f"it leaves {', '.join(left[:MOST_NAMES])}{more} in its folder"
    names = str(left[:MOST_NAMES]).replace("'", '"')
    return [Finding(message, "leaves", remedy=REMEDY.format(names=names))]


def read_leaves(notebook: Any) -> Sequence[str]:
    """Return the names of the files that a notebook is meant to leave, from its metadata."""
    settings = notebook.metadata.get("svckit")
    leaves = settings.get("leaves") if isinstance(settings, Mapping) else None
    if not isinstance(leaves, list):
        return ()
    return [name.removeprefix("./").rstrip("/") for name in leaves if isinstance(name, str)]


def is_named(path: str, named: Sequence[str]) -> bool:
    """Return whether a path, or a folder above it, matches a name or pattern.

    Examples:
        >>> is_named("results/a.csv", ["results"]), is_named("results.csv", ["results"])
        (True, False)
    """
    parts = path.split("/")
    folders = ["/".join(parts[:number]) for number in range(1, len(parts) + 1)]
    return any(fnmatchcase(folder, name) for folder in folders for name in named)
