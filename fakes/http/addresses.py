"""The base URLs of the service's areas: an origin each in process, a path prefix each on a served port."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, get_args

from svckit.display.masking import mask
from svckit.display.suggestions import nearest
from svckit.models.problems import shorten

__all__ = ["Area", "BaseURLs", "Located", "UnknownURL", "normalize_url", "split_origin"]

Area = Literal["api", "auth", "storage", "hooks", "admin"]
BY_REQUESTS: tuple[Area, ...] = ("api", "storage", "auth", "hooks", "admin")
"""The areas with most requests first, as URLs are looked up in this order."""
LARGEST_PORT = 65535
DEFAULT_PORTS = {"http": ":80", "https": ":443"}
FACTS: Mapping[str, Area] = {
    "base_url": "api",
    "auth_url": "auth",
    "upload_url": "storage",
    "webhook_url": "hooks",
    "admin_url": "admin",
}
"""The areas by the keys that their base URLs have in the facts."""
BASE = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?"
    r"(?:/(?!\.{1,2}(?:/|$))(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)*"
)
"""A base URL as clients send it: normalized, with a path of segments, without a trailing slash."""


class UnknownURL(LookupError):
    """Raised for a URL that this fake does not serve.

    Attributes:
        is_own_origin: whether only its path is wrong, as its origin is that of a base URL.
    """

    def __init__(self, message: str, is_own_origin: bool = False) -> None:
        super().__init__(message)
        self.is_own_origin = is_own_origin


class Located(NamedTuple):
    """The parts of a URL: its area, the raw path below the area's base URL, the raw query."""

    area: Area
    path: str
    query: str


@dataclass(frozen=True, slots=True, eq=False)
class BaseURLs:
    """The base URLs of the five areas, without a trailing slash.

    Examples:
        >>> BaseURLs().locate("https://api.fake.test/users/u-001?x=1")
        Located(area='api', path='/users/u-001', query='x=1')
        >>> served = BaseURLs.under("http://127.0.0.1:8000")
        >>> served.storage
        'http://127.0.0.1:8000/storage'
        >>> served.locate("http://127.0.0.1:8000/auth/oauth2/v2.0/token").area
        'auth'

    Attributes:
        mount: the path with which all of them start, if they share one.
    """

    api: str = "https://api.fake.test"
    auth: str = "https://auth.fake.test"
    storage: str = "https://storage.fake.test"
    hooks: str = "https://hooks.fake.test"
    admin: str = "https://admin.fake.test"
    mount: str = field(default="", kw_only=True)
    _areas: tuple[tuple[Area, str], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        areas = tuple((area, getattr(self, area)) for area in BY_REQUESTS)
        nested = any(one.startswith(f"{other}/") for _, one in areas for _, other in areas)
        if nested:  # the longest base URL that fits is meant
            areas = tuple(sorted(areas, key=lambda area: -len(area[1])))
        object.__setattr__(self, "_areas", areas)  # the only way in a frozen dataclass

    @classmethod
    def under(cls, base: str, api: str = "/api") -> "BaseURLs":
        """Return the five areas as path prefixes below one base URL, as a served fake has them.

        Args:
            base: the base URL, without a trailing slash.
            api: the path of the resource API, without a trailing slash.
        """
        return cls(
            base + api, *(f"{base}/{area}" for area in get_args(Area)[1:]), mount=split_origin(base)[1]
        )

    def within(self, path: str) -> "BaseURLs":
        """Return the base URLs with another path after the mount, always as the same object.

        Examples:
            >>> BaseURLs.under("http://127.0.0.1:8000/fake").within("/w/mina").auth
            'http://127.0.0.1:8000/fake/w/mina/auth'
            >>> BaseURLs("https://example.com/v1.0").within("/w/mina").api
            'https://example.com/w/mina/v1.0'
        """
        return _insert_path(self, path)

    def find_after(self, path: str, url: str) -> str | None:
        """Return what follows a path after the mount in a URL, without the query; None if the URL is elsewhere.

        Examples:
            >>> BaseURLs().find_after("/w/", "https://api.fake.test/w/mina/users/u-001?x=1")
            'mina/users/u-001'
            >>> BaseURLs().find_after("/w/", "https://example.com/w/mina")
        """
        if path not in url:
            return None
        origin, below = split_origin(normalize_url(url.partition("#")[0].partition("?")[0]))
        start = self.mount + path
        is_own = below.startswith(start) and any(f"{base}/".startswith(f"{origin}/") for base in self)
        return below[len(start) :] if is_own else None

    @classmethod
    def from_facts(cls, addresses: Mapping[str, str]) -> "BaseURLs":
        """Return base URLs by their keys in the facts; missing ones are those of the in-process fake.

        Raises:
            ValueError: a key is unknown, or a URL cannot be a base URL or is that of another area; all problems are
                reported together.

        Examples:
            >>> urls = BaseURLs.from_facts({"base_url": "https://Example.com/v1.0/", "auth_url": "https://example.com"})
            >>> urls.locate("https://example.com/v1.0/users/u-001")
            Located(area='api', path='/users/u-001', query='')
            >>> urls.locate("https://example.com/oauth2/v2.0/token").area
            'auth'
        """
        problems = [
            f"{key!r} is not the URL of an area; {nearest(key, FACTS)}"
            for key in addresses
            if key not in FACTS
        ]
        given = {key: clean_base(addresses[key]) for key in FACTS if key in addresses}
        problems += [
            f"{key} must be an absolute http or https URL, such as https://www.example.com/v1.0, without a query, a "
            f"fragment or a user name, in ASCII, with a port up to {LARGEST_PORT}; given "
            f"{mask(shorten(str(addresses[key])))!r}"
            for key, url in given.items()
            if url is None
        ]
        found = cls(**{FACTS[key]: url for key, url in given.items() if url is not None})
        problems += [
            f"{one} and {other} are both {url}; give each area a URL of its own, at least another path"
            for one, other in combinations(FACTS, 2)
            if (url := getattr(found, FACTS[one])) == getattr(found, FACTS[other])
        ]
        if problems:
            raise ValueError("addresses cannot be used: " + "; ".join(problems))
        return found

    def locate(self, url: str) -> Located:
        """Find the area of a URL; the case of the host and a default port make no difference.

        Raises:
            UnknownURL: the URL is outside all areas.
        """
        target, _, query = (url.partition("#")[0] if "#" in url else url).partition("?")
        for area, base in self._areas:
            if target.startswith(base):
                path = target[len(base) :]
                if path[:1] in ("/", ""):
                    return Located(area, path or "/", query)
        same = normalize_url(target)
        if same != target:
            return self.locate(f"{same}?{query}" if query else same)
        origin = "/".join(target.split("/", 3)[:3])
        shares_host = any(base.startswith(f"{origin}/") for base in self)  # then only the path is wrong
        shown = mask(shorten(target if shares_host else origin))
        raise UnknownURL(
            f"{shown} is not served by this fake, whose base URLs are {', '.join(self)}; "
            "FakeService.sample(addresses=…) sets others",
            shares_host,
        )

    def __iter__(self) -> Iterator[str]:
        return (getattr(self, area) for area in BY_REQUESTS)


@lru_cache(maxsize=4096)  # the areas of a request are cached by this object
def _insert_path(base_urls: BaseURLs, path: str) -> BaseURLs:
    """Insert a path after the mount of base URLs."""
    mount = base_urls.mount + path
    areas = {}
    for area in get_args(Area):
        origin, below = split_origin(getattr(base_urls, area))
        areas[area] = origin + mount + below.removeprefix(base_urls.mount)
    return BaseURLs(**areas, mount=mount)


def split_origin(url: str) -> tuple[str, str]:
    """Split a URL into its origin and its path.

    Examples:
        >>> split_origin("http://127.0.0.1:8000/w/mina"), split_origin("https://example.com")
        (('http://127.0.0.1:8000', '/w/mina'), ('https://example.com', ''))
    """
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host}", slash + path


def clean_base(url: object) -> str | None:
    """Return a base URL as it is compared with requests, or None if it cannot be one.

    Examples:
        >>> clean_base("HTTPS://WWW.Example.com:443/v1.0/")
        'https://www.example.com/v1.0'
        >>> [clean_base(url) for url in ("https://example.com/?version=1", "example.com", "https://a.example:65536")]
        [None, None, None]
    """
    if not isinstance(url, str):
        return None
    clean = normalize_url(url).removesuffix("/")
    found = BASE.fullmatch(clean)
    return clean if found and int(found[1] or 0) <= LARGEST_PORT else None


def normalize_url(url: str) -> str:
    """Normalize scheme, host and port of a URL for comparison (RFC 9110 4.2.3).

    Examples:
        >>> normalize_url("HTTPS://API.Fake.test:443/Users")
        'https://api.fake.test/Users'
        >>> normalize_url("http://api.fake.test:443")
        'http://api.fake.test:443'
    """
    origin, path = split_origin(url)
    origin = origin.lower()
    return origin.removesuffix(DEFAULT_PORTS.get(origin.partition(":")[0], "")) + path
