"""One request as a handler sees it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import parse_qsl

from pydantic import ValidationError

from fakes import json_text, rulebook
from fakes.addresses import Addresses
from fakes.content import Content
from fakes.exchange import RequestHead
from fakes.multipart import MultipartForm
from fakes.parts.tokens import Token
from fakes.refusals import Kind, Refused
from fakes.rules import Rule
from fakes.state import State
from svckit.models.base import WireModel
from svckit.models.problems import problems_of

__all__ = ["Call", "Whole", "credential"]

JSON = "application/json"

Model = TypeVar("Model", bound=WireModel)


class Whole(Protocol):
    """The fake as a whole, as the admin interface needs it."""

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held while the state is used."""

    def snapshot(self) -> Mapping[str, Any]:
        """Take a snapshot."""

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Become what a snapshot holds."""

    def reset(self) -> None:
        """Begin again."""

    def openapi(self, addresses: Addresses) -> Mapping[str, Any]:
        """Describe the service as an OpenAPI document."""

    def asyncapi(self) -> Mapping[str, Any]:
        """Describe the events as an AsyncAPI document."""


class Call:
    """A request matched to its route: path parameters, headers, body, and the state to answer it from.

    Attributes:
        state: the parts of the fake.
        addresses: the addresses of the door it came through; links in the answer lead back there.
        params: path parameters, percent-decoded.
        head: method, URL and headers as they came.
        body: the body of a route that collects it, empty otherwise.
        spooled: the body of a route that takes a file: a parsed form, or the content itself.
        whole: the fake itself, for the admin interface.
        ignored: the paths of fields of the body that were ignored.
        user_id: who calls, once the bearer credential has told.
    """

    __slots__ = (
        "addresses",
        "body",
        "head",
        "ignored",
        "params",
        "query",
        "spooled",
        "state",
        "user_id",
        "whole",
    )

    def __init__(
        self,
        state: State,
        addresses: Addresses,
        head: RequestHead,
        params: Mapping[str, str],
        query: str,
        body: bytes,
        spooled: MultipartForm | Content | None,
        whole: Whole,
    ) -> None:
        self.state = state
        self.whole = whole
        self.addresses = addresses
        self.params = params
        self.query = query
        self.head = head
        self.body = body
        self.spooled = spooled
        self.ignored: Sequence[str] = ()
        self.user_id: str | None = None

    def caller(self, scope: str) -> Token:
        """Who calls.

        Args:
            scope: the scope that the operation needs, if it is assumed that operations need one.

        Raises:
            Refused: the bearer credential is not valid, or its scope is not enough.
        """
        token = self.token()
        if scope not in scopes(token.scope) and self.state.rules.choice(rulebook.api.SCOPE) != "not-needed":
            raise Refused(
                "forbidden",
                f"the operation needs the scope {scope}, and the access token has {token.scope or 'none'}",
            )
        return token

    def token(self) -> Token:
        """What the bearer credential stands for.

        Raises:
            Refused: it is missing, unknown or ended.
        """
        self.state.rules.follow(rulebook.api.BEARER)
        sent = credential(header := self.head.header("Authorization"))
        if not sent:
            given = "what came was no bearer credential" if header else "there was none"
            raise Refused(
                "unauthorized", f"the call needs the header Authorization: Bearer <access token>; {given}"
            )
        token = self.state.tokens.authenticate(sent)
        self.user_id = token.user_id
        return token

    def permit(self, caller: Token, user_id: str) -> None:
        """Hold a call to what its caller may do for a user.

        Raises:
            Refused: it is another user, the caller is no administrator, and it is assumed that this matters.
        """
        if caller.user_id == user_id or self.state.directory.administers(caller.user_id):
            return
        if self.state.rules.choice(rulebook.api.PERMISSION) == "self-or-administrator":
            raise Refused(
                "forbidden", f"{caller.user_id} is no administrator and may not do this for {user_id}"
            )

    @property
    def form(self) -> MultipartForm:
        """The parsed body of a multipart route."""
        return cast("MultipartForm", self.spooled)

    @property
    def content(self) -> Content:
        """The body of a route that takes content as it is."""
        return cast("Content", self.spooled)

    def query_parameters(self) -> dict[str, str]:
        """The query parameters, decoded; each counts once."""
        return self._decoded(self.query)

    def form_fields(self) -> dict[str, str]:
        """The fields of a form-encoded body; each counts once."""
        return self._decoded(self.body.decode("utf-8", "replace"))

    def _decoded(self, encoded: str) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for name, value in parse_qsl(encoded, keep_blank_values=True):
            if name not in pairs:
                pairs[name] = value
            elif self.state.rules.choice(rulebook.auth.REPEATED_PARAMETER) == "refused":
                raise Refused("invalid", f"the parameter {name} was sent more than once")
        return pairs

    def json(
        self, model: type[Model], limits: Rule, *, extra_fields: Rule = rulebook.api.EXTRA_FIELDS
    ) -> Model:
        """The JSON body, held to a model.

        Args:
            model: what the body must be.
            limits: the rule that a body which does not fit the model breaks.
            extra_fields: the assumption that decides what becomes of fields the model does not have.

        Raises:
            Refused: it is no JSON object, or breaks a limit; all problems are reported together.
        """
        rules = self.state.rules
        if self.query:
            self.hold_to_no_query()
        content_type = self.head.header("Content-Type")
        if (
            content_type != JSON
            and content_type.partition(";")[0].strip().lower() != JSON
            and rules.choice(rulebook.api.CONTENT_TYPE) == "refused"
        ):
            raise Refused(
                "invalid", f"the Content-Type must be application/json; it was {content_type or 'not sent'}"
            )
        plain = _plain(self.body, model)
        if plain is not None:
            return plain
        try:
            sent = json_text.read(self.body)
        except ValueError as broken:
            raise Refused("invalid", f"the body is no JSON: {broken}") from None
        if not isinstance(sent, dict):
            raise Refused("invalid", "the body must be a JSON object")
        if self.body.count(b":") > len(
            sent
        ):  # as there is where keys stand twice; most bodies need no closer look
            self._hold_to_single_keys()
        try:
            body = model.from_wire(sent)
        except ValidationError as invalid:
            lacking = any(error["type"] == "missing" for error in invalid.errors(include_url=False))
            problems = problems_of(invalid)
            rules.follow(limits)
            kind: Kind = "missing" if lacking else "invalid"
            raise Refused(kind, "; ".join(map(str, problems)), problems=problems) from None
        nested = self.body.count(b"{") > 1 or b"[" in self.body
        if nested or len(body.model_fields_set) < len(sent):
            self.ignore(sent, body.to_wire(), extra_fields)
        return body

    def _hold_to_single_keys(self) -> None:
        key = json_text.twice(self.body)
        if key is not None and self.state.rules.choice(rulebook.api.DUPLICATE_KEY) == "refused":
            raise Refused("invalid", f"the key {key} stands twice in one object")

    def hold_to_no_query(self, rule: Rule = rulebook.api.QUERY) -> None:
        """Hold a call to having no query parameters, as none are described for it.

        Raises:
            Refused: it has some, and it is assumed that this matters.
        """
        if self.query and self.state.rules.choice(rule) == "refused":
            raise Refused("invalid", f"this operation has no query parameters; the query was {self.query!r}")

    def ignore(self, sent: object, known: object, extra_fields: Rule, path: str = "") -> None:
        """Note what was sent beyond the fields that are known, as ignored.

        Args:
            sent: what was sent, at ``path`` of the body.
            known: what of it is understood.
            extra_fields: the assumption that decides what becomes of the rest.
            path: where in the body it was sent; empty for the body as a whole.

        Raises:
            Refused: there is more, and the assumption refuses it.
        """
        extra = list(unknown_fields(sent, known, path))
        if extra and self.state.rules.choice(extra_fields) == "refused":
            raise Refused("invalid", f"not a field of this request, or read-only: {', '.join(extra)}")
        self.ignored = [*self.ignored, *extra]


def _plain(body: bytes, model: type[Model]) -> Model | None:
    """A flat object that fits the model and has no other keys, read at once; None where that takes a closer look."""
    if body.count(b"{") != 1 or b"[" in body:
        return None
    try:
        read = model.from_wire(body)
    except ValidationError:
        return None
    # With as many colons as fields no key is unknown, and none stands twice. A number beyond the largest fits no field.
    return read if body.count(b":") == len(read.model_fields_set) else None


@lru_cache(maxsize=64)  # a client sends the same header with each call
def credential(authorization: str) -> str:
    """The credential in an ``Authorization`` header; empty where that is not a bearer's.

    Examples:
        >>> credential("Bearer at_1"), credential("Basic dTpw")
        ('at_1', '')
    """
    scheme, _, sent = authorization.partition(" ")
    return sent.strip() if scheme.lower() == "bearer" else ""


@lru_cache(maxsize=256)  # clients ask for the same few again and again
def scopes(text: str) -> frozenset[str]:
    """The scopes in a list of them.

    Examples:
        >>> sorted(scopes("user,file bot"))
        ['bot', 'file', 'user']
    """
    return frozenset(text.replace(",", " ").split())


def unknown_fields(sent: object, known: object, path: str = "") -> Iterator[str]:
    """The paths of fields that were sent and not understood.

    Examples:
        >>> list(unknown_fields({"a": 1, "b": [{"c": 2, "d": 3}]}, {"b": [{"c": 2}]}))
        ['a', 'b[0].d']
    """
    if isinstance(sent, dict) and isinstance(known, dict):
        for name, value in sent.items():
            here = f"{path}.{name}" if path else name
            if name in known:
                yield from unknown_fields(value, known[name], here)
            else:
                yield here
    elif isinstance(sent, list) and isinstance(known, list):
        for index, (one, other) in enumerate(zip(sent, known, strict=False)):
            yield from unknown_fields(one, other, f"{path}[{index}]")
