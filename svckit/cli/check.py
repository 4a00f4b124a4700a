"""`svckit check`."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import AsJson, require_extra, show, show_json
from svckit.display.card import quantity

__all__ = ["check"]


def check(
    notebooks: Annotated[
        list[Path], typer.Argument(metavar="NOTEBOOK", exists=True, help="Notebooks, or folders of them.")
    ],
    store: Annotated[
        bool,
        typer.Option("--store", help="Run them and store their output, then check what is stored."),
    ] = False,
    changed: Annotated[
        bool,
        typer.Option("--changed", help="Run only those that have changed since they last passed."),
    ] = False,
    seconds: Annotated[
        int, typer.Option("--timeout", min=1, metavar="SECONDS", help="Time limit for each cell.")
    ] = 120,
    as_json: AsJson = False,
) -> None:
    """Check that notebooks are reproducible: that running them produces the stored output.

    Each notebook is run again in its folder, from first to last, and every output is compared with the stored one.
    This happens twice, under COLUMNS=80 and NO_COLOR=1, with two time zones and two values of PYTHONHASHSEED.
    As many run at once as there are cores; one that fails is then run alone, in case they disturbed each other.
    Nothing stored may be secret, tied to one machine or run, the state of a widget, too large, or hidden.
    Links and images must have a target, and images alternative text. A notebook may leave no files in its folder
    except those that its metadata names: {"svckit": {"leaves": ["report.csv"]}}.
    With --store they are run and stored under TZ=UTC and PYTHONHASHSEED=0, without timings and the state of
    widgets; the part of a widget that shows without a kernel stays. A notebook that fails stays as it was.
    The folder .svckit_cache keeps which notebooks passed. With --changed, one is run only if it, the files in its
    folder, or the installed packages have changed since; what is stored is checked all the same.
    Exit code 1 means that a notebook has problems.
    """
    # As if it were not installed: jsonschema takes a second to load it, for a format that no notebook has.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    with require_extra("`svckit check`", "check"):
        from svckit.jupyter import check as checking  # loads Jupyter
    paths = list(checking.find_notebooks(notebooks))
    results = {}
    for path, problems in checking.check_all(
        paths, seconds, store=store, changed=changed, cache=Path(".svckit_cache")
    ):
        results[path] = problems
        if not as_json:  # each takes a while
            print_problems(path, problems)
    if not results:
        raise typer.BadParameter("no notebooks found", param_hint="NOTEBOOK...")
    if as_json:
        show_json(
            notebooks=[
                {"path": str(path), "problems": list(map(asdict, results[path]))}
                for path in dict.fromkeys(paths)
            ]
        )
    if any(results.values()):
        raise typer.Exit(1)


def print_problems(path: Path, problems: Sequence[object]) -> None:
    """Print the problems of a notebook."""
    show(f"{path}: {quantity(len(problems), 'problem') if problems else 'good'}")
    for problem in problems:
        show("  " + str(problem).replace("\n", "\n    "))
