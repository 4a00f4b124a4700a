"""Keys and assertions of service accounts."""

import json
from base64 import b64encode
from functools import cache

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@cache
def private_key(name="first", bits=2048):
    """A private key of this name."""
    return rsa.generate_private_key(65537, bits)


def public_pem(key):
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def private_pem(key):
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def claims_of(fake, **changes):
    """The claims of a valid assertion, with changes; a claim that is None is left out."""
    now = int(fake.clock.now().timestamp())
    claims = {"iss": fake.facts["client_id"], "sub": fake.facts["login_id"], "iat": now, "exp": now + 3600}
    return {name: value for name, value in (claims | changes).items() if value is not None}


def assert_for(fake, key=None, algorithm="RS256", **changes):
    """An assertion, signed."""
    return jwt.encode(claims_of(fake, **changes), key or private_key(), algorithm=algorithm)


def assert_in_base64(fake, key=None, **changes):
    """An assertion whose parts are in standard base64, as shell scripts write them."""
    parts = {"alg": "RS256", "typ": "JWT"}, claims_of(fake, **changes)
    signed = ".".join(b64encode(json.dumps(part).encode()).decode() for part in parts)
    signature = (key or private_key()).sign(signed.encode(), PKCS1v15(), SHA256())
    return f"{signed}.{b64encode(signature).decode()}"


def ask_for_token(me, assertion=None, **changes):
    """Ask for a token with an assertion; a parameter that is None is left out."""
    form = {
        "grant_type": JWT_BEARER,
        "assertion": assertion or assert_for(me.fake),
        "scope": "user",
        "client_id": me.facts["client_id"],
        "client_secret": me.facts["client_secret"],
    }
    form = {name: value for name, value in (form | changes).items() if value is not None}
    return me.http.post(me.facts["auth_url"] + "/oauth2/v2.0/token", data=form)
