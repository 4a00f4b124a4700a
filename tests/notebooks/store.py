"""Run notebooks and store their outputs as they are to be committed, as `svckit check --store` does.

    python3 binder/run.py python tests/notebooks/store.py                        all of notebooks/
    python3 binder/run.py python tests/notebooks/store.py notebooks/00-start.ipynb

The tests compare with what is stored to the letter.
"""

import sys
from pathlib import Path

from svckit.jupyter.check import find_notebooks
from svckit.jupyter.store import store

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
ALL = [path.relative_to(NOTEBOOKS).as_posix() for path in find_notebooks([NOTEBOOKS])]


def main(paths: list[Path]) -> None:
    """Store every notebook of `paths`; a cell that fails ends it, and that notebook stays as it was."""
    for path in paths:
        store(path)
        print(f"{path.name}: stored")


if __name__ == "__main__":
    main(list(find_notebooks(map(Path, sys.argv[1:]) if sys.argv[1:] else [NOTEBOOKS])))
