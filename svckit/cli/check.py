"""`svckit check`."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import integer_parser, require_extra, show
from svckit.display.terminal import json_text

__all__ = ["check"]


def check(
    notebooks: Annotated[
        list[Path], typer.Argument(metavar="NOTEBOOK", exists=True, help="Notebooks, or folders of them.")
    ],
    store: Annotated[
        bool,
        typer.Option("--store", help="Run them and store what they show, and look at what is stored then."),
    ] = False,
    seconds: Annotated[
        int,
        typer.Option(
            "--timeout", metavar="SECONDS", parser=integer_parser(1), help="So long each cell may take."
        ),
    ] = 120,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON data.")] = False,
) -> None:
    """Hold notebooks to the bar of executable documents: what they show is what running them produces.

    Each is run again where it lies, from first to last, and every output compared with the stored one.
    That is under COLUMNS=80 and NO_COLOR=1, twice: under two time zones and two values of PYTHONHASHSEED.
    Nothing stored may be secret, tied to one machine or run, the state of a widget, too large, or hidden.
    Links and images have to lead somewhere, and images to have alternative text. No files may be left beside a
    notebook but those that its metadata names: {"svckit": {"leaves": ["report.csv"]}}.
    With --store they are run and stored under TZ=UTC and PYTHONHASHSEED=0, without timings and the state of
    widgets, of which what can be seen without a kernel stays. One that does not run to its end stays as it was.
    Exit code 1 says that a notebook falls short.
    """
    with require_extra("`svckit check`", "check"):
        from svckit.jupyter import check as checking  # it takes Jupyter

        look = checking.store if store else checking.check
        results = []
        for path in checking.found(notebooks):
            results.append((path, look(path, seconds)))
            if not as_json:  # each takes its time
                print_problems(*results[-1])
    if not results:
        raise typer.BadParameter("there is no notebook in what was named", param_hint="NOTEBOOK...")
    if as_json:
        listed = [{"path": str(path), "problems": list(map(asdict, problems))} for path, problems in results]
        typer.echo(json_text({"notebooks": listed}))
    if any(problems for _, problems in results):
        raise typer.Exit(1)


def print_problems(path: Path, problems: Sequence[object]) -> None:
    """Say what is wrong with a notebook."""
    show(f"{path}: {count_problems(problems)}")
    for problem in problems:
        show("  " + str(problem).replace("\n", "\n    "))


def count_problems(problems: Sequence[object]) -> str:
    """How many problems there are, in words."""
    if not problems:
        return "good"
    return "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
