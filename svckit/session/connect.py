"""Connect: turn the name of a profile into a signed-in session."""

import os
from collections.abc import Generator, Mapping
from datetime import datetime
from os import PathLike
from ssl import SSLContext
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from svckit.display.arguments import explaining_arguments
from svckit.errors import Unauthorized, UnusableProfile
from svckit.extras import check_fakes, importing_many
from svckit.models.phrases import describe_given
from svckit.operations.auth import rejects_client
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.driver import Driver
from svckit.session.session import Session
from svckit.session.steps import FakeClock, Steps
from svckit.tracebacks import hiding_inner_frames

if TYPE_CHECKING:
    from svckit.session.aio import AsyncSession
    from svckit.sign_in.account import Account

__all__ = ["Connecting", "FakeLike", "connect", "connect_async"]

FAKE = "fake"  # as in svckit.profiles.resolution, which only profiles load


@runtime_checkable
class FakeLike(Protocol):
    """The part of a ``FakeService`` that a session needs."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """URLs, credentials and IDs."""

    @property
    def clock(self) -> FakeClock:
        """The clock that decides when tokens expire."""

    def transport(self) -> Any:
        """Return the transport for httpx, sync and async in one object."""


Target = str | Profile | FakeLike | None
_OF_A_FAKE = ("addresses", "assumptions", "data", "deviations", "header_word")
_explaining = explaining_arguments(
    **{name: f"svckit.connect(fakes.FakeService.sample({name}=…))" for name in _OF_A_FAKE}
)


@_explaining
def connect(
    target: Target = None,
    *,
    credentials: Credentials | None = None,
    sign_in: Literal["browser", "paste", "form"] | None = None,
    users: int | None = None,
    seed: int | None = None,
    now: str | datetime | None = None,
    assume: Mapping[str, str] | None = None,
    assume_from: str | PathLike[str] | None = None,
    trust: SSLContext | None = None,
    strict: bool = False,
) -> Session:
    """Connect to the service, and return the session, signed in if that takes nobody.

    Signing in is the authorization-code flow. It happens at once if nobody has to be asked (a fake, or tokens that are
    stored or in the environment), else with the first call that needs a token, in the main thread: from a widget's
    callback or another thread that call fails, and ``svc.sign_in()`` in a cell helps. A person signs in to a real
    service once: the tokens are stored in the keyring or a file, and later calls need nobody as long as the tokens can
    be renewed. Notifications need no sign-in.

    Args:
        target: a profile's name, a `Profile`, or your own ``FakeService``. By default the profile named by the
            environment variable ``SVCKIT_PROFILE``, else ``fake``: a new in-process fake of the service, which needs
            no credentials and no network. Other names come from ``svckit.toml`` and the environment (see
            `svckit.profiles`).
        credentials: what to sign in with; by default the secrets of a profile come from the environment, the
            keyring or a prompt. A ``FakeService`` brings its own.
        sign_in: how a person signs in: ``browser`` for this machine's browser; ``paste`` for any browser, pasting the
            URL it ends at; ``form``, which a program fills in, for a fake only. By default whatever works here. If
            given, the person is asked now rather than with the first call.
        users: for a new fake, the number of users (20).
        seed: for a new fake, the seed of its users, IDs and secrets (0).
        now: for a new fake, the time at which its clock stands until moved, such as ``"2026-06-01T09:00:00+09:00"``;
            by default the clock runs with the system's.
        assume: for a new fake, alternatives for what the service's description does not show, by rule, such as
            ``{"api.unauthorized": "403"}``; ``svc.fake.rules`` lists them.
        assume_from: for a new fake, a file of what was measured of a real service, such as ``assumptions.toml``, which
            ``svckit observe`` writes.
        trust: for a profile whose certificates are not signed by one of the usual authorities: an ``ssl.SSLContext``
            that trusts them, such as ``ssl.create_default_context(cafile="ca.pem")``.
        strict: whether a response must be as the service's description shows it. By default what can be read is
            accepted, such as a lifetime as a number, another success status or an unknown field, and is kept in
            ``svc.notices``.

    Returns:
        The session; use it in a ``with`` block, or call ``close()`` in the end.

    Raises:
        UnusableProfile: no such profile, it is incomplete, or its client secret is needed and was not found.
        TypeError: the arguments do not go together.
        ImportError: Python finds a `fakes` that is not svckit's.
        ValueError: the arguments for a new fake are invalid, such as an unknown rule.
        SignInStopped: the person refused, cancelled or took too long, or the redirect was not for this sign-in.
        ServiceError: the sign-in failed.

    Examples:
        >>> svc = connect(now="2026-06-01T09:00:00+09:00")
        >>> svc.users.read("u-001").email
        'hana.nakamura.001@example.com'
        >>> connect("wrok")
        Traceback (most recent call last):
        ...
        svckit.errors.UnusableProfile: no profile 'wrok'; ...
    """
    with hiding_inner_frames:
        setup = _resolve(
            target,
            credentials=credentials,
            sign_in=sign_in,
            trust=trust,
            sample={"users": users, "seed": seed, "now": now, "assume": assume, "assume_from": assume_from},
        )
    session = Session(setup.profile, setup.credentials, strict=strict, **setup.wiring)
    try:
        with hiding_inner_frames:
            session._perform(setup.begin(session._driver))
        return session
    except BaseException:
        session.close()
        raise


@_explaining
def connect_async(
    target: Target = None,
    *,
    credentials: Credentials | None = None,
    sign_in: Literal["browser", "paste", "form"] | None = None,
    users: int | None = None,
    seed: int | None = None,
    now: str | datetime | None = None,
    assume: Mapping[str, str] | None = None,
    assume_from: str | PathLike[str] | None = None,
    trust: SSLContext | None = None,
    strict: bool = False,
) -> "Connecting":
    """Connect for ``await``: ``async with connect_async() as svc:`` or ``svc = await connect_async()``.

    Arguments and errors are those of `connect`. While a person signs in with the browser, the event loop is free;
    pasting blocks it.

    Args:
        target: as with `connect`, like all other arguments.
        credentials: what to sign in with.
        sign_in: ``browser``, ``paste`` or ``form``.
        users: for a new fake, the number of users (20).
        seed: for a new fake, the seed of its users, IDs and secrets (0).
        now: for a new fake, the time at which its clock stands; by default it runs.
        assume: for a new fake, alternatives by rule.
        assume_from: for a new fake, a file of what was measured.
        trust: the certificates to trust.
        strict: whether a response must be as the service's description shows it.

    Returns:
        What to await or to enter; either gives an `AsyncSession`.

    Raises:
        UnusableProfile, TypeError, ValueError: as with `connect`, at once.
        SignInStopped, ServiceError: as with `connect`, when awaited.

    Examples:
        >>> import asyncio
        >>> async def main():
        ...     async with connect_async(now="2026-06-01T09:00:00+09:00") as svc:
        ...         return await svc.users.read("u-001")
        >>> asyncio.run(main()).user_id
        'u-001'
    """
    with hiding_inner_frames:
        setup = _resolve(
            target,
            credentials=credentials,
            sign_in=sign_in,
            trust=trust,
            sample={"users": users, "seed": seed, "now": now, "assume": assume, "assume_from": assume_from},
        )
    return Connecting(setup, strict=strict)


class Connecting:
    """A session that is about to sign in: await it, or enter it with ``async with``."""

    def __init__(self, setup: "_SessionSetup", *, strict: bool) -> None:
        self._setup = setup
        self._strict = strict
        self._session: AsyncSession | None = None  # entered with `async with`, which closes it

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise AttributeError(
            f"connect_async() is not a session until it is awaited, so it has no attribute {name!r}: "
            "svc = await svckit.connect_async(), or async with svckit.connect_async() as svc"
        )

    def __await__(self) -> "Generator[Any, None, AsyncSession]":
        return self._open().__await__()

    async def __aenter__(self) -> "AsyncSession":
        self._session = await self._open()
        return self._session

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def _open(self) -> "AsyncSession":
        from svckit.session.aio import AsyncSession  # which loads asyncio

        setup = self._setup
        session = AsyncSession(setup.profile, setup.credentials, strict=self._strict, **setup.wiring)
        try:
            with hiding_inner_frames:
                await session._perform(setup.begin(session._driver))
            return session
        except BaseException:
            await session.close()
            raise


class _SessionSetup(NamedTuple):
    """The resolved target of a session.

    Attributes:
        profile: the profile of the service.
        credentials: the credentials to sign in with.
        wiring: the session's other arguments: those of a fake, or of the account and its certificates.
        account: the account of a profile; ``None`` for an in-process fake.
        signs_in_now: whether to sign in at once if there are no tokens to resume with.
    """

    profile: Profile
    credentials: Credentials
    wiring: Mapping[str, Any]
    account: "Account | None" = None
    signs_in_now: bool = True

    def begin(self, driver: Driver) -> Steps[None]:
        """Resume with stored or given tokens; without any that can be renewed, sign in if that is to be done now."""
        try:
            if (yield from driver.resume()):
                return
        except Unauthorized as expired:
            if rejects_client(expired):
                raise
            self._report_expiry(expired)
        if self.signs_in_now:
            yield from driver.sign_in()

    def _report_expiry(self, expired: Unauthorized) -> None:
        """Tell the person that stored or given tokens cannot be renewed."""
        from svckit.sign_in.prompt import say

        given = self.account and self.account.given_token
        why = (expired.description or "the token has expired").rstrip(".")
        if given:
            say(
                f"The refresh token in {given[1]} was refused ({why}); set it again to what "
                f"`svckit login {self.profile.name} --store print` prints."
            )
        else:
            say(f"The stored sign-in to {self.profile.name!r} has expired ({why}); sign in again.")


def _resolve(
    target: Target,
    *,
    credentials: Credentials | None,
    sign_in: Literal["browser", "paste", "form"] | None,
    trust: SSLContext | None,
    sample: Mapping[str, Any],
) -> _SessionSetup:
    if target is None:
        target = os.environ.get("SVCKIT_PROFILE") or FAKE  # an empty variable counts as unset
    options = {name: value for name, value in sample.items() if value is not None}
    if isinstance(target, str) and "://" in target:  # not shown, as it may hold a secret
        raise UnusableProfile(
            "pass the name of a profile, not a URL: in svckit.toml, [work] with base_url, auth_url and so on describes "
            'what svckit.connect("work") connects to'
        )
    _check_target(options, target)
    if isinstance(target, Profile) or (isinstance(target, str) and target != FAKE):
        from svckit.sign_in.account import Account  # only profiles need files, the keyring and browsers

        account = Account.find(target, credentials, sign_in)
        person = {"tokens": account.tokens(), "visitor": account.visitor, "signing_in": account.signing_in}
        # At once if the caller asked for it, or if a program can, with a profile that has what it takes.
        at_once = sign_in is not None or (account.visitor is None and not account.profile.missing)
        return _SessionSetup(
            account.profile,
            account.credentials,
            wiring=person | {"trust": trust, "remote_fake": _find_remote_fake(account, trust)},
            account=account,
            signs_in_now=at_once,
        )
    if credentials is not None:
        raise TypeError("credentials can be given with a profile only; a fake brings its own")
    if trust is not None:
        raise TypeError("trust can be given with a profile only; an in-process fake has no certificates")
    if sign_in not in (None, "form"):
        raise TypeError("an in-process fake takes sign_in='form' only; no browser reaches it")
    fake = _new_fake(options) if isinstance(target, str) else target
    if isinstance(fake, type) or not isinstance(fake, FakeLike):  # the class has the attributes, too
        given = f"the class {fake.__name__}" if isinstance(fake, type) else describe_given(fake)
        raise TypeError(
            f"connect takes a profile's name, a Profile or a FakeService; given {given}. For a served fake, pass "
            "Profile.from_facts(served.facts) and credentials=Credentials.from_facts(served.facts)"
        )
    facts = fake.facts
    wiring = {"transport": fake.transport(), "fake": fake, "clock": fake.clock}
    return _SessionSetup(Profile.from_facts(facts), Credentials.from_facts(facts), wiring)


def _find_remote_fake(account: "Account", trust: SSLContext | None) -> Any:
    """Return what controls a fake elsewhere; nothing is sent before it is used."""
    profile = account.profile
    if not profile.is_fake:
        return None
    check_fakes()
    from fakes import RemoteFake

    key = account.credentials.admin_key
    missing = {} if profile.admin_url else {"admin_url": f"admin_url of the profile {profile.name!r}"}
    if key is None:
        missing["admin_key"] = account.sources.environment.variable(profile.name, "admin_key")
    return RemoteFake(
        profile.admin_url, "" if key is None else key.reveal(), trust=trust, missing=tuple(missing.values())
    )


def _check_target(options: Mapping[str, Any], target: object) -> None:
    if options and target != FAKE:
        given = f"the profile {target!r}" if isinstance(target, str) else type(target).__name__
        raise TypeError(
            f"{', '.join(options)} can be given for a new fake only, not with {given}; pass "
            f"{', '.join(options)} to FakeService.sample({', '.join(f'{name}=…' for name in options)}) instead"
        )


def _new_fake(options: Mapping[str, Any]) -> FakeLike:
    check_fakes()
    with importing_many():
        from fakes import FakeService

        return FakeService.sample(**options)
