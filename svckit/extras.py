"""The parts of the distribution that may be absent: its optional extras, and `fakes` where another one hides it.

The distribution is not named after the package: `svckit` on a package index is somebody else's. In a browser nothing is
installed: the site has a package, or it does not.
"""

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

__all__ = [
    "EXTRAS",
    "ForeignFakes",
    "check_fakes",
    "find_foreign_fakes",
    "has_pandas",
    "importing_many",
    "install_command",
    "needing",
]

EXTRAS: Mapping[str, str] = MappingProxyType(
    {
        "anywidget": "lab",
        "cryptography": "jwt",
        "ipywidgets": "lab",
        "jwt": "jwt",
        "keyring": "keyring",
        "markdown_it": "check",
        "nbclient": "check",
        "nbformat": "check",
        "nbval": "check",
        "openpyxl": "lab",
        "pandas": "lab",
        "pyarrow": "arrow",
        "pytest": "check",
        "requests": "requests",
        "responses": "requests",
        "trustme": "serve",
        "urllib3": "requests",
        "uvicorn": "serve",
        "voila": "app",
    }
)
"""The extra to install, by missing package."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra, from a clone if this package is in one.

    Examples:
        >>> install_command("serve")
        "pip install 'path/to/clone[serve]'"
    """
    is_clone = Path(__file__).parents[1].joinpath("pyproject.toml").exists()
    return f"pip install '{'path/to/clone' if is_clone else 'svckit-toolkit'}[{extra}]'"


@contextmanager
def needing(what: str, extra: str | None = None) -> Iterator[None]:
    """Explain a failing import: what needs the package, and how to get it.

    Args:
        what: what needs it, such as ``frame()``.
        extra: the extra to name; by default the one that has the package.

    Raises:
        ForeignFakes: it is in a `fakes` that is not this distribution's.
        ModuleNotFoundError: the package is missing. If no extra has it, the error is Python's own.

    Examples:
        >>> with needing("fake.serve()"):
        ...     raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")
        Traceback (most recent call last):
        ...
        ModuleNotFoundError: fake.serve() needs uvicorn, of the extra serve: pip install 'path/to/clone[serve]'
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package == "fakes":
            check_fakes()
        if package not in EXTRAS:
            raise
        named = extra or EXTRAS[package]
        way = f", of the extra {named}: {install_command(named)}"
        if sys.platform == "emscripten":  # Pyodide
            way = IN_BROWSER + (MIRRORED if package == "pandas" else "")
        raise ModuleNotFoundError(f"{what} needs {package}{way}", name=missing.name) from None


def has_pandas() -> bool:
    """Return whether pandas can be imported, without importing it.

    Examples:
        >>> has_pandas()
        True
    """
    from importlib.util import find_spec

    try:
        return find_spec("pandas") is not None
    except ModuleNotFoundError:  # of a finder that refuses it
        return False


class ForeignFakes(ImportError):
    """Python finds a `fakes` that is not this distribution's."""


def check_fakes() -> None:
    """Check that ``import fakes`` finds the package of this distribution.

    Raises:
        ForeignFakes: it finds another, such as that of a project with a ``fakes.py`` of its own.

    Examples:
        >>> check_fakes()
    """
    found = find_foreign_fakes()
    if found:
        raise ForeignFakes(
            f"svckit needs its own package fakes, but Python finds {found}: "
            "rename that, or take its folder off sys.path"
        )


def find_foreign_fakes() -> str | None:
    """Return the path of the `fakes` that Python finds, if it is not that of this distribution.

    Examples:
        >>> find_foreign_fakes() is None
        True
    """
    from importlib.util import find_spec

    try:
        found = find_spec("fakes")
    except ValueError:  # it has no __spec__
        return "a module that the program made"
    if found is None:
        return None
    folders = found.submodule_search_locations or []
    if Path(__file__).resolve().parents[1] / "fakes" in (Path(folder).resolve() for folder in folders):
        return None
    return found.origin or next(iter(folders), "another")


IN_BROWSER = ", which this site does not have for the browser. Open the notebook in JupyterLab on a computer"
MIRRORED = "; or, if you publish the site, build it with --mirror (CONTRIBUTING.md)"


@contextmanager
def importing_many() -> Iterator[None]:
    """Pause garbage collection in the block, for a fraction of a second.

    Nearly all that a module makes stays. To look through it again and again would take a tenth of a start.

    Examples:
        >>> with importing_many():
        ...     gc.isenabled()
        False
        >>> gc.isenabled()
        True
    """
    is_enabled, loaded = gc.isenabled(), len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        # What the program has frozen stays so. To count it takes a look at each object: only after an import.
        if len(sys.modules) > loaded and not gc.get_freeze_count():
            gc.freeze()  # Both together take all objects as old, without a look at each.
            gc.unfreeze()
        if is_enabled:
            gc.enable()
