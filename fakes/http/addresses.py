"""The base URLs of the service's areas: an origin each in process, a path prefix each on a served port."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from svckit.display.masking import mask

__all__ = ["Area", "BaseURLs", "Located", "UnknownURL", "normalize_url"]

Area = Literal["api", "auth", "storage", "hooks", "admin"]
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class UnknownURL(LookupError):
    """Raised for a URL that this fake does not serve."""


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
    """

    api: str = "https://api.fake.test"
    auth: str = "https://auth.fake.test"
    storage: str = "https://storage.fake.test"
    hooks: str = "https://hooks.fake.test"
    admin: str = "https://admin.fake.test"
    _areas: tuple[tuple[Area, str], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        areas = (
            ("api", self.api),
            ("storage", self.storage),
            ("auth", self.auth),
            ("hooks", self.hooks),
            ("admin", self.admin),
        )
        object.__setattr__(self, "_areas", areas)  # the only way in a frozen dataclass

    @classmethod
    def under(cls, base: str) -> "BaseURLs":
        """Return the five areas as path prefixes below one base URL, as a served fake has them."""
        return cls(*(f"{base}/{area}" for area in get_args(Area)))

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
        scheme, _, rest = target.partition("://")
        origin = mask(f"{scheme}://{rest.partition('/')[0]}")
        raise UnknownURL(f"{origin} is not served by this fake, whose base URLs are {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (base for _, base in self._areas)


def normalize_url(url: str) -> str:
    """Normalize scheme, host and port of a URL for comparison (RFC 9110 4.2.3).

    Examples:
        >>> normalize_url("HTTPS://API.Fake.test:443/Users")
        'https://api.fake.test/Users'
        >>> normalize_url("http://api.fake.test:443")
        'http://api.fake.test:443'
    """
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    scheme = scheme.lower()
    host = host.lower().removesuffix(DEFAULT_PORTS.get(scheme, ""))
    return f"{scheme}{separator}{host}{slash}{path}"
