"""Bearer credentials: how they may be written, and what comes before they are looked at."""

from collections.abc import Callable
from functools import lru_cache

from fakes import rulebook
from fakes.http.messages import RequestHead
from fakes.rulebook.rules import Rule, Rules

__all__ = ["BEFORE_BEARER", "bearer", "credential", "loose_credential"]

BEFORE_BEARER = frozenset({"unmatched", "ended", "not_described", "body_too_large", "too_many"})
"""What a call may be refused for before its bearer is looked at."""


@lru_cache(maxsize=64)  # a client sends the same header with each call
def credential(authorization: str) -> str:
    """Return the credential in a header as it is described, ``Bearer <ACCESS_TOKEN>``; empty in any other.

    Examples:
        >>> credential("Bearer at_1"), credential("bearer at_1"), credential("Basic dTpw")
        ('at_1', '', '')
    """
    scheme, _, sent = authorization.partition(" ")
    return sent if scheme == "Bearer" and sent == sent.strip() else ""


def loose_credential(authorization: str, choice: Callable[[Rule], str]) -> str:
    """Return the credential in a header that is a bearer's in another form, if an assumption accepts that.

    Examples:
        >>> loose_credential("bearer  at_1", lambda rule: "any-case")
        'at_1'
    """
    scheme, _, sent = authorization.partition(" ")
    sent = sent.strip()
    if not sent or scheme.lower() != "bearer" or choice(rulebook.api.BEARER_FORM) == "exact":
        return ""
    return sent


def bearer(head: RequestHead, rules: Rules) -> str:
    """Return the bearer credential of a request; only a look, on which no response rests."""
    header = head.header("Authorization")
    return credential(header) or loose_credential(header, rules.look_up)
