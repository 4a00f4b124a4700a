"""The authorization-code flow, one step at a time; the session's own tokens stay as they are."""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal, TypeVar
from urllib.parse import parse_qsl, urlencode

from svckit.display.masking import mask
from svckit.errors import InvalidInput, ServiceError, SignInStopped
from svckit.http.messages import Operation, Response
from svckit.http.trace import TraceEntry
from svckit.models import limits
from svckit.models.secret import Secret
from svckit.operations import auth
from svckit.operations.authorization import SignInRequest
from svckit.session.session import Session

__all__ = ["STEPS", "AuthorizationFlow", "Lifetime"]

T = TypeVar("T")

STEPS: Mapping[str, str] = {
    "request": "Authorization request",
    "login": "Login",
    "redirect": "Redirect and state check",
    "exchange": "Code exchange",
    "renew": "Access token renewal",
}
FIRST: Mapping[str, str] = {
    "exchange": "there is no code yet; log in and check the redirect first",
    "renew": "there is no refresh token yet; exchange a code first",
}
"""What is missing when a step cannot be taken yet."""


@dataclass(slots=True)
class Step:
    """The outcome of a step.

    Attributes:
        state: ``not done yet`` until there is an outcome, then ``done`` or ``failed``.
        says: the outcome in words, masked.
        requests: the requests of the last attempt, with their responses.
    """

    state: Literal["not done yet", "done", "failed"] = "not done yet"
    says: str = ""
    requests: list[TraceEntry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """The lifetime of a code or token of this sign-in: until it expires or is used up."""

    credential: str
    issued: datetime
    expires: datetime
    is_used: bool = False

    def state(self, now: datetime) -> str:
        """Return ``valid``, ``used`` or ``expired``.

        An access token is no longer valid at the instant it expires; a code or refresh token still is.
        """
        too_late = now >= self.expires if self.credential == "access token" else now > self.expires
        return "used" if self.is_used else "expired" if too_late else "valid"


class AuthorizationFlow:
    """One sign-in in steps; each step runs on request and can be repeated.

    A step uses the results of the steps before it: `begin`; then `log_in` to a fake, or `receive_redirect` after a
    person has logged in in a browser; `check`; `exchange`; `renew`. A redirect that was received on this machine, where
    its state was compared, needs only `accept`. Codes and tokens are held in memory and not shown.

    Args:
        svc: the session that sends the requests; its own sign-in is not affected.

    Attributes:
        request: the authorization request, with its state.
        steps: the outcome of each step, by name.
        runs: how many times a step has sent requests.
        latest: the last step that has; at first the authorization request.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> flow = AuthorizationFlow(svc)
        >>> flow.begin(open_screen=True)
        >>> flow.log_in(svc.credentials.login_id, svc.credentials.password)
        >>> flow.check(tampered=True)
        Traceback (most recent call last):
        ...
        svckit.errors.SignInStopped: the sign-in was stopped: the redirect's state is not that of this sign-in, ...
        >>> flow.check()
        >>> flow.exchange()
        >>> [(lifetime.credential, lifetime.state(svc.clock.now())) for lifetime in flow.lifetimes]
        [('code', 'used'), ('access token', 'valid'), ('refresh token', 'valid')]
    """

    def __init__(self, svc: Session) -> None:
        self._svc = svc
        self.request: SignInRequest | None = None
        self.steps: dict[str, Step] = {name: Step() for name in STEPS}
        self.runs: int = 0
        self.latest: str = "request"
        # What the next step needs from the one before; `ready` says which are there.
        self._screen: Response | None = None
        self._url: Secret | None = None
        self._code: Secret | None = None  # only after the state was compared
        self._refresh_token: Secret | None = None
        self._lifetimes: dict[str, Lifetime] = {}

    @property
    def lifetimes(self) -> list[Lifetime]:
        """The lifetimes of the code and tokens issued so far."""
        return list(self._lifetimes.values())

    @property
    def ready(self) -> dict[str, bool]:
        """The steps, by name, with whether each has what it needs."""
        return {
            "request": True,
            "login": self._screen is not None,
            "redirect": self._url is not None,
            "exchange": self._code is not None,
            "renew": self._refresh_token is not None,
        }

    def require(self, step: Literal["exchange", "renew"]) -> None:
        """Check that a step has what it needs.

        Raises:
            InvalidInput: something is missing; the message says what to do first.
        """
        if not self.ready[step]:
            raise InvalidInput(FIRST[step])

    def begin(self, *, open_screen: bool) -> None:
        """Create the request with a new state, and discard the results of an earlier one.

        Args:
            open_screen: whether to open the login screen, as a browser does.
        """
        # The explorer keeps this object, so it begins again itself.
        AuthorizationFlow.__init__(self, self._svc)
        self.request = SignInRequest.begin(self._svc.profile)
        if open_screen:
            self._screen = self._run("request", auth.authorize(self.request))
        self._complete("request", "The request has a new random state, which is kept here and not shown.")

    def log_in(self, login_id: str, password: Secret) -> None:
        """Fill in a fake's login screen; the redirect it responds with is read, not followed."""
        if self.request is None or self._screen is None:
            raise InvalidInput("there is no login screen yet; make the authorization request first")
        redirect = self._run("login", auth.log_in(self.request, self._screen, login_id, password))
        self._complete(
            "login", f"{login_id} logged in; the service redirects the browser to the application."
        )
        self.receive_redirect(Secret(redirect.headers.get("location", "")))

    def receive_redirect(self, url: Secret) -> None:
        """Store the URL that the browser was redirected to; it is not checked yet."""
        if self.request is None:
            raise InvalidInput("no sign-in was started here; make the authorization request first")
        self._url, self._code = url, None
        self._complete_login()
        self.steps["redirect"] = Step()
        self._note_lifetime("code", limits.AUTHORIZATION_CODE_LIFETIME)

    @property
    def redirect(self) -> str:
        """The URL of the redirect, with code and state masked; empty before there is one."""
        return "" if self._url is None else mask(self._url.reveal())

    def check(self, *, tampered: bool = False) -> None:
        """Read the code from the redirect if its state matches the request.

        Args:
            tampered: whether to check the redirect as if somebody had replaced its state.

        Raises:
            SignInStopped: the state does not match, or the redirect has no code.
        """
        if self.request is None or self._url is None:
            raise InvalidInput("there is no redirect yet; log in first")
        url = _replace_state(self._url) if tampered else self._url
        self._code = None
        try:
            code = self.request.extract_code(url)
        except SignInStopped as stopped:
            self.steps["redirect"] = Step("failed", f"Stopped: {stopped.why}. The code is not used.")
            raise
        self.accept(code)

    def accept(self, code: Secret) -> None:
        """Store the code of a redirect whose state was checked."""
        self._code = code
        self._complete_login()
        if "code" not in self._lifetimes:  # the redirect came straight here, not by `receive_redirect`
            self._note_lifetime("code", limits.AUTHORIZATION_CODE_LIFETIME)
        self._complete(
            "redirect",
            "The state matches the request (compared in constant time), so the code belongs to this sign-in.",
        )

    def exchange(self) -> None:
        """Exchange the code for tokens, even if it was used before: then the response shows what the service says."""
        if self._code is None:
            raise InvalidInput(FIRST["exchange"])
        svc = self._svc
        issued = self._run("exchange", auth.exchange(svc.profile, svc.credentials, self._code))
        self._refresh_token = issued.refresh_token
        self._lifetimes["code"] = replace(self._lifetimes["code"], is_used=True)
        self._note_lifetime("access token", issued.lifetime)
        if issued.refresh_token:
            self._note_lifetime("refresh token", limits.REFRESH_TOKEN_LIFETIME)
        self._complete(
            "exchange",
            "Tokens were issued. They are held here, separate from the session’s own, and not shown. The code is used "
            "up now: exchange it again to see what the service says.",
        )

    def renew(self) -> None:
        """Refresh the access token; the refresh token stays the same."""
        if self._refresh_token is None:
            raise InvalidInput(FIRST["renew"])
        svc = self._svc
        issued = self._run("renew", auth.refresh(svc.profile, svc.credentials, self._refresh_token))
        self._note_lifetime("access token", issued.lifetime)
        self._complete(
            "renew", "A new access token was issued, without a new refresh token: the old one stays valid."
        )

    def _run(self, name: str, operation: Operation[T]) -> T:
        """Run an operation and keep its requests and responses."""
        step = self.steps[name] = Step()
        self.runs, self.latest = self.runs + 1, name
        with self._svc.trace() as trace:
            try:
                return self._svc.run(operation)
            except ServiceError as error:
                outcome = f"{error.status or 'no response'}: {error.description or error}"
                step.state = "failed"
                step.says = mask(f"The service refused the request: {outcome}.".replace("..", "."))
                raise
            finally:
                step.requests = [entry for entry in trace if entry.request.operation.startswith("auth.")]

    def _complete_login(self) -> None:
        """Mark the login as done when it took place in a browser."""
        if self._screen is None:
            self._complete("login", "A person logged in, in the browser.")

    def _complete(self, name: str, says: str) -> None:
        step = self.steps[name]
        step.state, step.says = "done", mask(says)

    def _note_lifetime(self, credential: str, duration: timedelta) -> None:
        now = self._svc.clock.now()
        expires = datetime.max.replace(tzinfo=now.tzinfo)
        with suppress(OverflowError):  # past the last date that Python can express
            expires = now + duration
        self._lifetimes[credential] = Lifetime(credential, now, expires)


def _replace_state(url: Secret) -> Secret:
    endpoint, _, query = url.reveal().partition("?")
    others = [(name, value) for name, value in parse_qsl(query) if name != "state"]
    return Secret(f"{endpoint}?{urlencode([*others, ('state', secrets.token_urlsafe(32))])}")
