"""What the service can refuse, in words without HTTP; the dialects turn them into answers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from svckit.display.masking import mask_beginning
from svckit.models.problems import Problem

__all__ = ["Kind", "Refusal"]

Kind = Literal[
    "invalid",
    "missing",
    "no_object",
    "unauthorized",
    "forbidden",
    "not_found",
    "no_user",
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
    "injected",
]


LONGEST = 32 * 1024
"""The characters of a description: more than 50 problems have, and less than a value that was sent may have."""


class Refusal(Exception):
    """A request that is answered with an error and changes nothing.

    Attributes:
        kind: what sort of refusal it is; a dialect maps it to a status and a code.
        description: a sentence for the person who reads it: what was wrong, what was given, what to do. Secrets
            in what was given are masked.
        problems: the fields at fault, where there are such.
        verbatim: the exact text the service's description gives for this refusal, where it gives one.
        status: the status to answer with, where a fault asks for one.
        ends: when what was asked for ends, or ended, where that is known.
        allowed: the methods of the operations at the path, where a request is none of them.
        clock_stands: whether to wait does not help, since the fake's clock stands.
    """

    def __init__(
        self,
        kind: Kind,
        description: str,
        *,
        problems: Sequence[Problem] = (),
        verbatim: str | None = None,
        status: int | None = None,
        ends: datetime | None = None,
        allowed: Sequence[str] = (),
        clock_stands: bool = False,
    ) -> None:
        self.description = mask_beginning(description, LONGEST)
        super().__init__(self.description)
        self.kind: Kind = kind
        self.problems = tuple(problems)
        self.verbatim = verbatim
        self.status = status
        self.ends = ends
        self.allowed = tuple(allowed)
        self.clock_stands = clock_stands
