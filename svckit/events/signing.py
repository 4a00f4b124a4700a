"""The signature of a callback: computing it and checking it."""

import base64
import hmac

from svckit.errors import InvalidInput
from svckit.models.phrases import describe_given
from svckit.models.secret import Secret
from svckit.models.signature import ALGORITHMS, Algorithm, SignedBy, Verifier, check_signed_by
from svckit.profiles.profiles import HasProfile, Profile, find_profile

__all__ = ["BadSignature", "check_secret", "check_signature", "choose_signing", "signature"]

NOT_SHOWN = 'the service\'s description (section "Events › Headers sent") does not show how events are signed'


class BadSignature(ValueError):
    """An error: the request is not from the service, or was changed on the way; do not act on it."""


def signature(body: bytes, secret: str | Secret, algorithm: Algorithm = ALGORITHMS[0]) -> str:
    """Return the signature of a body: base64 of an HMAC over exactly these bytes, keyed with the bot's secret.

    This is an assumption: the service's description (section "Events › Headers sent") does not show how the
    signature is computed, only that it is base64 text.

    Args:
        body: the body of the request, exactly as received.
        secret: the bot's secret.
        algorithm: ``"hmac-sha256"`` or ``"hmac-sha1"``.

    Returns:
        The signature, as base64 text.

    Raises:
        InvalidInput: the secret is empty, the algorithm is unknown, or the body is not bytes.

    Examples:
        >>> signature(b"{}", "canary"), signature(b"{}", "canary", "hmac-sha1")
        ('4JhRyqVy9dkHeeRl4AGTN08u0/G1aNGAXB2sNhRw3eE=', 'SDuDWBfS7fVPNnvTDtyA73ql3OY=')
    """
    secret = check_secret(secret)
    _check_bytes(body)
    if algorithm not in ALGORITHMS:
        raise InvalidInput(f"algorithm is {' or '.join(ALGORITHMS)}; given {algorithm!r}")
    digest = hmac.digest(secret.reveal().encode(), body, algorithm.removeprefix("hmac-"))
    return base64.b64encode(digest).decode()


def _check_bytes(body: object) -> None:
    if not isinstance(body, bytes | bytearray | memoryview):
        raise InvalidInput(
            f"a callback's body is the received bytes, because they are what is signed; given {describe_given(body)}"
        )


def check_secret(secret: object) -> Secret:
    """Check a bot's secret and return it; with an empty one anybody could sign.

    Raises:
        InvalidInput: it is empty, or not a secret.
    """
    if isinstance(secret, str | Secret) and secret:
        return Secret(secret)
    given = "an empty one" if isinstance(secret, str | Secret) else f"a value of type {type(secret).__name__}"
    raise InvalidInput(f"secret is the bot's secret, as text or Secret; given {given}")


def choose_signing(signature: SignedBy | None, on: HasProfile | Profile | None) -> SignedBy:
    """Choose how events are signed: as the argument says, else the profile, else HMAC-SHA256.

    Raises:
        InvalidInput: it is neither an algorithm nor a verifying function.
    """
    if signature is None:
        profile = find_profile(on)
        return ALGORITHMS[0] if profile is None else profile.signature
    try:
        check_signed_by(signature)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    return signature


def check_signature(name: str, given: str, body: bytes, secret: Secret, signed_by: SignedBy) -> None:
    """Check the signature of a body in constant time.

    Args:
        name: the name of the signature header.
        given: the received signature.
        body: the body, exactly as received.
        secret: the bot's secret.
        signed_by: the algorithm, or a verifying function.

    Raises:
        BadSignature: it does not match; says what was tried.
        InvalidInput: the body is not bytes, or the function returned neither a string nor a bool.
    """
    if callable(signed_by):
        _check_bytes(body)
        _check_by(signed_by, name, given.strip(), body, secret)
        return
    if _is_same(given, signature(body, secret, signed_by)):
        return
    others = [other for other in ALGORITHMS if other != signed_by]
    for other in others:
        if _is_same(given, signature(body, secret, other)):
            raise BadSignature(
                f"{name} does not match the body with {signed_by}, but it does with {other}: pass signature={other!r}, "
                "or set signature in the profile"
            )
    raise BadSignature(
        f"{name} does not match the body with {signed_by}, nor with {', '.join(others)}: check that the bot's secret "
        "is right and that the body is exactly the received bytes. If both are, the service signs in another way "
        f"({NOT_SHOWN}): pass a function that verifies it as signature="
    )


def _check_by(verify: Verifier, name: str, given: str, body: bytes, secret: Secret) -> None:
    try:
        found = verify(body, secret, given)
    except Exception as error:  # verifying functions of libraries raise if a signature is wrong
        raise BadSignature(
            f"{name} does not match the body: the function given as signature raised {type(error).__name__}"
        ) from error
    if not isinstance(found, str | bool):
        raise InvalidInput(
            "the function given as signature has to return the expected signature as a string, or True or False; "
            f"it returned {describe_given(found)}"
        )
    if found is not True and (not found or not _is_same(given, found)):
        raise BadSignature(
            f"{name} does not match the body with the function given as signature: check that the bot's secret is "
            "right and that the body is exactly the received bytes"
        )


def _is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(
        given.strip().encode(errors="surrogatepass"), expected.strip().encode(errors="surrogatepass")
    )
