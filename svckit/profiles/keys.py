"""The keys of a profile: the purpose of each, and its syntax in a file and in the environment."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from svckit.addresses import Area
from svckit.display.masking import is_secret_name, mask
from svckit.display.terminal import on_one_line
from svckit.models.signature import ALGORITHMS, LONGEST_WORD, is_header_word

__all__ = [
    "KEYS",
    "NAME",
    "RENEW_ON_403",
    "URLS",
    "URL_KEYS",
    "Key",
    "Layer",
    "Setting",
    "Value",
    "check_renew_on",
    "check_tokens",
    "from_file",
    "from_text",
    "holds_secret",
    "read_time_zone",
    "variable_word",
]

URL_KEYS: Mapping[Area, str] = {
    "api": "base_url",
    "auth": "auth_url",
    "storage": "upload_url",
    "hooks": "webhook_url",
}
"""The key of each area's URL."""
URLS = tuple(URL_KEYS.values())

Value: TypeAlias = str | bool | tuple[str, ...]


class Key(NamedTuple):
    """One key of a profile."""

    kind: Literal["text", "list", "numbers", "flag"]
    about: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and its source, such as ``environment variable SVCKIT_BASE_URL``.

    Attributes:
        for_all: whether the source sets it for all profiles, not just for this one.
    """

    value: Value
    source: str
    for_all: bool = field(default=False, repr=False)


@dataclass(slots=True)
class Layer:
    """One profile in one source: its valid values, the problems, and the keys with invalid values.

    Attributes:
        kind: the source; somebody else may have written the project's file.
    """

    kind: Literal["environment", "project", "user"]
    entries: dict[str, Setting] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)


KEYS: Mapping[str, Key] = {
    "base_url": Key("text", "URL of the resource API", required=True),
    "auth_url": Key("text", "URL of the authorization server", required=True),
    "upload_url": Key("text", "URL of the file storage", required=True),
    "webhook_url": Key("text", "URL of the notification endpoint", required=True),
    "client_id": Key("text", "ID of the registered application", required=True),
    "redirect_uri": Key("text", "redirect URL that the application is registered with", required=True),
    "scopes": Key("list", "scopes that the application asks for", required=True),
    "domain": Key("text", "name of the domain, if it uses single sign-on"),
    "header_word": Key("text", "the product word in header names"),
    "signature": Key("text", "how events are signed: hmac-sha256 or hmac-sha1"),
    "webhooks": Key("list", "names of webhook URLs; the URLs themselves are secret"),
    "tokens": Key("text", "where tokens are saved: keyring (the default) or file"),
    "renew_on": Key("numbers", "statuses on which the access token is renewed, once: [401] (the default)"),
    "time_zone": Key(
        "text", "the time zone of times shown and of days, such as Asia/Tokyo: UTC (the default)"
    ),
    "login_id": Key("text", "login ID of the user whom a program signs in to a fake"),
    "admin_url": Key("text", "URL of a fake's admin calls, for svc.fake; set for this profile only"),
    "fake": Key("flag", "whether the service is a fake"),
}
FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
TOKENS = ("keyring", "file")
RESERVED_WEBHOOK = "url"  # SVCKIT_WEBHOOK_URL is the key webhook_url
RENEW_ON_403 = (
    "The service refuses a token that is not valid with 403: set renew_on = [401, 403] in its profile, so that "
    "sessions renew such a token"
)
"""Advice for services with the alternative ``403`` of the rule ``api.unauthorized``."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""Matches the name of a profile, or of a webhook URL."""
_SECRET = re.compile(r"secret|password|passwd|token|api_?key|private_?key", re.IGNORECASE)


def from_file(name: str, value: Any) -> Value:
    """Read a value from a file.

    Raises:
        ValueError: the value is not valid for the key; says what is, and never shows a value that may be secret.

    Examples:
        >>> from_file("scopes", ["user", "file"]), from_file("fake", True)
        (('user', 'file'), True)
        >>> from_file("client_id", 7)
        Traceback (most recent call last):
        ...
        ValueError: takes a quoted string; given a whole number
    """
    match KEYS[name].kind:
        case "flag":
            if not isinstance(value, bool):
                raise ValueError(f"takes true or false; given {_name_type(value)}")
            return value
        case "numbers" if isinstance(value, list):
            check_renew_on(value)
            return tuple(dict.fromkeys(map(str, value)))
        case "numbers":
            raise ValueError(f"takes a list of numbers such as [401, 403]; given {_name_type(value)}")
        case "list" if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return _read_items(name, value)
        case "list" if not isinstance(value, str):
            raise ValueError(f'takes a list of strings such as ["a", "b"]; given {_name_type(value)}')
    if not isinstance(value, str):
        raise ValueError(f"takes a quoted string; given {_name_type(value)}")
    return from_text(name, value)


def from_text(name: str, text: str) -> Value:
    """Read a value from an environment variable; commas or spaces separate the items of a list.

    Raises:
        ValueError: the value is not valid for the key.

    Examples:
        >>> from_text("scopes", "user, file"), from_text("fake", "yes"), from_text("client_id", " client-1 ")
        (('user', 'file'), True, 'client-1')
    """
    text = text.strip()
    match KEYS[name].kind:
        case "flag":
            if text.lower() not in FLAGS:
                raise ValueError("takes true or false")
            return FLAGS[text.lower()]
        case "numbers":
            words = re.findall(r"[^,\s]+", text)
            check_renew_on([int(word) if re.fullmatch("[0-9]{3}", word) else word for word in words])
            return tuple(dict.fromkeys(words))
        case "list":
            return _read_items(name, re.split(r"[,\s]+", text.strip(", ")))
    if not text:
        raise ValueError("is empty")
    if text != on_one_line(text):
        raise ValueError("contains a line break or another control character")
    if mask(text) != text:
        raise ValueError(
            "contains a secret, such as a password or the part after /message/ in a webhook URL; "
            "the URLs of a profile end before that"
        )
    _check_choice(name, text)
    return text


def _check_choice(name: str, text: str) -> None:
    if name == "header_word" and not is_header_word(text):
        raise ValueError(
            "takes the product word in header names, such as SERVICE in X-SERVICE-Signature, with up to "
            f"{LONGEST_WORD} characters"
        )
    if name == "tokens":
        check_tokens(text)
    if name == "time_zone":
        read_time_zone(text)
    if name == "signature" and text not in ALGORITHMS:
        raise ValueError(f"takes {' or '.join(ALGORITHMS)}; a verifying function can be given in Python only")


def _read_items(name: str, items: Iterable[str]) -> tuple[str, ...]:
    unique = tuple(dict.fromkeys(item for item in items if item))
    if name == "webhooks":
        for webhook in unique:
            if not NAME.fullmatch(webhook) or webhook.lower() == RESERVED_WEBHOOK:
                raise ValueError(
                    "takes names of webhook URLs: letters, digits, - and _, but not 'url'. "
                    "The URLs are secret; they come from the environment or the keyring"
                )
    if not unique and KEYS[name].required:
        raise ValueError("is empty")
    return unique


def check_tokens(place: str) -> None:
    """Check where tokens are saved.

    Raises:
        ValueError: there is no such place.
    """
    if place not in TOKENS:
        raise ValueError(f"takes {' or '.join(TOKENS)}; given {place!r}")


def check_renew_on(statuses: Sequence[object]) -> None:
    """Check the statuses on which a session renews its access token.

    Args:
        statuses: the statuses.

    Raises:
        ValueError: the list is empty, or one does not mean that a request was refused.

    Examples:
        >>> check_renew_on([401, 403])
        >>> check_renew_on([500])
        Traceback (most recent call last):
        ...
        ValueError: takes one or more statuses from 400 to 499, such as 401 and 403; given 500
    """
    wrong = [status for status in statuses if type(status) is not int or not 400 <= status < 500]
    if wrong or not statuses:
        given = ", ".join(f"{status!r:.20}" for status in wrong[:3]) or "none"
        raise ValueError(f"takes one or more statuses from 400 to 499, such as 401 and 403; given {given}")


def read_time_zone(name: str) -> tzinfo:
    """Return a time zone by its name.

    Raises:
        ValueError: there is no such time zone.

    Examples:
        >>> read_time_zone("Asia/Tokyo")
        zoneinfo.ZoneInfo(key='Asia/Tokyo')
        >>> read_time_zone("JST")
        Traceback (most recent call last):
        ...
        ValueError: takes the name of a time zone, such as Asia/Tokyo; given 'JST'
    """
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):  # also of names that are paths, or folders
        raise ValueError(f"takes the name of a time zone, such as Asia/Tokyo; given {name!r}") from None


def holds_secret(key: str, value: Any) -> bool:
    """Return whether a key of a file seems to hold a secret, by its name or value."""
    if isinstance(value, dict):
        # As a section, `webhooks` would have the URLs, which are secret.
        return any(holds_secret(inner, held) for inner, held in value.items()) or key == "webhooks"
    return key not in KEYS and (is_secret_name(key) or _SECRET.search(key) is not None)


def variable_word(name: str) -> str:
    """Return a name as it appears in the name of an environment variable.

    Examples:
        >>> variable_word("my-team")
        'MY_TEAM'
    """
    return re.sub(r"[^A-Z0-9]", "_", name.upper())


def _name_type(value: Any) -> str:
    kinds = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        list: "a list",
        dict: "a section",
    }
    return kinds.get(type(value), "a string" if isinstance(value, str) else "a date or time")
