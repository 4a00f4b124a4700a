"""The host, the layout and the files of `svckit serve`, and the admin key that a host needs if others can reach it."""

import os
from collections.abc import Collection
from pathlib import Path

import typer

from svckit.cli.reporting import blame

__all__ = ["KEY_VARIABLE", "check_files", "check_layout", "read_admin_key"]

KEY_VARIABLE = "SVCKIT_ADMIN_KEY"


def check_files(
    state: Path | None, tls_cert: Path | None, tls_key: Path | None, *, worlds: bool = False
) -> tuple[Path, Path] | None:
    """Check the options that name files, and return the certificate with its key.

    Raises:
        typer.BadParameter: a certificate or key lacks the other, or the folder of the state file does not exist.
    """
    if (tls_cert is None) != (tls_key is None):
        raise typer.BadParameter(
            "a certificate needs its key, and a key its certificate: set both or neither"
        )
    if state is not None and not state.absolute().parent.is_dir():
        folder = state.absolute().parent
        raise typer.BadParameter(
            f"there is no folder {folder}; create it first, or name a file in an existing folder",
            param_hint="--state",
        )
    if worlds and state is not None and state.exists() and not state.is_dir():
        raise typer.BadParameter(f"{state} is a file, and --worlds needs a folder", param_hint="--state")
    return None if tls_cert is None or tls_key is None else (tls_cert, tls_key)


def check_layout(port: int, *, origins: bool, base_path: str | None, cors: Collection[str]) -> None:
    """Check the options that decide the URLs.

    Raises:
        typer.BadParameter: one is impossible.
    """
    from fakes.doors.cors import check_origins
    from fakes.doors.layout import check_base_path, check_ports

    with blame("--port"):
        check_ports(port if origins else 0)
    with blame("--base-path"):
        check_base_path("/" if base_path is None else base_path, alone=origins)
    with blame("--cors"):
        check_origins(cors)


def read_admin_key(host: str, *, is_guessable: bool = True) -> str:
    """Read the key of admin calls from the environment, or make a random one.

    Args:
        host: the host to listen on.
        is_guessable: whether the other secrets follow from a seed, which is worth a warning if others reach the host.

    Raises:
        typer.BadParameter: the key cannot be sent in a header, or is missing though other machines can reach the host,
            or there is no such host.
    """
    key = os.environ.get(KEY_VARIABLE, "")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise typer.BadParameter(
            f"{KEY_VARIABLE} must be visible ASCII characters, because it is sent in a header"
        )
    from svckit.addresses import is_loopback

    check_host(host)
    if not is_loopback(host):
        if not key:
            raise typer.BadParameter(
                f"other machines can reach {host}: to listen there, set {KEY_VARIABLE} to an admin key of your own; "
                "nothing was started",
                param_hint="--host",
            )
        if is_guessable:
            typer.echo(
                f"Warning: other machines can reach {host}. The sample users' passwords and the other secrets of a "
                "fake follow from its seed, so whoever can reach it can use it; put no real data in it.",
                err=True,
            )
    from secrets import token_urlsafe

    return key or token_urlsafe(32)


def check_host(host: str) -> None:
    """Check that a host name resolves.

    Raises:
        typer.BadParameter: it does not.
    """
    from socket import getaddrinfo

    try:
        getaddrinfo(host or None, 0)
    except (OSError, UnicodeError):
        raise typer.BadParameter(
            f"{host!r} is not a known host; use an address of this machine, such as 127.0.0.1",
            param_hint="--host",
        ) from None
