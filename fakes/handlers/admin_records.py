"""Admin calls for the journal, the rules and the faults."""

import re
from inspect import signature
from typing import Any

from pydantic import Field

from fakes.faults.injection import Faults
from fakes.faults.kinds import KINDS, AnyFault
from fakes.handlers.admin import AdminBody, read_body, read_json, respond, respond_no_content
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.journal_entry import JournalEntry
from fakes.rulebook.refusing import Policy
from svckit.models.base import OrAbsent, python_name, wire_name

__all__ = [
    "add_fault",
    "choose_rules",
    "clear_faults",
    "clear_journal",
    "list_faults",
    "list_rules",
    "read_journal",
]

JOURNAL_PARAMETERS = frozenset({"bodies", "operation", "since", "status"})
"""The query parameters of the journal."""
NUMBER = re.compile(r"[0-9]{1,9}")

DERIVED = ("left", "label")
"""The fields of a fault that follow from its other fields."""


def read_journal(call: CallContext) -> FakeResponse:
    """Return the latest requests, oldest first, secrets masked; with ``?bodies=true`` also bodies, cut at 64 KiB.

    ``operation=``, ``status=`` and ``since=`` select some; ``since`` is the number of a request, and leaves it out.
    """
    given = call.query_parameters()
    numbers = {name: given.get(name, "0") for name in ("status", "since")}
    if (
        given.keys() - JOURNAL_PARAMETERS
        or given.get("bodies", "false") not in ("true", "false")
        or not all(map(NUMBER.fullmatch, numbers.values()))
    ):
        raise Refusal(
            "invalid",
            "the journal takes the query parameters bodies=true, operation=<name or pattern>, status=<HTTP status> and "
            f"since=<number of a request>; given {call.query!r}",
        )
    status, since = int(numbers["status"]) or None, int(numbers["since"])
    try:
        entries = call.state.journal.after(since).where(operation=given.get("operation"), status=status)
    except ValueError as unknown:
        raise Refusal("invalid", str(unknown)) from None
    with_bodies = given.get("bodies") == "true"
    return respond({"exchanges": [describe_entry(entry, with_bodies) for entry in entries]})


def describe_entry(entry: JournalEntry, with_bodies: bool) -> dict[str, object]:
    """Return a journal entry as data."""
    bodies = {"requestBody": entry.request_body, "responseBody": entry.response_body} if with_bodies else {}
    return entry.record() | bodies


def clear_journal(call: CallContext) -> FakeResponse:
    """Forget all requests."""
    call.state.journal.clear()
    return respond_no_content()


def list_rules(call: CallContext) -> FakeResponse:
    """Return all rules and deviations, each with what is chosen and its number of uses."""
    rules = call.state.rules
    return respond({"rules": list(rules.records()), "deviations": list(rules.deviations.records())})


class Choices(AdminBody):
    """The alternatives by rule ID, whether assumptions are allowed, and the deviations by ID."""

    assume: OrAbsent[dict[str, str]] = Field(default=None)
    assumptions: OrAbsent[Policy] = Field(default=None)
    deviations: OrAbsent[dict[str, str | None]] = Field(default=None)


def choose_rules(call: CallContext) -> FakeResponse:
    """Choose: ``{"assume": {ruleId: alternative}, "assumptions": policy, "deviations": {id: value}}``.

    The value null turns a deviation off.
    """
    given = read_body(call, Choices)
    try:
        with call.domain.lock:
            call.state.rules.choose(given.assume or {}, given.assumptions, deviations=given.deviations)
    except ValueError as wrong:
        raise Refusal("invalid", str(wrong)) from None
    return list_rules(call)


def list_faults(call: CallContext) -> FakeResponse:
    """Return the faults that still apply, in order."""
    return respond({"faults": [describe_fault(fault) for fault in call.state.faults]})


def add_fault(call: CallContext) -> FakeResponse:
    """Add a fault, such as ``{"kind": "status", "target": "users.update", "status": 503}``."""
    given = read_json(call)
    if not isinstance(given, dict) or given.get("kind") not in KINDS:
        raise Refusal("invalid", f'a fault is a JSON object with a "kind", one of {", ".join(KINDS)}')
    options: dict[str, Any] = {name: value for name, value in given.items() if name not in DERIVED}
    kind, used = options.pop("kind"), options.pop("used", 0)
    if "afterBytes" in options:  # as `describe_fault` returns it
        options["after"] = options.pop("afterBytes")
    make = getattr(Faults, kind)
    names = [wire_name(rename_option(name)) for name in list(signature(make).parameters)[1:]]
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
    try:
        with call.domain.lock:
            fault = make(
                call.state.faults, target, **{python_name(name): value for name, value in options.items()}
            )
            fault.used = used
    except ValueError as wrong:
        raise Refusal("invalid", str(wrong)) from None
    return respond(describe_fault(fault), 201)


def _check_used(used: object, times: object) -> None:
    """Check that a fault has applied fewer times than it may."""
    if type(used) is not int or used < 0 or (isinstance(times, int) and used >= times):
        below = f" and less than times, {times}" if isinstance(times, int) else ""
        raise Refusal("invalid", f"used must be a whole number from 0{below}; given {used!r}")


def clear_faults(call: CallContext) -> FakeResponse:
    """Remove all faults."""
    call.state.faults.clear()
    return respond_no_content()


def rename_option(name: str) -> str:
    """Return the wire name of an option: a fault's bot is its target, too."""
    return "target" if name == "bot_id" else name


def describe_fault(fault: AnyFault) -> dict[str, Any]:
    """Return a fault as data, with its label."""
    options = {wire_name(name): value for name, value in fault.model_dump().items()}
    return options | {"left": fault.left, "label": fault.label}
