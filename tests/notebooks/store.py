"""Run notebooks and store their outputs as they are to be committed.

    python3 binder/run.py python tests/notebooks/store.py                        all of notebooks/
    python3 binder/run.py python tests/notebooks/store.py notebooks/00-start.ipynb

What is stored is what a reader sees, and nothing that differs from one run or machine to the next: no views or
state of widgets (their HTML snapshots stay), no timings, no versions. The tests compare with it to the letter.
"""

import os
import sys
from pathlib import Path

import nbformat

from svckit import lab
from svckit.notebook_replay import ENVIRONMENT
from svckit.notebook_saving import keep_static_faces

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(notebook: Path) -> str:
    """Run `notebook`, in the environment that the caller has set, and return it as it is to be stored."""
    content = nbformat.read(notebook, as_version=4)
    content.cells = list(lab.execute(notebook))
    content.metadata = METADATA
    for cell in content.cells:
        cell.metadata.pop("execution", None)
    keep_static_faces(content)
    return nbformat.writes(content) + "\n"


def main(paths: list[Path]) -> None:
    """Store every notebook of `paths`; a cell that fails ends it, and that notebook stays as it was."""
    os.environ.update(ENVIRONMENT)
    for path in paths:
        path.write_text(executed(path.resolve()), encoding="utf-8")
        print(f"{path.name}: stored")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]] or sorted(NOTEBOOKS.glob("*.ipynb")))
