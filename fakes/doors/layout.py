"""The URLs at which a door serves the areas of a fake: under one base URL, or at an origin for each area."""

import re
from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any, get_args
from urllib.parse import quote

from fakes.http.addresses import Area, BaseURLs, split_origin

__all__ = ["AREAS", "Layout", "check_base_path", "check_ports"]

Scope = MutableMapping[str, Any]

AREAS: Sequence[Area] = get_args(Area)
LAST_PORT = 65535
ABSOLUTE = re.compile(r"https?://([^/]*)", re.IGNORECASE)
"""The start of a request target in absolute form, which every server has to accept (RFC 9112 3.2.2)."""
HOST = re.compile(r"(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{1,5}))?")
"""A host, with its IPv6 address and its port as groups, if it has them."""
PATH = re.compile(r"(/(?!\.{1,2}(/|$))([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+")
"""A path as clients send it: they resolve segments of dots themselves."""
PORT = re.compile(r"(\w+://(?:\[[^]]*\]|[^:/]*))(?::\d+)?")
"""The start of a URL up to and including its port; the group ends before the port."""
IN_PATHS = "/%:@!$&'()*+,;=~"


class Layout:
    """The base URLs of the areas, and the URL that a request was sent to.

    Without ``ports``, all areas share an origin: ``/api``, ``/auth``, ``/storage``, ``/hooks`` and ``/admin`` below one
    base URL. With ``ports``, each area has an origin, and its port tells it; the resource API is at the root of its
    origin.

    Args:
        base: the base URL, without a trailing slash; if omitted, it follows each request (see `AsgiDoor`).
        base_path: the path of the resource API below its origin, such as ``/v1.0``; ``/`` for none. It replaces
            ``/api``.
        ports: the ports of the areas, in the order api, auth, storage, hooks, admin.
        forwarded: whether ``X-Forwarded-Proto``, ``-Host`` and ``-Prefix`` decide the base URL of a request that has
            one of them. With ``ports``, only the name of the host counts, as each area keeps its port.

    Raises:
        ValueError: ``base_path`` is not a path, or belongs to another area.

    Examples:
        >>> scope = {"path": "/v1.0/users/u-001", "headers": [], "server": ("127.0.0.1", 8000)}
        >>> url, base_urls = Layout("http://127.0.0.1:8000", base_path="/v1.0").find(scope)
        >>> url, base_urls.api, base_urls.auth
        ('http://127.0.0.1:8000/v1.0/users/u-001', 'http://127.0.0.1:8000/v1.0', 'http://127.0.0.1:8000/auth')
        >>> Layout("http://127.0.0.1", ports=range(8000, 8005)).find(scope)[1].storage
        'http://127.0.0.1:8002'
    """

    def __init__(
        self,
        base: str | None = None,
        *,
        base_path: str | None = None,
        ports: Sequence[int] | None = None,
        forwarded: bool = False,
    ) -> None:
        if base_path is not None:
            base_path = check_base_path(base_path, alone=ports is not None)
        self._base = base
        self._base_path = base_path
        self._ports = None if ports is None else tuple(ports)
        self._forwarded = forwarded
        self._fixed = None if base is None else self.place(base)  # None if it follows each request

    def place(self, base: str) -> BaseURLs:
        """Return the base URLs of the areas below a base URL."""
        return place_areas(base, self._base_path, self._ports)

    def find(self, scope: Scope) -> tuple[str, BaseURLs]:
        """Return the URL that a request was sent to, without its query, and the base URLs for its response.

        Args:
            scope: the ASGI scope of the request.
        """
        base, base_urls = self._base, self._fixed
        if self._forwarded and (named := get_forwarded_base(scope)) is not None:
            base, base_urls = named, None
        if base is None:
            base = get_base(scope)
        if base_urls is None:
            base_urls = self.place(base)
        if self._ports is not None:
            base = put_port(base, scope["server"][1])
        return base + strip_root(scope), base_urls


def check_ports(first: int) -> None:
    """Check that each area can have a port of its own, from the first one on.

    Raises:
        ValueError: the first one is too high.

    Examples:
        >>> check_ports(65531)
        >>> check_ports(65532)
        Traceback (most recent call last):
        ...
        ValueError: five ports are needed for an origin for each area, so the first may be up to 65531; given 65532
    """
    if first > LAST_PORT - len(AREAS) + 1:
        raise ValueError(
            "five ports are needed for an origin for each area, so the first may be up to "
            f"{LAST_PORT - len(AREAS) + 1}; given {first}"
        )


def check_base_path(path: str, *, alone: bool) -> str:
    """Return the path of the resource API without a trailing slash, empty for the root.

    Args:
        path: the path as given.
        alone: whether the resource API has an origin of its own.

    Raises:
        ValueError: it is not a path, or belongs to another area.

    Examples:
        >>> check_base_path("/v1.0/", alone=False), check_base_path("/", alone=True)
        ('/v1.0', '')
        >>> check_base_path("/auth/v1", alone=False)
        Traceback (most recent call last):
        ...
        ValueError: the base path '/auth/v1' is below /auth, which is another area's on one origin; choose another ...
    """
    checked = path.rstrip("/")
    if not path.startswith("/") or (checked and not PATH.fullmatch(checked)):
        raise ValueError(
            f"the base path must start with / and have no query, such as /v1.0, or / for none; given {path!r}"
        )
    first = checked.split("/")[1] if checked else ""
    if not alone and first in AREAS and first != "api":
        raise ValueError(
            f"the base path {path!r} is below /{first}, which is another area's on one origin; choose another path, or "
            "give each area an origin"
        )
    return checked


@lru_cache(maxsize=32)
def place_areas(base: str, base_path: str | None, ports: tuple[int, ...] | None) -> BaseURLs:
    """Return the base URLs below one base URL, always as the same object.

    Args:
        base: the base URL.
        base_path: the path of the resource API, without a trailing slash; None for the default.
        ports: the port of each area; None if they share the origin.
    """
    if ports is None:
        return BaseURLs.under(base, "/api" if base_path is None else base_path)
    api, *others = (put_port(base, port) for port in ports)
    return BaseURLs(api + (base_path or ""), *others, mount=split_origin(base)[1])


@lru_cache(maxsize=256)
def put_port(base: str, port: int) -> str:
    """Return a URL with another port.

    Examples:
        >>> put_port("http://[::1]:80/fake", 8001), put_port("https://example.com", 8001)
        ('http://[::1]:8001/fake', 'https://example.com:8001')
    """
    return PORT.sub(rf"\g<1>:{port}", base, count=1)


@lru_cache(maxsize=256)
def is_host(given: str) -> bool:
    """Return whether a URL may have this as its host, with or without a port.

    Examples:
        >>> [is_host(given) for given in ("example.com", "127.0.0.1:8000", "[::1]:80", "localhost.")]
        [True, True, True, True]
        >>> [is_host(given) for given in ("x:99999", "x:0", "[::::]", "a..b", "x:", "u@x", "")]
        [False, False, False, False, False, False, False]
    """
    found = HOST.fullmatch(given)
    if found is None or not 1 <= int(found[2] or 1) <= LAST_PORT:
        return False
    if found[1] is not None:
        try:
            IPv6Address(found[1])
        except ValueError:
            return False
    return True


def get_root(scope: Scope) -> str:
    """Return the prefix an app is mounted at, percent-encoded; servers decode it.

    Examples:
        >>> get_root({"root_path": "/caf\u00e9 au lait/"})
        '/caf%C3%A9%20au%20lait'
    """
    return quote(scope.get("root_path", ""), safe=IN_PATHS).rstrip("/")


def get_target(scope: Scope) -> str:
    """Return the request target without its query: a path, or a URL in absolute form."""
    raw = scope.get("raw_path")
    target: str = quote(scope["path"], safe=IN_PATHS) if raw is None else raw.decode("latin-1")
    return target


def strip_origin(target: str) -> str:
    """Return the path of a request target."""
    absolute = ABSOLUTE.match(target)
    return target if absolute is None else target[absolute.end() :] or "/"


def strip_root(scope: Scope) -> str:
    """Return the raw path of a request below the prefix its app is mounted at.

    Examples:
        >>> strip_root({"root_path": "/fake", "path": "/fake/api/a b", "raw_path": b"/fake/api/a%20b"})
        '/api/a%20b'
        >>> strip_root({"root_path": "/fake", "path": "/fakes"})
        '/fakes'
        >>> strip_root({"path": "http://127.0.0.1:8000/api/users"})
        '/api/users'
    """
    root, path = get_root(scope), strip_origin(get_target(scope))
    return path[len(root) :] if path.startswith(root + "/") or path == root else path


def get_header(scope: Scope, name: bytes) -> str:
    """Return the value of a request header; empty if it was not sent."""
    value: bytes = next((value for sent, value in scope["headers"] if sent == name), b"")
    return value.decode("latin-1")


def get_base(scope: Scope) -> str:
    """Return the base URL of a request, as far as its app can know it.

    Examples:
        >>> scope = {"scheme": "https", "server": ("10.0.0.1", 443), "root_path": "/fake", "path": "/fake/api"}
        >>> get_base(scope | {"headers": [(b"host", b"example.com:8443")]})
        'https://example.com:8443/fake'
        >>> get_base(scope | {"headers": [(b"host", b"example.com/x?")]})
        'https://10.0.0.1/fake'
    """
    scheme, named = scope.get("scheme", "http"), ABSOLUTE.match(get_target(scope))
    given = get_header(scope, b"host") if named is None else named[1]  # with which the header is ignored
    if not is_host(given):
        name, port = scope.get("server") or ("localhost", None)
        name = f"[{name}]" if ":" in name else name
        default = port is None or port == {"http": 80, "https": 443}.get(scheme)
        given = name if default else f"{name}:{port}"
    return f"{scheme}://{given}{get_root(scope)}"


def get_forwarded_base(scope: Scope) -> str | None:
    """Return the base URL that a proxy names in ``X-Forwarded-…`` headers; None if it names no part of it.

    A part that it does not name, or not well, is that of the request. Of several values, separated by commas, the first
    counts: it is that of the proxy nearest to the client.

    Examples:
        >>> scope = {"server": ("127.0.0.1", 8000), "path": "/api"}
        >>> names = {b"x-forwarded-proto": b"https", b"x-forwarded-prefix": b"/fake/"}
        >>> get_forwarded_base(scope | {"headers": [(b"host", b"example.com"), *names.items()]})
        'https://example.com/fake'
        >>> get_forwarded_base(scope | {"headers": []})
    """
    proto, host, prefix = (
        get_header(scope, f"x-forwarded-{part}".encode()).partition(",")[0].strip()
        for part in ("proto", "host", "prefix")
    )
    proto, prefix = proto.lower(), prefix.rstrip("/")
    # Empty from here on: what is missing or not well named.
    proto = proto if proto in ("http", "https") else ""
    host = host if is_host(host) else ""
    prefix = prefix if PATH.fullmatch(prefix) else ""
    if not (proto or host or prefix):
        return None
    own_scheme, _, rest = get_base(scope).partition("://")
    own_host, slash, root = rest.partition("/")
    return f"{proto or own_scheme}://{host or own_host}{prefix}{slash}{root}"
