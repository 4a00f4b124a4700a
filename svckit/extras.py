"""The optional extras of the distribution, and the message that says how to install them.

The distribution is not named after the package: `svckit` on a package index is somebody else's. In a browser nothing is
installed: the site has a package, or it does not.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

__all__ = ["EXTRAS", "install_command", "needing"]

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
        if package not in EXTRAS:
            raise
        named = extra or EXTRAS[package]
        way = f", of the extra {named}: {install_command(named)}"
        if sys.platform == "emscripten":  # Pyodide
            way = IN_BROWSER + (MIRRORED if package == "pandas" else "")
        raise ModuleNotFoundError(f"{what} needs {package}{way}", name=missing.name) from None


IN_BROWSER = ", which this site does not have for the browser. Open the notebook in JupyterLab on a computer"
MIRRORED = "; or, if you publish the site, build it with --mirror (CONTRIBUTING.md)"
