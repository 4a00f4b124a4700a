"""`svckit openapi`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import show_json
from svckit.extras import check_fakes

__all__ = ["openapi"]


def openapi(
    admin: Annotated[
        bool, typer.Option("--admin", help="Write the OpenAPI 3.1 document of the admin calls instead.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            dir_okay=False,
            help="Write to this file, as JSON whatever its name.",
            show_default="standard output",
        ),
    ] = None,
) -> None:
    """Write the OpenAPI 3.1 document of the fake service as JSON, with the source of every statement."""
    check_fakes()
    from fakes import FakeService

    fake = FakeService.sample()
    document = fake.admin_openapi() if admin else fake.openapi()
    if out is None:
        show_json(**document)
        return
    try:
        out.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{out} cannot be written: {error.strerror}", param_hint="--out") from None
