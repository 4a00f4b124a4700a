"""`svckit notify`."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from svckit.cli.reporting import show
from svckit.errors import RateLimited, Refused

__all__ = ["notify"]

REFUSED, TOO_MANY = 3, 4
"""The exit codes for a message that was not posted because the service refused it, or because of the rate limit."""


def notify(
    text: Annotated[
        str | None, typer.Argument(help="Text of the message.", show_default="the standard input")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Title of the message.", show_default="that in the webhook list")
    ] = None,
    button: Annotated[
        str | None, typer.Option(metavar="LABEL=URL", help="Link below the text.", show_default=False)
    ] = None,
    webhook: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Name of the webhook: alerts for the variable SVCKIT_WEBHOOK_ALERTS, or one that the profile of "
            "SVCKIT_PROFILE lists.",
            show_default="the profile's first, or the only one set",
        ),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option("--wait", help="Wait up to two minutes for the reset if the rate limit is reached."),
    ] = False,
) -> None:
    """Post a message to a chat room, by its webhook. No sign-in is needed.

    Exit codes: 0 it was posted; 3 the service refused it; 4 the rate limit is reached, so try again in a minute; 1 any
    other failure, in which it may have been posted if a connection was made.
    """
    from svckit.session.webhook import Webhook

    if webhook is not None and "/" in webhook:
        raise typer.BadParameter(
            "takes a name, not a URL: other users of this machine can read the arguments of a command. Set the URL as "
            "SVCKIT_WEBHOOK_ALERTS, and name it with --webhook alerts",
            param_hint="--webhook",
        )
    pair = None if button is None else _parse_button(button)
    text = _read_input() if text is None or text == "-" else text
    try:
        with Webhook.named(webhook) as found:
            found.post(text, title=title, button=pair, wait=wait)
    except (RateLimited, Refused) as error:
        words = "\n".join([str(error), *getattr(error, "__notes__", [])])
        # The note is for Python code.
        show(words.replace("With wait=True, notify", "With --wait, it"), err=True)
        raise typer.Exit(TOO_MANY if isinstance(error, RateLimited) else REFUSED) from None


def _parse_button(given: str) -> tuple[str, str]:
    label, equals, url = given.partition("=")
    problem = "" if label and equals else "no label"
    from svckit.addresses import locate

    try:
        locate(url)
    except ValueError as error:
        problem = problem or str(error)
    if problem:
        raise typer.BadParameter(
            f"takes a label and a URL, such as Open=https://example.com; given {given!r}: {problem}",
            param_hint="--button",
        )
    return label, url


def _read_input() -> str:
    if sys.stdin.isatty():
        raise typer.BadParameter("give the text, or send it to the standard input", param_hint="TEXT")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a log may hold bytes that are not text
    text = sys.stdin.read().rstrip("\n")
    if not text.strip():
        raise typer.BadParameter("the standard input was empty; nothing was sent", param_hint="TEXT")
    return text
