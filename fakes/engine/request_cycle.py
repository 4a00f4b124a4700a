"""One exchange with the fake: where its request goes, what answers it, and what is kept of it."""

import sys
from datetime import datetime
from functools import lru_cache
from typing import Protocol, Self

from fakes import rulebook
from fakes.engine.diagnostics import explain_miss
from fakes.faults.injection import Injection
from fakes.faults.kinds import BrokenConnection, ConnectError
from fakes.handlers import admin
from fakes.handlers.context import CallContext, FakeInternals
from fakes.handlers.error_formats import join_names
from fakes.handlers.routes import DIALECTS, ROUTER, ROUTES
from fakes.handlers.routing import Body, Match
from fakes.http.addresses import Addresses, Located
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse, RequestHead
from fakes.http.multipart import MultipartForm
from fakes.parts.bearers import read_bearer
from fakes.parts.journal import IGNORED_HEADER, JournalEntry
from fakes.parts.state import State
from fakes.rulebook.rules import Rule

__all__ = ["BODY_LIMITS", "UNMATCHED", "EnoughSent", "RequestCycle"]

ASSUMED_HEADER = "X-Fake-Assumed"
SECTION_HEADER = "X-Fake-Section"
UNMATCHED = "unmatched"
LONG_URL = 2048
"""The characters of a URL that is not worth remembering."""
BODY_LIMITS: dict[Body, int] = {"json": 16 * 1024 * 1024, "form": 64 * 1024, "multipart": 0, "content": 0}
"""The bytes of a body that are taken before the head is looked at; see the rule ``api.body-limit``.

A form of a few fields needs less than JSON, and to decode as much would take seconds.
"""


@lru_cache(maxsize=1024)  # clients call the same addresses again and again
def resolve(addresses: Addresses, method: str, url: str) -> tuple[Located, Match | None, int]:
    """Return where a request goes, the route there, if any, and how much body to take before looking at the head."""
    located = addresses.locate(url)
    match = ROUTER.match(located.area, method, located.path)
    limit = BODY_LIMITS["json" if match is None else match.route.body]
    return located, match, 0 if located.area == "admin" else limit


@lru_cache(maxsize=256)  # clients go astray in the same way again and again, and to look takes milliseconds
def explain_unmatched(method: str, located: Located) -> str:
    """What a request that is no operation was probably meant to be."""
    return explain_miss(method, located, ROUTES)


@lru_cache(maxsize=1024)  # answers rest on the same few combinations of rules
def list_assumptions(used: tuple[Rule, ...]) -> str:
    """The ids of the assumptions among rules, as the header has them."""
    return ", ".join(rule.id for rule in used if rule.alternatives)


def describe_limit(limit: int) -> str:
    """Say that a body is larger than it may be."""
    return (
        f"the body of this request may have up to {limit} bytes, and it has more; the service's description shows no "
        "such limit, see the rule api.body-limit; the content of a file goes to an upload URL, which is requested first"
    )


def forget_frames(error: BaseException | None) -> None:
    """Part an error from the frames it came through: together they would hold the body until garbage is collected."""
    while error is not None:
        error.__traceback__ = None
        error = error.__context__


class EngineInternals(FakeInternals, Protocol):
    """The fake, as an exchange with it needs it."""

    @property
    def state(self) -> State:
        """Its parts."""

    @property
    def under_way(self) -> "dict[str, list[RequestCycle]]":
        """The exchanges that have begun and not ended, by what must be updated by one at a time."""


class EnoughSent(Exception):
    """No more of a request's body is wanted, as the response does not depend on it: it is time to finish."""


class RequestCycle:
    """One request on its way in: feed it the body, then finish it."""

    __slots__ = (
        "_addresses",
        "_call",
        "_chunks",
        "_engine",
        "_exclusive",
        "_head",
        "_late",
        "_located",
        "_match",
        "_received",
        "_sink",
        "_too_large",
        "_wanted",
    )

    def __init__(self, engine: EngineInternals, head: RequestHead, addresses: Addresses) -> None:
        self._engine = engine
        self._head = head
        self._addresses = addresses
        find = resolve if len(head.url) < LONG_URL else resolve.__wrapped__
        self._located, match, self._wanted = find(addresses, head.method, head.url)
        self._match = match
        self._chunks: list[bytes] = []
        self._received = 0
        self._sink: MultipartForm | StoredContent | None = None
        self._call: CallContext | None = None
        self._exclusive: str | None = None
        self._late = False
        self._too_large = False
        if match is None:
            return
        route = match.route
        if route.body == "multipart":
            self._sink = MultipartForm(head.header("Content-Type"))
        elif route.body == "content":
            self._sink = StoredContent()
        if route.exclusive is not None:
            self._queue(match.params[route.exclusive])

    def _queue(self, key: str) -> None:
        """Stand behind the exchanges that are under way for the same thing."""
        under_way, alone = self._engine.under_way, [self]
        self._exclusive = key = self._engine.state.directory.look_up(key) or key
        if under_way.setdefault(key, alone) is alone:
            return
        with self._engine.lock:  # they may have gone meanwhile
            others = under_way.setdefault(key, [])
            self._late = any(other._is_in_the_way() for other in others)
            others.append(self)

    def _is_in_the_way(self) -> bool:
        """Whether this exchange keeps those that begin after it from what it is about."""
        return not self._late and self._has_valid_bearer()

    def _has_valid_bearer(self) -> bool:
        state = self._engine.state
        return state.tokens.is_valid(read_bearer(self._head, state.rules))

    @property
    def may_wait(self) -> bool:
        """Whether to finish may take long, so that an event loop should have a thread do it."""
        return self._located.area == "admin"

    def expect(self, size: int) -> None:
        """Look at the head, before any of the body has come; a door may leave that to `feed`.

        Args:
            size: how many bytes the body has.

        Raises:
            EnoughSent: the body is not wanted.
        """
        if size > self._wanted:
            self._look_at_head()

    def feed(self, chunk: bytes) -> None:
        """Take the next piece of the request body, of any size.

        Raises:
            EnoughSent: no more is wanted.
        """
        self._received += len(chunk)
        if self._received > self._wanted:
            self._look_at_head()
        if self._sink is None:
            self._chunks.append(chunk)
        else:
            self._sink.write(chunk)
            if self._sink.is_full:
                raise EnoughSent

    def _look_at_head(self) -> None:
        """Decide whether more of the body is wanted than so far, by what is known without it.

        Raises:
            EnoughSent: it is not.
        """
        if self._located.area == "admin":
            try:
                admin.require_key(self._make_call(b""))
            except Refusal:
                raise EnoughSent from None
        elif self._sink is None:
            self._too_large = True
            self._chunks.clear()
            raise EnoughSent
        else:
            self._expect_content(self._sink)
        self._wanted = sys.maxsize

    def _expect_content(self, sink: MultipartForm | StoredContent) -> None:
        """Hold content to its bearer and its upload URL before it comes, and to its size as it comes."""
        state = self._engine.state
        if not self._has_valid_bearer():
            raise EnoughSent
        if isinstance(sink, StoredContent) and state.rules.look_up(rulebook.files.RAW) == "refused":
            raise EnoughSent
        most = state.files.uploads.most(self._match.params["address"]) if self._match else None
        if most is None:
            raise EnoughSent
        sink.most = most

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        if self._exclusive is not None:
            self.abandon()

    def abandon(self) -> None:
        """The body will not be completed: the client went away."""
        if self._exclusive is None:
            return
        under_way, key, self._exclusive = self._engine.under_way, self._exclusive, None
        with self._engine.lock:
            others = under_way.get(key, ())  # none where a reset has cleared them
            if len(others) > 1:
                under_way[key] = [other for other in others if other is not self]
            elif self in others:
                del under_way[key]

    def connect(self) -> None:
        """Meet a fault that refuses connections, before any of the body is asked for.

        Raises:
            BrokenConnection: there is one.
        """
        with self._engine.lock:
            if isinstance(self._get_injection().fault, ConnectError):
                self.finish()

    def finish(self) -> FakeResponse:
        """The body is complete: answer.

        Raises:
            BrokenConnection: a fault breaks the connection.
        """
        try:
            response = self._answer()
        finally:
            self.abandon()
        return response.head_only() if self._head.method == "HEAD" else response

    def _answer(self) -> FakeResponse:
        state = self._engine.state
        body = b"".join(self._chunks)
        if self._located.area == "admin":
            return self._administer(body)
        with self._engine.lock:
            if state.faults.pending:
                return self._answer_with(self._get_injection(), body)
            response, used = self._handle(body)
            self._record(state.clock.now(), used, body, response)
        return response

    def _answer_with(self, injection: Injection, body: bytes) -> FakeResponse:
        """Answer, or break the connection, as faults will have it."""
        state, now = self._engine.state, self._engine.state.clock.now()
        response: FakeResponse | None = None
        used: tuple[Rule, ...] = ()
        try:
            response, used = self._handle(body, injection)
            answer = injection.after(response, state.clock)
        except BrokenConnection as broken:
            broken.wait = injection.wait(state.clock)
            self._record(now, used, body, response, injection.label)
            raise
        self._record(now, used, body, response, injection.label)
        return answer

    def _record(
        self,
        at: datetime,
        used: tuple[Rule, ...],
        body: bytes,
        response: FakeResponse | None,
        injected: str | None = None,
    ) -> None:
        user_id = None if self._call is None else self._call.user_id
        self._engine.state.journal.append(
            JournalEntry(
                at, self._operation, used, self._head, body, self._received, response, user_id, injected
            )
        )

    def _get_injection(self) -> Injection:
        """What is to go wrong with this exchange; the admin interface, which could lift it, always works."""
        if self._located.area == "admin":
            return Injection(None, None)
        return self._engine.state.faults.on(self._operation, self._located.path)

    @property
    def _operation(self) -> str:
        return self._match.route.operation if self._match is not None else UNMATCHED

    def _handle(
        self, body: bytes, injection: Injection | None = None
    ) -> tuple[FakeResponse, tuple[Rule, ...]]:
        """What the service answers, and the rules that rests on."""
        rules = self._engine.state.rules
        rules.begin()
        try:
            if rules.policy == "refuse":  # half-way, which must leave no half behind
                with self._engine.state.undo_if_refused():
                    response = self._serve(body, injection)
            else:
                response = self._serve(body, injection)
        finally:
            used = rules.end()
        if assumed := list_assumptions(used):
            response.headers.append((ASSUMED_HEADER, assumed))
        return response, used

    def _serve(self, body: bytes, injection: Injection | None) -> FakeResponse:
        match, rules = self._match, self._engine.state.rules
        try:
            if injection is not None:
                injection.before()
            if self._too_large:
                raise Refusal("body_too_large", describe_limit(self._wanted))
            if match is None:
                raise self._make_unmatched()
            if match.route.area == "api":
                self._engine.state.api_rate.admit()
            call = self._call = self._make_call(body)
            if self._late:
                self._collide(call)
            response = match.route.handler(call)
            if call.ignored:
                response.headers.append((IGNORED_HEADER, join_names(call.ignored)))
            return response
        except Refusal as refusal:
            forget_frames(refusal)
            refusal = self._make_call(b"").check_bearer_first(refusal, self._located.area)
            dialect = match.route.dialect if match else DIALECTS[self._located.area]
            if refusal.kind == "injected":
                return dialect(refusal, rules.copy_unrecorded())
            response = dialect(refusal, rules)
            if match is not None:
                response.headers.append((SECTION_HEADER, match.route.section.replace("›", ">")))
            return response

    def _administer(self, body: bytes) -> FakeResponse:
        """Answer a call of the admin interface: apart from the lock, the journal, the rules and the faults."""
        try:
            call = self._make_call(body)
            if self._match is None or not self._match.route.keyless:
                admin.require_key(call)
            if self._match is None:
                raise self._make_unmatched()
            admin.check_query(call, self._match.route)
            return self._match.route.handler(call)
        except Refusal as refusal:
            forget_frames(refusal)
            return DIALECTS["admin"](refusal, self._engine.state.rules)

    def _make_unmatched(self) -> Refusal:
        """That this request is no operation; the query, which may hold secrets, is neither shown nor kept."""
        located = self._located._replace(query="")
        allowed = ROUTER.methods(located.area, located.path)
        if located.area == "hooks" and not self._engine.state.webhooks.knows(located.path.rpartition("/")[2]):
            allowed = []  # as there is no such webhook, whatever the method
        return Refusal("unmatched", explain_unmatched(self._head.method, located), allowed=allowed)

    def _make_call(self, body: bytes) -> CallContext:
        engine, match, query = self._engine, self._match, self._located.query
        params = {} if match is None else match.params
        return CallContext(engine.state, self._addresses, self._head, params, query, body, self._sink, engine)

    def _collide(self, call: CallContext) -> None:
        """Refuse a call that began while another was under way, if its caller may know of that."""
        call.authenticate()
        rules = call.state.rules
        rules.follow(rulebook.directory.NOT_CONCURRENT)
        if rules.choice(rulebook.directory.CONCURRENT) == "409":
            raise Refusal(
                "conflict",
                f"another update of {self._exclusive} is under way; updates of one user must follow one another",
            )
