"""Signatures of callback events, which the service's description (section "Events › Headers sent") does not specify."""

import inspect
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from svckit.models.secret import Secret

__all__ = ["ALGORITHMS", "Algorithm", "SignedBy", "Verifier", "check_signed_by"]

Algorithm = Literal["hmac-sha256", "hmac-sha1"]
"""Base64 of an HMAC over the exact bytes of the body, keyed with the bot's secret."""

ALGORITHMS: Final[tuple[Algorithm, ...]] = get_args(Algorithm)
"""The plausible algorithms; the first one is assumed."""

Verifier: TypeAlias = Callable[[bytes, Secret, str], str | bool]
"""A function of the body, the bot's secret and the received signature.

It returns either the expected signature, which is compared in constant time, or whether the received one is right.
"""

SignedBy: TypeAlias = Algorithm | Verifier


def check_signed_by(signature: object, what: str = "signature") -> None:
    """Check that events can be verified this way.

    Args:
        signature: an algorithm or a verifying function.
        what: the name of the setting, for the message.

    Raises:
        ValueError: it is not one of these.

    Examples:
        >>> check_signed_by("hmac-sha1")
        >>> check_signed_by("sha256")
        Traceback (most recent call last):
        ...
        ValueError: signature must be hmac-sha256, hmac-sha1 or a function of the body, the bot's secret and the
        received signature; given 'sha256'
    """
    if signature in ALGORITHMS or (callable(signature) and _accepts_three_arguments(signature)):
        return
    given = "a function with other arguments" if callable(signature) else repr(signature)[:40]
    raise ValueError(
        f"{what} must be {', '.join(ALGORITHMS)} or a function of the body, the bot's secret and the received "
        f"signature; given {given}"
    )


def _accepts_three_arguments(function: Callable[..., object]) -> bool:
    try:
        inspect.signature(function).bind(b"", Secret(""), "")
    except TypeError:
        return False
    except ValueError:  # a function written in C may not show its arguments
        return True
    return True
