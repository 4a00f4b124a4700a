"""Routes as data, and the trie that finds the route of a request."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote

from fakes.addresses import Area

if TYPE_CHECKING:
    from fakes.call import Call
    from fakes.dialects import Dialect
    from fakes.exchange import Response

__all__ = ["Match", "Route", "Router"]

Body = Literal["collected", "multipart"]
Handler = Callable[["Call"], "Response"]


@dataclass(frozen=True, slots=True)
class Route:
    """One operation of the service: where it is, what it is called, what body it takes, and who answers it.

    Attributes:
        template: the path below the area's address, such as ``/users/{userId}``.
        operation: the name of the operation in the journal, such as ``users.update``.
        dialect: how a refusal is worded.
        body: ``collected`` in memory, or parsed as ``multipart`` while it arrives.
    """

    method: str
    area: Area
    template: str
    operation: str
    handler: Handler
    dialect: "Dialect"
    body: Body = "collected"


class Match(NamedTuple):
    """A route found, and the values of its path parameters, percent-decoded."""

    route: Route
    params: dict[str, str]


@dataclass(slots=True)
class _Node:
    literals: dict[str, "_Node"] = field(default_factory=dict)
    parameter: "_Node | None" = None
    routes: dict[str, tuple[Route, tuple[str, ...]]] = field(default_factory=dict)


class Router:
    """Finds routes by area, method and raw path; an encoded slash stays inside its segment."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = tuple(routes)
        self._roots: dict[Area, _Node] = {}
        for route in self.routes:
            self._add(route)

    def _add(self, route: Route) -> None:
        node, names = self._roots.setdefault(route.area, _Node()), []
        for segment in route.template.split("/")[1:]:
            if segment.startswith("{"):
                names.append(segment[1:-1])
                node.parameter = node.parameter or _Node()
                node = node.parameter
            else:
                node = node.literals.setdefault(segment, _Node())
        if route.method in node.routes:
            raise ValueError(f"two routes for {route.method} {route.template}")
        node.routes[route.method] = (route, tuple(names))

    def match(self, area: Area, method: str, path: str) -> Match | None:
        """The route for a request, or None."""
        root = self._roots.get(area)
        if root is None:
            return None
        segments = path.split("/")
        values: list[str] = []
        found = self._walk(root, segments, 1, method, values)
        if found is None:
            return None
        route, names = found
        return Match(route, {name: unquote(value) for name, value in zip(names, values, strict=True)})

    def _walk(
        self, node: _Node, segments: list[str], depth: int, method: str, values: list[str]
    ) -> tuple[Route, tuple[str, ...]] | None:
        if depth == len(segments):
            return node.routes.get(method)
        segment = segments[depth]
        literal = node.literals.get(segment)
        if literal is not None:
            found = self._walk(literal, segments, depth + 1, method, values)
            if found is not None:
                return found
        if node.parameter is not None and segment:
            values.append(segment)
            found = self._walk(node.parameter, segments, depth + 1, method, values)
            if found is not None:
                return found
            values.pop()
        return None
