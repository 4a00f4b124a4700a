"""Where the service's areas live: four origins and the admin's in process, path prefixes on one served port."""

from dataclasses import astuple, dataclass, fields
from typing import Literal, NamedTuple

__all__ = ["Addresses", "Area", "Located", "UnknownAddress"]

Area = Literal["api", "auth", "storage", "hooks", "admin"]


class UnknownAddress(LookupError):
    """A request for an address that is none of this service's."""


class Located(NamedTuple):
    """A URL taken apart: the area it belongs to, the raw path below the area's address, the raw query."""

    area: Area
    path: str
    query: str


@dataclass(frozen=True, slots=True)
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

    @classmethod
    def under(cls, base: str) -> "Addresses":
        """Five path prefixes under one address, as a served fake has them."""
        return cls(*(f"{base}/{area.name}" for area in fields(cls)))

    def locate(self, url: str) -> Located:
        """Find the area a URL belongs to.

        Raises:
            UnknownAddress: the URL is outside all areas.
        """
        address, _, query = url.partition("#")[0].partition("?")
        for area, base in self._areas():
            if address.startswith(base) and (len(address) == len(base) or address[len(base)] == "/"):
                return Located(area, address[len(base) :] or "/", query)
        raise UnknownAddress(
            f"{address.partition('://')[0]}://{address.partition('://')[2].partition('/')[0]} is none of this "
            f"fake's addresses: {', '.join(astuple(self))}"
        )

    def _areas(self) -> tuple[tuple[Area, str], ...]:
        return (
            ("api", self.api),
            ("storage", self.storage),
            ("auth", self.auth),
            ("hooks", self.hooks),
            ("admin", self.admin),
        )
