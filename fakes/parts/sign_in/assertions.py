"""Assertions: JWTs with which a client asks for a token of a user, without a login (RFC 7523)."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from fakes.http.errors import Refusal
from svckit.extras import needing
from svckit.models.problems import shorten

__all__ = ["CLAIMS", "check_claims", "read_claims", "read_public_key"]

ALGORITHM = "RS256"
SMALLEST_KEY = 2048
"""The fewest bits of a key; those of smaller ones can be broken."""
CLAIMS = frozenset({"iss", "sub", "iat", "exp"})
"""The claims that are checked; all others are ignored."""
LONGEST = 60 * 60
"""The most seconds that an assertion may be valid from now."""
LEEWAY = 60
"""The seconds by which the client's clock may be ahead."""
LARGEST = 1e15
"""The seconds from which on a time is not a time; far more of them are no float any more."""
NEEDED_FOR = "the grant type jwt-bearer"


def read_public_key(pem: str | bytes) -> str:
    """Return a public key that was given as PEM, as the text to keep.

    Raises:
        Refusal: it is not an RSA public key, or is too small.
        ModuleNotFoundError: the library is not installed.
    """
    with needing(NEEDED_FOR, "jwt"):
        import jwt  # noqa: F401 - it checks the assertions, so it is missed now and not only then
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    given = pem.encode() if isinstance(pem, str) else pem
    if b"PRIVATE KEY" in given:
        raise Refusal(
            "invalid", "this is a private key, which only the client needs; register its public key"
        )
    try:
        key = serialization.load_pem_public_key(given)
    except (ValueError, UnsupportedAlgorithm):
        raise Refusal(
            "invalid",
            "the key must be an RSA public key as PEM, which begins with -----BEGIN PUBLIC KEY-----",
        ) from None
    if not isinstance(key, RSAPublicKey):
        raise Refusal("invalid", f"the key must be an RSA key, for {ALGORITHM}; given {type(key).__name__}")
    if key.key_size < SMALLEST_KEY:
        raise Refusal("invalid", f"the key must have at least {SMALLEST_KEY} bits; given {key.key_size}")
    form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_bytes(*form).decode()


def read_claims(assertion: str, public_key: str) -> dict[str, Any]:
    """Return the claims of an assertion, after checking its signature.

    Raises:
        Refusal: it is not a JWT, or is not signed with the key.
    """
    try:
        with needing(NEEDED_FOR, "jwt"):
            import jwt
    except ModuleNotFoundError as missing:
        raise Refusal("unsupported_grant", str(missing)) from None
    try:
        return jwt.decode(
            assertion,
            public_key,
            algorithms=[ALGORITHM],
            options={  # `check_claims` does this by the fake's clock, and in its own words
                "verify_exp": False,
                "verify_iat": False,
                "verify_nbf": False,
                "verify_aud": False,
                "verify_sub": False,
                "verify_jti": False,
            },
        )
    except jwt.InvalidSignatureError:
        wrong = "its signature is not that of the key registered for this client"
    except jwt.InvalidAlgorithmError:
        wrong = f"it must be signed with {ALGORITHM}"
    except jwt.InvalidTokenError as broken:
        wrong = f"it is not a JWT: {shorten(str(broken))}"
    raise Refusal("bad_grant", f"the assertion is not valid: {wrong}")


def check_claims(claims: Mapping[str, Any], client_id: str, now: datetime) -> str:
    """Check the claims of an assertion by the fake's clock, and return its ``sub``.

    Raises:
        Refusal: a claim is missing or wrong; all problems are reported together.

    Examples:
        >>> now = datetime.fromisoformat("2026-06-01T09:00:00+09:00")
        >>> second = int(now.timestamp())
        >>> claims = {"iss": "client-1", "sub": "u-002", "iat": second, "exp": second + 3600}
        >>> check_claims(claims, "client-1", now)
        'u-002'
        >>> check_claims(claims | {"exp": second - 5}, "client-1", now)
        Traceback (most recent call last):
        ...
        fakes.http.errors.Refusal: the assertion is not valid: exp must be later than now; given 5 seconds ago; ...
    """
    problems = [*_find_name_problems(claims, client_id), *_find_time_problems(claims, now)]
    if problems:
        raise Refusal("bad_grant", f"the assertion is not valid: {'; '.join(problems)}")
    return str(claims["sub"])


def _find_name_problems(claims: Mapping[str, Any], client_id: str) -> Iterator[str]:
    issuer, subject = claims.get("iss"), claims.get("sub")
    if issuer != client_id:
        yield f"iss must be the client_id, {client_id}; " + _describe(issuer)
    if not isinstance(subject, str) or not subject:
        yield "sub must be the login ID or the ID of a user; " + _describe(subject)


def _find_time_problems(claims: Mapping[str, Any], now: datetime) -> Iterator[str]:
    """Yield what is wrong with the times, and then what the time is here."""
    wrong = []
    for name in ("iat", "exp"):
        given: Any = claims.get(name)
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        if not is_number or not -LARGEST < given < LARGEST:  # nor NaN, which is not less than anything
            wrong.append(f"{name} must be a number of seconds since 1970; " + _describe(given))
            continue
        ahead = given - now.timestamp()
        if name == "iat" and ahead > LEEWAY:
            wrong.append(f"iat must not be in the future; given {ahead:.0f} seconds from now")
        elif name == "exp" and ahead <= 0:
            wrong.append(f"exp must be later than now; given {abs(ahead):.0f} seconds ago")
        elif name == "exp" and ahead > LONGEST + LEEWAY:
            wrong.append(
                f"exp must be at most {LONGEST // 60} minutes from now; given {ahead:.0f} seconds from now"
            )
    yield from wrong
    if wrong:
        yield f"now is {now.isoformat()}, {int(now.timestamp())}, by the fake's clock"


def _describe(given: object) -> str:
    return "it is missing" if given is None else f"given {shorten(repr(given))}"
