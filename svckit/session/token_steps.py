"""The steps of a session that get its tokens: sign in when that is needed, and renew them once."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from svckit.errors import SignInStopped, Unauthorized
from svckit.http.messages import Operation, Wait
from svckit.models.token import TokenSet
from svckit.operations import auth
from svckit.operations.authorization import SignInRequest, Visitor
from svckit.profiles.credentials import Credentials, SessionTokens, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.steps import Clock, Lock, Steps, Turn, Visit

if TYPE_CHECKING:
    from svckit.profiles.file_store import ProcessLock

__all__ = ["SigningIn", "TokenSteps", "acquire"]

T = TypeVar("T")
SigningIn = Callable[[], AbstractContextManager[Credentials]]
"""Provides the credentials for a sign-in or a renewal, and explains its errors."""

RENEW_BEFORE_END = timedelta(seconds=60)  # so that a token does not expire on the way
RENEW_AGAIN_AFTER = timedelta(seconds=60)  # because of another status than 401
POLL = 0.05  # seconds between attempts to get a lock that another process holds
LONGEST_POLL = 60  # seconds; then it is renewed anyway, which does no harm


@dataclass(kw_only=True, eq=False, repr=False)
class TokenSteps:
    """The tokens of a session, and the steps that get and renew them.

    `get_tokens` comes before each request, `renew_tokens` after one that was refused; at the start there is `resume`,
    and people may `sign_in`. Signing in and renewing each hold `_renewing`, so the others wait and then use the result:

    1. `_sign_in_once`: tokens from elsewhere, or `sign_in`, by `_get_first_tokens`.
    2. `renew_tokens`: tokens from another thread or task, or `_renew_in_turn`, which also holds the lock between
       processes: tokens from another process, or `_replace_tokens`.

    The requests for tokens are sent by `steps` while the locks are held. They have no bearer, so they get no tokens
    first, and wait for no lock.

    Attributes:
        profile: the profile of the service.
        credentials: the credentials to sign in with.
        clock: the clock for token expiry and waiting.
        make_lock: makes a lock; each is acquired for a `Turn`, and released here.
        tokens: holds the tokens; by default in memory only.
        visitor: guides a person through the sign-in; by default a program fills in the login form of a fake.
        signing_in: provides the credentials when they are needed; by default `credentials`.
    """

    profile: Profile
    credentials: Credentials
    clock: Clock
    make_lock: Callable[[], Lock]
    tokens: SessionTokens = field(default_factory=SessionTokens)
    visitor: Visitor | None = None
    signing_in: SigningIn | None = None

    def __post_init__(self) -> None:
        self.refused: Tokens | None = None  # tokens that the service refused to renew
        # Tokens that were renewed because of a status, and when.
        self._renewed: tuple[Tokens | None, datetime] = (None, self.clock.now())
        # Tokens that are new, and that the service refused all the same.
        self._forbidden: Tokens | None = None
        # So that a person is not asked again unless they ask for it.
        self._stopped: SignInStopped | None = None
        self._why_refused: Unauthorized | None = None
        self._renewing = self.make_lock()  # so that tokens are renewed once, however many requests need it

    def steps(self, operation: Operation[T]) -> Steps[T]:
        """Run an operation to its result; `svckit.session.driver.Driver` does."""
        raise NotImplementedError

    def _provide_credentials(self) -> AbstractContextManager[Credentials]:
        return self.signing_in() if self.signing_in else nullcontext(self.credentials)

    def sign_in(self, *, asked: bool = True) -> Steps[Tokens]:
        """Sign in, and keep the tokens.

        Args:
            asked: whether the user asked for it; else a person is asked only where that is possible.
        """
        self.profile.check_complete()
        try:
            with self._provide_credentials() as credentials:
                issued = yield from self._get_first_tokens(credentials, asked=asked)
        except SignInStopped as stopped:
            self._stopped = None if stopped.reason == "nobody" else stopped
            if stopped.reason == "nobody" and self._why_refused is not None:
                stopped.add_note(
                    f"There was a refresh token, but it was refused: {self._why_refused.description}"
                )
            raise
        self._stopped = self._why_refused = None
        return self.tokens.keep(issued, self.clock.now())

    def _get_first_tokens(self, credentials: Credentials, *, asked: bool) -> Steps[TokenSet]:
        if self.visitor is None:
            return (yield from self.steps(auth.sign_in(self.profile, credentials)))
        if not asked:
            from svckit.sign_in.paste import check_foreground  # loads what listens for redirects

            check_foreground(self.profile)
        visit = Visit(self.visitor, SignInRequest.begin(self.profile))
        yield visit
        return (yield from self.steps(auth.exchange(self.profile, credentials, visit.code)))

    def resume(self) -> Steps[bool]:
        """Resume with stored or given tokens; return whether there were any.

        Raises:
            Unauthorized: they have expired, and stored ones are deleted.
        """
        stored = self.tokens.current
        if stored is None:
            return False
        try:
            yield from self.get_tokens()
        except Unauthorized:
            self.tokens.current = None
            raise
        return True

    def get_tokens(self) -> Steps[Tokens]:
        """Return the tokens, signing in if nobody has, and renewed if the access token expires soon."""
        tokens = self.tokens.current or (yield from self._sign_in_once())
        return (yield from self.renew_tokens(tokens)) if self._expires_soon(tokens) else tokens

    def _sign_in_once(self) -> Steps[Tokens]:
        """Sign in, unless another thread, another task or `svckit login` has just done so."""
        yield Turn(self._renewing)
        try:
            known = self.tokens.current or self.tokens.load_newer()
            if known is None and self._stopped is not None:
                raise self._stopped.with_traceback(None)
            if known is None and self.visitor is None and not self.profile.is_fake:
                raise Unauthorized("the session is not signed in. Sign in with svc.sign_in().")
            return known or (yield from self.sign_in(asked=False))
        finally:
            self._renewing.release()

    def renew_tokens(self, expired: Tokens) -> Steps[Tokens]:
        """Renew the tokens, unless another thread, task or process has just done so."""
        yield Turn(self._renewing)
        try:
            current = self.tokens.current
            if current is not None and current is not expired:
                return current
            return (yield from self._renew_in_turn(expired))
        finally:
            self._renewing.release()

    def _renew_in_turn(self, expired: Tokens) -> Steps[Tokens]:
        """Renew the stored tokens while no other process does, or use what it has stored."""
        lock = self.tokens.make_lock()
        if lock is not None:
            yield from acquire(lock)
        try:
            newer = self.tokens.load_newer()
            if newer is not None and not self._expires_soon(newer):
                return newer
            return (yield from self._replace_tokens(newer or expired))
        finally:
            if lock is not None:
                lock.release()

    def _replace_tokens(self, expired: Tokens) -> Steps[Tokens]:
        why = self._explain_renewal(expired)
        try:
            if expired.refresh is None:
                raise Unauthorized(f"the access token {why}. {Unauthorized.advice}")
            with self._provide_credentials() as credentials:
                renewal = auth.refresh(self.profile, credentials, expired.refresh, why=why)
                issued = yield from self.steps(renewal)
        except Unauthorized as error:
            if not auth.rejects_client(error):
                self.refused = expired
                self._why_refused = error if expired.refresh else None
                self.tokens.forget()
            raise
        return self.tokens.keep(issued, self.clock.now())

    def may_help(self, status: int, tokens: Tokens) -> bool:
        """Return whether a response may mean that the access token is no longer valid, so that it is to be renewed.

        Other statuses than 401 also mean that something is forbidden: for them, a token is not renewed within a minute
        of the last such renewal, nor, if that has not helped, before some request has succeeded with it.
        """
        if status not in self.profile.renew_on:
            if status < 400:
                self._forbidden = None  # the service accepts the token after all
            return False
        renewed, at = self._renewed
        is_fresh = tokens is renewed and self.clock.now() - at < RENEW_AGAIN_AFTER
        return status == 401 or not (is_fresh or tokens is self._forbidden)

    def note_renewal(self, status: int, tokens: Tokens) -> None:
        """Remember tokens that were just renewed, and whether the service refuses a request with them."""
        self._renewed = tokens, self.clock.now()
        self._forbidden = tokens if status in self.profile.renew_on else None

    def _explain_renewal(self, tokens: Tokens) -> str:
        """Say why tokens are renewed."""
        if self.clock.now() >= tokens.expires:
            return "has expired"
        return "is about to expire" if self._expires_soon(tokens) else "was rejected"

    def _expires_soon(self, tokens: Tokens) -> bool:
        return self.clock.now() >= tokens.expires - RENEW_BEFORE_END

    def can_renew(self, tokens: Tokens) -> bool:
        """Return whether the access token can be renewed, as far as the session knows."""
        ends = self.tokens.refresh_expires
        return (
            tokens is not self.refused
            and tokens.refresh is not None
            and (ends is None or self.clock.now() < ends)
        )


def acquire(lock: "ProcessLock") -> Steps[None]:
    """Acquire a lock between processes, or give up when its holder seems to hang."""
    for _ in range(int(LONGEST_POLL / POLL)):
        if lock.acquire():
            return
        yield Wait(POLL, "another process renews the tokens")
