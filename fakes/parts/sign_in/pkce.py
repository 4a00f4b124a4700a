"""Proof Key for Code Exchange (RFC 7636): a code works only with the secret whose hash its request has sent."""

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from hmac import compare_digest

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.sign_in.authorization_data import AuthorizationParameters, Grant
from fakes.rulebook.rules import Rules
from svckit.models.problems import shorten

__all__ = ["check_challenge", "check_verifier"]

PLAIN, S256 = "plain", "S256"
FORM = re.compile(r"[A-Za-z0-9._~-]{43,128}")
FORM_WORDS = "43 to 128 of the characters A-Z, a-z, 0-9, -, ., _ and ~"


def check_challenge(request: AuthorizationParameters, rules: Rules) -> None:
    """Check the challenge of an authorization request, if that is assumed.

    Raises:
        Refusal: it has no valid form, or its method is unknown.
    """
    challenge, method = request.code_challenge, request.code_challenge_method
    wrong = None
    if method and not challenge:
        wrong = "code_challenge is missing, and code_challenge_method was sent"
    elif method not in ("", PLAIN, S256):
        wrong = f"code_challenge_method must be {S256} or {PLAIN}; given {shorten(method)!r}"
    elif challenge and not FORM.fullmatch(challenge):
        wrong = f"code_challenge must have {FORM_WORDS}; given {len(challenge)} characters"
    if wrong and rules.apply(rulebook.auth.PKCE) == "checked":
        raise Refusal("invalid", wrong)


def check_verifier(grant: Grant, verifier: str, rules: Rules) -> None:
    """Check the verifier sent with a code, if that is assumed.

    Raises:
        Refusal: it does not fit the challenge of the authorization request, or only one of the two was sent.
    """
    challenge, wrong = grant.code_challenge, None
    if verifier and not challenge:
        wrong = "the authorization request had no code_challenge; leave code_verifier out, or send both"
    elif challenge and not verifier:
        wrong = "code_verifier is missing, and the authorization request had a code_challenge"
    elif challenge and not FORM.fullmatch(verifier):
        wrong = f"code_verifier must have {FORM_WORDS}; given {len(verifier)} characters"
    elif challenge and not compare_digest(transform(verifier, grant.code_challenge_method), challenge):
        wrong = (
            "code_verifier does not fit the code_challenge of the authorization request, by the method "
            f"{grant.code_challenge_method or PLAIN}"
        )
    if wrong and rules.apply(rulebook.auth.PKCE) == "checked":
        raise Refusal("bad_grant", wrong)


def transform(verifier: str, method: str) -> str:
    """Return the challenge of a verifier.

    Examples:
        >>> transform("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "S256")  # the example of the RFC
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    """
    if method != S256:
        return verifier
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
