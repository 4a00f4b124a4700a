"""The driver: everything a session does around a request, without I/O: bearer, renewal, retries and errors.

`Driver.steps` turns an operation into a generator of steps that are carried out one by one, with or without
``await``. There are four kinds of step: send a `PreparedRequest` and return its `Response`, `Wait` for some seconds,
acquire the lock of a `Turn`, or have a person sign in (`Visit`). If a step fails, its error is thrown into the
generator. `svckit.session.token_steps` has those that get tokens.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from math import ceil
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from svckit.display.masking import describe_failure
from svckit.errors import RateLimited, ServiceError, Unauthorized, Unreachable
from svckit.http.error_responses import read_error
from svckit.http.messages import Operation, Request, Response, Wait
from svckit.http.notices import Notices
from svckit.http.prepare import format_line, prepare_request
from svckit.http.rate_limit import RateGauge
from svckit.http.redaction import RedactedRequest
from svckit.http.retry import (
    RETRIES,
    check_retries,
    choose_delay,
    find_pause,
    may_succeed_later,
    parse_retry_after,
)
from svckit.http.trace import Trace, TraceEntry
from svckit.models.notification import RateLimit
from svckit.models.secret import Secret
from svckit.profiles.keys import RENEW_ON_403
from svckit.retirements import find_feature, warn_of_feature
from svckit.session.seen_records import SeenRecords
from svckit.session.steps import Lock, Steps, Turn
from svckit.session.token_steps import TokenSteps

__all__ = ["Driver"]

T = TypeVar("T")


@dataclass(kw_only=True, eq=False, repr=False)
class Driver(TokenSteps):
    """The state of a session and the steps it takes.

    `steps` runs an operation. Each of its requests passes through three generators, one within the other:

    1. `_authorize` gets a bearer, if the request needs one, and renews it once if the service refuses it.
    2. `_retry` waits out a pause that the service asked for, and sends the request again while that is safe and may
       help.
    3. `_send` prepares it, has it sent, and records the exchange; `_send_in_turn` around it first waits for other
       requests that change the same user.

    Back in `steps`, a response that means no success becomes an error, which is raised in the operation.

    Attributes:
        retries: the number of times a failed request is sent again if that is safe.
        strict: whether responses must be as the service's description shows them.
        seen: the records of the session.
        rate: the use of the notification rate limit.
        notices: the differences from the description that were accepted.
    """

    retries: int = RETRIES
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_retries(self.retries)
        self.seen: SeenRecords = SeenRecords()
        self.rate: RateGauge = RateGauge(urls=len(self.credentials.webhooks))
        self.notices: Notices = Notices(strict=self.strict)
        self._warned: set[str] = set()  # of these retired features
        # By user, each lock only while a request holds it or waits for it. A thread's lock is reentrant, so that nested
        # calls do not wait for themselves.
        self._turns: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        self._choosing_turn = threading.Lock()  # also in a session for one event loop
        self._paused: dict[str, datetime] = {}  # by area, until when the service asked to send nothing
        self._traces: list[Trace] = []  # those whose with block is running

    @property
    def today(self) -> date:
        """The current date on the session's clock."""
        return self.clock.now().date()

    def credential_records(self) -> list[Mapping[str, Any]]:
        """Return records of the session's tokens, without their values, user or time of issue."""
        now, tokens = self.clock.now(), self.tokens.current
        if tokens is None:
            return []
        as_of = {"state": "valid", "asOf": now.isoformat()}
        state = "valid" if now < tokens.expires else "expired"
        access = {"credential": "access token", "state": state, "endTime": tokens.expires.isoformat()}
        return [as_of | access, *([as_of | {"credential": "refresh token"}] if tokens.refresh else [])]

    @contextmanager
    def trace(self, limit: int | None = None) -> Iterator[Trace]:
        """Record the requests of all threads and tasks in the block; with `limit`, keep the newest."""
        trace = Trace(limit)
        self._traces.append(trace)
        try:
            yield trace
        finally:
            self._traces.remove(trace)

    def steps(self, operation: Operation[T]) -> Steps[T]:
        """Run an operation to its result.

        Raises:
            ServiceError: a request failed, or was stopped before it was sent.
        """
        target: str | Secret = ""  # of the first request: what the result is about, for `seen`
        try:
            request = next(operation)
            target = request.place or request.target
            while True:
                try:
                    response = yield from self._authorize(request)
                    response = self._accept(request, response)
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001 - it may know what to do, also when it is cancelled
                    request = operation.throw(error)
                else:
                    request = operation.send(response)
        except StopIteration as done:
            result: T = done.value
            self.seen.remember(result, target)
            return result
        finally:
            operation.close()

    def _accept(self, request: Request, response: Response) -> Response:
        """Return a response that means success, for an operation that may report differences in it.

        Raises:
            ServiceError: it does not mean success.
        """
        if not request.means_success(response.status):
            raise self._build_error(request, response)
        response = replace(response, report=partial(self.notices.add, response))
        if response.status not in request.expects:
            response.report(f"the status is {response.status}, not {request.expects[0]}")
        return response

    def _authorize(self, request: Request) -> Steps[Response]:
        """Send a request with a valid bearer, if it needs one; if that is refused, renew it and send it once more."""
        if (feature := find_feature(request)) and feature not in self._warned:
            self._warned.add(feature)
            warn_of_feature(feature, self.today)
        if request.after is not None:
            yield self._record_wait(request.after)
        if not request.bearer:
            return (yield from self._retry(request, None))
        try:
            tokens = yield from self.get_tokens()
            response = yield from self._retry(request, tokens.access)
            if not self.may_help(response.status, tokens):
                return response
            try:
                tokens = yield from self.renew_tokens(tokens)
            except ServiceError as error:
                # Refused without a status, nothing was sent: a refresh token or the client secret is missing.
                was_tried = not isinstance(error, Unauthorized) or error.status is not None
                if response.status == 401 and was_tried:
                    raise
                # It was not tried, or the access token may be valid: the service's response to the request says more.
            else:
                response = yield from self._retry(request, tokens.access)
            self.note_renewal(response.status, tokens)
            return response
        except Unauthorized as error:  # no token to send: the error names the request that was not sent
            error.operation = error.operation or request.operation
            error.request = error.request or format_line(request, self.profile)
            raise

    def _retry(self, request: Request, bearer: Secret | None) -> Steps[Response]:
        """Send a request, and send it again if that is safe and may help."""
        send = self._send_in_turn if request.exclusive else self._send
        attempt = 0
        while True:
            attempt += 1
            if until := self._paused.get(request.area):
                left = (until - self.clock.now()).total_seconds()
                if left > 0:
                    yield self._record_wait(Wait(left, "the service asked to send nothing until then"))
                self._paused.pop(request.area, None)  # another thread or task may have waited too
            try:
                response = yield from send(request, bearer)
            except Unreachable as error:
                is_safe = request.repeatable or not error.connected
                seconds = self._choose_delay(attempt, None) if is_safe else None
                if seconds is None:
                    raise
                why = "no complete response came" if error.connected else "the service could not be reached"
            else:
                if response.status < 400 or not may_succeed_later(request, response.status):
                    return response
                seconds = self._choose_delay(attempt, parse_retry_after(response.headers, self.clock.now()))
                if seconds is None:
                    return response
                why = f"the service responded with {response.status}"
            yield self._record_wait(Wait(seconds, f"{why}; {request.operation} is sent again"))

    def _choose_delay(self, attempt: int, asked: float | None) -> float | None:
        if attempt > self.retries:
            return None
        return choose_delay(attempt, asked, spread=not self.clock.standing)

    def _send_in_turn(self, request: Request, bearer: Secret | None) -> Steps[Response]:
        """Send a request when no other one for the same user is under way."""
        while True:
            name = self.seen.name_by_id(request.exclusive)
            with self._choosing_turn:
                lock = self._turns.setdefault(name, self.make_lock())
            yield Turn(lock)
            try:
                # If the user was seen while this request waited, the name has changed.
                if name == self.seen.name_by_id(request.exclusive):
                    return (yield from self._send(request, bearer))
            finally:
                lock.release()
                del lock  # else the traceback of an error that is kept would keep it

    def _send(self, request: Request, bearer: Secret | None) -> Steps[Response]:
        """Send a request once, and record the exchange and what the response says of rates."""
        prepared = prepare_request(request, self.profile, bearer)
        entries = self.record_request(RedactedRequest.of(prepared)) if self._traces else []
        try:
            response = yield prepared
        except Exception as error:
            for entry in entries:
                entry.failure = describe_failure(error)
            raise
        assert response is not None, "a PreparedRequest gets a Response"  # noqa: S101
        now = self.clock.now()
        for entry in entries:
            entry.record_response(response, now, prepared.hide)
        if not request.means_success(response.status):
            response = prepared.mask_response(response)
        if request.area == "hooks":
            self.record_rate(response.status, response.headers)
        elif pause := find_pause(response.status, response.headers, now):
            self._paused[request.area] = now + timedelta(seconds=pause)
        return response

    def record_request(self, request: RedactedRequest) -> list[TraceEntry]:
        """Record a request that is about to be sent in every open trace."""
        return [trace.record_request(request, self.clock.now()) for trace in tuple(self._traces)]

    def _record_wait(self, wait: Wait) -> Wait:
        """Record a wait in every open trace, and return it."""
        for trace in tuple(self._traces):
            trace.record_wait(wait)
        return wait

    def record_rate(self, status: int, headers: Mapping[str, str]) -> None:
        """Record the rate that a response of the notification endpoint reports; errors may not report it."""
        now, reported = self.clock.now(), RateLimit.from_headers(headers)
        if status == 429:
            asked = parse_retry_after(headers, now) if reported is None else reported.reset
            self.rate.record_refusal(None if asked is None else ceil(asked), now)
        elif reported is not None or status == 200:
            self.rate.record_success(reported, now)

    def _build_error(self, request: Request, response: Response) -> ServiceError:
        if response.status == 429 and request.area == "hooks":
            left = self.rate.seconds_left(self.clock.now())
            known = {"ratelimit-reset": str(left)} if left else {}
            response = replace(response, headers={**known, **response.headers})  # its own header wins
        error = read_error(response)
        is_of_token = response.status == 403 and str(error.code).lower() == "unauthorized"
        if is_of_token and 403 not in self.profile.renew_on:
            error.add_note(f"{RENEW_ON_403}.")
        if isinstance(error, RateLimited):
            error.clock_stands &= not self.clock.standing  # waiting moves the session's own clock
        return error
