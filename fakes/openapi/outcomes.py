"""The possible outcomes of each operation, and the rules that decide for them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from fakes.handlers.routing import Body, Route
from fakes.http.errors import Kind
from fakes.openapi.recorded import name_family, read_rules
from fakes.parts.logs import LOGGED
from fakes.rulebook import api, files
from fakes.rulebook.rule import RULEBOOK, Rule
from fakes.rulebook.rules import Rules

__all__ = ["OUTCOMES", "Outcome", "list_all_outcomes", "list_outcomes", "list_rules_of"]

OUTCOMES: Final = Path(__file__).with_name("outcomes.json")
"""The outcomes by operation, apart from those that all operations of an area have.

The tests record which there are and what they rest on, and add new ones. An author gives them their words, says under
which alternative they occur if only there, and removes the rules that do not decide.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A success, or a refusal, which the dialect of the route turns into a response.

    Attributes:
        words: when it occurs.
        rules: the IDs of the rules that decide for it, besides those of the dialect.
        when: an assumption and the only alternative under which it occurs.
        kind: the kind of refusal; None for a success.
        verbatim: the text that the service's description gives for a refusal.
        status: the HTTP status of a success, or the ID of the assumption that decides it.
        schema: the name of the schema of a success's body, unless it is what the route returns.
        headers: the headers that a success always has.
    """

    words: str
    rules: tuple[str, ...] = ()
    when: tuple[str, str] | None = None
    kind: Kind | None = None
    verbatim: str | None = None
    status: int | str = 200
    schema: str = ""
    headers: tuple[str, ...] = ()


def _refuse_under(alternative: str, rule: Rule, kind: Kind, words: str) -> Outcome:
    """Return the refusal that rests on an assumption, under the only alternative that refuses."""
    return Outcome(kind=kind, words=words, rules=(rule.id,), when=(rule.id, alternative))


TOO_MANY = _refuse_under("per-minute", api.RATE_LIMIT, "too_many", "The calls of this minute are used up.")
TOO_LONG: dict[Body, str] = {
    "json": "The body is larger than 16 MiB.",
    "form": "The form is larger than 64 KiB, or has more than 1000 fields.",
}
UNAUTHORIZED = Outcome(
    kind="unauthorized",
    words="The access token is missing or invalid.",
    rules=(api.BEARER.id, api.BEARER_FORM.id),
)
NO_SCOPE = _refuse_under(
    "file-and-user", api.SCOPE, "forbidden", "The scope of the access token is not enough."
)
NO_SUCH_THING = Outcome(kind="not_found", words="The user, bot or URL does not exist.")
NO_CONTAINER = _refuse_under("refused", files.CONTAINERS, "not_found", "The container does not exist.")
NOT_PERMITTED = _refuse_under(
    "self-or-administrator",
    api.PERMISSION,
    "forbidden",
    "The user may not do this for another, or for the domain.",
)
NAMED = ("{userId}", "{botId}", "{address}")  # what must exist


@cache
def _read_outcomes() -> dict[str, tuple[Outcome, ...]]:
    found = json.loads(OUTCOMES.read_text(encoding="utf-8"))
    return {
        operation: tuple(Outcome(**outcome) for outcome in outcomes) for operation, outcomes in found.items()
    }


def list_outcomes(route: Route, rules: Rules) -> Iterator[Outcome]:
    """Yield the possible outcomes of an operation under the chosen alternatives."""
    for outcome in list_all_outcomes(route):
        if outcome.when is None or rules[outcome.when[0]].chosen == outcome.when[1]:
            yield outcome


def list_all_outcomes(route: Route) -> Iterator[Outcome]:
    """Yield the outcomes of an operation that are possible under any alternatives."""
    family = route.operation.partition(".")[0]
    if route.area == "api":
        yield TOO_MANY
    if route.body in TOO_LONG and route.method not in ("GET", "DELETE"):
        deciding = (api.BODY_LIMIT.id, *([api.BEARER_ORDER.id] if route.area == "api" else ()))
        yield Outcome(kind="body_too_large", words=TOO_LONG[route.body], rules=deciding)
    yield from _read_outcomes().get(name_family(route.operation), ())
    if family == "retired":
        yield replace(UNAUTHORIZED, when=(api.BEARER_ORDER.id, "bearer-first"))
    elif route.area in ("api", "storage"):
        yield UNAUTHORIZED
        yield NO_SCOPE
        if route.operation != "users.update":  # it has its own
            yield NO_SUCH_THING if any(name in route.template for name in NAMED) else NO_CONTAINER
        if "{userId}" in route.template or (family == "download" and "{" not in route.template):
            yield NOT_PERMITTED


def list_rules_of(route: Route) -> list[Rule]:
    """Return the rules that any response of an operation may rest on; its outcomes list those that decide for them."""
    used = set(read_rules().get(name_family(route.operation), ()))
    # a default that fits the description, which no response names
    used.update(outcome.status for outcome in list_all_outcomes(route) if isinstance(outcome.status, str))
    if route.operation == "storage.send":
        used.update(rule.id for rule in LOGGED)  # a log shows what earlier calls rested on
    return [rule for rule in RULEBOOK.values() if rule.id in used]
