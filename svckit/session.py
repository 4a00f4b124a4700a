"""A signed-in session: the operations of the service as plain calls, grouped by what they are about.

The methods of the groups are the operations of `svckit.operations`, run to their result; `AsyncSession` has the
same ones for ``await``. What does not differ between the two is in `SessionBase`.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, closing
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, overload

from svckit import driver_httpx as http
from svckit.card import render_card
from svckit.clock import Clock, SystemClock, pass_by
from svckit.credentials import Credentials, TokenStore
from svckit.driver import Driver, Lock, Step, Turn
from svckit.errors import InvalidInput
from svckit.explanation import Explanation, explain
from svckit.models.lifecycle import standings
from svckit.models.notification import Button
from svckit.models.secret import Secret
from svckit.models.user import User
from svckit.operations import files, notifications, users
from svckit.operations.authorization import AuthorizationRequest, Visitor
from svckit.operations.methods import Group, signed_like
from svckit.operations.notifications import Notified
from svckit.places import Place
from svckit.profiles import Profile
from svckit.records import Kind
from svckit.retrying import RETRIES, whole
from svckit.trace import Trace
from svckit.wire import Operation, Reply, Wait

__all__ = ["Files", "FilesBase", "Session", "SessionBase", "Users", "UsersBase"]

P = ParamSpec("P")
T = TypeVar("T")

LISTING_NOTE = (
    "The service has no operation that lists: shown is what this session has read, changed or uploaded."
)


class SessionBase:
    """What a session is, with or without ``await``.

    Attributes:
        profile: whom it talks to.
        fake: the ``FakeService`` behind it, or ``None``.
    """

    users: Group
    files: Group

    def __init__(
        self,
        profile: Profile,
        credentials: Credentials,
        *,
        lock: Lock,
        fake: Any,
        clock: Clock | None,
        retries: int,
        tokens: TokenStore | None,
        visitor: Visitor | None,
    ) -> None:
        self.profile = profile
        self.fake = fake
        self._visitor = visitor
        self._driver = Driver(
            profile, credentials, clock=clock or SystemClock(), lock=lock, retries=retries, tokens=tokens
        )

    @property
    def retries(self) -> int:
        """How often a call that failed is sent again, where that is safe (2); 0 for never. Assign to change it.

        Safe is what does no more when it is done twice, such as reading, and what was not sent because no
        connection could be made. The session waits half a second, then a second, and so on, or for as long as the
        service asks for, up to a minute; under a fake's standing clock it moves that clock instead.
        """
        return self._driver.retries

    @retries.setter
    def retries(self, count: int) -> None:
        self._driver.retries = whole(count)

    @property
    def is_fake(self) -> bool:
        """Whether nothing that is done here is for real."""
        return self.profile.is_fake

    def trace(self) -> AbstractContextManager[Trace]:
        """Note every exchange of this session in a ``with`` block: ``with svc.trace() as t:``; see `svckit.trace`."""
        return self._driver.traced()

    def explain(self, operation: Operation[Any], *replies: Reply | Mapping[str, Any]) -> Explanation:
        """Show what an operation would send to this session's addresses; see `svckit.explain`."""
        return explain(operation, *replies, on=self.profile)

    @property
    def listing_note(self) -> str | None:
        """Says that a real service cannot list what it has; ``None`` where everything is listed."""
        return None if self.fake is not None else LISTING_NOTE

    def records(self, kind: Kind) -> Iterable[Mapping[str, Any]]:
        """Plain records for a frame, with the service's own field names, in a stable order.

        Of a fake in process, all there are; otherwise the users this session has read or changed and the
        files it has uploaded, and no messages, events and journal. What is retired or planned to be
        (``lifecycle``) stands as it does today, by the session's clock.

        Raises:
            ValueError: there is no such kind.
        """
        if self.fake is not None:
            found: Iterable[Mapping[str, Any]] = self.fake.records(kind)
            return found
        seen = self._driver.seen
        by_kind: dict[str, list[Mapping[str, Any]]] = {
            "users": [user.to_wire() for user in seen.users.values()],
            "files": list(seen.files.values()),
            "messages": [],
            "events": [],
            "journal": [],
            "rules": [],
            "lifecycle": [each.record() for each in standings(self._driver.today)],
        }
        if kind not in by_kind:
            raise ValueError(f"there are no records of the kind {kind!r}; there are {', '.join(by_kind)}")
        return by_kind[kind]

    def _webhook(self, given: str | Secret | None) -> Secret:
        known = self._driver.credentials.webhooks
        if given is None and not known:
            raise InvalidInput(
                "notify was not sent: the profile has no notification URL; give one as webhook="
            )
        return known[0] if given is None else notifications.secret_address(given)

    def __repr__(self) -> str:
        return self._card()[1]

    def _repr_html_(self) -> str:
        return self._card()[0]

    def _card(self) -> tuple[str, str]:
        tokens = self._driver.tokens.current
        user = self._driver.credentials.login_id if self._visitor is None else None
        signed_in = (user or "by a person; the service does not say who") if tokens else "nobody"
        until = tokens.ends.isoformat(timespec="seconds") if tokens else "none"
        rows = [
            ("profile", f"{self.profile.name}, {self.profile.base_url}"),
            ("signed in", signed_in),
            ("access token", f"until {until}; renewed by itself" if tokens else "none"),
            *((f"svc.{group.title}", ", ".join(group.methods)) for group in (self.users, self.files)),
            ("svc.notify", "posts a message into a chat room"),
        ]
        if self.listing_note:
            rows.append(("listing", self.listing_note))
        return render_card(type(self).__name__, rows, badge="FAKE" if self.is_fake else "REAL")


class UsersBase(Group):
    """Users of the directory and their profile statuses."""

    title = "users"
    methods = ("update", "read", "set_status", "known")

    def __init__(self, session: Any) -> None:
        self._session = session

    def known(self) -> list[User]:
        """The users that can be shown, without a call: of a fake all; else those this session has met."""
        return [User.from_wire(record) for record in self._session.records("users")]


class FilesBase(Group):
    """Uploads and downloads."""

    title = "files"
    methods = ("upload", "download")

    def __init__(self, session: Any) -> None:
        self._session = session


class Session(SessionBase):
    """A signed-in session; made by `svckit.connect`. Threads may share it.

    Attributes:
        users: users and their profile statuses.
        files: uploads and downloads.

    Examples:
        >>> import svckit
        >>> with svckit.connect(now="2026-06-01T09:00:00+09:00") as svc:
        ...     svc.users.update("u-001", nick_name="Mina").nick_name
        'Mina'
        >>> svc
        Session [FAKE]
          profile       fake, https://api.fake.test
          signed in     hana.nakamura.001@example.com
          access token  until 2026-06-02T09:00:00+09:00; renewed by itself
          svc.users     update, read, set_status, known
          svc.files     upload, download
          svc.notify    posts a message into a chat room
    """

    users: "Users"
    files: "Files"

    def __init__(
        self,
        profile: Profile,
        credentials: Credentials,
        *,
        transport: http.Transport | None = None,
        fake: Any = None,
        clock: Clock | None = None,
        retries: int = RETRIES,
        tokens: TokenStore | None = None,
        visitor: Visitor | None = None,
    ) -> None:
        self._turn = threading.Lock()
        super().__init__(
            profile,
            credentials,
            lock=self._turn,
            fake=fake,
            clock=clock,
            retries=retries,
            tokens=tokens,
            visitor=visitor,
        )
        self._http = http.open_client(transport)
        self.users = Users(self)
        self.files = Files(self)

    def run(self, operation: Operation[T]) -> T:
        """Run an operation of `svckit.operations` to its result."""
        with closing(self._driver.steps(operation)) as steps:
            advance: Callable[[], Step] = partial(next, steps)
            while True:
                try:
                    step = advance()
                except StopIteration as done:
                    result: T = done.value
                    return result
                try:
                    advance = partial(steps.send, self._do(step))
                except Exception as error:  # noqa: BLE001 - the steps may know what to make of it
                    advance = partial(steps.throw, error)

    def _do(self, step: Step) -> Reply | None:
        match step:
            case Turn():
                self._turn.acquire()
            case Wait():
                time.sleep(pass_by(self._driver.clock, step.seconds))
            case _:
                return http.perform(self._http, step)
        return None

    def sign_in(self) -> Self:
        """Sign in, or sign in anew, through the steps of the authorization-code flow."""
        if self._visitor is None:
            self.run(self._driver.sign_in())
        else:
            code = self._visitor.visit(AuthorizationRequest.begin(self.profile))
            self.run(self._driver.redeem(code))
        return self

    def resume(self) -> bool:
        """Go on with tokens that were kept, without signing in; says whether there were any.

        Raises:
            Unauthorized: there were, but they have ended.
        """
        return self.run(self._driver.resume())

    def notify(
        self,
        text: str,
        *,
        title: str | None = None,
        button: tuple[str, str] | Button | None = None,
        webhook: str | Secret | None = None,
        wait: bool = False,
    ) -> Notified:
        """Post a message into a chat room; see `svckit.operations.notifications.notify`.

        Args:
            text: what the message says; `svckit.models.mention` writes the markup that names a user.
            title: its title; left out, the one given in the webhook list.
            button: words and address of a link shown below.
            webhook: the notification URL; left out, the first one that is known.
            wait: whether to wait for the reset, two minutes at most, where the rate limit is reached.
        """
        webhook = self._webhook(webhook)  # a secret from here on, also in a traceback
        return self.run(notifications.notify(webhook, text, title=title, button=button, wait=wait))

    def close(self) -> None:
        """Close the connections. What the session has seen stays readable."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def method(operation: Callable[P, Operation[T]]) -> Callable[Concatenate[Any, P], T]:
    """An operation as a method of a group."""

    @wraps(operation)
    def bound(self: "Users | Files", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._session.run(operation(*args, **kwargs))

    signed_like(bound, operation)
    return bound


class Users(UsersBase):
    """Users of the directory and their profile statuses."""

    _session: Session

    update = method(users.update)
    read = method(users.read)
    set_status = method(users.set_status)


class Files(FilesBase):
    """Uploads and downloads."""

    _session: Session

    upload = method(files.upload)

    @overload
    def download(self, place: Place, to: None = None) -> bytes: ...
    @overload
    def download(self, place: Place, to: str | Path, *, overwrite: bool = False) -> Path: ...
    def download(
        self, place: Place, to: str | Path | None = None, *, overwrite: bool = False
    ) -> bytes | Path:
        """Download a file into memory, or to disk; see `svckit.operations.files`.

        Args:
            place: which file, such as ``places.drive("u-001").file(file_id)``.
            to: a file or a directory to write to; left out, the content is returned.
            overwrite: whether a file that is there may be replaced.
        """
        if to is None:
            return self._session.run(files.download(place))
        return self._session.run(files.save(place, to, overwrite=overwrite))
