"""Parsing of a callback request: its signature first, then its event."""

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import from_json

from svckit.errors import InvalidInput
from svckit.events.signing import BadSignature, check_secret, check_signature, choose_signing
from svckit.models.event import Event, MessageEvent, UnknownEvent
from svckit.models.problems import join_problems, list_problems
from svckit.models.secret import Secret
from svckit.models.signature import HEADER_WORD, SignedBy, describe_bad_word, is_header_word
from svckit.profiles.profiles import HasProfile, Profile, find_profile

__all__ = ["choose_word", "find_header", "parse"]


def find_header(headers: Mapping[str, str], name: str) -> str | None:
    """Return a header by its name, ignoring case."""
    return next((value for key, value in headers.items() if key.lower() == name.lower()), None)


def choose_word(header_word: str | None, on: HasProfile | Profile | None) -> str:
    """Return the product word in header names: the argument, else that of a profile, else ``SERVICE``.

    Raises:
        InvalidInput: it is not valid in a header name.
    """
    if header_word is None:
        profile = find_profile(on)
        return HEADER_WORD if profile is None else profile.header_word
    if not is_header_word(header_word):
        raise InvalidInput(f"header_word {describe_bad_word(header_word)}")
    return header_word


def parse(
    headers: Mapping[str, str],
    body: bytes,
    *,
    secret: str | Secret,
    header_word: str | None = None,
    signature: SignedBy | None = None,
    on: HasProfile | Profile | None = None,
) -> Event:
    """Check the signature of a callback request and read its event.

    Types that the service's description (section "Events") does not name are kept as received: content as
    `UnknownContent`, events as `UnknownEvent`. A null in an optional field counts as absent.

    Args:
        headers: the request's headers; case does not matter.
        body: the request's body, exactly as received: if parsed and serialized again, its signature differs.
        secret: the bot's secret.
        header_word: the product word in the header names; if omitted, that of ``on``, else ``SERVICE``.
        signature: how events are signed, which the description does not show: ``"hmac-sha256"``, ``"hmac-sha1"``, or
            a function of the body, the bot's secret and the received signature; see `svckit.models.signature`.
            Left out, that of ``on``, else ``"hmac-sha256"``.
        on: a session or a profile, whose service sends the events.

    Returns:
        The event, by its type; see `svckit.events.Event`.

    Raises:
        BadSignature: the signature header is missing or does not match the body.
        InvalidInput: the body is signed but is not an event; or the secret or the body is invalid.

    Examples:
        >>> import hashlib, hmac
        >>> def sha512(body, secret, given):
        ...     return hmac.new(secret.reveal().encode(), body, hashlib.sha512).hexdigest()
        >>> body = b'{"type": "postback", "data": "start"}'
        >>> headers = {"X-SERVICE-Signature": sha512(body, Secret("canary"), "")}
        >>> parse(headers, body, secret="canary", signature=sha512).type
        'postback'
    """
    secret = check_secret(secret)  # hidden from here on, also in a traceback
    word, signed_by = choose_word(header_word, on), choose_signing(signature, on)
    name = f"X-{word}-Signature"
    given = find_header(headers, name)
    if given is None:
        raise BadSignature(
            f"the request has no header {name}; the service sends it with every event{_describe_other_header(headers)}"
        )
    check_signature(name, given, body, secret, signed_by)
    model: type[MessageEvent | UnknownEvent] = UnknownEvent if _is_unknown_event(body) else MessageEvent
    try:
        return model.from_response(body)
    except ValidationError as error:
        problems = list_problems(error)
        raise InvalidInput(f"this is not a message event: {join_problems(problems)}", problems) from None


def _describe_other_header(headers: Mapping[str, str]) -> str:
    """Name the product word of a signature header other than the expected one."""
    for name in headers:
        start, word, end = name[:2], name[2:-10], name[-10:]
        if (start.lower(), end.lower()) == ("x-", "-signature") and is_header_word(word):
            return f". It has {name[:80]}: give header_word={word[:68]!r}"
    return ""


def _is_unknown_event(body: bytes) -> bool:
    """Return whether the body is an event of a type other than ``message``."""
    try:
        event = from_json(body)
    except ValueError:
        return False
    kind = event.get("type") if isinstance(event, dict) else None
    return isinstance(kind, str) and kind != "message"
