"""Explain requests that match no operation: which one was probably meant, and why it did not match."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from fakes.handlers.routing import Route
from fakes.http.addresses import Located

__all__ = ["explain_miss"]

# The distance of a path from a template, in hundredths of a segment.
DIFFERENT, MISSING, EXTRA, LAST_SLASH, EMPTY, WORD_FOR_ID = 100, 60, 100, 20, 50, 30
# In hundredths of the path: more than a missing last word of a long path, less than that of a short path.
DIFFERENT_METHOD = 15
MAX_SEGMENTS = 12  # of a path; no operation has more than ten
MAX_LETTERS = 40  # of a segment


class _Edit(NamedTuple):
    """One step from a path to a template: a segment that is kept, replaced, missing or extra."""

    kind: Literal["same", "other", "missing", "extra"]
    given: str
    wanted: str


class _Alignment(NamedTuple):
    """The edits from (the start of) a path to a template, and their cost."""

    cost: float
    edits: tuple[_Edit, ...]

    def add(self, cost: float, edit: _Edit) -> "_Alignment":
        return _Alignment(self.cost + cost, (*self.edits, edit))


def explain_miss(method: str, located: Located, routes: Iterable[Route]) -> str:
    """Name the operation nearest to a request, and how the two differ.

    Paths are compared as sequences of segments, which may be misspelled, missing or extra.

    Examples:
        >>> from fakes.handlers.routes import ROUTES
        >>> print(explain_miss("GET", Located("api", "/users/u-001/drive/files/file-1", ""), ROUTES))
        GET /users/u-001/drive/files/file-1 is not an operation of the service; the nearest is \
        GET /users/{userId}/drive/files/{fileId}/download: it continues with /download \
        (section Endpoints › File transfer of the service's description)
    """
    kind = "a call of the admin interface" if located.area == "admin" else "an operation of the service"
    summary = f"{method} {located.path} is not {kind}"
    candidates = [route for route in routes if route.area == located.area]
    if not candidates:
        return f"{summary}; nothing is served at this host"
    segments = tuple(located.path.split("/")[1 : MAX_SEGMENTS + 1])
    words = frozenset(
        word for route in candidates for word in _split_template(route) if not _is_parameter(word)
    )

    def align_with(route: Route) -> _Alignment:
        alignment = _align(segments, _split_template(route), words)
        relative_cost = alignment.cost / max(len(segments), len(_split_template(route)))
        return _Alignment(relative_cost + DIFFERENT_METHOD * (route.method != method), alignment.edits)

    alignments = [(align_with(route), route) for route in candidates]
    alignment, nearest = min(alignments, key=lambda found: found[0].cost)
    if not any(map(_is_similar, alignment.edits)):
        return f"{summary}; nothing similar is described"
    methods = [route.method for route in candidates if route.template == nearest.template]
    reasons = [] if method in methods else [f"the method is {' or '.join(methods)}, not {method}"]
    ending = ", which lists it as retired or to be retired" if _is_retired(nearest) else ""
    where = f" (section {nearest.section} of the service's description{ending})" if nearest.section else ""
    differences = ", ".join([*reasons, *_describe_edits(alignment.edits)])
    return f"{summary}; the nearest is {nearest.method} {nearest.template}: {differences}{where}"


def _is_retired(route: Route) -> bool:
    return route.operation.startswith("retired.")


def _align(given: Sequence[str], wanted: Sequence[str], words: frozenset[str]) -> _Alignment:
    """Find the cheapest edits from the segments of a path to those of a template."""
    previous = [_Alignment(0, ())]
    for index, segment_wanted in enumerate(wanted):
        previous.append(previous[-1].add(_weight(index) * MISSING, _Edit("missing", "", segment_wanted)))
    for segment in given:
        extra, cost_of_extra = _Edit("extra", segment, ""), EXTRA if segment else LAST_SLASH
        row = [previous[0].add(cost_of_extra, extra)]
        for index, segment_wanted in enumerate(wanted):
            missing = row[index].add(_weight(index) * MISSING, _Edit("missing", "", segment_wanted))
            replaced = previous[index].add(
                _weight(index) * _difference(segment, segment_wanted, words),
                _match_segment(segment, segment_wanted),
            )
            surplus = previous[index + 1].add(cost_of_extra, extra)
            row.append(min(missing, replaced, surplus, key=lambda alignment: alignment.cost))
        previous = row
    return previous[-1]


def _weight(index: int) -> int:
    """Return the weight of a segment; the first one says most about the operation that was meant."""
    return 1 if index else 2


def _match_segment(given: str, wanted: str) -> _Edit:
    fits = given == wanted or (given and _is_parameter(wanted))
    return _Edit("same" if fits else "other", given, wanted)


def _is_similar(edit: _Edit) -> bool:
    """Return whether a word of the path is a word of the template, or similar to it."""
    placed = edit.kind in ("same", "other") and not _is_parameter(edit.wanted)
    return placed and _difference(edit.given, edit.wanted, frozenset()) < DIFFERENT


def _difference(given: str, wanted: str, words: frozenset[str]) -> int:
    if _is_parameter(wanted):
        return (WORD_FOR_ID if given in words else 0) if given else EMPTY
    return DIFFERENT - round(DIFFERENT * _similarity(given[:MAX_LETTERS].lower(), wanted.lower()))


@lru_cache(maxsize=4096)
def _similarity(given: str, wanted: str) -> float:
    ratio = SequenceMatcher(None, given, wanted).ratio()
    return ratio if ratio > 0.6 else 0  # below that, chance


def _describe_edits(edits: Sequence[_Edit]) -> Iterator[str]:
    """Describe how a path differs from a template."""
    runs = [(kind, list(run)) for kind, run in groupby(edits, key=lambda edit: edit.kind)]
    for number, (kind, run) in enumerate(runs, 1):
        wanted, given = ("".join(f"/{segment}" for segment in part) for part in _split_run(run))
        last = number == len(runs)
        if kind == "other":
            yield from (_describe_replacement(edit) for edit in run)
        elif kind == "missing":
            yield (
                f"it continues with {wanted}"
                if last
                else f"{wanted} is missing before /{runs[number][1][0].wanted}"
            )
        elif kind == "extra":
            yield f"it ends before {given}" if last else f"it has no {given}"


def _split_run(run: Sequence[_Edit]) -> tuple[list[str], list[str]]:
    return [edit.wanted for edit in run], [edit.given for edit in run]


def _describe_replacement(edit: _Edit) -> str:
    if _is_parameter(edit.wanted):
        return f"{edit.wanted} is empty"
    return f"expected {edit.wanted!r}, got {edit.given!r}"


def _split_template(route: Route) -> tuple[str, ...]:
    return tuple(route.template.split("/")[1:])


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{")
