"""`svckit openapi`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from svckit.cli.reporting import file_option, show_json
from svckit.extras import check_fakes

if TYPE_CHECKING:
    from fakes.http.addresses import BaseURLs

__all__ = ["openapi"]


def openapi(
    admin: Annotated[
        bool, typer.Option("--admin", help="Write the OpenAPI 3.1 document of the admin calls instead.")
    ] = False,
    facts: Annotated[
        Path | None,
        file_option(
            "Name the URLs of the served fake whose ready line is in this file.",
            exists=True,
            show_default="those of the in-process fake",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        file_option("Write to this file, as JSON whatever its name.", show_default="standard output"),
    ] = None,
) -> None:
    """Write the OpenAPI 3.1 document of the fake service as JSON, with the source of every statement."""
    check_fakes()
    from fakes import FakeService

    fake, at = FakeService.sample(), _read_urls(facts) if facts else None
    document = fake.admin_openapi(at) if admin else fake.openapi(at)
    if out is None:
        show_json(**document)
        return
    try:
        out.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{out} cannot be written: {error.strerror}", param_hint="--out") from None


def _read_urls(facts: Path) -> "BaseURLs":
    """Return the base URLs in a ready line."""
    from fakes.http.addresses import FACTS, BaseURLs

    try:
        found = json.loads(facts.read_text(encoding="utf-8"))
        return BaseURLs.from_facts({key: found[key] for key in FACTS})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise typer.BadParameter(
            f"{facts} must have the ready line that svckit serve prints, with {', '.join(FACTS)}; "
            f"{type(error).__name__}: {error}",
            param_hint="--facts",
        ) from None
