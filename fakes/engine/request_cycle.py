"""The cycle of one request: route it, handle it, and record it in the journal."""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from fakes import rulebook
from fakes.engine.unmatched import UNMATCHED, choose_dialect, make_refusal
from fakes.faults.kinds import BrokenConnection, ConnectError
from fakes.faults.request_faults import Injection
from fakes.handlers import admin, notifications
from fakes.handlers.bearer_order import check_bearer_first
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import format_admin_error, join_names, list_assumptions
from fakes.handlers.routes import LONG_URL, ROUTER, resolve
from fakes.handlers.routing import Match
from fakes.handlers.stubs import match_stub
from fakes.http import own_headers
from fakes.http.addresses import BaseURLs, Located
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal, describe_limit, forget_frames
from fakes.http.messages import FakeResponse, RequestHead
from fakes.http.multipart import MultipartForm
from fakes.parts.bearers import needs_no_bearer, read_bearer
from fakes.parts.domain import Domain
from fakes.parts.journal_entry import JournalEntry
from fakes.parts.state import State
from fakes.rulebook.rule import Rule

__all__ = ["EnoughSent", "RequestCycle"]

Used = tuple[Rule, ...]
FEW, SMALL = 8, 4 * 1024
"""How many chunks of content wait for the next, and how many bytes one of them may have."""


class EnoughSent(Exception):
    """Raised when the rest of a request's body cannot change the response: stop reading and call `finish`."""


@dataclass(slots=True, eq=False, repr=False)
class RequestCycle:
    """The processing of one request.

    A door calls, in this order: `expect` if it knows the size of the body, `feed` with each chunk, and then `finish`
    for the response, or `abandon` if the client is gone. Where faults are set, `Engine.open` first calls `connect`.
    `expect` and `feed` raise `EnoughSent` once the rest of the body cannot change the response.

    Inside, `finish` calls `_respond`, which takes the lock and applies faults; that calls `_handle`, which notes the
    rules and undoes what a refused assumption left half-done; and that calls `_serve`, which calls the route's handler,
    and renders its refusal (`_render`). Calls of the admin interface take a short cut (`_administer`).
    """

    _domain: Domain
    _head: RequestHead
    _base_urls: BaseURLs
    _state: State = field(init=False)
    _located: Located = field(init=False)  # the URL as area, path and query
    _wanted: int = field(init=False)  # how many bytes of the body to read before looking at the head
    _match: Match | None = field(init=False)  # None if no operation or stub has the URL
    _operation: str = field(init=False)
    _at: datetime = field(init=False)  # when the response was begun, under the lock
    _chunks: list[bytes] = field(init=False, default_factory=list)
    _sink: MultipartForm | StoredContent | None = field(init=False, default=None)  # in place of `_chunks`
    _received: int = field(init=False, default=0)  # bytes of the body
    _body: bytes = field(init=False, default=b"")  # once it is complete
    _too_large: bool = field(init=False, default=False)  # it is longer than its route takes, and is dropped
    _call: CallContext | None = field(init=False, default=None)  # once a handler has it
    _exclusive: str | None = field(init=False, default=None)  # the user in whose queue this cycle is
    _late: bool = field(init=False, default=False)  # it began during another update of that user

    def __post_init__(self) -> None:
        self._state, head = self._domain.state, self._head
        find = resolve if len(head.url) < LONG_URL else ROUTER.resolve
        self._located, match, self._wanted = find(self._base_urls, head.method, head.url)
        if match is None or match.route.retirement is not None:
            match = match_stub(self._state, self._located, head.method, match)
        self._match = match
        self._operation = UNMATCHED if match is None else match.route.operation
        if match is None:
            return
        route = match.route
        if route.body == "multipart":
            self._sink = MultipartForm(head.header("Content-Type"), self._domain.content_folder)
        elif route.body == "content":
            self._sink = StoredContent(folder=self._domain.content_folder)
        if route.exclusive is not None:
            self._join_queue(match.params[route.exclusive])

    def _join_queue(self, key: str) -> None:
        """Join the queue of cycles in progress for the same user."""
        in_progress: dict[str, list[RequestCycle]] = self._domain.in_progress
        alone = [self]
        self._exclusive = key = self._state.users.identify(key, self._find_caller)
        # setdefault is atomic: a cycle that is alone for its user, as most are, takes no lock.
        if in_progress.setdefault(key, alone) is alone:
            return
        with self._domain.lock:  # they may have finished meanwhile
            others = in_progress.setdefault(key, [])
            self._late = any(other._is_in_the_way() for other in others)
            others.append(self)

    def _find_caller(self) -> str | None:
        """Return the ID of the user of the bearer credential, valid or not."""
        return self._state.tokens.get_user(read_bearer(self._head, self._state.rules))

    def _is_in_the_way(self) -> bool:
        """Return whether later cycles for the same user collide with this one."""
        return not self._late and self._has_valid_bearer()

    def _fails_first(self) -> bool:
        """Return whether the bearer credential is not valid, and is checked before anything else."""
        first = self._state.rules.look_up(rulebook.api.BEARER_ORDER) == "bearer-first"
        return first and not self._has_valid_bearer()

    def _has_valid_bearer(self) -> bool:
        return self._state.tokens.is_valid(read_bearer(self._head, self._state.rules))

    @property
    def settle(self) -> Callable[[], Awaitable[None]] | None:
        """Saves what the response acknowledges, before a door sends it; None if nothing is saved."""
        return self._domain.settle

    @property
    def may_wait(self) -> bool:
        """True if `finish` may block, so an event loop should call it in a thread."""
        return self._located.area == "admin"

    @property
    def failure(self) -> FakeResponse | None:
        """The response in place of what `finish` raised, if that came from the user's own code."""
        return None if self._call is None else self._call.failure

    def expect(self, size: int) -> None:
        """Check the head before any of the body arrives; optional, as `feed` does it too.

        Args:
            size: the length of the body in bytes.

        Raises:
            EnoughSent: the body is not needed.
        """
        if size > self._wanted:
            self._look_at_head()

    def feed(self, chunk: bytes) -> None:
        """Add the next chunk of the request body, of any size.

        Raises:
            EnoughSent: the rest is not needed.
        """
        self._received += len(chunk)
        if self._received > self._wanted:
            self._look_at_head()
        self._chunks.append(chunk)
        if self._sink is not None and (len(self._chunks) == FEW or len(chunk) > SMALL):
            self._pour(self._sink)
            if self._sink.is_full:
                raise EnoughSent

    def _pour(self, sink: MultipartForm | StoredContent) -> None:
        """Give the chunks to what takes the body; all at once, as clients send the parts of a form in small ones."""
        sink.write(b"".join(self._chunks))
        self._chunks.clear()

    def _look_at_head(self) -> None:
        """Decide from the head alone whether to read more of the body.

        Raises:
            EnoughSent: the rest is not needed.
        """
        if self._located.area == "admin":
            try:
                admin.require_key(self._make_call())
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
        """Check the bearer and the upload URL before content arrives, and limit its size."""
        state = self._state
        if not (self._has_valid_bearer() or needs_no_bearer(self._head, state.rules)):
            raise EnoughSent
        if isinstance(sink, StoredContent) and state.rules.look_up(rulebook.files.RAW) == "refused":
            raise EnoughSent
        limit = state.files.uploads.get_max_size(self._match.params["address"]) if self._match else None
        if limit is None:
            raise EnoughSent
        sink.max_size = limit

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object = None, *_: object) -> None:
        if kind is not None or self._exclusive is not None:
            self.abandon()

    def abandon(self) -> None:
        """Give up the request: its body will not be complete, as the client disconnected."""
        if self._sink is not None and self._call is None:  # no handler has it
            self._sink.discard()
        if self._exclusive is not None:
            with self._domain.lock:
                self._leave_queue(self._exclusive)

    def _leave_queue(self, key: str) -> None:
        """Leave the queue of cycles in progress for a user; the caller holds the lock."""
        in_progress, self._exclusive = self._domain.in_progress, None
        others = in_progress.get(key)  # None after a reset
        if others == [self]:
            del in_progress[key]
        elif others:
            in_progress[key] = [other for other in others if other is not self]

    def connect(self) -> None:
        """Apply a fault that refuses connections, before any of the body is read.

        Raises:
            BrokenConnection: such a fault applies.
        """
        with self._domain.lock:
            if isinstance(self._get_injection().fault, ConnectError):
                # `finish` comes upon the same fault before any handler runs: that counts the fault as used and raises
                # its error, and `finish` records the request, without a response.
                try:
                    self.finish()
                except BrokenConnection as broken:
                    broken.settle = self.settle  # the door has no cycle to ask for it
                    raise

    def finish(self) -> FakeResponse:
        """Return the response; the body is complete.

        Raises:
            BrokenConnection: a fault breaks the connection.
            Exception: whatever the function of a stub raises; the journal then has the `failure`.
        """
        try:
            response = self._respond()
        finally:
            if self._exclusive is not None:
                self.abandon()
        return response.head_only() if self._head.method == "HEAD" else response

    def _respond(self) -> FakeResponse:
        if self._sink is not None:
            self._pour(self._sink)
        self._body = b"".join(self._chunks)
        if self._located.area == "admin":
            return self._administer()
        with self._domain.lock:
            self._at = self._state.clock.now()
            if self._state.faults.pending:
                return self._respond_with_faults(self._get_injection())
            response, used = self._handle()
            self._record(response, used)
            if self._exclusive is not None:
                self._leave_queue(self._exclusive)
        return response

    def _respond_with_faults(self, injection: Injection) -> FakeResponse:
        """Respond or break the connection, as the faults require."""
        clock = self._state.clock
        response: FakeResponse | None = None
        used: Used = ()
        try:
            response, used = self._handle(injection)
            result = injection.after(response, clock)
        except BrokenConnection as broken:
            broken.wait = injection.wait(clock)
            self._record(response, used, injection.label)
            raise
        self._record(response, used, injection.label)
        return result

    def _record(self, response: FakeResponse | None, used: Used, injected: str | None = None) -> None:
        """Add the request to the journal."""
        # By position, as keywords cost each request more.
        entry = JournalEntry(self._at, self._operation, used, self._head, response)
        entry.injected, entry.request_bytes = injected, self._received
        if self._call is not None:
            entry.user_id = self._call.user_id
        parts = self._sink.parts if isinstance(self._sink, MultipartForm) else ()
        self._state.journal.append(entry, self._body, parts)

    def _get_injection(self) -> Injection:
        """Return the faults that apply to this request."""
        return self._state.faults.on(self._operation, self._located.path)

    def _handle(self, injection: Injection | None = None) -> tuple[FakeResponse, Used]:
        """Return the response, and the rules it rests on."""
        rules = self._state.rules
        rules.begin()
        try:
            if rules.refuses:  # may raise half-way, which must leave nothing half-done
                with self._state.undo_if_refused():
                    response = self._serve(injection)
            else:
                response = self._serve(injection)
        except Exception:
            if self.failure is not None:
                self._record(self.failure, ())
            raise
        finally:
            used = rules.end()
        response.headers.extend(list_assumptions(used, rules.observed))
        if rules.deviations.noted:
            response.headers.append((own_headers.DEVIATES_HEADER, rules.deviations.describe_noted()))
        return response, used

    def _serve(self, injection: Injection | None) -> FakeResponse:
        """Return the response of the route's handler, or that to a refused call."""
        match, state, call = self._match, self._state, self._make_call()
        try:
            if injection is not None:
                injection.before()
            if self._too_large:
                raise Refusal("body_too_large", describe_limit(self._wanted))
            if match is None:
                raise make_refusal(self._domain, self._located, self._head, self._base_urls)
            if match.route.area == "api":
                state.api_rate.admit(self._at, self._fails_first)
            self._call = call
            if self._late:
                self._refuse_overlap(call)
            response = match.route.handler(call)
            if call.ignored or call.ignored_parameters:
                ignored = (*call.ignored_parameters, *call.ignored)
                response.headers.append((own_headers.IGNORED_HEADER, join_names(ignored)))
            return response
        except Refusal as refusal:
            forget_frames(refusal)
            refusal.remedy = state.rules.find_remedy(refusal.remedy)
            return self._render(check_bearer_first(call, refusal, self._located.area))

    def _refuse_overlap(self, call: CallContext) -> None:
        """Refuse an update that overlaps another of the same user, if the caller may know of it."""
        call.authenticate()
        rules = call.state.rules
        rules.follow(rulebook.directory.NOT_CONCURRENT)
        if rules.apply(rulebook.directory.CONCURRENT) == "409":
            raise Refusal(
                "conflict",
                f"another update of {self._exclusive} is in progress; send updates of one user one after another",
            )

    def _render(self, refusal: Refusal) -> FakeResponse:
        """Return the response to a refused call, and count it if such calls may count."""
        match, state = self._match, self._state
        dialect = match.route.dialect if match else choose_dialect(self._located.area, self._head)
        if refusal.kind == "injected":
            return dialect(refusal, state.rules.copy_choices())
        response = dialect(refusal, state.rules)
        if self._located.area == "hooks":
            notifications.count_refusal(response, state)
        if match is not None and match.route.section:
            response.headers.append((own_headers.SECTION_HEADER, match.route.section.replace("›", ">")))
        return response

    def _administer(self) -> FakeResponse:
        """Return the response to a call of the admin interface: without lock, journal, rules and faults."""
        call = self._make_call()
        try:
            if self._match is None or not self._match.route.keyless:
                admin.require_key(call)
            if self._match is None:
                raise make_refusal(self._domain, self._located, self._head, self._base_urls)
            return self._match.route.handler(call)
        except Refusal as refusal:
            forget_frames(refusal)
            return format_admin_error(refusal, self._state.rules)

    def _make_call(self) -> CallContext:
        params = {} if self._match is None else self._match.params
        return CallContext(  # by position, as keywords cost each call more
            self._domain,
            self._state,
            self._base_urls,
            self._head,
            params,
            self._located.query,
            self._body,
            self._sink,
        )
