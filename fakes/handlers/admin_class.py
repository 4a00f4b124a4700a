"""Admin calls for a class: the progress that learners post from their worlds, and what the trainer pushes to all."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, StrictInt

from fakes.clock import Clock, parse_instant
from fakes.faults.injection import Faults
from fakes.handlers.admin import AdminBody, refusing_invalid
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_domain import Move, check_move
from fakes.handlers.admin_records import make_given_fault
from fakes.handlers.admin_rooms import MemberMessage
from fakes.handlers.admin_schemas import (
    ANY_OBJECT,
    COUNT,
    INSTANT,
    TEXT,
    add_named,
    add_object,
    describe,
    make_list,
    make_object,
)
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from svckit.models.base import OrAbsent, absent

if TYPE_CHECKING:
    from fakes.worlds.class_book import ClassBook

__all__ = ["InClass", "admin"]


class InClass:
    """A fake of a class: a world, or the fake that has the worlds.

    Attributes:
        book: what the class shares.
        name: the name of the world; empty for the fake that has the worlds.
    """

    book: "ClassBook"
    name: str = ""


def get_member(call: CallContext) -> InClass:
    """Return the fake that was called, as one of a class.

    Raises:
        Refusal: it is of none.
    """
    if not isinstance(call.domain, InClass):
        raise Refusal(
            "no_class", "this fake is of no class; those of svckit serve --worlds, or fakes.Worlds, are"
        )
    return call.domain


admin: AdminCalls = AdminCalls(get_member)

Name = Annotated[str, Field(min_length=1, max_length=100)]
PROGRESS = add_object(
    "LessonProgress",
    world=describe(TEXT, "Name of the world."),
    lesson=describe(TEXT, "Number of the lesson."),
    outcome=describe(TEXT, "The outcome of the latest check."),
    check=describe(TEXT, "Name of the check that is not reached, or empty."),
    tries=describe(COUNT, "Number of tries."),
    at=describe(INSTANT, "When it was posted, by the learner's clock."),
    learner=describe(TEXT, "The name that the learner gave, or empty."),
    since=describe(INSTANT, "Since when the outcome and the check are the same."),
)
PUSHED = add_named("Pushed", describe(ANY_OBJECT, "What was pushed, as it was sent, with its number."))


class Progress(AdminBody):
    """The latest outcome of a lesson; it contains nothing that the learner wrote."""

    lesson: Name = Field(description="Number of the lesson.")
    outcome: Literal["started", "not yet", "solved"] = Field(description="The outcome of the latest check.")
    check: OrAbsent[Name] = absent("Name of the check that is not reached.")
    tries: Annotated[StrictInt, Field(ge=0, lt=2**31)] = Field(description="Number of tries.")
    at: Name = Field(description="When, by the learner's clock, with an offset.")
    learner: OrAbsent[Name] = absent("The learner's name.")


class Push(AdminBody):
    """A push of a trainer to the fakes of all learners: exactly one of the fields."""

    fault: OrAbsent[dict[str, Any]] = absent("A fault, as for POST /faults.")
    clear: OrAbsent[Literal["faults"]] = absent("Removes all faults.")
    clock: OrAbsent[Move] = absent("A move of the clock, as for POST /clock.")
    message: OrAbsent[MemberMessage] = absent("A message from a member to a bot, as for POST /messages.")


@admin("POST", "/progress", "progress.post", body=Progress, errors=(404, 409))
def post_progress(_: CallContext, member: InClass, given: Progress) -> None:
    """Post the progress in a lesson, which replaces that of before."""
    with refusing_invalid("at: "):
        parse_instant(given.at)
    member.book.post(member.name, {"check": "", "learner": "", **given.to_wire()})


@admin("GET", "/progress", "progress.read", returns=make_object(progress=make_list(PROGRESS)), errors=(404,))
def read_progress(_: CallContext, member: InClass) -> dict[str, Any]:
    """Return the progress in this world, or in all worlds of a server; learners can post what they like."""
    return {"progress": member.book.read(member.name)}


@admin("POST", "/pushes", "pushes.add", body=Push, returns=PUSHED, status=201, errors=(404,))
def push(call: CallContext, member: InClass, given: Push) -> dict[str, Any]:
    """Push a fault, a move of the clock or a message to all learners, who get it before their next cell."""
    if member.name:
        raise Refusal(
            "not_found", "a world cannot push; send it to the admin URL of the server of the worlds"
        )
    sent = given.to_wire()
    if len(sent) != 1:
        raise Refusal("invalid", f"send exactly one of fault, clear, clock and message; given {len(sent)}")
    if given.fault is not None:
        make_given_fault(given.fault, Faults(call.state.faults.operations))
    if given.clock is not None:
        check_move(given.clock)
        with refusing_invalid("the clock cannot be moved like this: "):
            Clock().advance(seconds=given.clock.advance or 0)
    return member.book.push(sent)


@admin(
    "GET",
    "/pushes",
    "pushes.list",
    returns=make_object(pushes=make_list(PUSHED)),
    query={"since": describe(COUNT, "The number of a push; those after it are returned.")},
    errors=(404,),
)
def list_pushes(_: CallContext, member: InClass, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was pushed, oldest first; with ``?since=`` the number of a push, only what came after it."""
    return {"pushes": member.book.pushes(query.get("since", 0))}
