"""Routes as data, and the router that finds the route of a request."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote

from fakes.http.addresses import Area

if TYPE_CHECKING:
    from fakes.handlers.context import CallContext
    from fakes.handlers.error_formats import Dialect
    from fakes.http.messages import FakeResponse

__all__ = ["Match", "Route", "Router"]

Body = Literal["json", "form", "multipart", "content"]
Handler = Callable[["CallContext"], "FakeResponse"]


@dataclass(frozen=True, slots=True)
class Route:
    """One operation of the service: its path, name, body and handler.

    Attributes:
        template: the path below the area's base URL, such as ``/users/{userId}``.
        operation: the name of the operation in the journal, such as ``users.update``.
        dialect: the error format.
        section: the section of the service's description that describes the operation; empty for an admin call.
        body: collected in memory as ``json`` or a ``form``, parsed as ``multipart`` while it arrives, or spooled as
            file ``content``.
        exclusive: the path parameter whose value must not be used by two calls at the same time.
        keyless: whether an admin call needs no key.
        queried: whether an admin call takes a query.
    """

    method: str
    area: Area
    template: str
    operation: str
    handler: Handler
    dialect: "Dialect"
    section: str
    body: Body = "json"
    exclusive: str | None = None
    keyless: bool = False
    queried: bool = False


class Match(NamedTuple):
    """A route, and the values of its path parameters, percent-decoded."""

    route: Route
    params: Mapping[str, str]


class _Shape(NamedTuple):
    """The fixed segments of a route's path, and its parameters."""

    route: Route
    literals: tuple[tuple[int, str], ...]
    parameters: tuple[tuple[int, str], ...]


class Router:
    """A router by area, method and raw path; an encoded slash stays inside its segment."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = tuple(routes)
        self._shapes: dict[tuple[Area, str, int], list[_Shape]] = {}
        for route in self.routes:
            segments = route.template.split("/")
            literals = tuple((at, text) for at, text in enumerate(segments) if text[:1] != "{")
            parameters = tuple((at, text[1:-1]) for at, text in enumerate(segments) if text[:1] == "{")
            candidates = self._shapes.setdefault((route.area, route.method, len(segments)), [])
            if any(shape.literals == literals for shape in candidates):
                raise ValueError(f"two routes for {route.method} {route.template}")
            candidates.append(_Shape(route, literals, parameters))
            candidates.sort(key=lambda shape: len(shape.parameters))  # fixed segments come before parameters

    def methods(self, area: Area, path: str) -> list[str]:
        """Return the methods of the operations at a path."""
        known = sorted({route.method for route in self.routes if route.area == area})
        return [method for method in known if self.match(area, method, path)]

    def match(self, area: Area, method: str, path: str) -> Match | None:
        """Return the route for a request, or None."""
        segments = path.split("/")
        for route, literals, parameters in self._shapes.get((area, method, len(segments)), ()):
            for at, text in literals:
                if segments[at] != text:
                    break
            else:
                params = {name: unquote(segments[at]) for at, name in parameters}
                if all(params.values()):
                    return Match(route, params)
        return None
