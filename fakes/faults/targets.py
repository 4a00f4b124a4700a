"""The targets of faults: which there are, and what to say of others."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from svckit.display.suggestions import nearest

__all__ = ["CALLS", "check_bot", "check_operation"]

CALLS = {
    "sign_in": "auth.authorize, auth.login and auth.token (auth.*)",
    "users.read": "users.update",
    "users.apply": "users.update",
    **dict.fromkeys(
        ("files.upload", "files.upload_many", "files.*"),
        "upload.drive and the like, by the place (upload.*), then storage.receive",
    ),
    "files.resume": "storage.receive",
    **dict.fromkeys(
        ("files.download", "files.download_many"),
        "download.drive_file and the like, by the place (download.*), then storage.send",
    ),
    **dict.fromkeys(("notify", "notifications.notify", "notifications"), "notifications.post"),
}
"""The operations behind the calls of a client, by the name of the call."""


def check_operation(target: str, operations: Sequence[str]) -> None:
    """Check that a target matches an operation; otherwise the mistake would go unnoticed.

    Raises:
        ValueError: it matches none.
    """
    __tracebackhide__ = True
    if target[:1] == "/" or _matches(target, operations):
        return
    behind = CALLS.get(target)
    hint = f"that call uses {behind}." if behind else _suggest(target, operations)
    raise ValueError(
        f"no operation matches {target!r}; {hint} "
        "A path starts with a slash, such as /users/*, and * stands for all"
    )


def check_bot(target: str, bots: Sequence[str]) -> None:
    """Check that a target matches a bot.

    Raises:
        ValueError: it matches none.
    """
    __tracebackhide__ = True
    if not _matches(target, bots):
        raise ValueError(f"no bot matches {target!r}; {_suggest(target, bots)} * stands for all")


def _suggest(target: str, names: Iterable[str]) -> str:
    """Suggest a target, in a sentence that another one may follow."""
    hint = nearest(target, names)
    return hint if hint.endswith("?") else f"{hint}."


def _matches(target: str, names: Iterable[str]) -> bool:
    return target[:1] == "*" or any(fnmatchcase(name, target) for name in names)
