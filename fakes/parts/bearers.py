"""Bearer credentials: their forms, and the checks that come before them."""

from collections.abc import Callable
from functools import lru_cache

from fakes import rulebook
from fakes.http.messages import RequestHead
from fakes.rulebook.deviations import STORAGE_BEARER
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules

__all__ = [
    "BEFORE_BEARER",
    "needs_no_bearer",
    "parse_credential",
    "parse_loose_credential",
    "read_bearer",
    "split_scopes",
]

BEFORE_BEARER = frozenset({"unmatched", "ended", "not_described", "body_too_large", "too_many"})
"""The refusals that may come before the bearer credential is checked."""


@lru_cache(maxsize=64)  # a client sends the same header with each call
def parse_credential(authorization: str) -> str:
    """Return the credential in a header of the described form, ``Bearer <ACCESS_TOKEN>``, else an empty text.

    Examples:
        >>> parse_credential("Bearer at_1"), parse_credential("bearer at_1"), parse_credential("Basic dTpw")
        ('at_1', '', '')
    """
    scheme, _, sent = authorization.partition(" ")
    return sent if scheme == "Bearer" and sent == sent.strip() else ""


def parse_loose_credential(authorization: str, choose: Callable[[Rule], str]) -> str:
    """Return the credential in a bearer header of another form, if an assumption accepts that.

    Examples:
        >>> parse_loose_credential("bearer  at_1", lambda rule: "any-case")
        'at_1'
    """
    scheme, _, sent = authorization.partition(" ")
    sent = sent.strip()
    if not sent or scheme.lower() != "bearer" or choose(rulebook.api.BEARER_FORM) == "exact":
        return ""
    return sent


def read_bearer(head: RequestHead, rules: Rules) -> str:
    """Return the bearer credential of a request; this does not count as use of a rule."""
    header = head.header("Authorization")
    return parse_credential(header) or parse_loose_credential(header, rules.look_up)


def needs_no_bearer(head: RequestHead, rules: Rules) -> bool:
    """Return whether the file storage accepts a request without a bearer credential, as a deviation allows."""
    return rules.deviations.get(STORAGE_BEARER) is not None and not head.header("Authorization")


@lru_cache(maxsize=256)  # clients ask for the same few again and again
def split_scopes(text: str) -> frozenset[str]:
    """Return the scopes in a list of scopes.

    Examples:
        >>> sorted(split_scopes("user,file bot"))
        ['bot', 'file', 'user']
    """
    return frozenset(text.replace(",", " ").split())
