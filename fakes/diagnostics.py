"""What a request that is no operation was probably meant to be, and why it did not match."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from fakes.addresses import Located
from fakes.routing import Route

__all__ = ["explain_miss"]


def explain_miss(method: str, located: Located, routes: Iterable[Route]) -> str:
    """Say which operation is nearest to a request and what sets them apart.

    Examples:
        >>> from fakes.routes import ROUTES
        >>> print(explain_miss("GET", Located("api", "/users/u-001", ""), ROUTES))
        GET /users/u-001 is no operation of the service; the nearest is PATCH /users/{userId}: the method is PATCH, \
        not GET (section Endpoints › Directory of the service's description)
    """
    said = f"{method} {located.path} is no operation of the service"
    candidates = [route for route in routes if route.area == located.area]
    if not candidates:
        return f"{said}; nothing is served at this address"
    segments = located.path.split("/")
    nearest = max(candidates, key=lambda route: (_likeness(segments, route), route.method == method))
    reasons = _differences(method, segments, nearest)
    return (
        f"{said}; the nearest is {nearest.method} {nearest.template}: {', '.join(reasons)} "
        f"(section {nearest.section} of the service's description)"
    )


def _likeness(segments: list[str], route: Route) -> float:
    """How alike a path and a template are: 1 where only the method is different."""
    template = route.template.split("/")
    alike = sum(
        1.0
        if _is_parameter(wanted) and given
        else SequenceMatcher(None, given.lower(), wanted.lower()).ratio()
        for given, wanted in zip(segments, template, strict=False)
    )
    return alike / max(len(segments), len(template))


def _differences(method: str, segments: list[str], route: Route) -> list[str]:
    template = route.template.split("/")
    differences = [] if method == route.method else [f"the method is {route.method}, not {method}"]
    for given, wanted in zip(segments, template, strict=False):
        if _is_parameter(wanted):
            differences += [] if given else [f"{wanted} is empty"]
        elif given != wanted:
            differences.append(f"{wanted!r} stands where {given!r} was sent")
    if len(template) > len(segments):
        differences.append(f"it goes on with /{'/'.join(template[len(segments) :])}")
    elif len(segments) > len(template):
        differences.append(f"it ends before /{'/'.join(segments[len(template) :])}")
    return differences


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{")
