"""Explain requests whose path is right at another place: below another base URL, or without its first segments."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from fakes.handlers.routes import ROUTER, ROUTES
from fakes.http.addresses import FACTS, Area, BaseURLs, Located
from svckit.models.problems import shorten

__all__ = ["explain_misdirection", "explain_unknown_url"]

KEYS = {area: key for key, area in FACTS.items()}
"""The keys that the base URLs of the areas have in the facts."""
SERVICE: tuple[Area, ...] = ("api", "auth", "storage", "hooks")
MOST_SEGMENTS = 12  # of a path; no operation has more than ten
MOST_EXTRA = 2
"""The most segments that a prefix can have too many; with more, a path is probably another operation's."""


@cache
def _list_first_words() -> frozenset[str]:
    """Return the words with which operations start, so they cannot be a prefix of one."""
    return frozenset(route.template.split("/")[1] for route in ROUTER.routes) - {""}


def _is_of_service(path: str) -> bool:
    """Return whether the first word of a path is in a path of the service."""
    return any(path.split("/")[1] in route.template.split("/") for route in ROUTES)


class _Place(NamedTuple):
    """A place with operations: the area, the prefix to leave out, the path without it, its methods."""

    area: Area
    prefix: str
    path: str
    methods: list[str]


@lru_cache(maxsize=256)  # clients repeat their mistakes
def explain_misdirection(
    method: str, located: Located, base_urls: BaseURLs, *, in_process: bool = False
) -> str | None:
    """Explain a request that matches no operation of its area, but would elsewhere or without a prefix.

    Args:
        method: the method of the request.
        located: the area it was sent to, and the path.
        base_urls: the base URLs of the door.
        in_process: whether it came in process, so the advice is about `FakeService.sample`.

    Returns:
        The explanation; None if its path has no operation anywhere.

    Examples:
        >>> print(explain_misdirection("PATCH", Located("api", "/v1.0/users/u-001", ""), BaseURLs.under("http://h:8000")))
        PATCH /v1.0/users/u-001 is not described, but PATCH /users/u-001 is: leave /v1.0 out, as base_url is \
        http://h:8000/api, or serve the fake with --base-path /v1.0
        >>> print(explain_misdirection("POST", Located("api", "/oauth2/v2.0/token", ""), BaseURLs.under("http://h:8000")))
        POST /oauth2/v2.0/token was sent to base_url, http://h:8000/api, but belongs to auth_url, http://h:8000/auth
        >>> explain_misdirection("PATCH", Located("api", "/users/u-001/x", ""), BaseURLs())
    """
    if located.area == "admin" or ROUTER.methods(located.area, located.path):
        return None
    order = (located.area, *(area for area in SERVICE if area != located.area))
    place = next(_find_places(located.path, order), None)
    if place is None:
        return None
    given, base = f"{method} {shorten(located.path)}", getattr(base_urls, place.area)
    wanted = _describe_method(method, place)
    if place.area != located.area:
        sent = f"{KEYS[located.area]}, {getattr(base_urls, located.area)}"
        return (
            f"{given} was sent to {sent}, but belongs to {KEYS[place.area]}, {base}{place.prefix and wanted}"
        )
    advice = ""
    if place.area == "api" and not base.endswith(place.prefix):
        advice = f", or {_advise_prefix(place.prefix, base, in_process=in_process)}"
    return (
        f"{given} is not described, but {wanted.removeprefix(' as ')} is: leave {place.prefix} out, as "
        f"{KEYS[place.area]} is {base}{advice}"
    )


def explain_unknown_url(method: str, url: str, base_urls: BaseURLs, *, in_process: bool = False) -> str:
    """Explain a request that reached the fake, but is not below any base URL.

    Args:
        method: the method of the request.
        url: the absolute URL.
        base_urls: the base URLs of the door.
        in_process: whether it came in process, so the advice is about `FakeService.sample`.

    Examples:
        >>> print(explain_unknown_url("POST", "http://h:8000/oauth2/v2.0/token", BaseURLs.under("http://h:8000")))
        nothing is served at http://h:8000/oauth2/v2.0/token: auth_url is http://h:8000/auth, and the request lost \
        /auth; clients that join an absolute path to a base URL drop the path of the base URL, so let the client \
        append it, or serve the fake with --origins
        >>> print(explain_unknown_url("PATCH", "http://h:8000/v1.0/users/u-001", BaseURLs.under("http://h:8000")))
        nothing is served at http://h:8000/v1.0/users/u-001: base_url is http://h:8000/api, without /v1.0; change the \
        client's base URL, or serve the fake with --base-path /v1.0
    """
    target = url.partition("?")[0]
    summary = f"nothing is served at {shorten(target)}"
    mount, path = _split_mount(target, base_urls)
    place = next(_find_places(path, (*SERVICE, "admin")), None)
    # With a prefix, an admin call such as GET /users can be meant for the service, which does not describe it.
    is_either = place is not None and place.area == "admin" and place.prefix and _is_of_service(place.path)
    if place is None or path == "/" or is_either:
        return f"{summary}; the base URLs of this fake are {', '.join(base_urls)}"
    base, key = getattr(base_urls, place.area), KEYS[place.area]
    if place.prefix:
        advice = _advise_prefix(place.prefix, base, in_process=in_process) if place.area == "api" else ""
        change = f"change the client's base URL{advice and f', or {advice}'}"
        return f"{summary}: {key} is {base}, without {place.prefix}; {change}"
    if not base.startswith(f"{mount}/"):
        return f"{summary}: {method} {shorten(path)} belongs to {key}, {base}"
    shared = sum(f"{base_url}/".startswith(f"{mount}/") for base_url in base_urls) > 1
    advice = f"serve the fake {'with --origins' if shared else 'without --base-path'}"
    if in_process:
        advice = f'create the fake with addresses={{"{key}": "{mount}"}}'
    return (
        f"{summary}: {key} is {base}, and the request lost {base.removeprefix(mount)}; clients that join an absolute "
        f"path to a base URL drop the path of the base URL, so let the client append it, or {advice}"
    )


def _find_places(path: str, areas: tuple[Area, ...]) -> Iterator[_Place]:
    """Find where a path has operations, as it is or without its first segments; the nearest place first."""
    segments = path.split("/", MOST_SEGMENTS + 1)[1:]
    if len(segments) > MOST_SEGMENTS:
        return
    for extra in range(min(MOST_EXTRA, len(segments) - 1) + 1):
        if extra and segments[extra - 1] in _list_first_words():
            return
        rest = "/" + "/".join(segments[extra:])
        for area in areas:
            if rest != "/" and (methods := ROUTER.methods(area, rest)):
                yield _Place(area, "".join(f"/{segment}" for segment in segments[:extra]), rest, methods)


def _describe_method(method: str, place: _Place) -> str:
    """Return the operation at a place as the end of a sentence, with its method if that of the request is another."""
    return f" as {method if method in place.methods else ' or '.join(place.methods)} {shorten(place.path)}"


def _advise_prefix(prefix: str, base: str, *, in_process: bool) -> str:
    """Say how a fake gets a prefix of its resource API."""
    if in_process:
        return f'create the fake with addresses={{"base_url": "{base}{shorten(prefix)}"}}'
    return f"serve the fake with --base-path {shorten(prefix)}"


def _split_mount(target: str, base_urls: BaseURLs) -> tuple[str, str]:
    """Split a URL after what it has in common with all base URLs of its origin."""
    origin, path = "/".join(target.split("/", 3)[:3]), target.split("/", 3)[3:]
    parts = [base.split("/") for base in base_urls if f"{base}/".startswith(f"{origin}/")]
    shared = takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))
    mount = "/".join(level[0] for level in shared) or origin
    if target.startswith(f"{mount}/"):
        return mount, target[len(mount) :]
    return origin, "/" + "".join(path)
