"""Admin calls for the worlds of a fake, which are independent fakes under paths of their own."""

from abc import ABC, abstractmethod
from secrets import token_hex
from typing import Annotated, Any

from pydantic import Discriminator, StrictInt, Tag

from fakes.handlers.admin import AdminBody, refusing_invalid
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_domain import FACTS
from fakes.handlers.admin_schemas import TEXTS, make_object
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.parts.domain import Domain
from fakes.parts.facts import Facts
from svckit.models.base import OrAbsent, absent

__all__ = ["WorldHost", "admin", "world_path"]


class WorldHost(ABC):
    """The worlds of a fake, as these calls and servers use them."""

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

    @abstractmethod
    def give_back(self) -> None:
        """Let other processes have the worlds that they asked for."""

    @abstractmethod
    def close(self) -> None:
        """Save all worlds."""


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


admin: AdminCalls = AdminCalls(get_host)


def _get_tag(data: object) -> str:
    """Return the tag of a world's data, so that a problem is told in terms of what was sent."""
    return "type=users" if isinstance(data, list) else "type=parts"


Data = Annotated[
    Annotated[list[dict[str, Any]], Tag("type=users")] | Annotated[dict[str, Any], Tag("type=parts")],
    Discriminator(_get_tag),
]


class NewWorld(AdminBody):
    """A new world; what is left out is as in the fake that has the worlds."""

    name: OrAbsent[str] = absent("Name of the world, which its URLs have; without it, one is made up.")
    users: OrAbsent[StrictInt] = absent(
        "Number of sample users; without data here, instead of all of the server's own data that have users."
    )
    seed: OrAbsent[StrictInt] = absent(
        "Determines the users, IDs and secrets; without one here or of the server, the secrets are random."
    )
    now: OrAbsent[str] = absent("Instant at which the clock stands until moved.")
    assume: OrAbsent[dict[str, str]] = absent("Alternatives for assumptions, by rule ID.")
    data: OrAbsent[Data] = absent(
        "Data of your own: a list of users, or an object of users, files, rooms, customProperties, applications, bots "
        "and webhooks."
    )


def world_path(name: str) -> str:
    """Return the path that the URLs of a world have.

    Examples:
        >>> world_path("mina")
        '/w/mina'
    """
    return f"/w/{name}"


def describe_world(call: CallContext, name: str, world: Domain) -> dict[str, Any]:
    """Return the facts of a world, with the URLs of this door."""
    with world.lock:
        facts = Facts.of(world.state, call.base_urls.within(world_path(name)))
        return {"name": name, **facts.to_wire()}


@admin("GET", "/worlds", "worlds.list", returns=make_object(worlds=TEXTS), errors=(404,))
def list_worlds(_: CallContext, host: WorldHost) -> dict[str, Any]:
    """List the worlds by name."""
    return {"worlds": host.names()}


@admin("POST", "/worlds", "worlds.add", body=NewWorld, returns=FACTS, status=201, errors=(404, 409, 421))
def add_world(call: CallContext, host: WorldHost, given: NewWorld) -> dict[str, Any]:
    """Create a world, ``{"name", "users", "seed", "now", "assume", "data"}``, all optional, and return its facts."""
    sample = {name: value for name, value in given if value is not None}
    in_path = call.params.get("worldName")
    name = sample.pop("name", in_path or token_hex(8))
    if name != (in_path or name):
        raise Refusal("invalid", f"name must be {in_path!r}, as in the path, or left out; given {name!r}")
    with refusing_invalid():
        world = host.create(name, **sample)
    return describe_world(call, name, world)


@admin("GET", "/worlds/{worldName}", "worlds.read", returns=FACTS, errors=(404, 421))
def read_world(call: CallContext, host: WorldHost) -> dict[str, Any]:
    """Return the facts of a world."""
    name = call.params["worldName"]
    return describe_world(call, name, host.find(name))


admin(
    "POST",
    "/worlds/{worldName}",
    "worlds.add_named",
    body=NewWorld,
    returns=FACTS,
    status=201,
    errors=(404, 409, 421),
)(add_world)


@admin("DELETE", "/worlds/{worldName}", "worlds.remove", errors=(404, 421))
def remove_world(call: CallContext, host: WorldHost) -> None:
    """Remove a world with all its data."""
    host.remove(call.params["worldName"])
