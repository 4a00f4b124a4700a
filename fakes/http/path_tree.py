"""A tree of path templates: finding one takes as many steps as the path has segments, however many there are."""

from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import unquote

__all__ = ["PathTree"]

Value = TypeVar("Value")


class End(NamedTuple, Generic[Value]):
    """The end of a template: the number of the template, the names of its parameters, and its value."""

    number: int
    names: tuple[str, ...]
    value: Value


class Node(Generic[Value]):
    """A segment of templates: the next segments by their text, the next one that is a parameter, and the end here."""

    __slots__ = ("end", "fixed", "parameter")

    def __init__(self) -> None:
        self.fixed: dict[str, Node[Value]] = {}
        self.parameter: Node[Value] | None = None
        self.end: End[Value] | None = None


class PathTree(Generic[Value]):
    """Values by path templates, such as ``/users/{userId}``, where a parameter stands for a whole segment.

    An encoded slash stays inside its segment. Of the templates that fit a path, the one with the fewest parameters
    counts, and of those the first.

    Examples:
        >>> tree = PathTree()
        >>> for template in ("/users/{userId}", "/users/me", "/users/{userId}/photo"):
        ...     tree.put(template, template)
        >>> tree.find("/users/me"), tree.find("/users/a%2Fb/photo"), tree.find("/users/")
        (('/users/me', {}), ('/users/{userId}/photo', {'userId': 'a/b'}), None)
        >>> tree.remove("/users/me")
        >>> tree.find("/users/me")
        ('/users/{userId}', {'userId': 'me'})
    """

    def __init__(self) -> None:
        self._root: Node[Value] = Node()
        self._count = 0

    def put(self, template: str, value: Value) -> Value | None:
        """Add a template as the last one, and return the value of one with the same segments that it replaces."""
        node, names = self._root, []
        for segment in template.split("/"):
            if segment[:1] == "{":
                names.append(segment[1:-1])
                if node.parameter is None:
                    node.parameter = Node()
                node = node.parameter
            else:
                node = node.fixed.setdefault(segment, Node())
        self._count += 1
        replaced, node.end = node.end, End(self._count, tuple(names), value)
        return None if replaced is None else replaced.value

    def remove(self, template: str) -> None:
        """Remove a template that was added, and the segments that only it had."""
        node, way = self._root, []
        for segment in template.split("/"):
            way.append((node, segment))
            node = (node.parameter or Node()) if segment[:1] == "{" else node.fixed[segment]
        node.end = None
        while way and not (node.end or node.parameter or node.fixed):
            node, segment = way.pop()
            if segment[:1] == "{":
                node.parameter = None
            else:
                del node.fixed[segment]

    def find(self, path: str) -> tuple[Value, Mapping[str, str]] | None:
        """Return the value for a path, and the parameters, percent-decoded; None if no template fits."""
        reached: list[tuple[Node[Value], tuple[str, ...]]] = [(self._root, ())]
        for segment in path.split("/"):
            further = []
            for node, given in reached:
                if (fixed := node.fixed.get(segment)) is not None:
                    further.append((fixed, given))
                if node.parameter is not None and segment:
                    further.append((node.parameter, (*given, segment)))
            if not further:
                return None
            reached = further
        found = [(len(given), node.end, given) for node, given in reached if node.end is not None]
        if not found:
            return None
        _, end, given = min(found) if len(found) > 1 else found[0]
        return end.value, dict(zip(end.names, map(unquote, given), strict=True))
