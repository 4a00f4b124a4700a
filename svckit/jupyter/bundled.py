"""Finding svckit's own notebooks: the folder `notebooks/` of a checkout, or the copy in an installed wheel."""

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
        FileNotFoundError: there is no such notebook; the message lists svckit's own.
    """
    for candidate in (notebook, own_notebooks() / notebook):
        if candidate.is_file():
            return candidate.resolve()
    own = own_notebooks()
    names = ", ".join(sorted(path.relative_to(own).as_posix() for path in own.rglob("*.ipynb"))) or "none"
    raise FileNotFoundError(
        f"No notebook {str(notebook)!r} here. svckit's own notebooks: {names}. "
        "To create a notebook, open JupyterLab with svckit lab: File, New, Notebook."
    )
