"""From a name to a signed-in session."""

import os
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from svckit.async_session import AsyncSession
from svckit.clock import FakeClock
from svckit.credentials import Credentials
from svckit.profiles import Profile
from svckit.session import Session

__all__ = ["Connecting", "FakeLike", "connect", "connect_async"]

PROFILES = ("fake",)
NEW_FAKE: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "users": (int, "a whole number"),
    "seed": (int, "a whole number"),
    "now": ((str, datetime), "an instant: a datetime, or text such as 2026-06-01T09:00:00+09:00"),
}


@runtime_checkable
class FakeLike(Protocol):
    """A ``FakeService``, as far as a session needs it."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Addresses, credentials and ids."""

    @property
    def clock(self) -> FakeClock:
        """The clock that tokens end by."""

    def transport(self) -> Any:
        """The door for httpx, sync and async in one object."""


Target = str | Profile | FakeLike | None


def connect(
    target: Target = None,
    *,
    credentials: Credentials | None = None,
    users: int | None = None,
    seed: int | None = None,
    now: str | datetime | None = None,
) -> Session:
    """Sign in, through the steps of the authorization-code flow, and return the session.

    Args:
        target: a profile's name, a `Profile`, or a ``FakeService`` of yours. Left out, the profile named by the
            environment variable ``SVCKIT_PROFILE``, else ``fake``: a new fake of the service, in process,
            where nothing needs credentials or a network.
        credentials: what to sign in with; for a `Profile` only, and required there.
        users: of a new fake, how many users it has (20).
        seed: of a new fake, what its users, IDs and secrets are derived from (0).
        now: of a new fake, where its clock stands until moved, such as ``"2026-06-01T09:00:00+09:00"``; left
            out, the clock runs with the system's.

    Raises:
        ValueError: there is no such profile.
        TypeError: the arguments do not go together.
        ServiceError: the sign-in failed.

    Examples:
        >>> svc = connect(now="2026-06-01T09:00:00+09:00")
        >>> svc.users.read("u-001").email
        'hana.nakamura.001@example.com'
        >>> connect("work")
        Traceback (most recent call last):
        ...
        ValueError: there is no profile 'work'; there is: fake
    """
    end = _resolve(target, credentials, {"users": users, "seed": seed, "now": now})
    session = Session(end.profile, end.credentials, **end.wiring)
    try:
        return session.sign_in()
    except BaseException:
        session.close()
        raise


def connect_async(
    target: Target = None,
    *,
    credentials: Credentials | None = None,
    users: int | None = None,
    seed: int | None = None,
    now: str | datetime | None = None,
) -> "Connecting":
    """The same for ``await``: ``async with connect_async() as svc:`` or ``svc = await connect_async()``.

    Arguments and errors are those of `connect`.
    """
    return Connecting(_resolve(target, credentials, {"users": users, "seed": seed, "now": now}))


class Connecting:
    """A session that is about to sign in: await it, or enter it with ``async with``."""

    def __init__(self, end: "_End") -> None:
        self._end = end
        self._session: AsyncSession | None = None

    def __await__(self) -> Generator[Any, None, AsyncSession]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncSession:
        self._session = await self._open()
        return self._session

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def _open(self) -> AsyncSession:
        end = self._end
        session = AsyncSession(end.profile, end.credentials, **end.wiring)
        try:
            return await session.sign_in()
        except BaseException:
            await session.close()
            raise


@dataclass(frozen=True, slots=True)
class _End:
    """What is at the other end of a session."""

    profile: Profile
    credentials: Credentials
    wiring: Mapping[str, Any]


def _resolve(target: Target, credentials: Credentials | None, sample: Mapping[str, Any]) -> _End:
    options = {name: value for name, value in sample.items() if value is not None}
    if target is None:
        target = os.environ.get("SVCKIT_PROFILE") or "fake"  # an empty variable is one that was cleared
    if isinstance(target, str) and target not in PROFILES:
        raise ValueError(f"there is no profile {target!r}; there is: {', '.join(PROFILES)}")
    if options and not isinstance(target, str):
        raise TypeError(
            f"{', '.join(options)} can be given for a new fake only, not with {type(target).__name__}"
        )
    for name, value in options.items():
        kind, words = NEW_FAKE[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TypeError(f"{name} is {words}; given {value!r}")
    if isinstance(target, Profile):
        if credentials is None:
            raise TypeError("a Profile needs credentials to sign in with: connect(profile, credentials=…)")
        return _End(target, credentials, {})
    if credentials is not None:
        raise TypeError("credentials can be given with a Profile only; a fake brings its own")
    fake = _new_fake(options) if isinstance(target, str) else target
    if isinstance(fake, type) or not isinstance(fake, FakeLike):
        given = f"the class {fake.__name__}" if isinstance(fake, type) else f"a {type(fake).__name__}"
        raise TypeError(f"connect to a profile's name, a Profile or a FakeService, not to {given}")
    facts = fake.facts
    wiring = {"transport": fake.transport(), "fake": fake, "clock": fake.clock}
    return _End(Profile.from_facts(facts), Credentials.from_facts(facts), wiring)


def _new_fake(options: Mapping[str, Any]) -> FakeLike:
    from fakes import FakeService

    return FakeService.sample(**options)
