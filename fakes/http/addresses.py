"""Where the service's areas live: four origins and the admin's in process, path prefixes on one served port."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from svckit.display.masking import mask

__all__ = ["Addresses", "Area", "Located", "UnknownURL", "normalize_url"]

Area = Literal["api", "auth", "storage", "hooks", "admin"]
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class UnknownURL(LookupError):
    """A request for an address that is none of this service's."""


class Located(NamedTuple):
    """A URL taken apart: the area it belongs to, the raw path below the area's address, the raw query."""

    area: Area
    path: str
    query: str


@dataclass(frozen=True, slots=True, eq=False)
class Addresses:
    """The base addresses of the five areas, without a trailing slash.

    Examples:
        >>> Addresses().locate("https://api.fake.test/users/u-001?x=1")
        Located(area='api', path='/users/u-001', query='x=1')
        >>> served = Addresses.under("http://127.0.0.1:8000")
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
        object.__setattr__(self, "_areas", areas)  # a frozen dataclass has no other way

    @classmethod
    def under(cls, base: str) -> "Addresses":
        """Five path prefixes under one address, as a served fake has them."""
        return cls(*(f"{base}/{area}" for area in get_args(Area)))

    def locate(self, url: str) -> Located:
        """Find the area a URL belongs to; small and capital letters in a host and a default port make no other one.

        Raises:
            UnknownURL: the URL is outside all areas.
        """
        address, _, query = (url.partition("#")[0] if "#" in url else url).partition("?")
        for area, base in self._areas:
            if address.startswith(base):
                path = address[len(base) :]
                if path[:1] in ("/", ""):
                    return Located(area, path or "/", query)
        same = normalize_url(address)
        if same != address:
            return self.locate(f"{same}?{query}" if query else same)
        scheme, _, rest = address.partition("://")
        origin = mask(f"{scheme}://{rest.partition('/')[0]}")
        raise UnknownURL(f"{origin} is none of this fake's addresses: {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (base for _, base in self._areas)


def normalize_url(address: str) -> str:
    """An address as others of the same origin are written too (RFC 9110 4.2.3): what it is compared by.

    Examples:
        >>> normalize_url("HTTPS://API.Fake.test:443/Users")
        'https://api.fake.test/Users'
        >>> normalize_url("http://api.fake.test:443")
        'http://api.fake.test:443'
    """
    scheme, separator, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    scheme = scheme.lower()
    host = host.lower().removesuffix(DEFAULT_PORTS.get(scheme, ""))
    return f"{scheme}{separator}{host}{slash}{path}"
