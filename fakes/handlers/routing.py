"""Routes as data, and the router that finds the route of a request."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from fakes.handlers.admin_schemas import Schema
from fakes.handlers.error_formats import DIALECTS, Dialect
from fakes.http.addresses import Area, BaseURLs, Located
from fakes.http.path_tree import PathTree
from svckit.models.base import WireModel
from svckit.models.lifecycle import Retirement

if TYPE_CHECKING:
    from fakes.handlers.context import CallContext
    from fakes.http.messages import FakeResponse

__all__ = ["BODY_LIMITS", "Content", "Match", "Operations", "Route", "Router", "summarize"]

Body = Literal["json", "form", "multipart", "content"]
Handler = Callable[["CallContext"], "FakeResponse"]
Content = type[WireModel] | Schema
"""The model or the schema of a body."""
BODY_LIMITS: dict[Body, int] = {"json": 16 * 1024 * 1024, "form": 64 * 1024, "multipart": 0, "content": 0}
"""The bytes of a body that are read before the head is checked; see the rule ``api.body-limit``.

A form of a few fields needs less than JSON, and decoding that much would take seconds.
"""


@dataclass(frozen=True, slots=True)
class Route:
    """One operation of the service: its path, name, body and handler.

    Attributes:
        dialect: the error format.
        template: the path below the area's base URL, such as ``/users/{userId}``.
        operation: the name of the operation in the journal, such as ``users.update``.
        section: the section of the service's description that describes the operation; empty for an admin call.
        body: collected in memory as ``json`` or a ``form``, parsed as ``multipart`` while it arrives, or spooled as
            file ``content``.
        exclusive: the path parameter whose value must not be used by two calls at the same time.
        takes: the model or the schema of the JSON body that it takes; None if it takes none, or another kind of body.
        returns: that of the JSON body that it returns; None if it returns none, or another kind of body.
        does: what it does, in a few words; if empty, the first line of the handler's docstring.
        keyless: whether an admin call needs no key.
        retirement: why the operation, which is not described, is refused unless a stub responds.
    """

    area: Area
    dialect: Dialect
    method: str
    template: str
    operation: str
    handler: Handler
    section: str = ""
    body: Body = "json"
    exclusive: str | None = None
    takes: Content | None = None
    returns: Content | None = None
    does: str = ""
    keyless: bool = False
    retirement: Retirement | None = None


def summarize(handler: Callable[..., object]) -> str:
    """Return what a handler does, as the first line of its docstring says."""
    return (handler.__doc__ or "").partition("\n")[0].replace("``", "")


class Operations(list[Route]):
    """The operations of an area in a section of the service's description, which their handlers declare.

    Examples:
        >>> operation = Operations("api", "Endpoints › Directory")
        >>> @operation("GET", "/users/{userId}", "users.read")
        ... def read_user(call):
        ...     '''Return a user.'''
        >>> operation[0].operation, operation[0].handler is read_user
        ('users.read', True)
    """

    def __init__(self, area: Area, section: str) -> None:
        super().__init__()
        self._area, self._section = area, section

    def __call__(
        self, method: str, template: str, name: str, *, dialect: Dialect | None = None, **options: Any
    ) -> Callable[[Handler], Handler]:
        """Return a decorator of a handler.

        Args:
            method, template: the method, and the path below the area's base URL.
            name: the name of the operation in the journal.
            dialect: the error format; by default that of the area.
            **options: further attributes of `Route`, such as ``takes`` and ``returns``.
        """

        def declare(handler: Handler) -> Handler:
            area, form = self._area, dialect or DIALECTS[self._area]
            self.append(Route(area, form, method, template, name, handler, self._section, **options))
            return handler

        return declare


class Match(NamedTuple):
    """A route, and the values of its path parameters, percent-decoded."""

    route: Route
    params: Mapping[str, str]


class Router:
    """A router by area, method and raw path; an encoded slash stays inside its segment.

    Args:
        routes: the operations of the service.
        load_admin: loads the admin calls, when the first is made.
    """

    def __init__(self, routes: Iterable[Route], load_admin: Callable[[], Iterable[Route]] = tuple) -> None:
        self._service, self._load_admin = tuple(routes), load_admin
        self._tree = _make_tree(self._service)

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """All routes."""
        return *self._service, *self._load_admin()

    @cached_property
    def _all(self) -> PathTree[Route]:
        return _make_tree(self.routes)

    def methods(self, area: Area, path: str) -> list[str]:
        """Return the methods of the operations at a path."""
        known = sorted({route.method for route in self.routes if route.area == area})
        return [method for method in known if self.match(area, method, path)]

    def match(self, area: Area, method: str, path: str) -> Match | None:
        """Return the route for a request, or None."""
        tree = self._all if area == "admin" else self._tree
        found = tree.find(f"{area} {method}{path}")
        return None if found is None else Match(*found)

    def resolve(self, base_urls: BaseURLs, method: str, url: str) -> tuple[Located, Match | None, int]:
        """Return the location of a request, its route if any, and how much body to read before checking the head.

        Raises:
            UnknownURL: the URL is not below one of these base URLs.
        """
        located = base_urls.locate(url)
        match = self.match(located.area, method, located.path)
        limit = BODY_LIMITS["json" if match is None else match.route.body]
        return located, match, 0 if located.area == "admin" else limit


def _make_tree(routes: Iterable[Route]) -> PathTree[Route]:
    tree: PathTree[Route] = PathTree()
    for route in routes:
        if tree.put(f"{route.area} {route.method}{route.template}", route) is not None:
            raise ValueError(f"two routes for {route.method} {route.template}")
    return tree
