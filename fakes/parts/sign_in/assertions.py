"""Assertions: JWTs with which a client asks for a token of a user, without a login (RFC 7523)."""

from base64 import urlsafe_b64decode
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.rulebook.refusing import describe_choices
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.extras import needing
from svckit.models.problems import shorten

__all__ = ["DELEGATED_USER", "check_claims", "read_claims", "read_public_key"]

ALGORITHM = "RS256"
SMALLEST_KEY = 2048
"""The fewest bits of a key; those of smaller ones can be broken."""
DELEGATED_USER = "delegated_user"
CLAIMS = frozenset({"iss", "sub", "iat", "exp", "nbf", "aud", DELEGATED_USER})
"""The claims that a rule knows; all others are ignored."""
LONGEST = 60 * 60
"""The most seconds that an assertion may be valid from now."""
LEEWAY = 60
"""The seconds by which the client's clock may be ahead."""
LARGEST = 1e15
"""The seconds from which on a time is not a time; far more of them do not fit a float."""
NEEDED_FOR = "the grant type jwt-bearer"
STANDARD_BASE64 = (
    "it is in standard base64, with +, / or =, and the parts of a JWT are in base64url, with - and _ in their place "
    "and no = at the end"
)
TIMES = {
    "iat": rulebook.tokens.ASSERTION_ISSUED_AT,
    "exp": rulebook.tokens.ASSERTION_EXPIRY,
    "nbf": rulebook.tokens.ASSERTION_NOT_BEFORE,
}
TO_BASE64URL = str.maketrans("+/", "-_", "=")


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


def read_claims(assertion: str, public_key: str, rules: Rules) -> dict[str, Any]:
    """Return the claims of an assertion, after checking its signature.

    Raises:
        Refusal: it is not a JWT, or is not signed with the key.
    """
    try:
        with needing(NEEDED_FOR, "jwt"):
            import jwt
    except ModuleNotFoundError as missing:
        raise Refusal("unsupported_grant", str(missing)) from None
    url_form = assertion.translate(TO_BASE64URL)
    is_standard = url_form != assertion and assertion.count(".") == 2
    if is_standard and rules.apply(rulebook.tokens.ASSERTION_BASE64) == "base64url":
        remedy = describe_choices({rulebook.tokens.ASSERTION_BASE64.id: "standard-too"})
        raise Refusal("bad_grant", f"the assertion is not valid: {STANDARD_BASE64}", remedy=remedy)
    try:
        if is_standard:  # which the library does not read; the signature is that of the text as sent
            if jwt.get_unverified_header(url_form).get("alg") != ALGORITHM:
                raise jwt.InvalidAlgorithmError
            algorithm = jwt.get_algorithm_by_name(ALGORITHM)
            signed, signature = assertion.rpartition(".")[0], url_form.rpartition(".")[2]
            key = algorithm.prepare_key(public_key)
            if not algorithm.verify(signed.encode(), key, urlsafe_b64decode(f"{signature}==")):
                raise jwt.InvalidSignatureError
        return jwt.decode(
            url_form,
            public_key,
            algorithms=[ALGORITHM],
            options={  # `check_claims` does this by the fake's clock, and in its own words
                "verify_signature": not is_standard,
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
    except (jwt.InvalidTokenError, ValueError) as broken:
        wrong = f"it is not a JWT: {shorten(str(broken))}"
    raise Refusal("bad_grant", f"the assertion is not valid: {wrong}")


class _Problem(NamedTuple):
    """A problem of a claim, and the alternatives of a rule under which it matters."""

    claim: str
    words: str
    rule: Rule
    strict: tuple[str, ...]

    @property
    def allowing(self) -> tuple[str, str]:
        """The rule, and the alternative that allows it."""
        return self.rule.id, next(choice for choice in self.rule.alternatives if choice not in self.strict)


def check_claims(
    claims: Mapping[str, Any], client_id: str, audiences: Collection[str], now: datetime, rules: Rules
) -> list[str]:
    """Check the claims of an assertion by the fake's clock.

    Args:
        claims: the claims.
        client_id: the client that sent them.
        audiences: the URLs that ``aud`` may name.
        now: the time.
        rules: the rules that decide what matters.

    Returns:
        The names of the claims that were ignored.

    Raises:
        Refusal: a claim is missing or wrong; all problems are reported together.

    Examples:
        >>> now = datetime.fromisoformat("2026-06-01T09:00:00+09:00")
        >>> second = int(now.timestamp())
        >>> claims = {"iss": "client-1", "sub": "u-002", "iat": second, "exp": second + 3600, "jti": "1"}
        >>> check_claims(claims, "client-1", (), now, Rules())
        ['jti']
        >>> check_claims(claims | {"exp": second - 5}, "client-1", (), now, Rules())
        Traceback (most recent call last):
        ...
        fakes.http.errors.Refusal: the assertion is not valid: exp must be later than now; given 5 seconds ago; ...
    """
    found = [
        *_find_name_problems(claims, client_id, audiences),
        *_find_time_problems(claims, now.timestamp()),
    ]
    matter = [problem for problem in found if rules.apply(problem.rule) in problem.strict]
    problems, choices = [problem.words for problem in matter], dict(problem.allowing for problem in matter)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject:
        problems.append("sub must be the login ID or the ID of a user; " + _describe(subject))
        choices = {}  # no choice allows that
    if any(problem.claim in TIMES for problem in matter):
        problems.append(f"now is {now.isoformat()}, {int(now.timestamp())}, by the fake's clock")
    if problems:
        remedy = describe_choices(choices) if choices else ""
        raise Refusal("bad_grant", f"the assertion is not valid: {'; '.join(problems)}", remedy=remedy)
    unchecked = {problem.claim for problem in found} & claims.keys()
    return sorted({name for name in claims if name not in CLAIMS} | unchecked)


def _find_name_problems(
    claims: Mapping[str, Any], client_id: str, audiences: Collection[str]
) -> Iterator[_Problem]:
    issuer, audience = claims.get("iss"), claims.get("aud")
    if issuer != client_id:
        words = f"iss must be the client_id, {client_id}; " + _describe(issuer)
        yield _Problem("iss", words, rulebook.tokens.ASSERTION_ISSUER, ("client-id",))
    named = audience if isinstance(audience, list) else [audience]
    if "aud" in claims and not any(url in named for url in audiences):
        words = f"aud must be {' or '.join(audiences)}; " + _describe(audience)
        yield _Problem("aud", words, rulebook.tokens.ASSERTION_AUDIENCE, ("checked",))


def _find_time_problems(claims: Mapping[str, Any], now: float) -> Iterator[_Problem]:
    """Yield what is wrong with the times."""
    for name, rule in TIMES.items():
        given: Any = claims.get(name)
        if name == "nbf" and given is None:
            continue
        strict = rule.alternatives[:-1] if name == "exp" else ("checked",)
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        if not is_number or not -LARGEST < given < LARGEST:  # nor NaN, which is not less than anything
            words = f"{name} must be a number of seconds since 1970; " + _describe(given)
            yield _Problem(name, words, rule, strict)
            continue
        ahead = given - now
        if name != "exp" and ahead > LEEWAY:
            words = f"{name} must not be in the future; given {ahead:.0f} seconds from now"
            yield _Problem(name, words, rule, strict)
        elif name == "exp" and ahead <= 0:
            words = f"exp must be later than now; given {abs(ahead):.0f} seconds ago"
            yield _Problem(name, words, rule, strict)
        elif name == "exp" and ahead > LONGEST + LEEWAY:
            words = (
                f"exp must be at most {LONGEST // 60} minutes from now; given {ahead:.0f} seconds from now"
            )
            yield _Problem(name, words, rule, rule.alternatives[:1])


def _describe(given: object) -> str:
    return "it is missing" if given is None else f"given {shorten(repr(given))}"
