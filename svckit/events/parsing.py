"""A callback request: its signature first, then the event in it."""

import base64
import hmac
from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import from_json

from svckit.errors import InvalidInput
from svckit.models.event import Event, MessageEvent, UnknownEvent
from svckit.models.problems import problems_of
from svckit.models.secret import Secret
from svckit.profiles import HEADER_WORD, HasProfile, Profile
from svckit.wire import is_token

__all__ = ["BadSignature", "checked_secret", "header", "parse", "signature", "word_of"]


class BadSignature(ValueError):
    """The request does not come from the service, or was changed on the way; do not act on it."""


def signature(body: bytes, secret: str | Secret) -> str:
    """The signature of a body: base64 of HMAC-SHA256 over exactly these bytes, keyed with the bot's secret.

    This is an assumption: the service's description (section "Events › Headers sent") does not show how the
    signature is computed, only that it is base64 text.

    Raises:
        InvalidInput: there is no secret, or the body is not the bytes that came.
    """
    secret = checked_secret(secret)
    if not isinstance(body, bytes | bytearray | memoryview):
        raise InvalidInput(
            f"a callback's body is the bytes as they came, which are what is signed; given a {type(body).__name__}"
        )
    return base64.b64encode(hmac.digest(secret.reveal().encode(), body, "sha256")).decode()


def checked_secret(secret: object) -> Secret:
    """A bot's secret; with an empty one anybody could sign.

    Raises:
        InvalidInput: it is empty, or none.
    """
    if isinstance(secret, str | Secret) and secret:
        return Secret(secret)
    given = "an empty one" if isinstance(secret, str | Secret) else f"a {type(secret).__name__}"
    raise InvalidInput(f"secret is the bot's secret, as text or Secret; given {given}")


def header(headers: Mapping[str, str], name: str) -> str | None:
    """A header by its name, in any capitalisation."""
    return next((value for key, value in headers.items() if key.lower() == name.lower()), None)


def word_of(header_word: str | None, on: HasProfile | Profile | None) -> str:
    """The product word in the header names: the one given, else that of a profile, else ``SERVICE``.

    Raises:
        InvalidInput: it can be in no header's name.
    """
    if header_word is None:
        profile = on if on is None or isinstance(on, Profile) else on.profile
        return HEADER_WORD if profile is None else profile.header_word
    if not is_token(header_word):
        raise InvalidInput(
            f"header_word is the product word in header names, such as {HEADER_WORD} in X-{HEADER_WORD}-Signature; "
            f"given {header_word!r}"
        )
    return header_word


def parse(
    headers: Mapping[str, str],
    body: bytes,
    *,
    secret: str | Secret,
    header_word: str | None = None,
    on: HasProfile | Profile | None = None,
) -> Event:
    """Check the signature of a callback request and read its event.

    What the service's description (section "Events") does not name is kept as it came: content of an unknown type
    as `UnknownContent`, an event of an unknown type as `UnknownEvent`.

    Args:
        headers: the request's headers; their capitalisation does not matter.
        body: the request's body, exactly as it came: parsed and written again, it has another signature.
        secret: the bot's secret.
        header_word: the product word in the header names; left out, that of ``on``, else ``SERVICE``.
        on: a session or a profile, whose service sends the events.

    Raises:
        BadSignature: the signature header is missing or does not fit the body.
        InvalidInput: the body is signed but is no event; or what is given is no secret, or no body of bytes.
    """
    secret = checked_secret(secret)  # hidden from here on, also in a traceback
    name = f"X-{word_of(header_word, on)}-Signature"
    given = header(headers, name)
    if given is None:
        raise BadSignature(f"the request has no header {name}; the service sends it with every event")
    if not hmac.compare_digest(given.strip().encode(), signature(body, secret).encode()):
        raise BadSignature(
            f"{name} does not fit the body: check that the bot's secret is the right one and that the body "
            "is passed as the bytes that came"
        )
    try:
        return UnknownEvent.from_wire(body) if _is_unknown(body) else MessageEvent.from_wire(body)
    except ValidationError as error:
        problems = problems_of(error)
        listed = "; ".join(problem.message for problem in problems)
        raise InvalidInput(f"this is no message event: {listed}", problems) from None


def _is_unknown(body: bytes) -> bool:
    """Whether the body is an event of another type than ``message``; what is no event at all is not unknown."""
    try:
        event = from_json(body)
    except ValueError:
        return False
    kind = event.get("type") if isinstance(event, dict) else None
    return isinstance(kind, str) and kind != "message"
