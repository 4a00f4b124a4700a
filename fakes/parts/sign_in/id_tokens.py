"""ID tokens of OpenID Connect, which the service's description does not show."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from hmac import digest

from pydantic_core import to_json

__all__ = ["make_id_token"]


def make_id_token(
    client_secret: str, *, issuer: str, user_id: str, client_id: str, issued_at: int, lifetime: int
) -> str:
    """Return a JWT about a user who signed in, signed with the client secret (HS256).

    OpenID Connect has that signature for clients with a secret, so that no keys have to be published. The claim
    ``nonce`` is missing, as the authorization request has no such parameter.

    Args:
        client_secret: the key of the signature.
        issuer: the URL of the authorization server.
        user_id: the user.
        client_id: the application.
        issued_at: seconds since 1970.
        lifetime: seconds until it expires.

    Examples:
        >>> make_id_token("s", issuer="i", user_id="u", client_id="c", issued_at=0, lifetime=1).partition(".")[0]
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9'
    """
    claims = {
        "iss": issuer,
        "sub": user_id,
        "aud": client_id,
        "iat": issued_at,
        "exp": issued_at + lifetime,
    }
    signed = f"{_encode(to_json({'alg': 'HS256', 'typ': 'JWT'}))}.{_encode(to_json(claims))}"
    return f"{signed}.{_encode(digest(client_secret.encode(), signed.encode(), sha256))}"


def _encode(part: bytes) -> str:
    return urlsafe_b64encode(part).rstrip(b"=").decode()
