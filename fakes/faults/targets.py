"""The names of operations and bots as targets, and what to say of others."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from svckit.display.suggestions import nearest

__all__ = ["CALLS", "check_bot", "check_operation", "explain_no_match", "matches_any"]

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


def explain_no_match(target: str, operations: Iterable[str]) -> str:
    """Explain that a target matches no operation, and suggest one.

    Examples:
        >>> explain_no_match("notify", ["notifications.post"])
        "no operation matches 'notify'; that call uses notifications.post."
    """
    behind = CALLS.get(target)
    hint = f"that call uses {behind}." if behind else _suggest(target, operations)
    return f"no operation matches {target!r}; {hint}"


def check_operation(target: str, operations: Sequence[str]) -> None:
    """Check that a target matches an operation; otherwise the mistake would go unnoticed.

    Raises:
        ValueError: it matches none.
    """
    __tracebackhide__ = True
    if target[:1] == "/" or matches_any(target, operations):
        return
    raise ValueError(
        f"{explain_no_match(target, operations)} "
        "A path starts with a slash, such as /users/*, and * stands for all"
    )


def check_bot(target: str, bots: Sequence[str]) -> None:
    """Check that a target matches a bot.

    Raises:
        ValueError: it matches none.
    """
    __tracebackhide__ = True
    if not matches_any(target, bots):
        raise ValueError(f"no bot matches {target!r}; {_suggest(target, bots)} * stands for all")


def _suggest(target: str, names: Iterable[str]) -> str:
    """Suggest a target, in a sentence that another one may follow."""
    hint = nearest(target, names)
    return hint if hint.endswith("?") else f"{hint}."


def matches_any(target: str, names: Iterable[str]) -> bool:
    """Return whether a target, which may be a pattern, matches one of some names.

    Examples:
        >>> matches_any("users.*", ["users.update"]), matches_any("user.update", ["users.update"])
        (True, False)
    """
    return target[:1] == "*" or any(fnmatchcase(name, target) for name in names)
