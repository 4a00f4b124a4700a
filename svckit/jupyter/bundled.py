"""Finding svckit's own notebooks: the folder `notebooks/` of a checkout, or the copy in an installed wheel."""

from difflib import get_close_matches
from pathlib import Path

__all__ = ["CARRIED", "find", "find_root", "own_notebooks"]

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent / "notebooks"
CARRIED = PACKAGE / "_notebooks"


def own_notebooks() -> Path:
    """Return the folder with svckit's notebooks: the checkout's, or the copies in the wheel."""
    return CHECKOUT if CHECKOUT.is_dir() else CARRIED


def find_root(notebook: Path) -> Path:
    """Return the folder of a notebook and all it links to: of svckit's own, or the one it is in."""
    own = own_notebooks()
    return own if notebook.is_relative_to(own) else notebook.parent


def find(notebook: Path) -> Path:
    """Return the file that `notebook` means: a path, or the name of one of svckit's own notebooks.

    Raises:
        FileNotFoundError: there is no such notebook; the message suggests the nearest of svckit's own, and lists those
            to begin with.
    """
    own = own_notebooks()
    for candidate in (notebook, own / notebook):
        if candidate.is_file():
            return candidate.resolve()
    found = (path for path in sorted(own.rglob("*.ipynb")) if ".ipynb_checkpoints" not in path.parts)
    names = {path.stem: path.relative_to(own).as_posix() for path in found}
    near = get_close_matches(notebook.stem, names, n=1)
    first = ", ".join(path for path in names.values() if "/" not in path) or "none"
    hint = f"Did you mean {names[near[0]]}? " if near else ""
    raise FileNotFoundError(
        f"No notebook {str(notebook)!r} here. {hint}svckit's own notebooks: {first}; others are in their folders. "
        "To create a notebook, open JupyterLab with svckit lab: File, New, Notebook."
    )
