"""Admin calls for the journal, the rules and the faults."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from fakes.faults.injection import Faults
from fakes.faults.kinds import KINDS, AnyFault
from fakes.handlers.admin import AdminBody, read_json, refusing_invalid
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_schemas import (
    COUNT,
    COUNT_OR_NULL,
    INSTANT,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Schema,
    add_named,
    add_object,
    describe,
    make_list,
    make_object,
    refer_to_schema,
)
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.parts.journal_entry import JournalEntry
from fakes.rulebook.refusing import Policy
from svckit.models.base import OrAbsent, absent, python_name, wire_name
from svckit.models.notification import RATE_HEADERS
from svckit.models.problems import shorten

__all__ = ["DERIVED", "admin", "describe_fault", "make_given_fault"]

admin: AdminCalls = AdminCalls()

JOURNAL_QUERY: Mapping[str, Schema] = {
    "bodies": describe(
        {"type": "string", "enum": ["true", "false"]},
        "Whether to include the bodies of requests and responses, cut at 64 KiB.",
    ),
    "operation": describe(TEXT, "Only requests of this operation, or of those that match a pattern."),
    "status": describe(COUNT, "Only requests whose response has this status."),
    "since": describe(COUNT, "Only requests after the one with this number."),
    "latest": describe(COUNT, "Only so many of these requests, the latest; 0 for none."),
}
"""The query parameters of the journal."""

RATE_LIMIT = add_object(
    "RateLimit",
    **{
        name.removeprefix("RateLimit-").lower(): describe(COUNT, words)
        for name, words in RATE_HEADERS.items()
    },
)
ENTRY = make_object(
    number=describe(COUNT, "Number of the request, from 1."),
    at=describe(INSTANT, "When the request arrived, by the fake's clock."),
    operation=describe(TEXT_OR_NULL, "Name of the operation."),
    method=describe(TEXT, "The HTTP method."),
    url=describe(TEXT, "The URL, with secrets masked."),
    status=describe(COUNT_OR_NULL, "Status of the response; null if a fault broke the connection before it."),
    userId=describe(TEXT_OR_NULL, "The caller, by the access token; null if it was not needed or not valid."),
    rules=describe(TEXTS, "IDs of all rules that the response used."),
    assumed=describe(TEXTS, "IDs of the assumptions that the response rested on."),
    observed=describe(TEXTS, "IDs of the measured rules that the response rested on."),
    deviations=describe(TEXTS, "The deviations that shaped the response, such as file.stored=200."),
    ignored=describe(TEXTS, "Names of the request's ignored parameters, and paths of its ignored fields."),
    requestBytes=describe(COUNT_OR_NULL, "Size of the whole request body."),
    responseBytes=describe(COUNT_OR_NULL, "Size of the whole response body; null if it was streamed."),
    rateLimit=describe(
        {"anyOf": [RATE_LIMIT, {"type": "null"}]},
        "Usage of the notification rate after this request; null without its headers.",
    ),
    injected=describe(TEXT_OR_NULL, "Effect of a fault, in words; null without a fault."),
    reason=describe(TEXT_OR_NULL, "Why the request was refused; null if it was not."),
    remedy=describe(
        TEXT_OR_NULL, "The choices that would have allowed what was refused; null if none is known."
    ),
    section=describe(
        TEXT_OR_NULL, "Section of the service's description that refused the request; null if none did."
    ),
    webhook=describe(TEXT_OR_NULL, "Fingerprint of the webhook that was called; null for other operations."),
    parts=describe(
        make_list(make_object(name=TEXT, fileName=TEXT_OR_NULL, contentType=TEXT_OR_NULL)),
        "The parts of a multipart body, as far as it was read.",
    ),
)
ENTRY["properties"] |= {
    "requestBody": describe(TEXT, "Only with bodies=true."),
    "responseBody": describe(TEXT, "Only with bodies=true."),
}
JOURNAL = make_object(
    exchanges=make_list(add_named("JournalEntry", ENTRY)),
    count=describe(COUNT, "Number of all requests that the journal has."),
    number=describe(COUNT, "Number of the latest request; 0 if there was none since the start or a reset."),
    dropped=describe(COUNT, "Number of the latest request that made room for later ones; 0 if none did."),
)


@admin("GET", "/journal", "journal.read", returns=JOURNAL, query=JOURNAL_QUERY)
def read_journal(call: CallContext, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the latest requests, oldest first, secrets masked; with ``?bodies=true`` also bodies, cut at 64 KiB.

    ``operation=``, ``status=`` and ``since=`` select some, and ``latest=`` so many of these; ``since`` is the number of
    a request, and leaves it out.
    """
    operation, status, since, latest = map(query.get, ("operation", "status", "since", "latest"))
    journal, with_bodies = call.state.journal, query.get("bodies") == "true"
    with refusing_invalid(), call.domain.lock:
        found = journal.after(since) if since else journal
        if status or operation is not None:
            found = found.where(operation=operation, status=status or None)
        shown = list(found) if latest is None else found.latest(latest)
        kept = {"count": len(journal), "number": journal.mark().number, "dropped": journal.find_dropped()}
    return {"exchanges": [describe_entry(entry, with_bodies) for entry in shown]} | kept


def describe_entry(entry: JournalEntry, with_bodies: bool) -> dict[str, object]:
    """Return a journal entry as data."""
    bodies = {"requestBody": entry.request_body, "responseBody": entry.response_body} if with_bodies else {}
    return entry.record() | bodies


@admin("DELETE", "/journal", "journal.clear")
def clear_journal(call: CallContext) -> None:
    """Forget all requests."""
    call.state.journal.clear()


MEASUREMENT = add_object(
    "Measurement",
    result=describe(
        {"enum": ["confirmed", "alternative", "refuted"]},
        "Whether the default fits, another alternative does, or none.",
    ),
    value=describe(TEXT_OR_NULL, "The alternative that fits; null if none does."),
    seen=describe(COUNT, "Number of requests that decided it."),
    statuses=describe(make_list(COUNT), "Statuses of their responses."),
    source=describe(TEXT, "The traffic that it was measured with."),
    date=describe(TEXT, "Day of the newest request."),
)
RULE = add_object(
    "Rule",
    id=describe(TEXT, "ID of the rule."),
    provenance=describe(
        {"enum": ["documented", "assumed", "observed"]},
        "Whether the service's description shows the behavior, or a measurement of a real service.",
    ),
    section=describe(TEXT, "The section of the description that it comes from or fills a gap in."),
    text=describe(TEXT, "The behavior, in words."),
    alternatives=describe(
        TEXTS, "The names of the alternatives, the default first; empty if it is documented."
    ),
    chosen=describe(TEXT_OR_NULL, "The alternative that applies; null if it is documented."),
    used=describe(COUNT, "Number of times that it was used."),
    observed=describe(
        {"anyOf": [MEASUREMENT, {"type": "null"}]}, "What was measured of it; null if nothing was."
    ),
)
DEVIATION = add_object(
    "Deviation",
    id=describe(TEXT, "ID of the deviation, which may be that of a documented rule."),
    departsFrom=describe(TEXTS, "IDs of the documented rules that it departs from."),
    section=describe(TEXT, "The section of the description that it departs from."),
    text=describe(TEXT, "The behavior if it is chosen, in words."),
    need=describe(TEXT, "The clients that need it."),
    values=describe(TEXTS, "The values to choose from."),
    chosen=describe(TEXT_OR_NULL, "The value that applies; null if it is off."),
    used=describe(COUNT, "Number of responses that it shaped."),
)
RULES = make_object(rules=make_list(RULE), deviations=make_list(DEVIATION))


@admin("GET", "/rules", "rules.list", returns=RULES)
def list_rules(call: CallContext) -> dict[str, Any]:
    """Return all rules and deviations, each with what is chosen and its number of uses."""
    rules = call.state.rules
    return {"rules": list(rules.records()), "deviations": list(rules.deviations.records())}


class Choices(AdminBody):
    """The alternatives by rule ID, whether assumptions are allowed, and the deviations by ID."""

    assume: OrAbsent[dict[str, str]] = absent("The alternatives by rule ID; other rules stay as they are.")
    assumptions: OrAbsent[Policy] = absent("What to do with a response that would rest on an assumption.")
    deviations: OrAbsent[dict[str, str | None]] = absent(
        "The values by the ID of the deviation; null turns one off. Others stay as they are."
    )


@admin("PATCH", "/rules", "rules.choose", body=Choices, returns=RULES)
def choose_rules(call: CallContext, given: Choices) -> dict[str, Any]:
    """Choose alternatives, deviations and the policy: ``{"assume", "assumptions", "deviations"}``.

    ``assume`` has alternatives by rule ID, and ``deviations`` values by ID, of which null turns one off.
    """
    with refusing_invalid(), call.domain.lock:
        call.state.rules.choose(given.assume or {}, given.assumptions, deviations=given.deviations)
    return list_rules(call)


FAULT = refer_to_schema("Fault")
"""One of all kinds of faults, whose models `fakes.openapi.admin` describes."""
DERIVED = ("left", "label", "number")
"""The fields of a fault that follow from its other fields."""


@admin("GET", "/faults", "faults.list", returns=make_object(faults=make_list(FAULT)))
def list_faults(call: CallContext) -> dict[str, Any]:
    """Return the faults that still apply, in order."""
    return {"faults": [_describe_fault(call, fault) for fault in call.state.faults]}


@admin("POST", "/faults", "faults.add", body=FAULT, returns=FAULT, status=201)
def add_fault(call: CallContext) -> dict[str, Any]:
    """Add a fault, such as ``{"kind": "status", "target": "users.update", "status": 503}``."""
    with call.domain.lock:
        return _describe_fault(call, make_given_fault(read_json(call), call.state.faults))


def make_given_fault(given: object, faults: Faults) -> AnyFault:
    """Add a fault as a call has it, and return it.

    Raises:
        Refusal: it is not valid.
    """
    if not isinstance(given, dict) or given.get("kind") not in KINDS:
        raise Refusal("invalid", f'a fault is a JSON object with a "kind", one of {", ".join(KINDS)}')
    options: dict[str, Any] = {name: value for name, value in given.items() if name not in DERIVED}
    kind, used = options.pop("kind"), options.pop("used", 0)
    if "afterBytes" in options:  # as `describe_fault` returns it
        options["after"] = options.pop("afterBytes")
    make = getattr(faults, kind)
    names = [wire_name(rename_option(name)) for name in signature(make).parameters]
    unknown = [name for name in options if name not in names]
    if unknown:
        raise Refusal(
            "invalid", f"{', '.join(unknown)} is not an option of {kind}; its options are {', '.join(names)}"
        )
    target = options.pop("target", "*")
    if not isinstance(target, str):
        raise Refusal("invalid", "target must be text: the name of an operation, a path, or *")
    if "used" in given:
        _check_used(used, options.get("times", 1))
    with refusing_invalid():
        fault: AnyFault = make(target, **{python_name(name): value for name, value in options.items()})
    fault.used = used
    return fault


def _check_used(used: object, times: object) -> None:
    """Check that a fault has applied fewer times than it may."""
    if type(used) is not int or used < 0 or (isinstance(times, int) and used >= times):
        below = f" and less than times, {times}" if isinstance(times, int) else ""
        raise Refusal("invalid", f"used must be a whole number from 0{below}; given {used!r}")


@admin("DELETE", "/faults", "faults.clear")
def clear_faults(call: CallContext) -> None:
    """Remove all faults."""
    call.state.faults.clear()


@admin("GET", "/faults/{faultNumber}", "faults.read", returns=FAULT, errors=(404,))
def read_fault(call: CallContext) -> dict[str, Any]:
    """Return one fault that still applies, by the number that ``GET /faults`` and ``POST /faults`` return."""
    return _describe_fault(call, _find_fault(call))


@admin("DELETE", "/faults/{faultNumber}", "faults.remove", errors=(404,))
def remove_fault(call: CallContext) -> None:
    """Remove one fault, by the number that ``GET /faults`` and ``POST /faults`` return."""
    with call.domain.lock:
        call.state.faults.remove(_find_fault(call))


def _find_fault(call: CallContext) -> AnyFault:
    given, faults = call.params["faultNumber"], call.state.faults
    found = next((fault for fault in faults if str(faults.number(fault)) == given), None)
    if found is None:
        raise Refusal(
            "not_found", f"no fault that still applies has the number {shorten(given)!r}; see GET /faults"
        )
    return found


def rename_option(name: str) -> str:
    """Return the wire name of an option: a fault's bot is its target, too."""
    return "target" if name == "bot_id" else name


def _describe_fault(call: CallContext, fault: AnyFault) -> dict[str, Any]:
    return describe_fault(fault) | {"number": call.state.faults.number(fault)}


def describe_fault(fault: AnyFault) -> dict[str, Any]:
    """Return a fault as data, with its label."""
    options = {wire_name(name): value for name, value in fault.model_dump().items()}
    return options | {"left": fault.left, "label": fault.label}
