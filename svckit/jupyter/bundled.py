"""Where svckit's own notebooks are: in a checkout the folder `notebooks/`; an installed wheel carries a copy of it."""

from pathlib import Path

__all__ = ["CARRIED", "find", "own_notebooks"]

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent / "notebooks"
CARRIED = PACKAGE / "notebooks"


def own_notebooks() -> Path:
    """Return the folder with svckit's notebooks: the checkout's, or the copies that the wheel carries."""
    return CHECKOUT if CHECKOUT.is_dir() else CARRIED


def find(notebook: Path) -> Path:
    """Return the file that `notebook` means: a path, or the name of one of svckit's own notebooks.

    Raises:
        FileNotFoundError: it is neither; the message lists svckit's own notebooks.
    """
    for candidate in (notebook, own_notebooks() / notebook):
        if candidate.is_file():
            return candidate.resolve()
    names = ", ".join(sorted(path.name for path in own_notebooks().glob("*.ipynb"))) or "none"
    raise FileNotFoundError(
        f"No notebook {str(notebook)!r} here. svckit's own notebooks: {names}. "
        "A new one is begun in JupyterLab, which svckit lab opens: File, New, Notebook."
    )
