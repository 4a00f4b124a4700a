"""Write the lock that tells Pyodide which packages the site has, from the packages themselves."""

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["write_index"]

BROWSER = {
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_system": "Emscripten",
    "sys_platform": "emscripten",
}
WITH_EXTRAS = "svckit-toolkit"
"""The package that depends on what its extras name, too: it imports that in functions."""


def write_index(folder: Path, info: dict[str, str]) -> None:
    """Describe all wheels of a folder in its `pyodide-lock.json`.

    Pyodide loads what a cell imports, and what that depends on. It doesn't see imports in the functions of a package.

    Args:
        folder: where the wheels are.
        info: for which Python and platform they are.
    """
    version, _, _ = info["python"].rpartition(".")
    python = {"python_version": version, "python_full_version": info["python"]}
    found = [describe(wheel, BROWSER | python) for wheel in sorted(folder.glob("*.whl"))]
    names = {package["name"] for package in found}
    for package in found:
        package["depends"] = sorted(names & set(package["depends"]))
    lock = {"info": info, "packages": {package["name"]: package for package in found}}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1), "utf-8")


def describe(wheel: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Return the entry of a wheel."""
    with zipfile.ZipFile(wheel) as content:
        members = content.namelist()
        (metadata,) = (name for name in members if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        headers = HeaderParser().parsestr(content.read(metadata).decode())
    return {
        "name": canonicalize_name(headers["Name"]),
        "version": headers["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted({root for name in members if (root := find_root(name))}),
        "depends": list(find_needs(headers, environment)),
        "unvendored_tests": False,
    }


def find_root(member: str) -> str | None:
    """Return the module or package at the top that a file of a wheel belongs to."""
    first, _, rest = member.partition("/")
    if rest:
        return first if first.isidentifier() and rest.endswith((".py", ".so")) else None
    module = re.fullmatch(r"(\w+)(\.[\w-]+)?\.(py|so)", first)
    return module[1] if module else None


def find_needs(headers: Message, environment: dict[str, str]) -> Iterator[str]:
    """Yield the packages that a wheel's metadata says it needs in a browser."""
    extras = headers.get_all("Provides-Extra", []) if headers["Name"] == WITH_EXTRAS else []
    for line in headers.get_all("Requires-Dist", []):
        needed = Requirement(line)
        name = canonicalize_name(needed.name)
        applies = needed.marker is None or any(
            needed.marker.evaluate(environment | {"extra": extra}) for extra in ("", *extras)
        )
        if applies and name != canonicalize_name(headers["Name"]):
            yield name
