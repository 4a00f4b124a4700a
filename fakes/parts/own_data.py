"""Data of your own that a domain begins with, instead of the sample's: users, files, rooms, applications and so on."""

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema, field_validator, model_validator
from pydantic_core import from_json, to_json

from fakes.data.places import parse_place
from fakes.data.sources import read_source
from fakes.data.user_records import check_users
from fakes.http import json_text
from fakes.http.errors import Refusal
from fakes.http.messages import check_field_value
from fakes.http.unpicklable import Unpicklable
from fakes.parts.callbacks import find_id_problem
from fakes.parts.files import FileStore
from fakes.parts.receivers import make_receiver
from fakes.parts.sign_in.assertions import read_public_key
from fakes.parts.sign_in.authorization_data import FIRST_APPLICATION, REDIRECT_URI, RegisteredClient
from fakes.parts.sign_in.clients import ClientRegistry, find_url_problem
from fakes.parts.stored_files import StoredFile
from fakes.parts.user_index import ChangedUser
from svckit.display.card import quantity
from svckit.display.suggestions import did_you_mean
from svckit.models import limits
from svckit.models.base import Flag, OrAbsent, WireModel, absent, python_name
from svckit.models.custom_properties import PropertyDefinition
from svckit.models.long_arrays import ENOUGH
from svckit.models.phrases import describe_given
from svckit.models.problems import HALF_CHARACTER, list_problems, shorten

__all__ = ["OwnApplication", "OwnBot", "OwnData", "OwnFile", "OwnWebhook", "refuse"]

Text = Annotated[str, Field(min_length=1)]
WEBHOOK_URL = re.compile(r"https?://.+/message/([0-9A-Za-z_-]+)")


def _write_number(given: object) -> object:
    """Return an ID that was given as a number as text."""
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


BotId = Annotated[str, BeforeValidator(_write_number), WithJsonSchema({"type": ["string", "integer"]})]


class OwnFile(WireModel):
    """A file and its place: the content as text or as base64.

    Examples:
        >>> OwnFile(place="/users/u-001/drive/files", name="a.txt", text="hello").read_content()
        b'hello'
    """

    place: str = Field(description="The path of the place, as for an upload; an ID after it is a folder's.")
    name: Text = Field(description="The file name.")
    text: OrAbsent[str] = absent("The content, if it is text.")
    content: OrAbsent[str] = absent("The content in base64, instead of text.")
    type: OrAbsent[str] = absent("The media type; by default that of plain text or of any bytes.")
    file_id: OrAbsent[Text] = absent(
        "ID of the file, which replaces a file with that ID; without it, one is issued."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.text is None) == (self.content is None):
            raise ValueError("needs either text, or content in base64")
        self.read_content()
        parse_place(self.place)
        try:
            check_field_value(self.type or "")
        except ValueError as wrong:
            raise ValueError(f"has a type that {wrong}") from None
        return self

    def read_content(self) -> bytes:
        """Return the content.

        Raises:
            ValueError: it is not base64.
        """
        try:
            return (
                b64decode(self.content, validate=True)
                if self.content is not None
                else (self.text or "").encode()
            )
        except ValueError as wrong:
            raise ValueError(f"content is not base64: {wrong}; plain text belongs into text") from None

    def put_into(self, files: FileStore) -> StoredFile:
        """Put the file into its place.

        Raises:
            Refusal: the user or bot of the place is not found.
        """
        kind = self.type or ("text/plain; charset=UTF-8" if self.content is None else None)
        return files.put(self.place, self.name, self.read_content(), content_type=kind, file_id=self.file_id)


class OwnRoom(WireModel):
    """A room, whether the notification app's bot is in it, and the titles of its webhooks."""

    channel_id: Text
    bot: Flag = True
    webhooks: list[Text] = Field(default=[])

    @model_validator(mode="after")
    def _check_bot(self) -> Self:
        if self.webhooks and not self.bot:
            raise ValueError("has webhooks, so the bot must be in it: leave bot out")
        return self


class OwnApplication(WireModel):
    """An application with its credentials.

    Examples:
        >>> OwnApplication(client_id="my-app", redirect_uri="https://app.example/callback").redirect_uris
        []
    """

    redirect_uri: str = Field(default=REDIRECT_URI, description="The redirect URL of the application.")
    redirect_uris: list[str] = Field(default=[], description="Further redirect URLs of the application.")
    client_id: OrAbsent[Text] = absent("The client ID; without it, one is issued.")
    client_secret: OrAbsent[Text] = absent("The client secret; without it, one is issued.")
    public_key: OrAbsent[str] = absent(
        "The key that checks its assertions: an RSA public key of at least 2048 bits, as PEM."
    )

    @field_validator("redirect_uri", "redirect_uris")
    @classmethod
    def _check_urls(cls, given: str | list[str]) -> str | list[str]:
        for url in [given] if isinstance(given, str) else given:
            if problem := find_url_problem(url):
                raise ValueError(problem)
        return given

    @field_validator("public_key")
    @classmethod
    def _check_key(cls, given: str | None) -> str | None:
        try:
            return None if given is None else read_public_key(given)
        except (Refusal, ModuleNotFoundError) as wrong:
            raise ValueError(f"cannot be used: {wrong}") from None

    def register_with(self, clients: ClientRegistry) -> RegisteredClient:
        """Register the application.

        Raises:
            Refusal: there is one with its ID.
        """
        return clients.register(
            self.redirect_uri,
            *self.redirect_uris,
            client_id=self.client_id,
            client_secret=self.client_secret,
            public_key=self.public_key or "",
        )


class OwnBot(WireModel):
    """A bot, and the URL that receives its callbacks."""

    bot_id: OrAbsent[BotId] = absent("ID of the bot, text or a number; without it, one is issued.")
    callback_url: str | None = Field(default=None, description="The URL of the receiver; null for none.")
    bot_secret: OrAbsent[Text] = absent("The secret that signs its callbacks; without it, one is issued.")

    def find_problem(self) -> str:
        """Return why there cannot be such a bot, or an empty text."""
        if self.bot_id is not None and (problem := find_id_problem(self.bot_id)):
            return f"botId {problem}"
        try:
            make_receiver(self.callback_url)
        except (TypeError, ValueError) as wrong:
            return f"callbackUrl cannot receive callbacks: {wrong}"
        return ""


class OwnWebhook(WireModel):
    """An entry of the webhook list."""

    title: str = Field(description="Title of its messages that have no title.")
    channel_id: str = Field(description="ID of the room.")
    url: OrAbsent[str] = absent("URL of an earlier entry, to restore it.")

    @property
    def webhook_id(self) -> str | None:
        """The secret part of the URL, if one was given; its host is that of each door."""
        found = None if self.url is None else WEBHOOK_URL.fullmatch(self.url)
        return None if found is None else found[1]

    def find_problem(self) -> str:
        """Return why there cannot be such an entry, or an empty text."""
        for name, value in (("title", self.title), ("channelId", self.channel_id)):
            if not value:
                return f"{name} must not be empty"
        if self.url is not None and self.webhook_id is None:
            return (
                "url must be that of a webhook, such as https://hooks.fake.test/message/wh_1, of which the fake keeps "
                f"what follows /message/; given {shorten(self.url)!r}"
            )
        return ""


@dataclass(frozen=True, slots=True)
class OwnData(Unpicklable):
    """Checked data. A kind that it has replaces that of the sample.

    Attributes:
        users: the users by ID.
        files: the files.
        rooms: the rooms.
        custom_properties: the definitions of the users' custom properties.
        applications: the applications; the first is that of the facts.
        bots: the bots; the first is that of the facts.
        webhooks: the entries of the webhook list, besides those of rooms.
        name: the file, or what else it came from.
        rows: where each user was given, such as ``line 7``.
    """

    users: Mapping[str, ChangedUser] = field(default_factory=dict)
    files: tuple[OwnFile, ...] = ()
    rooms: tuple[OwnRoom, ...] = ()
    custom_properties: tuple[PropertyDefinition, ...] = ()
    applications: tuple[OwnApplication, ...] = ()
    bots: tuple[OwnBot, ...] = ()
    webhooks: tuple[OwnWebhook, ...] = ()
    name: str = "data"
    rows: Mapping[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def read(cls, given: Any) -> "OwnData":
        """Read and check data; data that were checked are returned as they are.

        Args:
            given: what `FakeService.sample` takes as ``data``.

        Raises:
            ValueError: it is not valid; all problems are reported together, with their rows.
            OSError: the file cannot be read.

        Examples:
            >>> OwnData.read([{"email": "mina@example.com", "userName": {}}])
            OwnData(users=1)
            >>> OwnData.read([{"email": "mina@example.com"}, {"userName": {}, "isPending": "yes"}])
            Traceback (most recent call last):
            ...
            ValueError: data has 3 problems, and nothing was loaded:
              users[0]: userName is required
              users[1]: email is required
              users[1]: isPending must be true or false; given "yes"
        """
        if isinstance(given, OwnData):
            return given
        source, wrong = read_source(given), list[str]()
        others: dict[str, Any] = {
            python_name(kind): _read_each(model, kind, source.others.get(kind, ()), wrong)
            for kind, model in KINDS.items()
        }
        records, problems = check_users(source.users or (), others["custom_properties"])
        users = {record["userId"]: ChangedUser.of(record, to_json(record)) for _, record in records}
        rows = {record["userId"]: where for where, record in records}
        own = cls(users, **others, name=source.name, rows=rows)
        problems = [*source.problems, *problems, *wrong, *own._find_problems()]
        if source.users == [] and not problems:
            problems.append("it has no users; leave users out to keep those of the sample")
        refuse(source.name, problems)
        return own

    def _find_problems(self) -> Iterator[str]:
        """Yield what does not fit together."""
        yield from _find_twice("customProperties", [entry.name for entry in self.custom_properties], "name")
        yield from _find_room_problems(self.rooms, self.webhooks)
        yield from _find_setup_problems(self.applications, self.bots, self.webhooks)
        yield from _find_twice("files", [file.file_id for file in self.files])

    def _list_others(self) -> dict[str, Sequence[WireModel]]:
        """Return all but the users, by kind."""
        return {kind: getattr(self, python_name(kind)) for kind in KINDS}

    def dump(self) -> bytes:
        """Return the data as JSON, the same for the same data."""
        users = b",".join(user.body for user in self.users.values())
        listed = {kind: [item.to_wire() for item in items] for kind, items in self._list_others().items()}
        return b'{"users":[%b],%b' % (users, to_json(listed)[1:])

    @classmethod
    def load(cls, dumped: bytes) -> "OwnData":
        """Return the data from the JSON of `dump`, which needs no checks."""
        read = from_json(dumped)
        users = {record["userId"]: ChangedUser.of(record, to_json(record)) for record in read["users"]}
        others: dict[str, Any] = {  # an older file lacks some kinds
            python_name(kind): tuple(map(model.from_wire, read.get(kind, ())))
            for kind, model in KINDS.items()
        }
        return cls(users, **others)

    def __repr__(self) -> str:
        kinds = {"users": self.users, **self._list_others()}
        return f"OwnData({', '.join(f'{kind}={len(items)}' for kind, items in kinds.items() if items)})"


KINDS: Mapping[str, type[WireModel]] = {
    "customProperties": PropertyDefinition,
    "files": OwnFile,
    "rooms": OwnRoom,
    "applications": OwnApplication,
    "bots": OwnBot,
    "webhooks": OwnWebhook,
}
"""The models of all kinds of data but users."""


def refuse(name: str, problems: list[str]) -> None:
    """Report the first 50 problems, and how many more there are.

    Raises:
        ValueError: there are problems.
    """
    if problems:
        more = [f"and {len(problems) - ENOUGH} more"] if len(problems) > ENOUGH else []
        listed = "\n  ".join([*problems[:ENOUGH], *more])
        raise ValueError(
            f"{name} has {quantity(len(problems), 'problem')}, and nothing was loaded:\n  {listed}"
        )


def _read_each(
    model: type[WireModel], kind: str, given: Iterable[Any], problems: list[str]
) -> tuple[WireModel, ...]:
    """Read the items of a kind, and add their problems."""
    read = []
    for at, item in enumerate(given):
        where = f"{kind}[{at}]"
        if not isinstance(item, Mapping):
            problems.append(f"{where}: must be an object; given {describe_given(item)}")
            continue
        unknown = [str(name) for name in item if name not in model.wire_names()]
        problems += (
            f"{where}: {name} is not a field of it{did_you_mean(name, model.wire_names())}"
            for name in unknown
        )
        if json_text.has_half_character(item):
            problems.append(f"{where}: has {HALF_CHARACTER} in a text, which cannot be sent")
            continue
        try:
            read.append(model.from_wire(item))
        except ValidationError as invalid:
            found = (str(problem) for problem in list_problems(invalid))
            problems += (f"{where}: {problem.removeprefix('the body ')}" for problem in found)
    return tuple(read)


def _find_room_problems(rooms: Sequence[OwnRoom], webhooks: Sequence[OwnWebhook]) -> Iterator[str]:
    yield from _find_twice("rooms", [room.channel_id for room in rooms])
    without_bot = {room.channel_id for room in rooms if not room.bot}
    for at, webhook in enumerate(webhooks):
        if webhook.channel_id in without_bot:
            yield f"webhooks[{at}]: the bot must be in the room {webhook.channel_id!r}: leave its bot out"
    count = sum(len(room.webhooks) for room in rooms) + len(webhooks)
    if count > limits.WEBHOOKS_PER_DOMAIN:
        yield f"rooms: a domain can have {limits.WEBHOOKS_PER_DOMAIN} webhooks; given {count}"


def _find_setup_problems(
    applications: Sequence[OwnApplication], bots: Sequence[OwnBot], webhooks: Sequence[OwnWebhook]
) -> Iterator[str]:
    ids = [application.client_id for application in applications]
    if ids and ids[0] is None:
        ids[0] = FIRST_APPLICATION
    yield from _find_twice("applications", ids, "clientId")
    yield from _find_twice("bots", [bot.bot_id for bot in bots], "botId")
    yield from _find_twice("webhooks", [webhook.webhook_id for webhook in webhooks], "url")
    kinds: dict[str, Sequence[OwnBot | OwnWebhook]] = {"bots": bots, "webhooks": webhooks}
    for kind, items in kinds.items():
        for at, item in enumerate(items):
            if problem := item.find_problem():
                yield f"{kind}[{at}]: {problem}"


def _find_twice(kind: str, ids: list[str | None], what: str = "ID") -> Iterator[str]:
    for given_id, count in Counter(ids).items():
        if given_id is not None and count > 1:
            yield f"{kind}: two have the {what} {given_id!r}"
