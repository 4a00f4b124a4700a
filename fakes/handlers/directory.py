"""Operations of the directory."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any

from pydantic import Field, ValidationError
from pydantic_core import to_json

from fakes import rulebook
from fakes.handlers.context import CallContext, Reading
from fakes.handlers.error_formats import JSON
from fakes.handlers.nulls import find_nulls
from fakes.handlers.routing import Operations
from fakes.http import json_text
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.rulebook.refusing import describe_choices
from fakes.rulebook.text_lengths import compose, find_property_problems
from svckit.models.base import OrAbsent
from svckit.models.custom_properties import drop_extras
from svckit.models.long_arrays import ENOUGH
from svckit.models.problems import Problem, join_problems, limit_problems, list_problems
from svckit.models.status import StatusRegistration, UserProfileStatus
from svckit.models.text_lengths import AtMost
from svckit.models.user import TimeZone, User, UserChange
from svckit.models.user_parts import (
    OrgUnit,
    OrgUnitChange,
    UserCustomField,
    UserCustomFieldChange,
    UserOrganization,
    UserOrganizationChange,
    UserRelation,
    UserRelationChange,
)

__all__ = ["operations"]

operations = Operations("api", "Endpoints › Directory")
USER = "/users/{userId}"
SCOPE = "user"
STATUS_NULLS = (rulebook.api.NULL, rulebook.api.NULL_OPTIONAL)
REGISTRATION = Reading(StatusRegistration, rulebook.statuses.LIMITS, nulls=STATUS_NULLS)
READ_ONLY = frozenset(
    path + name
    for path, response, request in (
        ("", User, UserChange),
        ("organizations.", UserOrganization, UserOrganizationChange),
        ("organizations.orgUnits.", OrgUnit, OrgUnitChange),
        ("customFields.", UserCustomField, UserCustomFieldChange),
        ("relations.", UserRelation, UserRelationChange),
    )
    for name in response.wire_names() - request.wire_names()
)
"""The paths of response-only fields, without item numbers."""
LOOSE_READINGS = {
    "telephone": (rulebook.directory.TELEPHONE, "prefix"),
    "cellPhone": (rulebook.directory.TELEPHONE, "prefix"),
    "timeZone": (rulebook.directory.TIME_ZONE, "form-only"),
}
"""By field, the rule that allows a loose reading, and the alternative that does."""
UNLIMITED = ("i18nNames", "organizations")
"""The arrays without a described maximum."""
LONGEST_ARRAY = 1000
LONGEST_ZONE = 1000
"""The length of a time zone that is too slow for the model, so that it is checked before."""
LONG = 64 * 1024
"""The size of a body, in bytes, that is not read more often than necessary."""

# What the described pattern requires if its end is not anchored: a digit anywhere in the first line.
Telephone = Annotated[str, Field(pattern="^(?=.*[0-9])"), AtMost(100)]


class LooseUserChange(UserChange):
    """An update read as loosely as any rule allows: telephone numbers with any end, time zones of any name."""

    telephone: Telephone | None = None
    cell_phone: Telephone | None = None
    time_zone: OrAbsent[TimeZone] = None


@operations("PATCH", USER, "users.update", exclusive="userId", takes=UserChange, returns=User)
def update_user(call: CallContext) -> FakeResponse:
    """Partially update a user."""
    caller, users = call.authorize(SCOPE), call.state.users
    try:
        user_id = users.resolve(call.params["userId"], caller.user_id)
    except Refusal as refusal:
        refusal.kind = "no_user"
        raise
    call.require_permission(caller, user_id)
    cleaned = False
    try:
        change = _read_change(call)
        if change.custom_properties:
            cleaned = _clean_links(call, change)
    except Refusal as refusal:
        raise _add_domain_problems(call, user_id, refusal) from None
    body, ignored = users.update(user_id, change)
    if cleaned:  # noted only now, as a refused update does not rest on it
        call.state.rules.apply(rulebook.directory.CUSTOM_PROPERTIES)
    if ignored:
        call.ignored = [*call.ignored, *ignored]
    if call.ignored:
        _note_read_only(call)
    return FakeResponse(200, [JSON], body)


def _note_read_only(call: CallContext) -> None:
    """Note the rules that leave sent fields unchanged."""
    fields = {re.sub(r"\[\d+\]", "", path) for path in call.ignored}
    if not READ_ONLY.isdisjoint(fields):
        call.state.rules.follow(rulebook.directory.READ_ONLY)
    if "isAdministrator" in fields:
        call.state.rules.follow(rulebook.directory.PERMISSION)


def _clean_links(call: CallContext, change: UserChange) -> bool:
    """Remove unknown fields from links in custom properties; return whether there were any.

    Only the definitions say which properties are links.
    """
    sent = change.custom_properties or {}
    known = drop_extras(sent, call.state.settings.custom_properties)
    if known == sent:
        return False
    if call.state.rules.look_up(rulebook.directory.CUSTOM_PROPERTIES) == "checked":
        call.ignore(sent, known, rulebook.api.EXTRA_FIELDS, "customProperties")
        change.custom_properties = known
    return True


def _add_domain_problems(call: CallContext, user_id: str, refusal: Refusal) -> Refusal:
    """Return a refusal with the problems that the domain's rules and settings find in its other fields."""
    broken = {problem.field for problem in refusal.problems}
    # Skip this without a JSON object, with unknown fields or if the listed problems are cut off, and for a long body,
    # which would take as long again.
    if not broken or len(refusal.problems) > ENOUGH or len(call.body) > LONG:
        return refusal
    fields = {name: value for name, value in call.json_object().items() if name not in broken}
    change = _read_rest(compose(fields, call.state.rules))
    found = call.state.users.find_problems(user_id, change)
    if not found:
        return refusal
    problems = [*refusal.problems, *found]
    return Refusal(refusal.kind, join_problems(problems), problems=limit_problems(problems))


def _read_rest(fields: dict[str, Any]) -> LooseUserChange:
    """Return the fields without problems as an update; nulls among them count as absent."""
    try:
        return LooseUserChange.from_wire(fields, from_json=True)
    except ValidationError as invalid:
        return LooseUserChange.from_wire(json_text.remove_fields(fields, find_nulls(invalid)), from_json=True)


def _read_change(call: CallContext) -> UserChange:
    """Return the body of an update, read as loosely as the chosen alternatives allow."""
    try:
        return call.json(UPDATE)
    except Refusal as refusal:
        if LOOSE_READINGS.keys().isdisjoint(problem.path for problem in refusal.problems):
            raise
        # The refusal would refer to this frame, and the frame to the refusal, which would keep the body in memory.
        kind, strict = refusal.kind, refusal.problems
    # Only a look, as this may use assumptions that are not reached if a problem is left.
    left = _list_paths(call.state.rules.peek(partial(call.json, LOOSE_UPDATE)))
    problems = [problem for problem in strict if problem.path in left or _is_strict(problem.path, call)]
    if problems:
        loosely = dict(LOOSE_READINGS[problem.path] for problem in problems) if not left else {}
        remedy = describe_choices({rule.id: reading for rule, reading in loosely.items()}) if loosely else ""
        raise Refusal(kind, join_problems(problems), problems=limit_problems(problems), remedy=remedy)
    call.ignored = ()
    return call.json(LOOSE_UPDATE)


def _list_paths(outcome: object) -> set[str]:
    """Return the paths of the problems, if this is a refusal."""
    return {problem.path for problem in outcome.problems} if isinstance(outcome, Refusal) else set()


def _is_strict(path: str, call: CallContext) -> bool:
    rule, loosely = LOOSE_READINGS[path]
    return call.state.rules.apply(rule) != loosely


def _find_long_problems(call: CallContext, sent: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the problems of very large fields before their parts are checked."""
    rules = call.state.rules
    for name in UNLIMITED:
        given = sent.get(name)
        if not isinstance(given, list) or len(given) <= LONGEST_ARRAY:
            continue
        if rules.apply(rulebook.directory.ARRAY_LIMIT) != "unlimited":
            message = (
                f"{name} must have at most {LONGEST_ARRAY} items; given an array of {len(given)}; the service's "
                "description shows no such limit: it comes from the alternative chosen for user.array-limit"
            )
            yield Problem(name, message, f"an array of {len(given)}", LONGEST_ARRAY)
    zone = sent.get("timeZone")
    if isinstance(zone, str) and len(zone) > LONGEST_ZONE and not zone.isascii():  # no reading allows it
        # Its start is refused in the same words, at once; no zone begins with the character put before it.
        try:
            UserChange.from_wire({"timeZone": "\uff21" + zone[:LONGEST_ZONE]}, from_json=True)
        except ValidationError as invalid:
            yield from list_problems(invalid)
    properties = sent.get("customProperties")
    if isinstance(properties, dict) and len(call.body) > LONG:  # else they are checked with the other rules
        yield from find_property_problems(properties, call.state.settings.custom_properties, rules)


UPDATE = Reading(
    UserChange, rulebook.directory.LIMITS, nulls=(rulebook.api.NULL_OPTIONAL,), first=_find_long_problems
)
LOOSE_UPDATE = Reading(LooseUserChange, UPDATE.limits, nulls=UPDATE.nulls, first=UPDATE.first)


@operations(
    "POST",
    f"{USER}/user-profile-statuses",
    "users.set_status",
    takes=StatusRegistration,
    returns=UserProfileStatus,
)
def register_status(call: CallContext) -> FakeResponse:
    """Register a profile status for a user."""
    caller = call.authorize(SCOPE)
    user_id = call.state.users.resolve(call.params["userId"], caller.user_id)
    call.require_permission(caller, user_id)
    if not call.state.statuses.is_enabled:
        call.state.rules.weigh(partial(_refuse_while_off, call))
    status = call.state.statuses.register(user_id, _read_registration(call))
    return FakeResponse(200, [JSON], to_json(status))


def _refuse_while_off(call: CallContext) -> None:
    """Refuse a registration while the domain's status setting is off, for that or for what is itself invalid."""
    if call.state.rules.apply(rulebook.statuses.PRECEDENCE) == "body-first":
        call.state.statuses.check_times(_read_registration(call))
    call.state.statuses.require_setting()


def _read_registration(call: CallContext) -> StatusRegistration:
    """Return the body of a registration."""
    try:
        return call.json(REGISTRATION)
    except Refusal as refusal:
        given = next(
            (problem.given for problem in refusal.problems if problem.path == "profileStatusId"), None
        )
        if given is not None:
            call.state.rules.follow(rulebook.statuses.NOT_USED)
            refusal.verbatim = "Not used status."
        if given not in (None, "null"):
            call.state.rules.begin_again(*STATUS_NULLS)  # the response names no problem of another field
        raise
