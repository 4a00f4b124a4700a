"""`svckit lab`."""

from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import blame, require_extra, show
from svckit.jupyter import hub
from svckit.jupyter.bundled import find

__all__ = ["lab"]


def lab(
    notebook: Annotated[
        Path | None,
        typer.Argument(
            help="The path of a notebook, or the name of one of svckit's own.",
            show_default="00-start.ipynb; with --app explorers.ipynb",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Run it without a browser and print its headings, the last line of each cell, and its output.",
        ),
    ] = False,
    app: Annotated[
        bool, typer.Option("--app", help="Run it and show only its output, as an app, with Voila.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the URL.")] = False,
    port: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="INTEGER",
            help="Listen on this port only.",
            show_default="8888, or 8866 with --app, or a free port near it",
        ),
    ] = None,
) -> None:
    """Open JupyterLab on a notebook, on this machine only. On a JupyterHub, print the link to it instead."""
    with blame("NOTEBOOK"):
        path = find(notebook or Path("explorers.ipynb" if app else "00-start.ipynb"))
    with require_extra("`svckit lab`", "lab"):
        from svckit.jupyter import lab as notebooks  # only this subcommand needs Jupyter
        from svckit.jupyter.running import CellFailedError
    try:
        if check:
            for piece in notebooks.report(path):
                show(piece)
        elif hub.find_folder():
            with blame("NOTEBOOK"):
                show(hub.make_link(notebooks.find_copy(path), "voila/render" if app else "lab/tree"))
        elif app:
            with require_extra("`svckit lab --app`", "app"):
                notebooks.open_app(path, browser=not no_browser, port=port)
        else:
            notebooks.open_lab(path, browser=not no_browser, port=port)
    except CellFailedError as error:
        show(error, err=True)
        raise typer.Exit(1) from None
