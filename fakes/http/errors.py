"""Refusals of the service, independent of HTTP; the dialects turn them into responses."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import Literal

from svckit.display.masking import mask_beginning
from svckit.models.problems import Problem

__all__ = ["Kind", "Refusal", "describe_limit", "forget_frames"]

Kind = Literal[
    "invalid",
    "missing",
    "no_object",
    "unauthorized",
    "forbidden",
    "not_found",
    "no_user",
    "no_class",
    "conflict",
    "too_many",
    "ended",
    "not_described",
    "bad_client",
    "bad_grant",
    "unsupported_grant",
    "wrong_range",
    "form_limit",
    "too_large",
    "body_too_large",
    "no_file",
    "unmatched",
    "misdirected",
    "injected",
]


LONGEST = 32 * 1024
"""The maximum length of a description: room for more than 50 problems, but not for any value sent."""


@dataclass(eq=False, repr=False)
class Refusal(Exception):
    """The refusal of a request, which gets an error response and changes nothing.

    Attributes:
        kind: the sort of refusal; a dialect maps it to a status and a code.
        description: a sentence for the reader: what was wrong, what was given, what to do. Secrets in what was
            given are masked.
        problems: the invalid fields, if any.
        verbatim: the exact text from the service's description for this refusal, if it states one.
        status: the status of the response, if a fault sets one.
        ends: the day on which the requested feature retires, if known.
        allowed: the methods of the operations at the path, for a request with another method.
        clock_stands: true if waiting does not help, because the fake's clock stands still.
        offset: where an upload continues, for a range that does not.
        remedy: the setting of the fake that would allow it; empty if none is known.
    """

    kind: Kind
    description: str
    _: KW_ONLY
    problems: Sequence[Problem] = ()
    verbatim: str | None = None
    status: int | None = None
    ends: datetime | None = None
    allowed: Sequence[str] = ()
    clock_stands: bool = False
    offset: int | None = None
    remedy: str = ""

    def __post_init__(self) -> None:
        self.description = mask_beginning(self.description, LONGEST)
        super().__init__(self.description)


def describe_limit(limit: int) -> str:
    """Describe the body limit that a request exceeds."""
    return (
        f"the body of this request is longer than {limit} bytes; the service's description states no such "
        "limit, see the rule api.body-limit; to send the content of a file, request an upload URL first"
    )


def forget_frames(error: BaseException | None) -> None:
    """Remove the tracebacks of an error: its frames would hold the body until garbage collection."""
    while error is not None:
        error.__traceback__ = None
        error = error.__context__
