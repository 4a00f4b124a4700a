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
LONG_PATH = 200  # characters; a longer path is not repeated in the same text


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
    """Say that a request is not described, which operation it was probably meant for, and how to stub it.

    Paths are compared as sequences of segments, which may be misspelled, missing or extra. An operation is only named
    if it is near: beyond that, the client calls what the service may have, but its description does not show.

    Examples:
        >>> from fakes.handlers.routes import ROUTES
        >>> print(explain_miss("GET", Located("api", "/users/u-001/drive/files/file-1", ""), ROUTES))
        GET /users/u-001/drive/files/file-1 is not described; the nearest is \
        GET /users/{userId}/drive/files/{fileId}/download: it continues with /download \
        (section Endpoints › File transfer of the service's description); otherwise stub it with \
        fake.stub("GET", "/users/u-001/drive/files/file-1", json=...), or with the admin call POST /stubs
        >>> print(explain_miss("GET", Located("api", "/groups", ""), ROUTES))
        GET /groups is not described: the service may have it, but its description does not show it; to go on, stub \
        it with fake.stub("GET", "/groups", json=...), or with the admin call POST /stubs
    """
    candidates = [route for route in routes if route.area == located.area]
    nearest = _find_nearest(method, located, candidates)
    if located.area == "admin":
        summary = f"{method} {located.path} is not a call of the admin interface"
        return f"{summary}; {nearest or 'GET / lists them'}"
    if nearest:
        return f"{method} {located.path} is not described; {nearest}{_suggest_stub(method, located, 'otherwise')}"
    summary = f"{method} {located.path} is not described: the service may have it, but its description does not show it"
    return summary + _suggest_stub(method, located, "to go on,")


def _suggest_stub(method: str, located: Located, beginning: str) -> str:
    """Say how to stub a call; nothing where calls cannot be stubbed."""
    if located.area not in ("api", "auth"):
        return ""
    path = located.path if len(located.path) <= LONG_PATH else "…"
    area = "" if located.area == "api" else f', area="{located.area}"'
    stub = f'fake.stub("{method}", "{path}", json=...{area})'
    return f"; {beginning} stub it with {stub}, or with the admin call POST /stubs"


def _find_nearest(method: str, located: Located, candidates: Sequence[Route]) -> str:
    """Name the operation nearest to a request, and how the two differ; empty if none is near."""
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
    methods = [route.method for route in candidates if route.template == nearest.template]
    if not _is_near(alignment.edits, method in methods):
        return ""
    reasons = [] if method in methods else [f"the method is {' or '.join(methods)}, not {method}"]
    ending = ", which lists it as retired or to be retired" if nearest.retirement is not None else ""
    where = f" (section {nearest.section} of the service's description{ending})" if nearest.section else ""
    differences = ", ".join([*reasons, *_describe_edits(alignment.edits)])
    return f"the nearest is {nearest.method} {nearest.template}: {differences}{where}"


def _is_near(edits: Sequence[_Edit], same_method: bool) -> bool:
    """Return whether a path was probably meant for a template: with a typo, an extra segment or a missing one.

    Words must be the same or similar. Up to a quarter of the template may be missing at its end, and something may be
    missing between segments if a word follows that is the same. A call with another method must have all segments.
    """
    if not any(map(_is_similar, edits)):
        return False
    runs = [(kind, list(run)) for kind, run in groupby(edits, key=lambda edit: edit.kind)]
    for number, (kind, run) in enumerate(runs):  # each may rule the template out
        if kind == "other" and not all(edit.given == "" or _is_similar(edit) for edit in run):
            return False
        if kind in ("missing", "extra") and not same_method:
            return False
        if kind == "extra" and len(run) > 1:
            return False
        if kind == "missing":
            after = [edit for _, later in runs[number + 1 :] for edit in later]
            at_end, few = not after, len(run) <= max(1, sum(edit.kind != "extra" for edit in edits) // 4)
            if number == 0 or not (few if at_end else any(map(_is_similar, after))):
                return False
    return True


def _align(given: Sequence[str], wanted: Sequence[str], words: frozenset[str]) -> _Alignment:
    """Find the cheapest edits from the segments of a path to those of a template.

    This is the edit distance of Levenshtein. A row has, for each start of the template, the cheapest alignment with it
    of the segments so far; `previous` is the row without the last of them.
    """
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
        wanted = "".join(f"/{edit.wanted}" for edit in run)
        given = "".join(f"/{edit.given}" for edit in run)
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


def _describe_replacement(edit: _Edit) -> str:
    if _is_parameter(edit.wanted):
        return f"{edit.wanted} is empty"
    return f"expected {edit.wanted!r}, got {edit.given!r}"


def _split_template(route: Route) -> tuple[str, ...]:
    return tuple(route.template.split("/")[1:])


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{")
