"""The URLs of the service: their four areas, their origins, and the quoting of paths."""

import re
from ipaddress import ip_address
from typing import Literal, NamedTuple
from urllib.parse import quote

__all__ = ["BEARER_AREAS", "Area", "Origin", "compile_template", "is_loopback", "locate", "quote_segment"]

Area = Literal["api", "auth", "storage", "hooks"]
"""The four areas of the service: resource API, authorization server, file storage, notifications."""

BEARER_AREAS: tuple[Area, ...] = ("api", "storage")
"""The areas that take the access token."""


class Origin(NamedTuple):
    """Scheme, host and port of a URL; URLs with equal origins lead to the same server."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


DEFAULT_PORTS = {"http": 80, "https": 443}
HIGHEST_PORT = 65535
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::([0-9]*))?")
_HOST = re.compile(r"\[[0-9a-f:.]+\]|[a-z0-9._-]+")
_PARAMETER = re.compile(r"\{(\w+)\}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def locate(url: str) -> tuple[Origin, str]:
    """Split an absolute URL into its origin and the path with the query.

    Put together again, ``f"{origin}{rest}"`` is the same URL in a spelling that all programs read alike. Code that
    compares origins must send to that spelling, not to the original one.

    Raises:
        ValueError: it is not a plain http(s) URL; the message says why, without showing the URL.

    Examples:
        >>> locate("HTTPS://Storage.Fake.Test:443/uploads/1?x=2#top")
        (Origin(scheme='https', host='storage.fake.test', port=443), '/uploads/1?x=2')
        >>> locate("https://storage.fake.test@example.com/")
        Traceback (most recent call last):
        ...
        ValueError: it holds user information (an @ before the host)
    """
    if _CONTROL.search(url):
        raise ValueError("it holds control characters or half of a character")
    parts = _URL.fullmatch(url.partition("#")[0])
    if parts is None:
        raise ValueError("it is not an absolute http or https URL")
    scheme, authority, rest = parts[1].lower(), parts[2], parts[3]
    if "@" in authority:
        raise ValueError("it holds user information (an @ before the host)")
    host_and_port = _AUTHORITY.fullmatch(authority)
    host = _ascii(host_and_port[1]) if host_and_port else ""
    if host_and_port is None or not _HOST.fullmatch(host):
        raise ValueError("its host is not a valid host name or IP address")
    port = int(host_and_port[2] or DEFAULT_PORTS[scheme])
    if not 0 < port <= HIGHEST_PORT:
        raise ValueError("its port is out of range")
    return Origin(scheme, host, port), rest if rest.startswith("/") else f"/{rest}"


def _ascii(host: str) -> str:
    try:
        return host.encode("idna").decode().lower()
    except UnicodeError:
        return ""


def is_loopback(host: str) -> bool:
    """Return whether a host, as `locate` writes it, is this machine.

    Examples:
        >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("[::1]"), is_loopback("example.com")
        (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def compile_template(template: str) -> re.Pattern[str]:
    """Compile a template of paths, whose parameters are groups, each a segment that is not empty.

    Examples:
        >>> compile_template("/users/{userId}/photo").fullmatch("/users/u-001/photo")["userId"]
        'u-001'
    """
    return re.compile(_PARAMETER.sub(r"(?P<\1>[^/]+)", template))


def quote_segment(segment: str) -> str:
    """Quote a value as one segment of a path.

    Raises:
        ValueError: the value cannot be a segment: it is empty, ``.`` or ``..``.

    Examples:
        >>> quote_segment("externalKey:a/b")
        'externalKey%3Aa%2Fb'
        >>> quote_segment("..")
        Traceback (most recent call last):
        ...
        ValueError: '..' cannot be a segment of a path; pass an ID as the service shows it
    """
    if segment in ("", ".", ".."):
        raise ValueError(f"{segment!r} cannot be a segment of a path; pass an ID as the service shows it")
    return quote(segment, safe="")
