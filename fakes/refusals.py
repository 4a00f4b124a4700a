"""What the service can refuse, in words without HTTP; the dialects turn them into answers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from svckit.models.problems import Problem
from svckit.models.secret import mask

__all__ = ["Kind", "Refused"]

Kind = Literal[
    "invalid",
    "missing",
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
    "no_file",
    "unmatched",
    "injected",
]


class Refused(Exception):
    """A request that is answered with an error and changes nothing.

    Attributes:
        kind: what sort of refusal it is; a dialect maps it to a status and a code.
        description: a sentence for the person who reads it: what was wrong, what was given, what to do. Secrets
            in what was given are masked.
        problems: the fields at fault, where there are such.
        verbatim: the exact text the service's description gives for this refusal, where it gives one.
        status: the status to answer with, where a fault asks for one.
        ends: when what was asked for ends, or ended, where that is known.
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
        clock_stands: bool = False,
    ) -> None:
        self.description = mask(description)
        super().__init__(self.description)
        self.kind: Kind = kind
        self.problems = tuple(problems)
        self.verbatim = verbatim
        self.status = status
        self.ends = ends
        self.clock_stands = clock_stands
