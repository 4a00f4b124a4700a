"""What a session does around every call, without I/O: the bearer, its renewal, repeating, and errors.

`Driver.steps` turns an operation into a generator of steps that are done one by one, each with or without
``await``. There are three kinds of step: send a `PreparedRequest` and return its `Response`, `Wait` for some seconds,
or acquire the lock of a `Turn`. If a step fails, its error is thrown into the generator.
"""

from asyncio import CancelledError
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import count, zip_longest
from math import ceil
from typing import Any, TypeAlias, TypeVar
from urllib.parse import unquote

from svckit.errors import RateLimited, ServiceError, Unauthorized, Unreachable
from svckit.http.error_responses import read_error
from svckit.http.messages import (
    Hidden,
    Operation,
    Request,
    Response,
    Wait,
)
from svckit.http.prepare import (
    PreparedRequest,
    format_line,
    prepare_request,
    reveal,
)
from svckit.http.rate_limit import RateGauge
from svckit.http.redaction import RedactedRequest
from svckit.http.retry import (
    BUSY,
    RETRIES,
    check_retries,
    choose_delay,
    parse_retry_after,
)
from svckit.http.trace import Trace, TraceEntry
from svckit.http.turns import Lock, Turn, Turns
from svckit.lifecycle.calendar import Notices
from svckit.models.files import UploadResult
from svckit.models.notification import RateLimit
from svckit.models.paths import UPLOAD_PLACES
from svckit.models.secret import Secret
from svckit.models.status import UserProfileStatus
from svckit.models.user import User
from svckit.operations import auth
from svckit.profiles.credentials import Credentials, SessionTokens, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.clock import Clock

__all__ = ["Driver", "Seen", "Step", "Steps"]

T = TypeVar("T")

REVISIONS_SEEN = 10_000
RENEW_BEFORE_END = timedelta(seconds=60)  # so that a token does not end on the way


Step: TypeAlias = PreparedRequest | Wait | Turn
Steps: TypeAlias = Generator[Step, Response | None, T]


class Seen:
    """What a session has met of a service that has no operation to list anything."""

    def __init__(self) -> None:
        self.users: dict[str, User] = {}
        self.statuses: dict[tuple[str, str | None], dict[str, Any]] = {}
        self.files: dict[tuple[str, str | None], dict[str, Any]] = {}
        self.revisions: deque[dict[str, Any]] = deque(maxlen=REVISIONS_SEEN)

    def user(self, key: str) -> User | None:
        """A user it has met, by ID, login e-mail or ``externalKey:<key>``."""
        if key in self.users:
            return self.users[key]
        other = key.removeprefix("externalKey:")
        name = "email" if other == key else "user_external_key"
        return next((user for user in list(self.users.values()) if getattr(user, name) == other), None)

    def remember(self, result: object, target: str | Hidden) -> None:
        """Remember a user, a status, or a file and where it was uploaded to, in the form of a fake's records.

        A user has one current and one reserved status, so a new one takes the place of the last of its schedule.
        An answer to an upload does not say which revision of the file it has made: each is one, the newest last.
        """
        if isinstance(result, User):
            self.users[result.user_id or result.email] = result
        elif isinstance(result, UploadResult):
            place = _find_container(reveal(target))
            record = self.files[place, result.file_id] = {**result.to_wire(), "place": place}
            self.revisions.append(record)
        elif isinstance(result, UserProfileStatus):
            user_id = unquote(reveal(target).split("/")[2])
            self.statuses[user_id, result.schedule_type] = {**result.to_wire(), "userId": user_id}


class Driver:
    """The state of a session and the steps it takes.

    Args:
        profile: whom it talks to.
        credentials: what it signs in with.
        clock: what tokens end by, and what waiting goes by.
        lock: makes a lock; each is acquired for a `Turn`, and released here.
        retries: how often a call that failed is sent again, where that is safe.
        tokens: what holds its tokens; left out, memory only.
    """

    def __init__(
        self,
        profile: Profile,
        credentials: Credentials,
        *,
        clock: Clock,
        lock: Callable[[], Lock],
        retries: int = RETRIES,
        tokens: SessionTokens | None = None,
    ) -> None:
        self.profile = profile
        self.credentials = credentials
        self.clock = clock
        self.retries = check_retries(retries)
        self.tokens = tokens or SessionTokens()
        self.seen = Seen()
        self.rate = RateGauge(urls=len(credentials.webhooks))
        self._notices = Notices()
        self._renewing = lock()  # so that it happens once, however many need it
        self._turns = Turns(lock)
        self._traces: list[Trace] = []

    @property
    def today(self) -> date:
        """The day by the session's clock."""
        return self.clock.now().date()

    def credential_records(self) -> list[Mapping[str, Any]]:
        """What is known of the session's tokens, without the tokens: the answers name neither user nor issue."""
        now, tokens = self.clock.now(), self.tokens.current
        if tokens is None:
            return []
        as_of = {"state": "valid", "asOf": now.isoformat()}
        state = "valid" if now < tokens.expires else "ended"
        ends = {"credential": "access token", "state": state, "endTime": tokens.expires.isoformat()}
        return [as_of | ends, *([as_of | {"credential": "refresh token"}] if tokens.refresh else [])]

    @contextmanager
    def trace(self, most: int | None = None) -> Iterator[Trace]:
        """Note every exchange, of whichever thread or task, until the block is left; of ``most`` the newest stay."""
        trace = Trace(most)
        self._traces.append(trace)
        try:
            yield trace
        finally:
            self._traces.remove(trace)

    def steps(self, operation: Operation[T]) -> Steps[T]:
        """Run an operation to its result.

        Raises:
            ServiceError: a call failed, or was stopped before it was sent.
        """
        target: str | Hidden = ""
        try:
            call = next(operation)
            target = call.place or call.target
            while True:
                try:
                    reply = yield from self._perform(call)
                except (Exception, KeyboardInterrupt, CancelledError) as error:  # noqa: BLE001 - it may know what to do
                    call = operation.throw(error)
                else:
                    call = operation.send(reply)
        except StopIteration as done:
            result: T = done.value
            self.seen.remember(result, target)
            return result
        finally:
            operation.close()

    def sign_in(self) -> Operation[Tokens]:
        """The operation that signs in and keeps the tokens."""
        issued = yield from auth.sign_in(self.profile, self.credentials)
        return self.tokens.keep(issued, self.clock.now())

    def redeem(self, code: Secret) -> Operation[Tokens]:
        """The operation that ends a person's sign-in: exchanges the code and keeps the tokens."""
        issued = yield from auth.exchange(self.profile, self.credentials, code)
        return self.tokens.keep(issued, self.clock.now())

    def resume(self) -> Operation[bool]:
        """The operation that goes on with tokens that were kept; says whether there were any.

        Raises:
            Unauthorized: there were, but they have ended; they are forgotten.
        """
        kept = self.tokens.current
        if kept is None:
            return False
        if self.clock.now() < kept.expires - RENEW_BEFORE_END:
            return True
        yield from self._replace_tokens(kept)
        return True

    def _replace_tokens(self, ended: Tokens) -> Operation[Tokens]:
        """Tokens in place of ended ones: renewed, or else those of a sign-in elsewhere that were kept since."""
        try:
            if ended.refresh is None:
                raise Unauthorized(f"the access token has ended. {Unauthorized.advice}")
            issued = yield from auth.refresh(self.profile, self.credentials, ended.refresh)
        except Unauthorized:
            newer = self.tokens.load_newer()
            if newer is None:
                self.tokens.forget()
                raise
            return newer
        return self.tokens.keep(issued, self.clock.now())

    def _perform(self, call: Request) -> Steps[Response]:
        self._notices.check(call, self.today)
        if call.after is not None:
            yield from self._wait(call.after)
        reply = yield from self._send_authorized(call)
        if reply.status in call.expects:
            return reply
        raise self._build_error(call, reply)

    def _send_authorized(self, call: Request) -> Steps[Response]:
        """Send a call, with a bearer that is valid where it needs one."""
        if not call.bearer:
            return (yield from self._send_with_retries(call, None))
        try:
            tokens = yield from self.get_tokens()
            reply = yield from self._send_with_retries(call, tokens.access)
            if reply.status == 401:
                try:
                    tokens = yield from self.renew_tokens(tokens)
                except Unauthorized as error:
                    if error.status is None:  # nothing to renew it with: the service's own words say more
                        return reply
                    raise
                reply = yield from self._send_with_retries(call, tokens.access)
        except Unauthorized as error:  # there is no token to call with
            error.operation = error.operation or call.operation
            error.request = error.request or format_line(call, self.profile)
            raise
        return reply

    def _require_tokens(self) -> Tokens:
        if self.tokens.current is None:
            raise Unauthorized(f"nobody is signed in. {Unauthorized.advice}")
        return self.tokens.current

    def get_tokens(self) -> Steps[Tokens]:
        """The tokens, renewed if the access token ends shortly."""
        tokens = self._require_tokens()
        if self.clock.now() >= tokens.expires - RENEW_BEFORE_END:
            tokens = yield from self.renew_tokens(tokens)
        return tokens

    def renew_tokens(self, ended: Tokens) -> Steps[Tokens]:
        """Renew the tokens, unless another thread or task has just done so."""
        yield Turn(self._renewing)
        try:
            current = self._require_tokens()
            if current is not ended:
                return current
            return (yield from self.steps(self._replace_tokens(ended)))
        finally:
            self._renewing.release()

    def _send_with_retries(self, call: Request, bearer: Secret | None) -> Steps[Response]:
        """Send a call, and send it again where that is safe and may help."""
        for attempt in count(1):
            try:
                reply = yield from self._send_in_turn(call, bearer)
            except Unreachable as error:
                seconds = (
                    self._choose_delay(attempt, None) if call.repeatable or not error.connected else None
                )
                if seconds is None:
                    raise
                why = "no complete answer came" if error.connected else "the service could not be reached"
            else:
                if not call.repeatable or reply.status not in BUSY:
                    return reply
                seconds = self._choose_delay(attempt, parse_retry_after(reply.headers, self.clock.now()))
                if seconds is None:
                    return reply
                why = f"the service answered {reply.status}"
            yield from self._wait(Wait(seconds, f"{why}; {call.operation} is sent again"))
        raise AssertionError("unreachable: a count does not end")

    def _choose_delay(self, attempt: int, asked: float | None) -> float | None:
        return (
            choose_delay(attempt, asked, spread=not self.clock.standing) if attempt <= self.retries else None
        )

    def _send_in_turn(self, call: Request, bearer: Secret | None) -> Steps[Response]:
        """Send a call while no other of the same thing is under way, where there must not be one."""
        if not call.alone:
            return (yield from self._send(call, bearer))
        while True:
            name = self._name_turn(call.alone)
            with self._turns.use_lock(name) as lock:
                yield Turn(lock)
                try:
                    if name == self._name_turn(call.alone):  # else the user was met while this call waited
                        return (yield from self._send(call, bearer))
                finally:
                    lock.release()

    def _name_turn(self, name: str) -> str:
        """Name a user's turn by the ID, whatever the call names the user by, if the session has met the user."""
        user = self.seen.user(name.removeprefix("/users/"))
        return f"/users/{user.user_id}" if user and user.user_id else name

    def _send(self, call: Request, bearer: Secret | None) -> Steps[Response]:
        send = prepare_request(call, self.profile, bearer)
        noted = self.record_request(RedactedRequest.of(call, send)) if self._traces else []
        try:
            reply = yield send
        except Exception as error:
            for exchange in noted:
                exchange.record_failure(error)
            raise
        assert reply is not None, "a Send is answered with a Reply"  # noqa: S101
        for exchange in noted:
            exchange.record_response(reply, send.hide)
        if reply.status not in call.expects:
            reply = send.mask_response(reply)
        if call.area == "hooks":
            self.record_rate(reply.status, reply.headers)
        return reply

    def record_request(self, request: RedactedRequest) -> list[TraceEntry]:
        """Note a request that is about to be sent in every trace there is."""
        return [trace.record_request(request, self.clock.now()) for trace in tuple(self._traces)]

    def _wait(self, wait: Wait) -> Steps[None]:
        for trace in tuple(self._traces):
            trace.record_wait(wait)
        yield wait

    def record_rate(self, status: int, headers: Mapping[str, str]) -> None:
        """Take in what an answer of the notification endpoint says of the rate; refusals need not say anything."""
        now, told = self.clock.now(), RateLimit.from_headers(headers)
        if status == 429:
            asked = parse_retry_after(headers, now) if told is None else told.reset
            self.rate.record_refusal(None if asked is None else ceil(asked), now)
        elif told is not None or status == 200:
            self.rate.record_success(told, now)

    def _build_error(self, call: Request, reply: Response) -> ServiceError:
        headers = reply.headers
        if reply.status == 429 and call.area == "hooks":
            left = self.rate.seconds_left(self.clock.now())
            headers = {"ratelimit-reset": str(left), **headers} if left else headers
        error = read_error(
            reply.status,
            headers,
            reply.content.decode("utf-8", "replace"),
            operation=reply.operation,
            request=reply.request,
        )
        if isinstance(error, RateLimited):
            error.clock_stands &= not self.clock.standing  # its own, which waiting moves
        return error


def _find_container(path: str) -> str:
    """What a path uploads into: the store and the IDs that name what holds the file, such as ``drive/u-001``."""
    for known in UPLOAD_PLACES:
        pairs = list(zip_longest(known.template.split("/"), path.split("/"), fillvalue=""))
        if all(part == own or (part.startswith("{") and own) for part, own in pairs):
            ids = [unquote(own) for part, own in pairs if part[1:-1] in known.container]
            return "/".join([known.store, *ids])
    return path
