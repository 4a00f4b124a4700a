"""Admin calls for the worlds of a fake, which are independent fakes under paths of their own."""

from abc import ABC, abstractmethod
from secrets import token_hex
from typing import Annotated, Any

from pydantic import Discriminator, Field, StrictInt, Tag

from fakes.handlers.admin import AdminBody, read_body, refuse_body, respond, respond_no_content
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.domain import Domain
from fakes.parts.facts import Facts
from svckit.models.base import OrAbsent

__all__ = ["NewWorld", "WorldHost", "add_world", "list_worlds", "read_world", "remove_world", "world_path"]


class WorldHost(ABC):
    """The worlds of a fake, as these calls use them."""

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of all worlds, sorted."""

    @abstractmethod
    def create(self, name: str, **sample: Any) -> Domain:
        """Create a world."""

    @abstractmethod
    def find(self, name: str) -> Domain:
        """Return a world."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a world."""


def _get_tag(data: object) -> str:
    """Return the tag of a world's data, so that a problem is told in terms of what was sent."""
    return "type=users" if isinstance(data, list) else "type=parts"


Data = Annotated[
    Annotated[list[dict[str, Any]], Tag("type=users")] | Annotated[dict[str, Any], Tag("type=parts")],
    Discriminator(_get_tag),
]


class NewWorld(AdminBody):
    """A new world; what is left out is as in the fake that has the worlds."""

    name: OrAbsent[str] = Field(default=None)
    users: OrAbsent[StrictInt] = Field(default=None)
    seed: OrAbsent[StrictInt] = Field(default=None)
    now: OrAbsent[str] = Field(default=None)
    assume: OrAbsent[dict[str, str]] = Field(default=None)
    data: OrAbsent[Data] = Field(default=None)


def world_path(name: str) -> str:
    """Return the path that the URLs of a world have.

    Examples:
        >>> world_path("mina")
        '/w/mina'
    """
    return f"/w/{name}"


def get_host(call: CallContext) -> WorldHost:
    """Return the worlds of the fake that was called.

    Raises:
        Refusal: it has none.
    """
    if not isinstance(call.domain, WorldHost):
        raise Refusal(
            "not_found", "this fake has no worlds; svckit serve --worlds, or fakes.Worlds, has them"
        )
    return call.domain


def describe_world(call: CallContext, name: str, world: Domain) -> dict[str, object]:
    """Return the facts of a world, with the URLs of this door."""
    with world.lock:
        facts = Facts.of(world.state, call.base_urls.within(world_path(name)))
        return {"name": name, **facts.to_wire()}


def list_worlds(call: CallContext) -> FakeResponse:
    """List the worlds by name."""
    return respond({"worlds": get_host(call).names()})


def add_world(call: CallContext) -> FakeResponse:
    """Create a world, ``{"name", "users", "seed", "now", "assume", "data"}``, all optional, and return its facts."""
    host, given = get_host(call), read_body(call, NewWorld)
    sample = {name: value for name, value in given if value is not None}
    in_path = call.params.get("worldName")
    name = sample.pop("name", in_path or token_hex(8))
    if name != (in_path or name):
        raise Refusal("invalid", f"name must be {in_path!r}, as in the path, or left out; given {name!r}")
    try:
        world = host.create(name, **sample)
    except ValueError as wrong:
        raise Refusal("invalid", str(wrong)) from None
    return respond(describe_world(call, name, world), 201)


def read_world(call: CallContext) -> FakeResponse:
    """Return the facts of a world."""
    name = call.params["worldName"]
    return respond(describe_world(call, name, get_host(call).find(name)))


def remove_world(call: CallContext) -> FakeResponse:
    """Remove a world with all its data."""
    refuse_body(call)
    get_host(call).remove(call.params["worldName"])
    return respond_no_content()
