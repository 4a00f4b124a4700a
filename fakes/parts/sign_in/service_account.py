"""The keys of the fake: those of the service account of the facts, which also sign ID tokens."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from fakes.parts.sign_in.authorization_data import RegisteredClient
from fakes.parts.sign_in.clients import SERVICE_ACCOUNT

__all__ = [
    "KEY_ALGORITHM",
    "KeyPair",
    "describe_public_key",
    "make_key_pair",
    "make_service_account",
    "sign",
]

KEY_ALGORITHM: Final = "RS256"
KEY_ID: Final = "fake-key-1"

# The primes of an RSA key of 2048 bits, the same in each fake: to generate one takes up to a second, and it would be
# another after each start. It protects nothing: a token needs the client secret too, and what it signs is a fake's.
PRIMES = (
    int(
        "c978010a95878588e3fbf7769892863bbbb7114eb2e1da37800fb72a4436a1c2a96fca0b3a8663719bbef05ae6"
        "d849afb0fd0b8a7b7b914c4317f3f0991f76111e3538e843dbb204bf54e19283547bfd470af83974e437b9acef"
        "11fc33d758dcdbada004c0d35a509d53b1def9ed034144e22a22831b2c77a61578ed8803ca1b",
        16,
    ),
    int(
        "bfa4aa903a483e71cdc68fe9b4f3a1ff94ef68da2cc9bc6728ad50eec6243d0cd32737bfa68b14faaa45145fac"
        "080613223bcf7102f45b385a725f6ac6f89d7d1d2d5e08d908b53f7aa216bb0175f8b7f1add490432ecca28c42"
        "135db4577696927873e4ab3ab4a1ac1346959823156490b67ffaa90f81d0035d8e8f1fb46a4f",
        16,
    ),
)
EXPONENT = 65537


class KeyPair(NamedTuple):
    """Both keys of the service account, as PEM."""

    private: str
    public: str


@cache
def make_key_pair() -> KeyPair | None:
    """Return the keys of the service account; None without the libraries of the extra ``jwt``."""
    try:
        import jwt  # noqa: F401 - it checks the assertions
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa
    except ModuleNotFoundError:
        return None
    p, q = PRIMES
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    key = rsa.RSAPrivateNumbers(
        p=p,
        q=q,
        d=d,
        dmp1=rsa.rsa_crt_dmp1(d, p),
        dmq1=rsa.rsa_crt_dmq1(d, q),
        iqmp=rsa.rsa_crt_iqmp(p, q),
        public_numbers=rsa.RSAPublicNumbers(EXPONENT, p * q),
    ).private_key()
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    public = key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    return KeyPair(private, public)


def make_service_account(seed: int | str) -> RegisteredClient | None:
    """Return the client of the service account, whose secret follows from a seed.

    Returns:
        The client; None without the libraries of the extra ``jwt``.

    Examples:
        >>> make_service_account(0).client_id
        'service-account-1'
    """
    pair = make_key_pair()
    if pair is None:
        return None
    secret = blake2b(f"{seed}:service-account".encode(), digest_size=20).hexdigest()
    return RegisteredClient(SERVICE_ACCOUNT, f"cs_{secret}", public_key=pair.public)


def sign(claims: Mapping[str, Any]) -> str:
    """Return claims as a JWT, signed with the private key.

    Raises:
        ModuleNotFoundError: the libraries of the extra ``jwt`` are missing.
    """
    import jwt

    pair = make_key_pair()
    key = pair.private if pair else ""
    return jwt.encode(dict(claims), key, KEY_ALGORITHM, headers={"kid": KEY_ID})


def describe_public_key() -> dict[str, str]:
    """Return the public key as a JSON Web Key (RFC 7517).

    Examples:
        >>> describe_public_key()["e"]
        'AQAB'
    """
    numbers = {"n": PRIMES[0] * PRIMES[1], "e": EXPONENT}
    encoded = {
        name: urlsafe_b64encode(number.to_bytes((number.bit_length() + 7) // 8)).rstrip(b"=").decode()
        for name, number in numbers.items()
    }
    return {"kty": "RSA", "use": "sig", "alg": KEY_ALGORITHM, "kid": KEY_ID, **encoded}
