"""Run notebooks and store their outputs as they are to be committed, as `svckit check --store` does.

    python3 binder/run.py python tests/notebooks/store.py                        all of notebooks/
    python3 binder/run.py python tests/notebooks/store.py notebooks/00-start.ipynb

The tests compare with what is stored to the letter.
"""

import sys
from pathlib import Path

from svckit.jupyter.check import check_all, find_notebooks

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
ALL = [path.relative_to(NOTEBOOKS).as_posix() for path in find_notebooks([NOTEBOOKS])]


def main(paths: list[Path]) -> None:
    """Store every notebook of `paths`, but for those with a cell that fails."""
    for path, findings in check_all(paths, store=True):
        print(f"{path.name}: stored", *findings, sep="\n  ")


if __name__ == "__main__":
    main(list(find_notebooks(map(Path, sys.argv[1:]) if sys.argv[1:] else [NOTEBOOKS])))
