"""What a session does around every call, without I/O: addresses, the bearer, its renewal, and errors.

`Driver.steps` turns an operation into a generator of steps that are done one by one, each with or without
``await``. There are two kinds of step: send a `Send` and return its `Reply`, or wait for one's `Turn`.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import zip_longest
from typing import IO, Any, Protocol, TypeAlias, TypeVar
from urllib.parse import quote, unquote, urlencode

from pydantic_core import to_json

from svckit.credentials import Credentials, Tokens, TokenStore
from svckit.errors import ForeignOrigin, Unauthorized, refusal
from svckit.lifecycle import Notices
from svckit.models.files import UploadResult
from svckit.models.paths import UPLOAD_PLACES
from svckit.models.secret import Secret, mask
from svckit.models.user import User
from svckit.operations import auth
from svckit.profiles import Profile
from svckit.wire import Call, FilePart, Hidden, Operation, Reply, locate

__all__ = ["Driver", "Seen", "Send", "Steps", "Turn"]

T = TypeVar("T")

RENEW_BEFORE_END = timedelta(seconds=60)  # so that a token does not end on the way
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Send:
    """A request as it goes over the wire; holds secrets in the clear, so it shows only what is masked."""

    operation: str
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    file: FilePart | None
    sink: IO[bytes] | None
    expects: tuple[int, ...]
    line: str


class Turn:
    """Ask for the lock under which tokens are renewed, so that it happens once however many need it."""


class Lock(Protocol):
    """What ``threading.Lock`` and ``asyncio.Lock`` share; they differ in how they are acquired."""

    def release(self) -> None:
        """Let the next one in."""


Steps: TypeAlias = Generator[Send | Turn, Reply | None, T]


class Seen:
    """What a session has met of a service that has no operation to list anything."""

    def __init__(self) -> None:
        self.users: dict[str, User] = {}
        self.files: dict[tuple[str, str | None], dict[str, Any]] = {}

    def note(self, result: object, target: str | Hidden) -> None:
        """Remember a user, or a file and where it was uploaded to, in the form of a fake's records."""
        if isinstance(result, User):
            self.users[result.user_id or result.email] = result
        elif isinstance(result, UploadResult):
            place = _container(_revealed(target))
            self.files[place, result.file_id] = {**result.to_wire(), "place": place}


class Driver:
    """The state of a session and the steps it takes.

    Args:
        profile: whom it talks to.
        credentials: what it signs in with.
        now: the clock that tokens end by.
        lock: acquired for every `Turn`, released here.
    """

    def __init__(
        self, profile: Profile, credentials: Credentials, now: Callable[[], datetime], lock: Lock
    ) -> None:
        self.profile = profile
        self.credentials = credentials
        self.tokens = TokenStore()
        self.seen = Seen()
        self._notices = Notices()
        self._now = now
        self._lock = lock

    @property
    def today(self) -> date:
        """The day by the session's clock."""
        return self._now().date()

    def steps(self, operation: Operation[T]) -> Steps[T]:
        """Run an operation to its result.

        Raises:
            ServiceError: a call failed, or was stopped before it was sent.
        """
        target: str | Hidden = ""
        try:
            call = next(operation)
            target = call.target
            while True:
                try:
                    reply = yield from self._exchange(call)
                except Exception as error:  # noqa: BLE001 - the operation may know what to make of it
                    call = operation.throw(error)
                else:
                    call = operation.send(reply)
        except StopIteration as done:
            result: T = done.value
            self.seen.note(result, target)
            return result
        finally:
            operation.close()

    def sign_in(self) -> Operation[Tokens]:
        """The operation that signs in and keeps the tokens."""
        issued = yield from auth.sign_in(self.profile, self.credentials)
        return self.tokens.keep(issued, self._now())

    def _exchange(self, call: Call) -> Steps[Reply]:
        self._notices.check(call, self.today)
        if call.bearer:
            tokens = self._signed_in()
            if self._now() >= tokens.ends - RENEW_BEFORE_END:
                tokens = yield from self._renewed(tokens)
            reply = yield from self._send(call, tokens.access)
            if reply.status == 401:
                tokens = yield from self._renewed(tokens)
                reply = yield from self._send(call, tokens.access)
        else:
            reply = yield from self._send(call, None)
        if reply.status in call.expects:
            return reply
        raise refusal(
            reply.status,
            reply.headers,
            mask(reply.content.decode("utf-8", "replace")),
            operation=reply.operation,
            request=reply.request,
        )

    def _signed_in(self) -> Tokens:
        if self.tokens.current is None:
            raise Unauthorized(f"nobody is signed in. {Unauthorized.advice}")
        return self.tokens.current

    def _renewed(self, ended: Tokens) -> Steps[Tokens]:
        """Renew the tokens, unless another thread or task has just done so."""
        yield Turn()
        try:
            current = self._signed_in()
            if current is not ended:
                return current
            if ended.refresh is None:
                raise Unauthorized(f"the access token has ended. {Unauthorized.advice}")
            issued = yield from self.steps(auth.refresh(self.profile, self.credentials, ended.refresh))
            return self.tokens.keep(issued, self._now())
        finally:
            self._lock.release()

    def _send(self, call: Call, bearer: Secret | None) -> Steps[Reply]:
        reply = yield self._prepared(call, bearer)
        assert reply is not None, "a Send is answered with a Reply"  # noqa: S101
        return reply

    def _prepared(self, call: Call, bearer: Secret | None) -> Send:
        address, problem = self._address(call)
        if problem:  # raised here, where no local variable holds the address in the clear
            raise ForeignOrigin(
                f"{call.operation} was stopped: {problem}. {ForeignOrigin.advice}", operation=call.operation
            )
        headers: dict[str, str] = {}
        content: bytes | None = None
        if call.json is not None:
            headers["Content-Type"], content = JSON, to_json(call.json)
        elif call.form is not None:
            headers["Content-Type"], content = FORM, _encoded(call.form).encode()
        if call.sink is not None:
            headers["Accept-Encoding"] = "identity"  # so that Content-Length counts what is written
        if bearer is not None:
            headers["Authorization"] = f"Bearer {bearer.reveal()}"
        url = address.reveal()
        line = mask(f"{call.method} {url.partition('?')[0]}")  # a query may hold what signs the address
        return Send(
            call.operation, call.method, url, headers, content, call.file, call.sink, call.expects, line
        )

    def _address(self, call: Call) -> tuple[Secret, str]:
        """Where a call goes, and what is wrong with that if it is outside the area the call is for."""
        target = _revealed(call.target)
        base = self.profile.address(call.area)
        if target.startswith("/"):
            query = f"?{_encoded(call.params)}" if call.params else ""
            return Secret(f"{base}{target}{query}"), ""
        own, _ = locate(base)
        try:
            origin, rest = locate(target)
        except ValueError as unreadable:
            return Secret(""), f"the address to call next cannot be trusted: {unreadable}"
        if origin != own:
            return Secret(""), f"the address to call next is at {origin}, which is not this profile's {own}"
        return Secret(f"{origin}{rest}"), ""


def _container(path: str) -> str:
    """What a path uploads into: the store and the IDs that name what holds the file, such as ``drive/u-001``."""
    for known in UPLOAD_PLACES:
        pairs = list(zip_longest(known.template.split("/"), path.split("/"), fillvalue=""))
        if all(part == own or (part.startswith("{") and own) for part, own in pairs):
            ids = [unquote(own) for part, own in pairs if part[1:-1] in known.container]
            return "/".join([known.store, *ids])
    return path


def _revealed(text: str | Hidden) -> str:
    return text if isinstance(text, str) else text.reveal()


def _encoded(fields: Mapping[str, str | Hidden]) -> str:
    return urlencode({name: _revealed(value) for name, value in fields.items()}, quote_via=quote)
