"""Headers and signatures of events, which the service's description (section "Events › Headers sent") leaves open."""

import inspect
import re
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from svckit.models.secret import Secret

__all__ = [
    "ALGORITHMS",
    "HEADER_WORD",
    "LONGEST_WORD",
    "Algorithm",
    "SignedBy",
    "Verifier",
    "check_signed_by",
    "describe_bad_word",
    "is_header_word",
]

HEADER_WORD: Final = "SERVICE"
"""The word of the description that stands for the product in header names."""
LONGEST_WORD: Final = 100
"""The most characters of the word that replaces it."""
_TOKEN = re.compile(rf"[A-Za-z0-9!#$%&'*+.^_`|~-]{{1,{LONGEST_WORD}}}")

Algorithm = Literal["hmac-sha256", "hmac-sha1"]
"""Base64 of an HMAC over the exact bytes of the body, keyed with the bot's secret."""

ALGORITHMS: Final[tuple[Algorithm, ...]] = get_args(Algorithm)
"""The plausible algorithms; the first one is assumed."""

Verifier: TypeAlias = Callable[[bytes, Secret, str], str | bool]
"""A function of the body, the bot's secret and the received signature.

It returns either the expected signature, which is compared in constant time, or whether the received one is right.
"""

SignedBy: TypeAlias = Algorithm | Verifier


def is_header_word(text: object) -> bool:
    """Return whether a text can be part of a header's name (a token of RFC 9110, section 5.6.2), and not too long.

    Examples:
        >>> is_header_word("SERVICE"), is_header_word("MY SERVICE"), is_header_word(""), is_header_word("A" * 101)
        (True, False, False, False)
    """
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def describe_bad_word(word: object) -> str:
    """Describe what is wrong with a product word, to follow its name in an error.

    Examples:
        >>> describe_bad_word("MY ACME")
        "is the product word in header names, such as SERVICE in X-SERVICE-Signature; given 'MY ACME'"
    """
    given = repr(word)
    if isinstance(word, str) and len(word) > LONGEST_WORD:
        given = f"{len(word)} characters, of {LONGEST_WORD} at most"
    return f"is the product word in header names, such as {HEADER_WORD} in X-{HEADER_WORD}-Signature; given {given}"


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
