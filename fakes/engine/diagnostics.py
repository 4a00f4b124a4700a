"""What a request that is no operation was probably meant to be, and why it did not match."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from fakes.handlers.routing import Route
from fakes.http.addresses import Located

__all__ = ["explain_miss"]

# How far a path is from a template, in hundredths of a segment.
OTHER, MISSING, TOO_MANY, LAST_SLASH, EMPTY, WORD_FOR_ID = 100, 60, 100, 20, 50, 30
# And in hundredths of the whole: worse than a last word left out of a long path, better than one of a short path.
OTHER_METHOD = 15
LOOKED_AT = 12  # segments of a path; no operation has more than ten
LETTERS = 40  # of a segment


class _Edit(NamedTuple):
    """One step from a path to a template: a segment kept, replaced, missing from the path, or too many in it."""

    kind: Literal["same", "other", "missing", "extra"]
    given: str
    wanted: str


class _Way(NamedTuple):
    """How to get from (the beginning of) a path to a template, and how far it is."""

    cost: float
    edits: tuple[_Edit, ...]

    def then(self, cost: float, edit: _Edit) -> "_Way":
        return _Way(self.cost + cost, (*self.edits, edit))


def explain_miss(method: str, located: Located, routes: Iterable[Route]) -> str:
    """Say which operation is nearest to a request and what sets them apart.

    Paths are compared as sequences of segments: one may be written otherwise, be missing, or be too many.

    Examples:
        >>> from fakes.handlers.routes import ROUTES
        >>> print(explain_miss("GET", Located("api", "/users/u-001/drive/files/file-1", ""), ROUTES))
        GET /users/u-001/drive/files/file-1 is no operation of the service; the nearest is \
        GET /users/{userId}/drive/files/{fileId}/download: it goes on with /download \
        (section Endpoints › File transfer of the service's description)
    """
    of = "call of the admin interface" if located.area == "admin" else "operation of the service"
    said = f"{method} {located.path} is no {of}"
    candidates = [route for route in routes if route.area == located.area]
    if not candidates:
        return f"{said}; nothing is served at this address"
    segments = tuple(located.path.split("/")[1 : LOOKED_AT + 1])
    words = frozenset(
        word for route in candidates for word in _split_template(route) if not _is_parameter(word)
    )

    def way_to(route: Route) -> _Way:
        way = _find_way(segments, _split_template(route), words)
        share = way.cost / max(len(segments), len(_split_template(route)))
        return _Way(share + OTHER_METHOD * (route.method != method), way.edits)

    ways = [(way_to(route), route) for route in candidates]
    way, nearest = min(ways, key=lambda found: found[0].cost)
    if not any(map(_is_telling, way.edits)):
        return f"{said}; nothing like it is described"
    methods = [route.method for route in candidates if route.template == nearest.template]
    reasons = [] if method in methods else [f"the method is {' or '.join(methods)}, not {method}"]
    ending = ", where it stands among what is retired or planned to be" if _is_retired(nearest) else ""
    where = f" (section {nearest.section} of the service's description{ending})" if nearest.section else ""
    differences = ", ".join([*reasons, *_describe_edits(way.edits)])
    return f"{said}; the nearest is {nearest.method} {nearest.template}: {differences}{where}"


def _is_retired(route: Route) -> bool:
    return route.operation.startswith("retired.")


def _find_way(given: Sequence[str], wanted: Sequence[str], words: frozenset[str]) -> _Way:
    """The shortest way from the segments of a path to those of a template: their edit distance, with its steps."""
    above = [_Way(0, ())]
    for at, wish in enumerate(wanted):
        above.append(above[-1].then(_weight(at) * MISSING, _Edit("missing", "", wish)))
    for segment in given:
        extra, cost_of_extra = _Edit("extra", segment, ""), TOO_MANY if segment else LAST_SLASH
        row = [above[0].then(cost_of_extra, extra)]
        for at, wish in enumerate(wanted):
            missing = row[at].then(_weight(at) * MISSING, _Edit("missing", "", wish))
            replaced = above[at].then(
                _weight(at) * _difference(segment, wish, words), _match_segment(segment, wish)
            )
            too_many = above[at + 1].then(cost_of_extra, extra)
            row.append(min(missing, replaced, too_many, key=lambda way: way.cost))
        above = row
    return above[-1]


def _weight(at: int) -> int:
    """The first segment says most of what is meant."""
    return 1 if at else 2


def _match_segment(given: str, wanted: str) -> _Edit:
    fits = given == wanted or (given and _is_parameter(wanted))
    return _Edit("same" if fits else "other", given, wanted)


def _is_telling(edit: _Edit) -> bool:
    """Whether a word of the path is one of the template, or like it."""
    placed = edit.kind in ("same", "other") and not _is_parameter(edit.wanted)
    return placed and _difference(edit.given, edit.wanted, frozenset()) < OTHER


def _difference(given: str, wanted: str, words: frozenset[str]) -> int:
    if _is_parameter(wanted):
        return (WORD_FOR_ID if given in words else 0) if given else EMPTY
    return OTHER - round(OTHER * _likeness(given[:LETTERS].lower(), wanted.lower()))


@lru_cache(maxsize=4096)
def _likeness(given: str, wanted: str) -> float:
    ratio = SequenceMatcher(None, given, wanted).ratio()
    return ratio if ratio > 0.6 else 0  # less is chance


def _describe_edits(edits: Sequence[_Edit]) -> Iterator[str]:
    """What sets a path apart from a template, in words."""
    runs = [(kind, list(run)) for kind, run in groupby(edits, key=lambda edit: edit.kind)]
    for number, (kind, run) in enumerate(runs, 1):
        wanted, given = ("".join(f"/{segment}" for segment in part) for part in _split_run(run))
        last = number == len(runs)
        if kind == "other":
            yield from (_describe_replacement(edit) for edit in run)
        elif kind == "missing":
            yield (
                f"it goes on with {wanted}"
                if last
                else f"{wanted} is missing before /{runs[number][1][0].wanted}"
            )
        elif kind == "extra":
            yield f"it ends before {given}" if last else f"there is no {given} in it"


def _split_run(run: Sequence[_Edit]) -> tuple[list[str], list[str]]:
    return [edit.wanted for edit in run], [edit.given for edit in run]


def _describe_replacement(edit: _Edit) -> str:
    if _is_parameter(edit.wanted):
        return f"{edit.wanted} is empty"
    return f"{edit.wanted!r} stands where {edit.given!r} was sent"


def _split_template(route: Route) -> tuple[str, ...]:
    return tuple(route.template.split("/")[1:])


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{")
