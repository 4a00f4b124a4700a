"""One request as a handler sees it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar, cast
from urllib.parse import parse_qsl

from pydantic import ValidationError

from fakes import rulebook
from fakes.handlers.nulls import choose_absent, describe_absent
from fakes.http import json_text
from fakes.http.addresses import BaseURLs
from fakes.http.content import StoredContent
from fakes.http.errors import Kind, Refusal
from fakes.http.messages import FakeResponse, RequestHead
from fakes.http.multipart import MultipartForm
from fakes.parts.bearers import parse_credential, parse_loose_credential, split_scopes
from fakes.parts.domain import Domain
from fakes.parts.state import State
from fakes.parts.tokens import Token
from fakes.rulebook.rule import Rule
from fakes.rulebook.text_lengths import compose, find_too_long
from svckit.models.base import WireModel
from svckit.models.long_arrays import ENOUGH
from svckit.models.problems import Problem, join_problems, limit_problems, list_problems, shorten

__all__ = ["TEXT_LIMIT", "CallContext", "Reading"]

JSON = "application/json"
FIELDS_LIMIT = 1000
"""The most fields a form may have; see the rule ``api.body-limit``."""
TEXT_LIMIT = 100_000
"""The most characters a text may have; see the rule ``api.text-limit``."""
PLAIN = 64 * 1024
"""The most bytes of a valid body without arrays: a longer one exceeds some limit."""

Model = TypeVar("Model", bound=WireModel)


class Reading(NamedTuple, Generic[Model]):
    """The way in which an operation reads its JSON body.

    Attributes:
        model: the model of the body.
        limits: the rule that an invalid body breaks.
        extra_fields: the assumption about fields that the model does not have.
        nulls: the assumptions about nulls that the model does not allow; without any, they are refused.
        first: finds problems that the model would take long to find; the model does not check those fields again.
    """

    model: type[Model]
    limits: Rule
    extra_fields: Rule = rulebook.api.EXTRA_FIELDS
    nulls: Sequence[Rule] = ()
    first: "Callable[[CallContext, Mapping[str, Any]], Iterable[Problem]] | None" = None


@dataclass(slots=True, eq=False, repr=False)
class CallContext:
    """A request matched to its route, with the state it is carried out on.

    Attributes:
        domain: the fake itself, for the admin interface.
        state: the parts of the fake.
        base_urls: the base URLs of the door it came through; links in the response lead back there.
        head: method, URL and headers as received.
        params: path parameters, percent-decoded.
        query: the query as received.
        body: the body, if the route collects it in memory; else empty.
        spooled: the body of a route that takes a file: a parsed form, or the content itself.
        ignored: the paths of fields of the body that were ignored.
        ignored_parameters: the names of parameters, of the query or a form, that were ignored.
        user_id: the caller, once the bearer credential is checked.
        failure: the response in place of an exception of the user's own code; None without one.
    """

    domain: Domain
    state: State
    base_urls: BaseURLs
    head: RequestHead
    params: Mapping[str, str]
    query: str
    body: bytes
    spooled: MultipartForm | StoredContent | None
    ignored: Sequence[str] = ()
    ignored_parameters: Sequence[str] = ()
    user_id: str | None = None
    failure: FakeResponse | None = None
    _sent: dict[str, Any] | None = None
    """The JSON object of the body, once it was read."""

    def authorize(self, scope: str) -> Token:
        """Return the access token of the caller, after checking its scope.

        Args:
            scope: the scope that the operation needs, if operations are assumed to need one.

        Raises:
            Refusal: the bearer credential is not valid, or does not have the scope.
        """
        token = self.authenticate()
        if (
            scope not in split_scopes(token.scope)
            and self.state.rules.apply(rulebook.api.SCOPE) != "not-needed"
        ):
            raise Refusal(
                "forbidden",
                f"the operation needs the scope {scope}; the access token has {token.scope or 'none'}",
            )
        return token

    def authenticate(self) -> Token:
        """Return the access token of the bearer credential.

        Raises:
            Refusal: the credential is missing, unknown or expired.
        """
        self.state.rules.follow(rulebook.api.BEARER)
        header = self.head.header("Authorization")
        sent = parse_credential(header) or parse_loose_credential(header, self.state.rules.apply)
        if not sent:
            given = "the header has another form" if header else "the header is missing"
            raise Refusal(
                "unauthorized", f"the request needs the header Authorization: Bearer <access token>; {given}"
            )
        token = self.state.tokens.authenticate(sent)
        self.user_id = token.user_id
        return token

    def require_permission(self, caller: Token, user_id: str | None) -> None:
        """Check that a caller may act for a user, or for the whole domain if that is None.

        Raises:
            Refusal: the caller is neither that user nor an administrator, and the chosen alternative requires it.
        """
        if caller.user_id == user_id or self.state.users.administers(caller.user_id):
            return
        if self.state.rules.apply(rulebook.api.PERMISSION) == "self-or-administrator":
            raise Refusal(
                "forbidden",
                f"{caller.user_id} is not an administrator and may not do this for {user_id or 'the domain'}",
            )

    @property
    def form(self) -> MultipartForm:
        """The parsed body of a multipart route."""
        return cast("MultipartForm", self.spooled)

    @property
    def content(self) -> StoredContent:
        """The body of a route that takes raw content."""
        return cast("StoredContent", self.spooled)

    def query_parameters(self) -> dict[str, str]:
        """Return the decoded query parameters; of a repeated one, the first."""
        return self._decode(self.query)

    def form_fields(self) -> dict[str, str]:
        """Return the fields of a form-encoded body; of a repeated one, the first."""
        if self.body.count(b"&") >= FIELDS_LIMIT:
            raise Refusal(
                "body_too_large",
                f"a form may have up to {FIELDS_LIMIT} fields, and this one has more; the service's description shows "
                "no such limit: see the rule api.body-limit",
            )
        return self._decode(self.body.decode("utf-8", "replace"))

    def _decode(self, encoded: str) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for name, value in parse_qsl(encoded, keep_blank_values=True):
            if name not in pairs:
                pairs[name] = value
            elif self.state.rules.apply(rulebook.auth.REPEATED_PARAMETER) == "refused":
                raise Refusal("invalid", f"the parameter {name} was sent more than once")
        return pairs

    def json(self, reading: Reading[Model]) -> Model:
        """Return the JSON body, validated by a model.

        Raises:
            Refusal: it is not a JSON object, or breaks a limit; all problems are reported together.
        """
        self.check_json_head()
        # Most bodies are plain: the model reads them, and nothing else has to.
        plain = _read_plain(self.body, reading.model)
        return self.read_object(self.json_object(), reading) if plain is None else plain

    def check_json_head(self) -> None:
        """Check the query and the media type of a call with a JSON body.

        Raises:
            Refusal: the chosen alternatives refuse one of them.
        """
        if self.query:
            self.refuse_query()
        content_type = self.head.header("Content-Type")
        if (
            content_type != JSON
            and content_type.partition(";")[0].strip().lower() != JSON
            and self.state.rules.apply(rulebook.api.CONTENT_TYPE) == "refused"
        ):
            raise Refusal(
                "invalid",
                "the Content-Type must be application/json; "
                + (f"given {content_type}" if content_type else "the header is missing"),
            )

    def read_object(self, sent: dict[str, Any], reading: Reading[Model]) -> Model:
        """Return the JSON object of the body, or the same with more fields, validated as in `json`.

        Raises:
            Refusal: it breaks a limit; all problems are reported together.
        """
        rules, is_plain = self.state.rules, _is_plain(self.body)
        sent = sent if is_plain else compose(sent, rules)
        problems = [] if reading.first is None else list(reading.first(self, sent))
        wrong = {problem.field for problem in problems}
        kind: Kind = "invalid"
        remedy = ""
        if wrong:
            sent = {name: value for name, value in sent.items() if name not in wrong}
        try:
            body, known = self._read(sent, reading)
        except ValidationError as invalid:
            if any(error["type"] == "missing" for error in invalid.errors(include_url=False)):
                kind = "missing"
            remedy = "" if problems else describe_absent(invalid, reading.model, sent, reading.nulls)
            problems += list_problems(invalid)
        if not is_plain:
            too_long, allowing = find_too_long(sent, reading.model, rules)
            remedy = remedy or ("" if problems else allowing)
            problems += too_long
        if problems:
            rules.follow(reading.limits)
            raise Refusal(kind, join_problems(problems), problems=limit_problems(problems), remedy=remedy)
        if len(self.body) > TEXT_LIMIT:
            self._check_text_limit(body)
        self._check_single_keys(self.json_object())  # as sent, without the further fields
        # A flat object whose fields all became the model's has no unknown ones, and need not be searched for them.
        if self.body.rfind(b"{") > 0 or len(body.model_fields_set) < len(known):
            self.ignore(known, body.to_wire(), reading.extra_fields)
        return body

    def _read(self, sent: dict[str, Any], reading: Reading[Model]) -> tuple[Model, dict[str, Any]]:
        """Return the body as a model, and as sent but without the nulls that count as absent."""
        model = reading.model
        try:
            return model.from_wire(sent, from_json=True), sent
        except ValidationError as invalid:
            absent = choose_absent(invalid, model, sent, reading.nulls, self.state.rules)
            if not absent:
                raise
        sent = json_text.remove_fields(sent, absent)
        return model.from_wire(sent, from_json=True), sent

    def json_object(self) -> dict[str, Any]:
        """Return the JSON object in the body, which is parsed only once.

        Raises:
            Refusal: the body is not a JSON object.
        """
        if self._sent is None:
            try:
                sent = json_text.read(self.body)
            except ValueError as broken:
                why = f"the body is not JSON: {broken}{json_text.describe_encoding(self.body)}"
                raise Refusal("no_object", why) from None
            if not isinstance(sent, dict):
                raise Refusal("no_object", "the body must be a JSON object")
            self._sent = sent
        return self._sent

    def _check_text_limit(self, body: WireModel) -> None:
        path, characters = json_text.find_longest_text(body.to_wire())
        if characters <= TEXT_LIMIT:
            return
        if self.state.rules.apply(rulebook.api.TEXT_LIMIT) == "refused":
            raise Refusal(
                "invalid",
                f"{path} may have up to {TEXT_LIMIT} characters; given {characters}; the service's "
                "description shows no such limit: see the rule api.text-limit",
            )

    def _check_single_keys(self, sent: dict[str, Any]) -> None:
        if not json_text.has_repeated_key(self.body, sent):
            return
        if self.state.rules.apply(rulebook.api.DUPLICATE_KEY) == "refused":
            key = shorten(json_text.find_repeated_key(self.body) or "")
            raise Refusal("invalid", f"the key {key} occurs twice in one object")

    def refuse_query(self, rule: Rule = rulebook.api.QUERY) -> None:
        """Check that a call has no query parameters, as none are described for it.

        Raises:
            Refusal: it has some, and the chosen alternative refuses them.
        """
        if self.query and self.state.rules.apply(rule) == "refused":
            raise Refusal("invalid", f"this operation has no query parameters; given {self.query!r}")
        self.ignore_query()

    def ignore_query(self) -> None:
        """Note all query parameters as ignored."""
        if self.query:
            self.ignore_parameters(name for name, _ in parse_qsl(self.query, keep_blank_values=True))

    def ignore_parameters(self, names: Iterable[str]) -> None:
        """Note parameters of the query or a form as ignored, each once."""
        self.ignored_parameters = tuple(dict.fromkeys((*self.ignored_parameters, *names)))

    def ignore(self, sent: object, known: object, extra_fields: Rule, path: str = "") -> None:
        """Note fields that were sent and are not known as ignored.

        Args:
            sent: the value sent at ``path`` of the body.
            known: the part of it that is understood.
            extra_fields: the assumption about the rest.
            path: its path in the body; empty for the whole body.

        Raises:
            Refusal: there are unknown fields, and the chosen alternative refuses them.
        """
        extra = list(islice(json_text.find_unknown_fields(sent, known, path), ENOUGH))
        if len(extra) == ENOUGH and (more := json_text.count_unknown_fields(sent, known) - ENOUGH):
            extra.append(f"and {more} more")
        if extra and self.state.rules.apply(extra_fields) == "refused":
            raise Refusal("invalid", f"not a field of this request, or read-only: {', '.join(extra)}")
        self.ignored = [*self.ignored, *extra]


def _read_plain(body: bytes, model: type[Model]) -> Model | None:
    """Return a body without arrays and without other keys as a model; None if it needs a closer look."""
    if len(body) > PLAIN or b"[" in body or not _is_plain(body):
        return None
    try:
        read = model.from_wire(body)
    except ValidationError:
        return None
    # With as many keys as fields, none is unknown or repeated. Colons, which texts may have too, are quicker to count.
    # No field allows a number beyond the largest.
    colons = body.count(b":")
    if colons != len(read.__pydantic_fields_set__):
        fields = _count_fields(read)
        if colons != fields and json_text.count_keys(body) != fields:
            return None
    return read


def _count_fields(read: WireModel) -> int:
    """Return the number of fields that were given, with those of the models in them."""
    given = [read.__dict__[name] for name in read.__pydantic_fields_set__]
    return len(given) + sum(_count_fields(value) for value in given if isinstance(value, WireModel))


def _is_plain(body: bytes) -> bool:
    r"""Return whether the texts of a JSON text are ASCII, whose characters are one byte in any unit.

    Examples:
        >>> [_is_plain(body) for body in (b'{"a": "b\\n"}', '{"a": "é"}'.encode(), rb'{"a": "\u00e9"}')]
        [True, False, False]
    """
    # A search for one byte is 80 times as fast as one for two, and most bodies have no backslash.
    return body.isascii() and (b"\\" not in body or b"\\u" not in body)
